import { describe, expect, test } from 'vitest'
import { compose } from '../../../../runtime/compose/compose.ts'
import { dialectNames } from '../../../../runtime/dialects/dialect-name.ts'
import { dialects } from '../../../../runtime/dialects/dialects.ts'
import { lower } from '../../../../runtime/lower/lower.ts'
import type { Usage } from '../../../../runtime/lower/usage.ts'
import type { JsonSchema, ToolSchema } from '../../../../runtime/schema/schema.ts'
import { corpusTools } from './corpus-tools.ts'
import { Random, randomSchema } from './random-schema.ts'
import { realTools } from './real-tools.ts'
import { recount } from './recount.ts'

function expectRight(usage: readonly Usage[], schema: JsonSchema): void {
  const wanted: Record<string, number> = recount(schema)
  for (const { limit, value } of usage) {
    if (limit in wanted) expect({ limit, value }).toEqual({ limit, value: wanted[limit] })
  }
}

describe('REQ-5a usage', () => {
  test('agrees with an independent count: real tools, the corpus, random schemas', () => {
    for (const dialect of dialectNames) {
      for (const tools of [realTools(), corpusTools(20)]) {
        const { schema, usage } = lower(compose(tools, { output: { type: 'string' } }), dialect)
        expectRight(usage, schema)
      }
      for (let seed = 1; seed <= 20; seed++) {
        const { schema, usage } = lower({ ...randomSchema(new Random(seed * 31)), required: [] }, dialect)
        expectRight(usage, schema)
      }
    }
  })

  test('shares name each Tool, biggest first, and add up', () => {
    const { usage } = lower(compose(realTools()), 'openai')
    const properties = usage.find(({ limit }) => limit === 'properties')
    expect(properties?.shares[0]?.tool).toBe('update_design')
    expect(properties?.shares.filter(({ tool }) => !tool.startsWith('('))).toHaveLength(realTools().length)
    expect(properties?.shares.reduce((sum, { value }) => sum + value, 0)).toBe(properties?.value)
  })

  const tool = (name: string, size: number, each: JsonSchema): ToolSchema => ({
    type: 'object',
    properties: {
      _tool: { type: 'string', const: name },
      ...Object.fromEntries(Array.from({ length: size }, (_, index) => [`p${index}`, each])),
    },
    additionalProperties: false,
  })

  test.each([
    { optional: 10, status: 'ok' },
    { optional: 20, status: 'near' },
    { optional: 24, status: 'near' },
    { optional: 25, status: 'over' },
  ])('anthropic: $optional of 24 optional properties is $status', ({ optional, status }) => {
    const { usage } = lower(compose([tool('a', optional, { type: 'string' })]), 'anthropic')
    expect(usage.find(({ limit }) => limit === 'optionalParameters')).toMatchObject({
      value: optional,
      max: 24,
      status,
      severity: 'documented',
    })
  })

  test('openai: a passed limit names the cheapest way out', () => {
    const tools = [
      tool('big', 4_000, { type: 'string' }),
      tool('middle', 900, { type: 'string' }),
      tool('small', 400, { type: 'string' }),
    ]
    const { usage } = lower(compose(tools), 'openai')
    expect(usage.find(({ limit }) => limit === 'properties')).toMatchObject({
      status: 'over',
      advice:
        '5,310 of 5,000 object properties: without big (4,003) it is 1,307. Send those in a Request of their own, or all as native tools.',
    })
  })

  test('openai: const spends no enum budget, a long enum has a budget of its own', () => {
    const values = Array.from({ length: 300 }, (_, index) => `${'v'.repeat(60)}${index}`)
    const { usage } = lower(compose([tool('a', 1, { enum: values })]), 'openai')
    const of = (name: string): Usage | undefined => usage.find(({ limit }) => limit === name)
    // Null joins the values of an optional enum.
    expect(of('enumValues')?.value).toBe(301)
    const alone = lower(compose([{ ...tool('a', 1, { enum: values }), required: ['p0'] }]), 'openai')
    const budget = { status: 'over', value: values.join('').length, max: 15_000 }
    expect(alone.usage.find(({ limit }) => limit === 'largeEnumCharacters')).toMatchObject(budget)
    expect(of('largeEnumCharacters')).toMatchObject(budget)
  })

  test('openai: nesting is counted', () => {
    let deep: JsonSchema = { type: 'string' }
    for (let level = 0; level < 8; level++) {
      deep = { type: 'object', properties: { in: deep }, required: ['in'], additionalProperties: false }
    }
    const { usage } = lower(compose([{ ...tool('a', 1, deep), required: ['p0'] }]), 'openai')
    expect(usage.find(({ limit }) => limit === 'depth')).toMatchObject({ status: 'over', value: 12, max: 10 })
  })

  test('every limit has a source and a date', () => {
    for (const dialect of Object.values(dialects)) {
      for (const fact of dialect.limits) {
        expect(fact.source.length).toBeGreaterThan(10)
        expect(fact.reviewedAt).toMatch(/^20\d\d-\d\d-\d\d$/)
      }
    }
  })
})
