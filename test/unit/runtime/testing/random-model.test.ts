import { createRegistry, tool } from 'callsheet'
import { Agent, latentModel, Request } from 'callsheet/agent'
import { randomModel, testModel } from 'callsheet/testing'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { interpretCheck } from '../../../../runtime/check-tree/interpret.ts'
import type { JsonSchema } from '../../../../runtime/schema/schema.ts'
import { patternText } from '../../../../runtime/testing/pattern-text.ts'
import { RandomSource } from '../../../../runtime/testing/random-source.ts'
import { randomValue } from '../../../../runtime/testing/random-value.ts'
import { registryWithTools } from '../agent/tools.ts'
import { realTools } from '../lower/real-tools.ts'

const searchTool = tool('search', {
  words: { type: 'array', items: { type: 'string' } },
  limit: Type.Optional(Type.Number()),
  where: Type.Cyclic(
    {
      Filter: Type.Object({
        value: Type.Union([Type.Null(), Type.String()]),
        all: Type.Optional(Type.Array(Type.Ref('Filter'))),
      }),
    },
    'Filter',
  ),
  _output: { type: 'string' },
})

/** A list that has to contain a list, which has to contain one. */
const endless: JsonSchema = { type: 'array', items: { $ref: '#/$defs/T' }, minItems: 1 }

describe('values that are valid under a schema', () => {
  test.each<[string, JsonSchema]>([
    ['bounds', { type: 'integer', minimum: 3, exclusiveMaximum: 5 }],
    ['bounds of fractions', { type: 'number', exclusiveMinimum: 0, maximum: 0.5, multipleOf: 0.05 }],
    ['numbers below zero', { type: 'integer', maximum: -7 }],
    ['lengths', { type: 'string', minLength: 5, maxLength: 5 }],
    ['a pattern', { type: 'string', pattern: '^[A-Z]{2}-\\d+(?:\\.x|y)?$' }],
    ['a pattern in the middle', { type: 'string', pattern: '[^a-z]+', minLength: 9 }],
    ['formats', { type: 'array', minItems: 4, items: { enum: ['x'] }, maxItems: 4 }],
    ['a date and time', { type: 'string', format: 'date-time' }],
    ['a uuid', { type: 'string', format: 'uuid' }],
    ['an email address', { type: 'string', format: 'email' }],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'null' }, { const: 7 }], items: false, minItems: 2 }],
    ['a record', { type: 'object', additionalProperties: { type: 'boolean' }, minProperties: 2 }],
    [
      'all of several',
      {
        allOf: [
          { type: 'object', properties: { a: { const: 1 } }, required: ['a'] },
          { properties: { b: { type: 'null' } }, required: ['b'] },
        ],
      },
    ],
    [
      'recursion',
      {
        $ref: '#/$defs/T',
        $defs: {
          T: {
            type: 'object',
            properties: { next: { anyOf: [{ $ref: '#/$defs/T' }, { type: 'null' }] } },
            required: ['next'],
          },
        },
      },
    ],
  ])('%s', (_what, schema) => {
    const check = interpretCheck(schema)
    const random = new RandomSource(11)
    for (let count = 0; count < 30; count++) expect(check(randomValue(schema, random))).toBe(true)
  })

  test.each<[string, JsonSchema]>([
    ['items', { type: 'array', minItems: 1e9, items: { type: 'string' } }],
    ['items of items', { type: 'array', minItems: 2000, items: { type: 'array', minItems: 2000 } }],
    ['characters', { type: 'string', minLength: 1e10 }],
    ['properties', { type: 'object', additionalProperties: true, minProperties: 1e9 }],
    ['levels', { type: 'array', items: { $ref: '#/$defs/T' }, minItems: 1, $defs: { T: endless } }],
    ['branches', { $ref: '#/$defs/T', $defs: { T: { ...endless, minItems: 2 } } }],
  ])('an error that says so for too many %s', (_what, schema) => {
    expect(() => randomValue(schema, new RandomSource(3))).toThrow(/too large to make|400 levels/)
  })

  test('a text that may be very long is of a length that fits', () => {
    const text = randomValue({ type: 'string', maxLength: 2e9 }, new RandomSource(5))
    expect(String(text).length).toBeLessThan(2_000)
  })

  test.each([
    '^a{3}b?$',
    '^(foo|ba[rz])+$',
    '\\w+@\\w+\\.com',
    '^\\u0041\\x42$',
    '^(?<name>x)\\/[^\\]]$',
    '^[\\w.-]{2,}$',
  ])('the pattern %s', (pattern) => {
    const random = new RandomSource(3)
    for (let count = 0; count < 20; count++)
      expect(patternText(pattern, random)).toMatch(new RegExp(pattern, 'u'))
  })

  test('a schema that allows nothing is an error, not an endless search', () => {
    expect(() => randomValue({ type: 'string', not: {} }, new RandomSource(1))).toThrow(/No value/)
  })

  test('the same seed, the same values', () => {
    const draw = (seed: number) =>
      randomValue({ type: 'array', items: { type: 'number' }, minItems: 9 }, new RandomSource(seed))
    expect(draw(5)).toEqual(draw(5))
    expect(draw(5)).not.toEqual(draw(6))
  })
})

