import { isJsonObject, type JsonObject } from '../../runtime/json/json.ts'
import { keywordOf } from '../../runtime/keywords/keywords.ts'
import { unicodePattern } from './unicode-pattern.ts'

/**
 * Spells one schema object's older forms as 2020-12 does, without walking into it: draft-03 requirements, draft-04 exclusive
 * bounds, draft-07 tuples and dependencies, patterns without the flag `u`, OpenAPI's `nullable`, and Gemini's types in
 * capitals. What is not an older form stays as it is, wrong values included.
 */
export function upgradeSchema(source: JsonObject): JsonObject {
  const schema = withoutNulls(source)
  upgradeRequired(schema)
  upgradePatterns(schema)
  upgradeBound(schema, 'exclusiveMinimum', 'minimum')
  upgradeBound(schema, 'exclusiveMaximum', 'maximum')
  upgradeTuple(schema)
  upgradeDependencies(schema)
  upgradeCapitals(schema)
  upgradeNullable(schema)
  return schema
}

/**
 * Go and others write null for what they do not say, and PHP writes an empty list for an empty map. A keyword that takes any value
 * says it.
 */
function withoutNulls(source: JsonObject): JsonObject {
  const isNone = ([keyword, value]: [string, unknown]): boolean => {
    const word = keywordOf(keyword)
    if (word?.place === 'map') return value === null || (Array.isArray(value) && value.length === 0)
    return value === null && word?.value !== 'any'
  }
  return Object.fromEntries(Object.entries(source).filter((entry) => !isNone(entry)))
}

/** Draft-03: a property says of itself that it is required, and `any` is a type. */
function upgradeRequired(schema: JsonObject): void {
  if (typeof schema.required === 'boolean') delete schema.required
  if (schema.type === 'any') delete schema.type
  const { properties, required = [] } = schema
  if (!isJsonObject(properties) || !Array.isArray(required)) return
  const own = Object.keys(properties).filter((name) => {
    const property = properties[name]
    return isJsonObject(property) && property.required === true
  })
  if (own.length > 0) schema.required = [...new Set([...required, ...own])]
}

/** Up to draft-07 nothing says that patterns have the flag `u`. */
function upgradePatterns(schema: JsonObject): void {
  const { pattern, patternProperties } = schema
  if (typeof pattern === 'string') schema.pattern = unicodePattern(pattern) ?? pattern
  if (!isJsonObject(patternProperties)) return
  const upgraded = new Map<string, unknown>()
  for (const [source, value] of Object.entries(patternProperties)) {
    const pattern = unicodePattern(source) ?? source
    // Two spellings of one pattern: a property has to fit both schemas.
    upgraded.set(pattern, upgraded.has(pattern) ? { allOf: [upgraded.get(pattern), value] } : value)
  }
  schema.patternProperties = Object.fromEntries(upgraded)
}

/** Draft-04: `exclusiveMinimum: true` says that `minimum` itself is out. */
function upgradeBound(schema: JsonObject, exclusive: string, inclusive: string): void {
  if (typeof schema[exclusive] !== 'boolean') return
  const bound = schema[inclusive]
  const excluded = schema[exclusive] && bound !== undefined
  delete schema[exclusive]
  if (!excluded) return
  schema[exclusive] = bound
  delete schema[inclusive]
}

/** Up to 2019-09: `items` as a list is the tuple and `additionalItems` what follows it. */
function upgradeTuple(schema: JsonObject): void {
  const { items, additionalItems } = schema
  delete schema.additionalItems
  if (!Array.isArray(items)) return
  delete schema.items
  if (items.length > 0) schema.prefixItems = items
  if (additionalItems !== undefined) schema.items = additionalItems
}

/** Up to draft-07: one keyword for what are two now. */
function upgradeDependencies(schema: JsonObject): void {
  const { dependencies } = schema
  if (!isJsonObject(dependencies)) return
  delete schema.dependencies
  const entries = Object.entries(dependencies)
  const names = entries.filter(([, value]) => Array.isArray(value))
  const schemas = entries.filter(([, value]) => !Array.isArray(value))
  if (names.length > 0) addBeside(schema, 'dependentRequired', Object.fromEntries(names))
  if (schemas.length > 0) addBeside(schema, 'dependentSchemas', Object.fromEntries(schemas))
}

/** Sets a keyword; in `allOf` if the schema has it already. */
function addBeside(schema: JsonObject, keyword: string, value: JsonObject): void {
  const { allOf = [] } = schema
  if (!Object.hasOwn(schema, keyword)) schema[keyword] = value
  else if (Array.isArray(allOf)) schema.allOf = [...allOf, { [keyword]: value }]
}

/** OpenAPI 3.0: `nullable` widens `type` and nothing else, so an `enum` has to list null itself. */
function upgradeNullable(schema: JsonObject): void {
  const { nullable, type } = schema
  if (typeof nullable !== 'boolean') return
  delete schema.nullable
  if (!nullable || type === undefined) return
  const types = Array.isArray(type) ? type : [type]
  schema.type = types.includes('null') ? types : [...types, 'null']
}

const capitals: ReadonlySet<unknown> = new Set([
  'OBJECT',
  'ARRAY',
  'STRING',
  'NUMBER',
  'INTEGER',
  'BOOLEAN',
  'NULL',
])
const counts = ['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties']

/** Gemini: types in capitals, and counts as texts, since its JSON writes 64-bit numbers so. */
function upgradeCapitals(schema: JsonObject): void {
  const { type } = schema
  if (typeof type !== 'string' || !capitals.has(type)) return
  schema.type = type.toLowerCase()
  for (const key of counts) {
    const count = schema[key]
    if (typeof count === 'string' && /^\d{1,15}$/.test(count)) schema[key] = Number(count)
  }
}
