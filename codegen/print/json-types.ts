import { definitionName } from '../../runtime/json/definition-reference.ts'
import { isJsonObject } from '../../runtime/json/json.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { settle } from './settle.ts'

/** A set of JSON types, one bit each; integers count as numbers. */
export type TypeSet = number

export const JsonType = { string: 1, number: 2, boolean: 4, null: 8, array: 16, object: 32 } as const

export const allTypes: TypeSet = 63

/** Shared definitions by name. */
export type Definitions = Readonly<Record<string, Schema>>

/** Returns the JSON types of a shared definition. Throws for an unknown name. */
export type TypesOfDefinition = (name: string) => TypeSet

/**
 * Returns the JSON types that valid values of a schema can have, never too few. It follows references and combinations, since a
 * `{ required: ['a'] }` without a type next to `type: 'object'` only concerns objects.
 */
export function possibleTypes(schema: Schema, typesOf: TypesOfDefinition): TypeSet {
  if (typeof schema === 'boolean') return schema ? allTypes : 0
  const either = (parts: readonly Schema[]): TypeSet =>
    parts.reduce((all: TypeSet, part) => all | possibleTypes(part, typesOf), 0)

  let types = declaredTypes(schema)
  if (Object.hasOwn(schema, 'const')) types &= typeOfValue(schema.const)
  if (schema.enum) types &= schema.enum.reduce((all: TypeSet, value) => all | typeOfValue(value), 0)
  if (schema.$ref !== undefined) types &= typesOf(requireDefinitionName(schema.$ref))
  for (const part of schema.allOf ?? []) types &= possibleTypes(part, typesOf)
  if (schema.anyOf) types &= either(schema.anyOf)
  if (schema.oneOf) types &= either(schema.oneOf)
  if (schema.not !== undefined) types &= ~refusedTypes(schema.not)
  return types
}

/** Computes the types of all definitions together, narrowing them until nothing changes, so that recursion ends. */
export function typesOfDefinitions(definitions: Definitions): TypesOfDefinition {
  const existing = (name: string, types: TypeSet | undefined): TypeSet => {
    if (types !== undefined) return types
    const names = Object.keys(definitions).join(', ') || 'none'
    throw new Error(`Reference to the definition "${name}", which does not exist. Definitions: ${names}.`)
  }
  const types = settle(Object.keys(definitions), allTypes, (name, known) =>
    possibleTypes(definitions[name] ?? true, (other) => existing(other, known(other))),
  )
  return (name) => existing(name, types.get(name))
}

/** Returns the types that `type` alone allows. `nullable` adds one more, as in Ajv. */
function declaredTypes(schema: JsonSchema): TypeSet {
  const { type } = schema
  if (type === undefined) return allTypes
  const types = (Array.isArray(type) ? type : [type]).reduce((all: TypeSet, name) => all | typeNamed(name), 0)
  return schema.nullable === true ? types | JsonType.null : types
}

export function typeOfValue(value: unknown): TypeSet {
  if (value === null) return JsonType.null
  if (Array.isArray(value)) return JsonType.array
  return isJsonObject(value) ? JsonType.object : typeNamed(typeof value)
}

/** True if a value has one of the types that `type` names; here `integer` means whole numbers only. */
export function hasDeclaredType(value: unknown, schema: JsonSchema): boolean {
  if ((declaredTypes(schema) & typeOfValue(value)) === 0) return false
  const names = typeof schema.type === 'string' ? [schema.type] : schema.type
  return (
    !names?.includes('integer') ||
    names.includes('number') ||
    typeof value !== 'number' ||
    Number.isInteger(value)
  )
}

/** Returns the name in a normalised reference, `#/$defs/Name`. */
export function requireDefinitionName($ref: string): string {
  const name = definitionName($ref)
  if (name === undefined) {
    throw new Error(
      `Reference "${$ref}" is not of the form "#/$defs/Name": normalise the schema before printing it.`,
    )
  }
  return name
}

function typeNamed(name: string): TypeSet {
  if (name === 'integer') return JsonType.number
  return Object.hasOwn(JsonType, name) ? JsonType[name as keyof typeof JsonType] : 0
}

/** Returns the types that a `not` refuses as a whole; anything finer is left to the validator. */
function refusedTypes(not: Schema): TypeSet {
  if (typeof not === 'boolean') return not ? allTypes : 0
  const keywords = Object.keys(not)
  if (keywords.length === 0) return allTypes
  if (keywords.length > 1 || not.type === undefined) return 0
  const names = Array.isArray(not.type) ? not.type : [not.type]
  return names
    .filter((name) => name !== 'integer')
    .reduce((types: TypeSet, name) => types | typeNamed(name), 0)
}
