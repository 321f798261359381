import { isJsonObject } from '../../runtime/json/json.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { intersection, union } from './combine.ts'
import {
  allTypes,
  hasDeclaredType,
  JsonType,
  possibleTypes,
  requireDefinitionName,
  type TypeSet,
  type TypesOfDefinition,
  typeOfValue,
} from './json-types.ts'
import { readArray } from './read-array.ts'
import { readObject } from './read-object.ts'
import {
  booleanNode,
  neverNode,
  nodeTypes,
  nullNode,
  numberNode,
  stringNode,
  type TypeNode,
  unknownNode,
} from './type-node.ts'

const objectKeywords = ['properties', 'required', 'additionalProperties', 'patternProperties'] as const
const arrayKeywords = ['items', 'prefixItems'] as const

/**
 * Reads a normalised JSON Schema (2020-12) as a type that every valid value has. What types cannot express (lengths, patterns,
 * `not`, `contains`) is left to the validator, never guessed.
 *
 * @param known The JSON types of the value that follow from the surrounding schema.
 */
export function readType(schema: Schema, typesOf: TypesOfDefinition, known: TypeSet = allTypes): TypeNode {
  if (typeof schema === 'boolean') return schema ? unknownNode : neverNode
  const types = known & possibleTypes(schema, typesOf)
  if (types === 0) return neverNode
  const parts = combinations(schema, typesOf, types)
  if (Object.hasOwn(schema, 'const')) parts.unshift(literals([schema.const], schema, types))
  else if (schema.enum) parts.unshift(literals(schema.enum, schema, types))
  else if (needsStructure(schema, types, known, parts)) parts.unshift(structure(schema, typesOf, types))
  return intersection(parts)
}

/** Returns the types of `$ref`, `allOf`, `anyOf`, `oneOf` and `if`. A valid value has all of them. */
function combinations(schema: JsonSchema, typesOf: TypesOfDefinition, types: TypeSet): TypeNode[] {
  const read = (part: Schema): TypeNode => readType(part, typesOf, types)
  const parts: TypeNode[] = []
  if (schema.$ref !== undefined) {
    const name = requireDefinitionName(schema.$ref)
    parts.push({ kind: 'definition', name, written: false, types: typesOf(name) })
  }
  for (const part of schema.allOf ?? []) parts.push(read(part))
  if (schema.anyOf) parts.push(union(schema.anyOf.map(read)))
  if (schema.oneOf) parts.push(union(schema.oneOf.map(read)))
  if (schema.if !== undefined) parts.push(conditional(subschema(schema.if), schema, read))
  return parts
}

/** Returns the type of `if`: a valid value fulfils `if` and `then`, or `else`, so it is in their union. */
function conditional(condition: Schema, schema: JsonSchema, read: (part: Schema) => TypeNode): TypeNode {
  const otherwise = read(subschema(schema.else))
  if (otherwise.kind === 'unknown') return unknownNode
  return union([intersection([read(condition), read(subschema(schema.then))]), otherwise])
}

/** Returns a keyword's schema. A missing or malformed one allows everything. */
function subschema(value: unknown): Schema {
  return isJsonObject(value) || value === false ? value : true
}

/** True if the schema itself adds anything to its other parts and the surrounding schema. */
function needsStructure(
  schema: JsonSchema,
  types: TypeSet,
  known: TypeSet,
  parts: readonly TypeNode[],
): boolean {
  const says = (keyword: string): boolean => Object.hasOwn(schema, keyword)
  const inside =
    ((types & JsonType.object) !== 0 && objectKeywords.some(says)) ||
    ((types & JsonType.array) !== 0 && arrayKeywords.some(says))
  if (inside) return types !== allTypes
  const said = parts.reduce((all: TypeSet, part) => all & nodeTypes(part), known)
  return (said & ~types) !== 0
}

function structure(schema: JsonSchema, typesOf: TypesOfDefinition, types: TypeSet): TypeNode {
  const read = (part: Schema): TypeNode => readType(part, typesOf)
  const parts: TypeNode[] = []
  if (types & JsonType.string) parts.push(stringNode)
  if (types & JsonType.number) parts.push(numberNode)
  if (types & JsonType.boolean) parts.push(booleanNode)
  if (types & JsonType.array) parts.push(readArray(schema, read))
  if (types & JsonType.object) parts.push(readObject(schema, read))
  if (types & JsonType.null) parts.push(nullNode)
  return union(parts)
}

/** Returns the listed values as literal types, without those that the schema's `type` refuses. */
function literals(values: readonly unknown[], schema: JsonSchema, types: TypeSet): TypeNode {
  return union(
    values
      .filter((value) => (typeOfValue(value) & types) !== 0 && hasDeclaredType(value, schema))
      .map(literal),
  )
}

function literal(value: unknown): TypeNode {
  if (Array.isArray(value)) return { kind: 'tuple', elements: value.map(literal), required: value.length }
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([name, member]) => ({
      name,
      node: literal(member),
      optional: false,
    }))
    return { kind: 'object', members }
  }
  if (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean'
  ) {
    return { kind: 'literal', value }
  }
  return unknownNode
}
