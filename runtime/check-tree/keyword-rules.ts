import { isSafe } from '../checks/guard-pattern.ts'
import { isOfType, typeWords } from '../checks/scalars.ts'
import { isJsonObject } from '../json/json.ts'
import type { Keyword, KeywordValue } from '../keywords/keyword-table.ts'
import { keywordsWhere } from '../keywords/keywords.ts'
import { briefly } from '../problems/problem.ts'
import type { JsonSchema } from '../schema/schema.ts'

/** Longest pattern, in characters: longer ones take too long to compile, and no Tool needs them. */
export const longestPattern = 10_000

/** A rule about one keyword: if the schema has the keyword and the rule does not hold, the schema is refused. */
export interface KeywordRule {
  readonly holds: (value: unknown, schema: JsonSchema) => boolean
  readonly reason: string | ((value: unknown) => string)
  readonly fix: string
}

const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0
const isSchema = (value: unknown) => typeof value === 'boolean' || isJsonObject(value)
const isSchemaList = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isSchema)
const isSchemaMap = (value: unknown) => isJsonObject(value) && Object.values(value).every(isSchema)
const isNameList = (value: unknown) => Array.isArray(value) && value.every((name) => typeof name === 'string')
/** Hints for patterns that are written for other languages, or without the `u` flag. */
const howPatternsAreWritten =
  'Write it as JavaScript reads it with that flag: no backslash before - _ @ or " outside of a class, [\\w\\-.] for [\\w-.], \\{ for a lone {; (?i), \\A, \\Z and (?P<name>) are of other languages.'

/** True for a regular expression that checks accept. */
export const isPattern = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= longestPattern && compiles(value)
const isTypeName = (value: unknown) => typeof value === 'string' && Object.hasOwn(typeWords, value)
const isSchemaOrNames = (value: unknown) => isSchema(value) || isNameList(value)
const areSafe = (sources: readonly unknown[]) =>
  sources.every((source) => !isPattern(source) || isSafe(source as string))

function compiles(source: string): boolean {
  try {
    return new RegExp(source, 'u') instanceof RegExp
  } catch {
    return false
  }
}

const drafts = /^https?:\/\/json-schema\.org\/(draft\/2020-12|draft\/2019-09|draft-07)\/schema#?$/

/** The rule for each kind of value, with the description for errors. Checks do not read other kinds. */
const shapes: Partial<Record<KeywordValue, readonly [words: string, holds: KeywordRule['holds']]>> = {
  type: [
    'the name of a JSON type or a list of such names',
    (value) =>
      isTypeName(value) ||
      (Array.isArray(value) &&
        value.length > 0 &&
        new Set(value).size === value.length &&
        value.every(isTypeName)),
  ],
  values: ['a list with at least one value', (value) => Array.isArray(value) && value.length > 0],
  number: ['a finite number', (value) => isOfType(value, 'number')],
  positive: ['a number greater than 0', (value) => isOfType(value, 'number') && (value as number) > 0],
  count: ['a whole number from 0 on', isCount],
  flag: ['true or false', (value) => typeof value === 'boolean'],
  text: ['a string', (value) => typeof value === 'string'],
  pattern: [`a regular expression with the flag "u", of at most ${longestPattern} characters`, isPattern],
  names: [
    'a list of different property names',
    (value) => isNameList(value) && new Set(value as string[]).size === (value as string[]).length,
  ],
  schemasByName: ['schemas by property name', isSchemaMap],
  schemasByPattern: [
    'schemas by regular expression',
    (value) => isSchemaMap(value) && Object.keys(value as object).every(isPattern),
  ],
  namesByName: [
    'lists of property names by property name',
    (value) => isJsonObject(value) && Object.values(value).every(isNameList),
  ],
  dependencies: [
    'schemas or lists of names by property name',
    (value) => isJsonObject(value) && Object.values(value).every(isSchemaOrNames),
  ],
  schema: ['a schema', isSchema],
  schemas: ['a list with at least one schema', isSchemaList],
  items: [
    'a schema, or a list of schemas for a tuple as draft-07 writes it',
    (value, { prefixItems }) => isSchema(value) || (isSchemaList(value) && prefixItems === undefined),
  ],
  nullable: [
    'true, or left out, beside a type that does not list null',
    (value, { type }) =>
      typeof value === 'boolean' && type !== undefined && (value || ![type].flat().includes('null')),
  ],
  draft: ['that of draft-07, 2019-09 or 2020-12', (value) => typeof value === 'string' && drafts.test(value)],
}

/** The rules of each keyword: its value has the kind that the keyword table states, and contains nothing that is refused. */
export const keywordRules: ReadonlyMap<string, readonly KeywordRule[]> = new Map([
  ...keywordsWhere(isChecked).map((keyword) => [keyword.name, rulesOf(keyword)] as const),
  ...refused(
    'chooses its target while a value is checked, which is not supported',
    'Write a $ref to "#/$defs/Name".',
    '$dynamicRef',
    '$recursiveRef',
  ),
  ...refused(
    'is not supported',
    'Move the schema to $defs and refer to it as "#/$defs/Name".',
    '$anchor',
    '$dynamicAnchor',
    '$recursiveAnchor',
    '$vocabulary',
  ),
  ...refused('makes a check asynchronous in Ajv, which is not supported', 'Leave it out.', '$async'),
])

/** Annotations, and keywords that name a document, are not checked. */
function isChecked({ kind, value }: Keyword): boolean {
  return kind === 'assertion' || kind === 'older' || (kind === 'document' && value !== 'text')
}

function rulesOf({ name, value: kind, place }: Keyword): KeywordRule[] {
  const rules: KeywordRule[] = []
  const shape = shapes[kind]
  if (shape) {
    const [words, holds] = shape
    rules.push({
      holds,
      reason: (value) => `${name} must be ${words}, not ${briefly(value)}`,
      fix: kind === 'pattern' ? howPatternsAreWritten : `Write ${words} for ${name}.`,
    })
  }
  if (place === 'map' || kind === 'namesByName' || kind === 'dependencies') {
    rules.push({
      holds: (value) => !isJsonObject(value) || !Object.hasOwn(value, '__proto__'),
      reason: `${name} has the name "__proto__", which JavaScript reserves`,
      fix: 'Give it another name.',
    })
  }
  if (kind === 'pattern' || kind === 'schemasByPattern') {
    rules.push({
      holds: (value) => areSafe(isJsonObject(value) ? Object.keys(value) : [value]),
      reason: `${name} has a regular expression that can hang on a hostile text, and refers back, sets flags or counts high`,
      fix: 'Write it without these.',
    })
  }
  if (kind === 'names') {
    rules.push({
      holds: (value) => !Array.isArray(value) || !value.includes('__proto__'),
      reason: `${name} lists the name "__proto__", which JavaScript reserves`,
      fix: 'Give the property another name.',
    })
  }
  return rules
}

function refused(reason: string, fix: string, ...names: string[]): [string, KeywordRule[]][] {
  return names.map((name) => [name, [{ holds: () => false, reason: `${name} ${reason}`, fix }]])
}
