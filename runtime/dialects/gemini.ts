import { type Dialect, describedEverywhere, type Limit } from './dialect.ts'

const observed = (measure: Limit['measure'], max: number, source: string, reviewedAt: string): Limit => ({
  measure,
  max,
  severity: 'observed',
  source,
  reviewedAt,
})

/**
 * Gemini's `responseJsonSchema` and `parametersJsonSchema`; the older OpenAPI subset is not targeted.
 *
 * Source, read on 2026-11-01: @google/genai 2.32.0, responseJsonSchema and parametersJsonSchema.
 */
export const gemini: Dialect = {
  name: 'gemini',
  objectRoot: true,
  optional: 'keep',
  constant: 'enum',
  constantTypes: ['string', 'number'],
  // "enum[0]: cannot be empty": anomalyco/opencode#46676, BerriAI/litellm#14155, read on 2026-11-27.
  emptyText: 'json',
  typeLists: 'nullable',
  records: 'keep',
  tuples: 'keep',
  untyped: 'json',
  recursion: 'optional',
  besideRef: 'wrap',
  formats: ['date-time', 'date', 'time'],
  keywords: {
    ...describedEverywhere,
    minimum: 'keep',
    maximum: 'keep',
    minItems: 'keep',
    maxItems: 'keep',
    title: 'keep',
  },
  otherKeywords: 'drop',
  limits: [
    observed('maxItemsSum', 960, 'googleapis/python-genai#2170', '2026-09-20'),
    // 240 values of one word passed.
    observed('enumValues', 240, 'googleapis/python-genai#2133', '2026-03-10'),
    {
      ...observed('tools', 15, 'MulmoChat#123: 15 tools passed, 31 failed', '2026-02-23'),
      appliesTo: 'native',
    },
    {
      measure: 'nameLength',
      max: 128,
      severity: 'documented',
      source: '@google/genai 2.32.0, FunctionDeclaration.name',
      reviewedAt: '2026-11-01',
      appliesTo: 'native',
    },
  ],
}
