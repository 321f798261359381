import { isSafe } from '../checks/guard-pattern.ts'
import { isOfType, typeWords } from '../checks/scalars.ts'
import { isJsonObject } from '../json/json.ts'
import { briefly } from '../problems/problem.ts'
import type { JsonSchema } from '../schema/schema.ts'

/** Longer patterns cost more to compile than any check is worth, and no tool needs one. */
const longestPattern = 10_000

/** A rule about one keyword: when it is there, it holds or is the reason why the schema is refused. */
export interface KeywordRule {
  readonly keyword: string
  readonly holds: (value: unknown, schema: JsonSchema) => boolean
  readonly reason: string | ((value: unknown) => string)
  readonly fix: string
}

const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0
const isSchema = (value: unknown) => typeof value === 'boolean' || isJsonObject(value)
const isSchemaList = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isSchema)
const isSchemaMap = (value: unknown) => isJsonObject(value) && Object.values(value).every(isSchema)
const isNameList = (value: unknown) => Array.isArray(value) && value.every((name) => typeof name === 'string')
const isPattern = (value: unknown) =>
  typeof value === 'string' && value.length <= longestPattern && compiles(value)
const isTypeName = (value: unknown) => typeof value === 'string' && Object.hasOwn(typeWords, value)
const isSchemaOrNames = (value: unknown) => isSchema(value) || isNameList(value)

function compiles(source: string): boolean {
  try {
    return new RegExp(source, 'u') instanceof RegExp
  } catch {
    return false
  }
}

function shaped(words: string, holds: KeywordRule['holds'], ...keywords: string[]): KeywordRule[] {
  return keywords.map((keyword) => ({
    keyword,
    holds,
    reason: (value) => `${keyword} must be ${words}, not ${briefly(value)}`,
    fix: `Write ${words} for ${keyword}.`,
  }))
}

function refused(reason: string, fix: string, ...keywords: string[]): KeywordRule[] {
  return keywords.map((keyword) => ({ keyword, holds: () => false, reason: `${keyword} ${reason}`, fix }))
}

const drafts = /^https?:\/\/json-schema\.org\/(draft\/2020-12|draft\/2019-09|draft-07)\/schema#?$/

/** What the value of each keyword must be, and which keywords are refused. The sentence is the error. */
export const keywordRules: readonly KeywordRule[] = [
  ...shaped(
    'the name of a JSON type or a list of such names',
    (value) =>
      isTypeName(value) ||
      (Array.isArray(value) &&
        value.length > 0 &&
        new Set(value).size === value.length &&
        value.every(isTypeName)),
    'type',
  ),
  ...shaped('a list with at least one value', (value) => Array.isArray(value) && value.length > 0, 'enum'),
  ...shaped(
    'a finite number',
    (value) => isOfType(value, 'number'),
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
  ),
  ...shaped(
    'a number greater than 0',
    (value) => isOfType(value, 'number') && (value as number) > 0,
    'multipleOf',
  ),
  ...shaped(
    'a whole number from 0 on',
    isCount,
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'minContains',
    'maxContains',
    'minProperties',
    'maxProperties',
  ),
  ...shaped('true or false', (value) => typeof value === 'boolean', 'uniqueItems'),
  ...shaped('a string', (value) => typeof value === 'string', 'format', '$ref'),
  ...shaped(
    `a regular expression with the flag "u", of at most ${longestPattern} characters`,
    isPattern,
    'pattern',
  ),
  ...shaped(
    'a list of different property names',
    (value) => isNameList(value) && new Set(value as string[]).size === (value as string[]).length,
    'required',
  ),
  ...shaped(
    'schemas by property name',
    isSchemaMap,
    'properties',
    'dependentSchemas',
    '$defs',
    'definitions',
  ),
  ...shaped(
    'schemas by regular expression',
    (value) => isSchemaMap(value) && Object.keys(value as object).every(isPattern),
    'patternProperties',
  ),
  ...shaped(
    'lists of property names by property name',
    (value) => isJsonObject(value) && Object.values(value).every(isNameList),
    'dependentRequired',
  ),
  ...shaped(
    'schemas or lists of names by property name',
    (value) => isJsonObject(value) && Object.values(value).every(isSchemaOrNames),
    'dependencies',
  ),
  ...shaped(
    'a schema',
    isSchema,
    'additionalProperties',
    'additionalItems',
    'propertyNames',
    'contains',
    'not',
    'if',
    'then',
    'else',
    'unevaluatedProperties',
    'unevaluatedItems',
  ),
  ...shaped(
    'a schema, or a list of schemas for a tuple as draft-07 writes it',
    (value, { prefixItems }) => isSchema(value) || (isSchemaList(value) && prefixItems === undefined),
    'items',
  ),
  ...shaped('a list with at least one schema', isSchemaList, 'prefixItems', 'anyOf', 'oneOf', 'allOf'),
  ...shaped(
    'true, or left out, beside a type that does not list null',
    (value, { type }) =>
      typeof value === 'boolean' && type !== undefined && (value || ![type].flat().includes('null')),
    'nullable',
  ),
  ...shaped(
    'that of draft-07, 2019-09 or 2020-12',
    (value) => typeof value === 'string' && drafts.test(value),
    '$schema',
  ),
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
  ...(
    [
      'properties',
      'patternProperties',
      'dependentSchemas',
      'dependentRequired',
      'dependencies',
      '$defs',
    ] as const
  ).map(
    (keyword): KeywordRule => ({
      keyword,
      holds: (value) => !isJsonObject(value) || !Object.hasOwn(value, '__proto__'),
      reason: `${keyword} has the name "__proto__", which JavaScript reserves`,
      fix: 'Give it another name.',
    }),
  ),
  ...(['pattern', 'patternProperties'] as const).map(
    (keyword): KeywordRule => ({
      keyword,
      holds: (value) =>
        (isJsonObject(value) ? Object.keys(value) : [value]).every(
          (source) => !isPattern(source) || isSafe(source as string),
        ),
      reason: `${keyword} has a regular expression that can hang on a hostile text, and that looks around or refers back`,
      fix: 'Write it without lookarounds and back references, or so that the next character decides at each choice.',
    }),
  ),
  {
    keyword: 'required',
    holds: (value) => !Array.isArray(value) || !value.includes('__proto__'),
    reason: 'required lists the name "__proto__", which JavaScript reserves',
    fix: 'Give the property another name.',
  },
]
