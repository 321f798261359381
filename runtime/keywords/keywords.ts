import { isJsonObject } from '../json/json.ts'
import {
  type Keyword,
  type KeywordKind,
  type KeywordValue,
  keywordTable,
  type SchemaPlace,
} from './keyword-table.ts'

/** How schemas stand in a value of each kind. */
const places: Partial<Record<KeywordValue, SchemaPlace>> = {
  schema: 'single',
  items: 'single',
  schemas: 'list',
  schemasByName: 'map',
  schemasByPattern: 'map',
}

/** One look-up for each, since every phase of generation walks every schema by it. */
const byName: ReadonlyMap<string, Keyword> = new Map(
  Object.entries(keywordTable).flatMap(([kind, rows]) =>
    Object.entries(rows).map(([name, row]) => [
      name,
      { ...row, name, kind: kind as KeywordKind, place: places[row.value] },
    ]),
  ),
)

/** What the table has of a keyword; undefined for a name that is not in it. */
export function keywordOf(name: string): Keyword | undefined {
  return byName.get(name)
}

/** Every keyword that answers to a description, in the order of the table. */
export function keywordsWhere(fits: (keyword: Keyword) => unknown): Keyword[] {
  return [...byName.values()].filter(fits)
}

/** The names of these. */
export function keywordNames(fits: (keyword: Keyword) => unknown): string[] {
  return keywordsWhere(fits).map(({ name }) => name)
}

/**
 * The keywords that limit a value by itself, without a word about its parts, as bounds and patterns do. A type cannot say
 * them, and readers want to know.
 */
export function limitingKeywords(): string[] {
  return keywordNames(
    ({ kind, about, place, beside, value }) =>
      kind === 'assertion' && about && !place && !beside && !value.startsWith('names'),
  )
}

/** The keywords that are the two ends of a range: `minimum` and `maximum`. */
export function rangeKeywords(): { lower: Keyword; upper: string }[] {
  return keywordsWhere(({ bound, name }) => bound === 'lower' && name.startsWith('min')).map((lower) => ({
    lower,
    upper: lower.name.replace('min', 'max'),
  }))
}

/** True for a schema that has members, and none that says anything: most often the properties of an object without the object. */
export function isWithoutKeyword(schema: object): boolean {
  const entries = Object.entries(schema)
  // A property can be called `id`, as a keyword of draft-04 is.
  const isWord = ([name, value]: [string, unknown]) =>
    byName.has(name) && !(name === 'id' && isJsonObject(value))
  return entries.length > 0 && !entries.some((entry) => isWord(entry) || /^(?:x-|~)/.test(entry[0]))
}

/** True for a keyword that decides which values are valid, as 2020-12 spells it. */
export function isAssertion(name: string): boolean {
  return byName.get(name)?.kind === 'assertion'
}

/** True for a keyword whose schemas look at the same value as the schema that it stands in. */
export function isInPlace(name: string): boolean {
  return byName.get(name)?.inPlace === true
}

/** Keywords that describe and do not constrain; two uses of one schema may differ in them. */
export const wording: readonly string[] = Object.keys(keywordTable.wording)
