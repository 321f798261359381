import { type Dialect, describedEverywhere, keptMostly, type Limit } from './dialect.ts'

const guide = 'OpenAI structured outputs guide, supported schemas'

const limit = (measure: Limit['measure'], max: number): Limit => ({
  measure,
  max,
  severity: 'documented',
  source: guide,
  reviewedAt: '2026-08-23',
})

/**
 * OpenAI's strict `json_schema` response format and strict function tools, which share the same rules.
 *
 * Source, read on 2026-11-27: OpenAI structured outputs guide, supported schemas; openai-node lib/transform.
 */
export const openai: Dialect = {
  name: 'openai',
  objectRoot: true,
  optional: 'nullable',
  constant: 'const',
  constantTypes: ['string', 'number', 'boolean', 'null'],
  typeLists: 'any',
  records: 'entries',
  tuples: 'object',
  untyped: 'json',
  recursion: 'keep',
  besideRef: 'wrap',
  formats: ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
  keywords: {
    ...describedEverywhere,
    ...keptMostly,
    // One other pattern, such as that of Zod's `email()`, has the whole request refused, strict or not: vercel/ai#21037,
    // BerriAI/litellm#40485.
    pattern: { pattern: 'regular' },
    // Absent from the guide's list. A live answer of 2026-08-13 accepted them; openai-node#1988 of 2026-07-09 says that a strict schema
    // with them can be refused.
    minLength: 'describe',
    maxLength: 'describe',
  },
  otherKeywords: 'drop',
  limits: [
    limit('properties', 5_000),
    limit('depth', 10),
    limit('nameCharacters', 120_000),
    limit('enumValues', 1_000),
    limit('largeEnumCharacters', 15_000),
    { ...limit('nameLength', 64), appliesTo: 'native' },
    {
      measure: 'tools',
      max: 128,
      severity: 'observed',
      source: 'microsoft/vscode#262246',
      reviewedAt: '2026-11-01',
      appliesTo: 'native',
    },
  ],
}