describe('a model that answers anything', () => {
  test('all of the real tools at once, in every mode', async () => {
    const tools = realTools()
    for (const mode of ['composed', 'native'] as const) {
      const { solution } = await Request({ model: 'm', client: randomModel({ seed: 2 }), tools, mode })
      // Where the real tools are not at hand there is nothing to call.
      expect(solution.calls.length > 0).toBe(tools.length > 0)
    }
  })

  test('its Calls pass the checks of their Tools: an agent runs on it, over HTTP, without one invalid Call', async () => {
    const { Tool } = registryWithTools()
    const codes = new Set<unknown>()
    Tool.on('call:end', ({ error }) => codes.add(error?.code))
    const outputs = new Set<string>()
    const model = randomModel({ seed: 4 })
    const server = await model.listen()
    for (let run = 0; run < 10; run++) {
      const error = await Agent({
        model: 'm',
        baseURL: server.baseURL,
        apiKey: 'x',
        tools: Tool,
        output: { type: 'string' },
        maxTurns: 4,
      }).catch((thrown) => thrown)
      outputs.add(error.code ?? 'done')
    }
    await server.close()
    expect(model.requests.length).toBeGreaterThan(9)
    // What may go wrong: a random text as a path to write to.
    expect([...codes].filter((code) => code !== undefined && code !== 'invalid_path')).toEqual([])
    expect([...outputs].filter((code) => !['done', 'stalled', 'limit_reached'].includes(code))).toEqual([])
  })

  test.each(['composed', 'native'] as const)(
    'its parameters are as varied in a Call as alone, recursive ones too: %s',
    async (mode) => {
      const { Tool, Activity } = createRegistry({ tools: { search: searchTool } })
      const seen = new Set<string>()
      Activity.register('search', ({ words, limit, where }) => {
        seen
          .add(`${words.length} words`)
          .add(`limit ${typeof limit}`)
          .add(`value ${typeof where.value}`)
        for (const { value } of where.all ?? []) seen.add(`inner value ${typeof value}`)
        return 'found'
      })
      const client = randomModel({ seed: 7 })
      for (let run = 0; run < 25; run++) {
        await Agent({ model: 'm', client, tools: Tool, output: { type: 'string' }, mode, maxTurns: 2 }).catch(
          () => {},
        )
      }
      const want = ['0 words', '2 words', 'limit number', 'limit undefined', 'value string', 'value object']
      expect([...seen]).toEqual(expect.arrayContaining([...want, 'inner value string']))
    },
  )

  test('latent Calls too', async () => {
    const { Tool } = registryWithTools({
      model: latentModel({ model: 'm', client: randomModel({ seed: 9 }) }),
    })
    for (let count = 0; count < 5; count++) {
      expect(await Tool({ _tool: 'judge', text: 'x' })).toEqual({ good: expect.any(Boolean) })
    }
  })

  test('a model of one’s own', async () => {
    const client = testModel(({ body }) => ({ text: JSON.stringify({ calls: [], output: body.model }) }))
    const { solution } = await Request({ model: 'mine', client, output: { type: 'string' } })
    expect(solution.output).toBe('mine')
  })
})
