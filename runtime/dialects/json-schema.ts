import type { Dialect } from './dialect.ts'

/** JSON Schema 2020-12, as declared. */
export const jsonSchema: Dialect = {
  name: 'json-schema',
  asDeclared: true,
  objectRoot: false,
  optional: 'keep',
  constant: 'const',
  constantTypes: ['string', 'number', 'boolean', 'null'],
  typeLists: 'any',
  records: 'keep',
  tuples: 'keep',
  untyped: 'keep',
  recursion: 'keep',
  besideRef: 'keep',
  formats: 'any',
  keywords: {},
  otherKeywords: 'keep',
  limits: [],
}
