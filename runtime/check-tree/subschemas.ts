import { isJsonObject } from '../json/json.ts'
import { pointerSegment } from '../problems/problem.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const schemaKeywords = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
] as const
const listKeywords = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'] as const
const mapKeywords = [
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
] as const

const holdsSchemas: ReadonlySet<string> = new Set([...schemaKeywords, ...listKeywords, ...mapKeywords])

/** Keywords whose subschemas look at the same value as the schema itself. */
export const inPlaceKeywords: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'dependencies',
  'dependentSchemas',
  'else',
  'if',
  'not',
  'oneOf',
  'then',
])

/** A schema inside a schema. */
export interface Subschema {
  readonly keyword: string
  /** JSON pointer from the schema that it is in. */
  readonly pointer: string
  readonly schema: Schema
}

/** The schemas directly inside a schema. What is no schema, where one should be, is left out. */
export function subschemas(schema: JsonSchema): Subschema[] {
  // Most schemas are leaves, and looking at what they have is less than asking for what they might.
  if (!Object.keys(schema).some((keyword) => holdsSchemas.has(keyword))) return []
  const found: Subschema[] = []
  const add = (keyword: string, value: unknown, path: string) => {
    if (isJsonObject(value) || typeof value === 'boolean')
      found.push({ keyword, pointer: path, schema: value })
  }
  for (const keyword of schemaKeywords) add(keyword, ownValue(schema, keyword), `/${keyword}`)
  for (const keyword of listKeywords) {
    const list = ownValue(schema, keyword)
    if (Array.isArray(list))
      for (const [index, item] of list.entries()) add(keyword, item, `/${keyword}/${index}`)
  }
  for (const keyword of mapKeywords) {
    const map = ownValue(schema, keyword)
    if (!isJsonObject(map)) continue
    for (const [name, item] of Object.entries(map)) add(keyword, item, `/${keyword}/${pointerSegment(name)}`)
  }
  return found
}

function ownValue(schema: JsonSchema, keyword: string): unknown {
  return Object.hasOwn(schema, keyword) ? schema[keyword] : undefined
}
