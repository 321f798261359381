import { isJsonObject, type JsonObject } from '../../runtime/json/json.ts'

/** How a keyword's value is read: as schemas to walk into, or as data to check. */
export type KeywordKind =
  | 'schema'
  | 'schemas'
  | 'schemasByName'
  | 'schemasByPattern'
  | 'constraint'
  | 'annotation'

interface Keyword {
  readonly kind: KeywordKind
  /** What a value must be, as a noun phrase for findings. */
  readonly expected: string
  readonly accepts: (value: unknown) => boolean
}

const isString = (value: unknown): boolean => typeof value === 'string'
const isBoolean = (value: unknown): boolean => typeof value === 'boolean'
const isNumber = (value: unknown): boolean => typeof value === 'number'
const isCount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0
const isStrings = (value: unknown): boolean => Array.isArray(value) && value.every(isString)
const isSchemas = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isSchemaValue)
const isSchemasByName = (value: unknown): boolean =>
  isJsonObject(value) && Object.values(value).every(isSchemaValue)

/** JSON Schema's names of types. */
const typeNames: readonly string[] = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']

const isTypeName = (value: unknown): boolean => typeof value === 'string' && typeNames.includes(value)

/** True for a regular expression as JSON Schema means them: ECMAScript with the `u` flag. */
function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false
  try {
    new RegExp(value, 'u')
    return true
  } catch {
    // The engine's reason is worded differently by each version; that it is none is all that is asked here.
    return false
  }
}

const schema: Keyword = { kind: 'schema', expected: 'a schema', accepts: isSchemaValue }
const schemas: Keyword = { kind: 'schemas', expected: 'a list of one or more schemas', accepts: isSchemas }
const schemasByName: Keyword = {
  kind: 'schemasByName',
  expected: 'schemas by name',
  accepts: isSchemasByName,
}
const number: Keyword = { kind: 'constraint', expected: 'a number', accepts: isNumber }
const count: Keyword = { kind: 'constraint', expected: 'a whole number from 0', accepts: isCount }
const flag: Keyword = { kind: 'constraint', expected: 'true or false', accepts: isBoolean }
const text: Keyword = { kind: 'annotation', expected: 'a string', accepts: isString }
const mark: Keyword = { kind: 'annotation', expected: 'true or false', accepts: isBoolean }

/** Every keyword of JSON Schema 2020-12 that an imported schema may keep; any other says nothing to a validator. */
export const schemaKeywords: Readonly<Record<string, Keyword>> = {
  title: text,
  description: text,
  $comment: text,
  default: { kind: 'annotation', expected: 'a value', accepts: () => true },
  examples: { kind: 'annotation', expected: 'a list', accepts: Array.isArray },
  deprecated: mark,
  readOnly: mark,
  writeOnly: mark,
  contentEncoding: text,
  contentMediaType: text,
  $ref: { kind: 'constraint', expected: 'a string', accepts: isString },
  type: {
    kind: 'constraint',
    expected: `one or more of ${typeNames.join(', ')}`,
    accepts: (value) =>
      isTypeName(value) || (Array.isArray(value) && value.length > 0 && value.every(isTypeName)),
  },
  const: { kind: 'constraint', expected: 'a value', accepts: () => true },
  enum: {
    kind: 'constraint',
    expected: 'a list of one or more values',
    accepts: (value) => Array.isArray(value) && value.length > 0,
  },
  format: { kind: 'constraint', expected: 'a string', accepts: isString },
  pattern: { kind: 'constraint', expected: 'a JavaScript regular expression (u flag)', accepts: isPattern },
  minLength: count,
  maxLength: count,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: {
    kind: 'constraint',
    expected: 'a number above 0',
    accepts: (value) => typeof value === 'number' && value > 0,
  },
  items: schema,
  prefixItems: schemas,
  contains: schema,
  minContains: count,
  maxContains: count,
  minItems: count,
  maxItems: count,
  uniqueItems: flag,
  unevaluatedItems: schema,
  properties: schemasByName,
  required: { kind: 'constraint', expected: 'a list of strings', accepts: isStrings },
  additionalProperties: schema,
  patternProperties: {
    kind: 'schemasByPattern',
    expected: 'schemas by JavaScript regular expression (u flag)',
    accepts: (value) => isSchemasByName(value) && Object.keys(value as object).every(isPattern),
  },
  propertyNames: schema,
  minProperties: count,
  maxProperties: count,
  dependentRequired: {
    kind: 'constraint',
    expected: 'lists of strings by name',
    accepts: (value) => isJsonObject(value) && Object.values(value).every(isStrings),
  },
  dependentSchemas: schemasByName,
  unevaluatedProperties: schema,
  allOf: schemas,
  anyOf: schemas,
  oneOf: schemas,
  not: schema,
  if: schema,
  // biome-ignore lint/suspicious/noThenProperty: a keyword's name in a table that nobody awaits
  then: schema,
  else: schema,
}

export function schemaKeyword(name: string): Keyword | undefined {
  return Object.hasOwn(schemaKeywords, name) ? schemaKeywords[name] : undefined
}

/** True for what can stand where a schema is expected. */
export function isSchemaValue(value: unknown): value is JsonObject | boolean {
  return typeof value === 'boolean' || isJsonObject(value)
}

/** True for a keyword that describes and never decides whether a value is valid. */
export function isAnnotation(name: string): boolean {
  return schemaKeyword(name)?.kind === 'annotation'
}
