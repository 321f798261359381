import { type Dialect, describedEverywhere, type KeepWhen, keptMostly } from './dialect.ts'

/** A bound of integers. Alone it is held to at few values; of 3 and more, 1 and 2 came through. */
const integerBound = (by: readonly string[], or: readonly number[]): KeepWhen => ({
  types: ['integer'],
  whole: true,
  closed: { by, or },
})
const lower = ['minimum', 'exclusiveMinimum']
const upper = ['maximum', 'exclusiveMaximum']

/** xgrammar (vLLM, SGLang, MLC), by what its 0.1.27 build did when measured: `test/engines/xgrammar.test.ts`. */
export const xgrammar: Dialect = {
  name: 'xgrammar',
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
  names: 'unescaped',
  // A class that names a † lets none through, one that excludes others does: `†a || †b` needs a second one.
  referencePattern: '^†[^\\x00-\\x1f"\\\\]+$',
  formats: [
    'date',
    'time',
    'date-time',
    'duration',
    'email',
    'hostname',
    'ipv4',
    'ipv6',
    'uuid',
    'uri',
    'uri-reference',
    'uri-template',
  ],
  keywords: {
    ...describedEverywhere,
    ...keptMostly,
    // The text between the quotes is held to the pattern; what the engine does not know ends its process. Beside a format it
    // looks at the format alone.
    pattern: { pattern: 'plain', without: ['format'] },
    // A text of bounded length can hold no escape (so no quote and no line break), but bare control characters.
    minLength: 'describe',
    maxLength: 'describe',
    // Bounds of non-integers were exceeded; a bound that is no 64-bit integer ends the engine's process.
    minimum: integerBound(upper, [0, 1]),
    maximum: integerBound(lower, [0, 1]),
    exclusiveMinimum: integerBound(upper, [-1, 0]),
    exclusiveMaximum: integerBound(lower, [1, 2]),
    multipleOf: 'describe',
    minProperties: 'keep',
    maxProperties: 'keep',
    default: 'keep',
    examples: 'keep',
    deprecated: 'keep',
  },
  otherKeywords: 'drop',
  limits: [
    {
      measure: 'bytes',
      max: 400_000,
      severity: 'observed',
      source: 'measured: 415,695 B took 12.6 s to compile, 1.04 MB ended the process after 88 s',
      reviewedAt: '2026-11-21',
      appliesTo: 'composed',
    },
  ],
  source: '@mlc-ai/web-xgrammar 0.1.27, measured; mlc-ai/xgrammar 0.2.5 source',
  reviewedAt: '2026-11-21',
}
