import { isJsonObject, type JsonObject } from '../../runtime/json/json.ts'
import { keywordOf } from '../../runtime/keywords/keywords.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { isSchema } from '../../runtime/schema/schema-children.ts'
import { expressionKey, stringLiteral } from '../print/literal.ts'
import { array, call, type Item, type Layout, object, text } from './layout.ts'
import { isAnnotation } from './schema-keywords.ts'

/**
 * Prints a normalised schema as an equivalent TypeBox expression that keeps every keyword. Parts without a TypeBox builder
 * become JSON in `Type.Unsafe`.
 */
export function typeboxSource(schema: Schema): Layout {
  if (typeof schema === 'boolean') return call(schema ? 'Type.Unknown' : 'Type.Never', [])
  if (Object.keys(schema).every(isAnnotation)) return builder('Unknown', [], schema)
  if (Object.hasOwn(schema, '$ref')) return referenceSource(schema)
  if (hasLongList(schema)) return unsafe(schema)
  if (Object.hasOwn(schema, 'const')) return constSource(schema)
  if (schema.enum) return enumSource(schema, schema.enum)
  if (typeof schema.type === 'string') return typedSource(schema, schema.type)
  if (Array.isArray(schema.type)) return typesSource(schema, schema.type)
  return combinedSource(schema)
}

/** Longest list of values or schemas that becomes a type: TypeScript makes no tuple of more than 10,000 items (TS2800). */
const longestList = 5000

function hasLongList({ enum: values = [], anyOf = [], allOf = [], prefixItems = [] }: JsonSchema): boolean {
  return [values, anyOf, allOf, prefixItems].some(({ length }) => length > longestList)
}

/** Prints the properties of an object, optional ones as `Type.Optional`. */
export function propertyItems(
  properties: Readonly<Record<string, Schema>>,
  isOptional: (name: string) => boolean,
): Item[] {
  return Object.entries(properties).map(([name, schema]) => {
    const source = typeboxSource(schema)
    return { key: expressionKey(name), value: isOptional(name) ? call('Type.Optional', [source]) : source }
  })
}

/** Keywords as the members of an options object; schemas that are built elsewhere read better as TypeBox. */
export function optionItems(keywords: JsonObject): Item[] {
  return Object.entries(keywords).map(([keyword, value]) => ({
    key: expressionKey(keyword),
    value: optionSource(keyword, value),
  }))
}

/** JSON data as source. A plain `__proto__` key would set a prototype, so that one is computed. */
export function jsonSource(value: unknown): Layout {
  if (typeof value === 'string') return text(stringLiteral(value))
  if (Array.isArray(value)) return array(value.map(jsonSource))
  if (isJsonObject(value)) {
    return object(
      Object.entries(value).map(([key, member]) => ({ key: expressionKey(key), value: jsonSource(member) })),
    )
  }
  return text(JSON.stringify(value))
}

/** Keywords whose schemas stand in options and describe values that people think of as having types. */
const builtInOptions = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'dependentSchemas',
  'patternProperties',
  'propertyNames',
  '$defs',
])

function optionSource(keyword: string, value: unknown): Layout {
  if (!builtInOptions.has(keyword) || typeof value === 'boolean') return jsonSource(value)
  if (keywordOf(keyword)?.place !== 'map') {
    return isSchema(value) ? typeboxSource(value) : jsonSource(value)
  }
  const schemas = isJsonObject(value) ? Object.entries(value) : []
  return object(
    schemas.map(([name, schema]) => ({
      key: expressionKey(name),
      value: isSchema(schema) ? typeboxSource(schema) : jsonSource(schema),
    })),
  )
}

function builder(
  kind: string,
  values: readonly Layout[],
  keywords: JsonObject,
  handled: readonly string[] = [],
): Layout {
  const items = optionItems(without(keywords, handled))
  return call(`Type.${kind}`, items.length > 0 ? [...values, object(items)] : values)
}

function unsafe(schema: JsonSchema): Layout {
  return call('Type.Unsafe<unknown>', [jsonSource(schema)])
}

function referenceSource(schema: JsonSchema): Layout {
  const { $ref = '', ...rest } = schema
  if (!Object.keys(rest).every(isAnnotation)) return unsafe(schema)
  return builder('Ref', [jsonSource($ref)], rest)
}

function constSource(schema: JsonSchema): Layout {
  const { const: value, type, ...rest } = schema
  if (value === null && (type === undefined || type === 'null')) return builder('Null', [], rest)
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return unsafe(schema)
  if (type === undefined || type === typeof value) return builder('Literal', [jsonSource(value)], rest)
  return type === 'integer' && Number.isInteger(value)
    ? builder('Literal', [jsonSource(value)], { type, ...rest })
    : unsafe(schema)
}

