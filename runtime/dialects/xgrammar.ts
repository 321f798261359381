import { type Dialect, describedEverywhere, type KeepWhen, keptMostly } from './dialect.ts'

/** A bound of integers. Without a bound at the other end it is enforced for few values only: 1 and 2 passed `minimum: 3`. */
const integerBound = (by: readonly string[], or: readonly number[]): KeepWhen => ({
  types: ['integer'],
  whole: true,
  closed: { by, or },
})
const lower = ['minimum', 'exclusiveMinimum']
const upper = ['maximum', 'exclusiveMaximum']

/**
 * xgrammar (vLLM, SGLang, MLC), as measured with its 0.1.27 build: `test/engines/xgrammar.test.ts`.
 *
 * Source, read on 2026-11-21: @mlc-ai/web-xgrammar 0.1.27, measured; mlc-ai/xgrammar 0.2.5 source.
 */
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
  // A class that lists † never matches it, one that excludes other characters does: `†a || †b` needs a second †.
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
    // The pattern applies to the JSON text between the quotes; unknown syntax crashes the engine's process. Next to a format
    // the pattern is ignored.
    pattern: { pattern: 'plain', without: ['format'] },
    // A string of bounded length cannot contain escapes (so no quote or line break), but does allow raw control characters.
    minLength: 'describe',
    maxLength: 'describe',
    // Bounds of non-integers are not enforced; a bound beyond 64-bit integers crashes the engine's process.
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
}
