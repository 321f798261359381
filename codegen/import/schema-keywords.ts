import { longestPattern } from '../../runtime/check-tree/keyword-rules.ts'
import { isJsonObject } from '../../runtime/json/json.ts'
import type { Keyword, KeywordValue } from '../../runtime/keywords/keyword-table.ts'
import { keywordOf } from '../../runtime/keywords/keywords.ts'
import { isSchema } from '../../runtime/schema/schema-children.ts'
import { isPattern } from './unicode-pattern.ts'

/** What the value of a keyword must be in an imported schema. */
interface ImportedValue {
  /** As a noun phrase for findings. */
  readonly expected: string
  readonly accepts: (value: unknown) => boolean
}

/** A keyword that an imported schema may keep. */
export interface ImportedKeyword extends ImportedValue {
  readonly keyword: Keyword
}

const isString = (value: unknown): boolean => typeof value === 'string'
const isStrings = (value: unknown): boolean => Array.isArray(value) && value.every(isString)
const isSchemasByName = (value: unknown): boolean =>
  isJsonObject(value) && Object.values(value).every(isSchema)

/** JSON Schema's names of types. */
const typeNames: readonly string[] = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']

const isTypeName = (value: unknown): boolean => typeof value === 'string' && typeNames.includes(value)

/** True for a regular expression as JSON Schema means them: ECMAScript with the `u` flag. */
const isRegularExpression = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= longestPattern && isPattern(value, 'u')

const values: Partial<Record<KeywordValue, ImportedValue>> = {
  any: { expected: 'a value', accepts: () => true },
  count: {
    expected: 'a whole number from 0',
    accepts: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0,
  },
  flag: { expected: 'true or false', accepts: (value) => typeof value === 'boolean' },
  items: { expected: 'a schema', accepts: isSchema },
  list: { expected: 'a list', accepts: Array.isArray },
  names: { expected: 'a list of strings', accepts: isStrings },
  namesByName: {
    expected: 'lists of strings by name',
    accepts: (value) => isJsonObject(value) && Object.values(value).every(isStrings),
  },
  number: { expected: 'a number', accepts: (value) => typeof value === 'number' },
  pattern: {
    expected: `a JavaScript regular expression (u flag) of at most ${longestPattern} characters`,
    accepts: isRegularExpression,
  },
  positive: { expected: 'a number above 0', accepts: (value) => typeof value === 'number' && value > 0 },
  schema: { expected: 'a schema', accepts: isSchema },
  schemas: {
    expected: 'a list of one or more schemas',
    accepts: (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema),
  },
  schemasByName: { expected: 'schemas by name', accepts: isSchemasByName },
  schemasByPattern: {
    expected: 'schemas by JavaScript regular expression (u flag)',
    accepts: (value) => isSchemasByName(value) && Object.keys(value as object).every(isRegularExpression),
  },
  text: { expected: 'a string', accepts: isString },
  type: {
    expected: `one or more of ${typeNames.join(', ')}`,
    accepts: (value) =>
      isTypeName(value) || (Array.isArray(value) && value.length > 0 && value.every(isTypeName)),
  },
  values: {
    expected: 'a list of one or more values',
    accepts: (value) => Array.isArray(value) && value.length > 0,
  },
}

/**
 * A keyword that an imported schema may keep: of 2020-12, and read by somebody. `contentSchema` is not: nothing here reads
 * it, and what it refers to would have to come along.
 */
export function schemaKeyword(name: string): ImportedKeyword | undefined {
  const keyword = keywordOf(name)
  const isKept = keyword?.kind === 'assertion' || isAnnotation(name)
  const value = keyword && isKept ? values[keyword.value] : undefined
  return keyword && value && { keyword, ...value }
}

/** True for a keyword that describes and never decides whether a value is valid. */
export function isAnnotation(name: string): boolean {
  const keyword = keywordOf(name)
  return keyword?.kind === 'wording' || (keyword?.kind === 'content' && keyword.place === undefined)
}
