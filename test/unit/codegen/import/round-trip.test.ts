import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { makeTools } from '../../../../bench/corpus.mjs'
import { importTools } from '../../../../codegen/import/import-tools.ts'
import type { JsonSchema } from '../../../../runtime/schema/schema.ts'
import { toolSets } from '../../../data/tool-sets.ts'
import { often, someOf } from '../../../runs.ts'
import { compare, compile, type Source } from './compare-schemas.ts'
import { argumentsSchema, evaluateDefinitions } from './evaluate-definitions.ts'

/** Schemas with values that are valid and values that are not, of which both validators must agree. */
const cases: (Source & { accepts: object[]; refuses: object[] })[] = JSON.parse(
  readFileSync(new URL('round-trip-cases.json', import.meta.url), 'utf8'),
)

describe('GEN-10 round trip: the same instances are valid', () => {
  test.for(toolSets)('all tools of $name', async ({ tools }, { skip }) => {
    skip(tools.length === 0, 'not at hand')
    const counts = await compare(
      someOf(tools).map(({ name, inputSchema }) => ({ name, schema: inputSchema })),
      10,
    )
    expect(counts.valid).toBeGreaterThan(often(1000))
    expect(counts.invalid).toBeGreaterThan(often(500))
  })

  test('the corpus of closed objects', async () => {
    const corpus = makeTools(30, 3) as { name: string; parameters: JsonSchema }[]
    const counts = await compare(
      corpus.map(({ name, parameters }) => ({ name, schema: parameters })),
      20,
    )
    expect(counts.valid).toBeGreaterThan(100)
    expect(counts.invalid).toBeGreaterThan(500)
  })

  test.each(cases)('$name', async (source) => {
    const { files } = importTools(
      { tools: [{ name: source.name, inputSchema: source.schema }] },
      { open: true },
    )
    const tool = (await evaluateDefinitions(files)).get(source.name)
    if (!tool) throw new Error('no definition')
    const original = compile({ type: 'object', ...source.schema }, source.draft7)
    const imported = compile(argumentsSchema(tool))
    for (const value of source.accepts)
      expect([value, original(value), imported(value)]).toEqual([value, true, true])
    for (const value of source.refuses)
      expect([value, original(value), imported(value)]).toEqual([value, false, false])
  })

  test('every case over generated values', async () => {
    const counts = await compare(cases, 60)
    expect(counts.valid).toBeGreaterThan(500)
    expect(counts.invalid).toBeGreaterThan(500)
  })

  test('draft-04 exclusive bounds, which no Ajv class reads', async () => {
    const { files } = importTools([
      {
        name: 'x',
        inputSchema: {
          properties: {
            a: { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 3, exclusiveMaximum: false },
          },
        },
      },
    ])
    const tool = (await evaluateDefinitions(files)).get('x')
    const validate = compile(argumentsSchema(tool ?? {}))
    expect([1, 1.5, 3, 4].map((a) => validate({ a }))).toEqual([false, true, true, false])
  })

  test('two spellings of a pattern, of which the flag `u` leaves one', async () => {
    const patternProperties = { '^x\\-': { type: 'string' }, '^x-': { maxLength: 2 } }
    const { files } = importTools([{ name: 'x', inputSchema: { type: 'object', patternProperties } }])
    const tool = (await evaluateDefinitions(files)).get('x')
    const validate = compile(argumentsSchema(tool ?? {}))
    expect(['ab', 1, 'abc'].map((value) => validate({ 'x-a': value }))).toEqual([true, false, false])
  })
})