function enumSource(schema: JsonSchema, values: readonly unknown[]): Layout {
  if (values.every((value) => typeof value === 'string' || typeof value === 'number')) {
    return builder('Enum', [array(values.map(jsonSource))], schema, ['enum'])
  }
  const isPlain = values.every((value) => !isJsonObject(value) && !Array.isArray(value))
  const { enum: _values, ...rest } = schema
  if (!isPlain || !Object.keys(rest).every(isAnnotation)) return unsafe(schema)
  return builder('Union', [array(values.map((value) => constSource({ const: value })))], rest)
}

const scalarBuilders: Readonly<Record<string, string>> = {
  string: 'String',
  number: 'Number',
  integer: 'Integer',
  boolean: 'Boolean',
  null: 'Null',
}

function typedSource(schema: JsonSchema, type: string): Layout {
  if (type === 'object') return objectSource(schema)
  if (type === 'array') return arraySource(schema)
  return builder(scalarBuilders[type] ?? 'Unknown', [], schema, ['type'])
}

function objectSource(schema: JsonSchema): Layout {
  const { properties = {}, required = [], patternProperties = {} } = schema
  const [pattern, ...otherPatterns] = Object.entries(patternProperties)
  const isRecord =
    pattern && otherPatterns.length === 0 && schema.properties === undefined && required.length === 0
  if (isRecord) return recordSource(schema, pattern)
  const names = new Set(required)
  const members = object(propertyItems(properties, (name) => !names.has(name)))
  // TypeBox computes `required` from the properties; names without a property have to be passed.
  const isComputed = required.every((name) => Object.hasOwn(properties, name))
  return builder('Object', [members], schema, ['type', 'properties', ...(isComputed ? ['required'] : [])])
}

/** What TypeBox writes for a record with any keys. */
const anyKey = '^.*$'

function recordSource(schema: JsonSchema, [pattern, value]: readonly [string, Schema]): Layout {
  const key = builder('String', [], pattern === anyKey ? {} : { pattern })
  return builder('Record', [key, typeboxSource(value)], schema, ['type', 'patternProperties', 'required'])
}

function arraySource(schema: JsonSchema): Layout {
  const { prefixItems, items, minItems } = schema
  // An item that `items` or `additionalItems` has looked at is no longer unevaluated; TypeBox always writes them.
  if (schema.unevaluatedItems !== undefined) return unsafe(schema)
  if (!prefixItems) {
    return builder('Array', [typeboxSource(Array.isArray(items) ? true : (items ?? true))], schema, [
      'type',
      'items',
    ])
  }
  // TypeBox tuples are closed and full unless their options say otherwise.
  const open = { ...(items !== false && { additionalItems: items ?? true }) }
  const short = { ...(minItems !== prefixItems.length && { minItems: minItems ?? 0 }) }
  const rest = without(schema, ['type', 'prefixItems', 'items', 'minItems'])
  return builder('Tuple', [array(prefixItems.map(typeboxSource))], { ...open, ...short, ...rest })
}

/** The types that a keyword looks at, where a member of a union can say it; none where only the whole can. */
function typesOfKeyword(name: string): readonly string[] {
  const keyword = keywordOf(name)
  // `unevaluated…` keywords depend on the keywords around them.
  return keyword?.kind === 'assertion' && !name.startsWith('unevaluated') ? (keyword.about ?? []) : []
}

/** A list of types as a union, when each keyword belongs to certain types. */
function typesSource(schema: JsonSchema, types: readonly string[]): Layout {
  const { type: _types, ...rest } = schema
  const keywords = Object.keys(rest).filter((keyword) => !isAnnotation(keyword))
  if (!keywords.every((keyword) => typesOfKeyword(keyword).length > 0)) return unsafe(schema)
  const members = types.map((type) => {
    const spoken = type === 'integer' ? 'number' : type
    return typedSource({ type, ...pick(rest, (keyword) => typesOfKeyword(keyword).includes(spoken)) }, type)
  })
  return builder('Union', [array(members)], pick(rest, isAnnotation))
}

function combinedSource(schema: JsonSchema): Layout {
  const constraints = Object.keys(schema).filter((keyword) => !isAnnotation(keyword))
  const [only] = constraints
  const isAlone = constraints.length === 1
  if (isAlone && only === 'anyOf' && schema.anyOf) {
    return builder('Union', [array(schema.anyOf.map(typeboxSource))], schema, ['anyOf'])
  }
  if (isAlone && only === 'allOf' && schema.allOf) {
    return builder('Intersect', [array(schema.allOf.map(typeboxSource))], schema, ['allOf'])
  }
  return unsafe(schema)
}

function pick(keywords: JsonObject, isWanted: (keyword: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(keywords).filter(([keyword]) => isWanted(keyword)))
}

function without(keywords: JsonObject, names: readonly string[]): JsonObject {
  return pick(keywords, (keyword) => !names.includes(keyword))
}
