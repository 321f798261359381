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

/** A second count that shares nothing with the first: it reads the JSON text and knows no schema walker. */
function recount(schema: JsonSchema): Record<string, number> {
  const counts = {
    properties: 0,
    nameCharacters: 0,
    enumValues: 0,
    largeEnumCharacters: 0,
    optionalParameters: 0,
    unions: 0,
    objects: 0,
    maxItemsSum: 0,
    depth: 0,
    nullableProperties: 0,
  }
  const length = (value: unknown): number =>
    (typeof value === 'string' ? value : JSON.stringify(value)).length
  const visit = (node: JsonSchema, depth: number): void => {
    counts.depth = Math.max(counts.depth, depth)
    const types = [node.type ?? []].flat()
    if (types.includes('object')) counts.objects += 1
    if (Array.isArray(node.type)) counts.unions += 1
    if ('const' in node) counts.nameCharacters += length(node.const)
    if (node.enum) {
      const characters = node.enum.map(length).reduce((sum, next) => sum + next, 0)
      counts.enumValues += node.enum.length
      counts.nameCharacters += characters
      const isLarge = node.enum.length > 250 && node.enum.every((value) => typeof value === 'string')
      if (isLarge) counts.largeEnumCharacters = Math.max(counts.largeEnumCharacters, characters)
    }
    if (typeof node.maxItems === 'number') counts.maxItemsSum += node.maxItems
    const children: JsonSchema[] = []
    if (node.properties) {
      const names = Object.keys(node.properties)
      counts.properties += names.length
      counts.nameCharacters += names.join('').length
      counts.optionalParameters += names.filter((name) => !(node.required ?? []).includes(name)).length
      const values = Object.values(node.properties) as JsonSchema[]
      const nullable = values.filter((value) =>
        /"null"/.test(JSON.stringify([value.type, (value.anyOf ?? []).map((b) => (b as JsonSchema).type)])),
      )
      counts.nullableProperties = Math.max(counts.nullableProperties, nullable.length)
      children.push(...values)
    }
    if (node.anyOf) {
      counts.unions += 1
      children.push(...(node.anyOf as JsonSchema[]))
    }
    for (const one of [node.items, node.additionalProperties, ...(node.prefixItems ?? [])]) {
      if (typeof one === 'object' && !Array.isArray(one)) children.push(one)
    }
    for (const child of children) visit(child, depth + 1)
  }
  visit(schema, 0)
  for (const [name, definition] of Object.entries(schema.$defs ?? {})) {
    counts.nameCharacters += name.length
    visit(definition as JsonSchema, 0)
  }
  return { ...counts, bytes: Buffer.byteLength(JSON.stringify(schema)) }
}

function expectRight(usage: readonly Usage[], schema: JsonSchema): void {
  const wanted = recount(schema)
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

  test('every fact has a source and a date', () => {
    for (const dialect of Object.values(dialects)) {
      for (const fact of [dialect, ...dialect.limits]) {
        expect(fact.source.length).toBeGreaterThan(10)
        expect(fact.reviewedAt).toMatch(/^20\d\d-\d\d-\d\d$/)
      }
    }
  })
})
