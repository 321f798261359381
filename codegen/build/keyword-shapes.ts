import { isJsonObject } from '../../runtime/json/json.ts'

interface Shape {
  readonly wants: string
  fits(value: unknown): boolean
}

const count: Shape = {
  wants: 'a whole number from 0',
  fits: (value) => Number.isInteger(value) && Number(value) >= 0,
}
const number: Shape = { wants: 'a number', fits: (value) => Number.isFinite(value) }
const text: Shape = { wants: 'a string', fits: (value) => typeof value === 'string' }
const flag: Shape = { wants: 'true or false', fits: (value) => typeof value === 'boolean' }
const texts: Shape = {
  wants: 'a list of strings',
  fits: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
}
const schemas: Shape = { wants: 'a list of schemas', fits: Array.isArray }
const schemasByName: Shape = { wants: 'an object with schemas as members', fits: isJsonObject }

/** What each keyword wants as its value; others may hold anything. */
export const keywordShapes: Readonly<Record<string, Shape>> = {
  $anchor: text,
  $id: text,
  $ref: { wants: 'a string, such as the $id of a schema', fits: (value) => typeof value === 'string' },
  allOf: schemas,
  anyOf: schemas,
  oneOf: schemas,
  prefixItems: schemas,
  $defs: schemasByName,
  definitions: schemasByName,
  dependentSchemas: schemasByName,
  patternProperties: schemasByName,
  properties: schemasByName,
  enum: { wants: 'a list of values', fits: Array.isArray },
  required: texts,
  type: { wants: 'a string or a list of strings', fits: (value) => text.fits(value) || texts.fits(value) },
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  minProperties: count,
  maxProperties: count,
  minContains: count,
  maxContains: count,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: { wants: 'a number above 0', fits: (value) => Number.isFinite(value) && Number(value) > 0 },
  uniqueItems: flag,
  pattern: text,
  format: text,
  title: text,
  description: text,
  deprecated: flag,
  nullable: flag,
}
