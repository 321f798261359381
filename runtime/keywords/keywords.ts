import { isJsonObject, own } from '../json/json.ts'
import {
  type Keyword,
  type KeywordKind,
  type KeywordValue,
  keywordTable,
  type SchemaPlace,
} from './keyword-table.ts'

/** How each kind of value holds subschemas. */
const places: Partial<Record<KeywordValue, SchemaPlace>> = {
  schema: 'single',
  items: 'single',
  schemas: 'list',
  schemasByName: 'map',
  schemasByPattern: 'map',
}

/** A map, since every phase of generation looks up every keyword of every schema. */
const byName: ReadonlyMap<string, Keyword> = new Map(
  Object.entries(keywordTable).flatMap(([kind, rows]) =>
    Object.entries(rows).map(([name, row]) => [
      name,
      { ...row, name, kind: kind as KeywordKind, place: places[row.value] },
    ]),
  ),
)

/** Returns the facts about a keyword; undefined for an unknown name. */
export function keywordOf(name: string): Keyword | undefined {
  return byName.get(name)
}

/** Returns the keywords that satisfy a predicate, in the order of the table. */
export function keywordsWhere(fits: (keyword: Keyword) => unknown): Keyword[] {
  return [...byName.values()].filter(fits)
}

/** Returns the names of the keywords that satisfy a predicate, in the order of the table. */
export function keywordNames(fits: (keyword: Keyword) => unknown): string[] {
  return keywordsWhere(fits).map(({ name }) => name)
}

/**
 * Returns the keywords that constrain a value as a whole, such as bounds and patterns. A TypeScript type cannot express them,
 * so they are printed in comments.
 */
export function limitingKeywords(): string[] {
  return keywordNames(
    ({ kind, about, place, beside, value }) =>
      kind === 'assertion' && about && !place && !beside && !value.startsWith('names'),
  )
}

/** Returns the pairs of keywords that bound a range: `minimum` and `maximum`, and so on. */
export function rangeKeywords(): { lower: Keyword; upper: string }[] {
  return keywordsWhere(({ bound, name }) => bound === 'lower' && name.startsWith('min')).map((lower) => ({
    lower,
    upper: lower.name.replace('min', 'max'),
  }))
}

/**
 * True for a non-empty schema without any keyword: usually a map of properties without the object schema around it, or, with a
 * description, a tool of another library such as `{ description, inputSchema }`.
 */
export function isWithoutKeyword(schema: object): boolean {
  const names = Object.keys(schema)
  const isForeignTool = /schema|param/i.test(names.join())
  // A property can be named `id`, which is also a keyword of draft-04.
  const isName = (name: string): boolean =>
    name === 'id' ? isJsonObject(own(schema, name)) : isForeignTool && name === 'description'
  const isWord = (name: string): boolean => /^(?:x-|~)/.test(name) || (byName.has(name) && !isName(name))
  return names.length > 0 && !names.some(isWord)
}

/**
 * True for a schema without any keyword in which schemas stand: properties without the object schema around them, or a schema in
 * the wrapper of another library. Read as it is, it would allow any value.
 */
export function holdsOnlySchemas(schema: object): boolean {
  const holdsSchema = (value: unknown): boolean => isJsonObject(value) && Object.entries(value).some(isShape)
  return isWithoutKeyword(schema) && Object.values(schema).some(holdsSchema)
}

/** The names of the types of JSON Schema. */
export const typeName: RegExp = /^(?:string|number|integer|boolean|null|object|array)$/

/** False for data that only has a member like a keyword: `{ type: 'Point' }` in an example, `{ format: 'date' }` for a form. */
function isShape([name, value]: [string, unknown]): boolean {
  const place = byName.get(name)?.place
  if (name === 'type') return [value].flat().every((type) => typeName.test(String(type)))
  if (place === 'list' || name === 'enum') return Array.isArray(value)
  if (name === '$ref') return typeof value === 'string'
  return name === 'const' || (place !== undefined && isJsonObject(value))
}

/** True for a keyword of 2020-12 that decides which values are valid. */
export function isAssertion(name: string): boolean {
  return byName.get(name)?.kind === 'assertion'
}

/** True for a keyword whose subschemas apply to the same value as the schema that contains it. */
export function isInPlace(name: string): boolean {
  return byName.get(name)?.inPlace === true
}

/** Keywords that describe and do not constrain; two uses of one schema may differ in them. */
export const wording: readonly string[] = Object.keys(keywordTable.wording)
