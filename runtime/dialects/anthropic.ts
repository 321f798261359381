import { type Dialect, describedEverywhere, type Limit } from './dialect.ts'

const guide = 'Anthropic structured outputs guide, schema complexity limits'

const documented = (measure: Limit['measure'], max: number, reviewedAt: string): Limit => ({
  measure,
  max,
  severity: 'documented',
  source: guide,
  reviewedAt,
})

const observed = (measure: Limit['measure'], max: number, source: string, reviewedAt: string): Limit => ({
  measure,
  max,
  severity: 'observed',
  source,
  reviewedAt,
})

/**
 * Anthropic's `output_config.format` and strict tools. Optional properties stay optional, since the limit on unions with null is
 * tighter. One grammar is compiled from the whole schema, and its size limit is not published.
 *
 * Source, read on 2026-11-01: Anthropic structured outputs guide; @anthropic-ai/sdk transformJSONSchema.
 */
export const anthropic: Dialect = {
  name: 'anthropic',
  objectRoot: true,
  optional: 'keep',
  constant: 'const',
  constantTypes: ['string', 'number', 'boolean', 'null'],
  typeLists: 'any',
  records: 'entries',
  tuples: 'object',
  untyped: 'json',
  recursion: 'json',
  besideRef: 'drop',
  capitals: 'unreliable',
  formats: ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'],
  keywords: {
    ...describedEverywhere,
    pattern: { pattern: 'regular' },
    minItems: { most: 1 },
    default: 'keep',
    title: 'keep',
  },
  otherKeywords: 'drop',
  limits: [
    { ...documented('strictTools', 20, '2026-11-01'), appliesTo: 'native' },
    documented('optionalParameters', 24, '2026-10-03'),
    documented('unions', 16, '2026-10-03'),
    observed('nullableProperties', 12, 'second-hand: 12 in one object passed, 14 failed', '2026-10-03'),
    {
      ...observed('bytes', 3_194, 'live answers: 3,194 B passed, 3,539 B failed', '2026-07-07'),
      appliesTo: 'composed',
    },
    {
      ...observed('objects', 8, 'live answers: 7 object schemas passed, 9 failed', '2026-07-07'),
      appliesTo: 'composed',
    },
    { ...documented('nameLength', 64, '2026-08-20'), appliesTo: 'native' },
  ],
}
