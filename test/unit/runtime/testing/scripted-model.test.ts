import { type JsonSchema, lower } from 'callsheet'
import { Request } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { describe, expect, test } from 'vitest'
import { fitAnswer } from '../../../../runtime/testing/fit-answer.ts'

const object = (properties: Record<string, object>, required: string[] = []): JsonSchema =>
  ({ type: 'object', properties, required, additionalProperties: false }) as JsonSchema

describe('a script is written as the declared schemas have it', () => {
  test.each<[string, JsonSchema, unknown]>([
    ['what is left out', object({ a: { type: 'string' }, b: { type: 'number' } }, ['a']), { a: 'x' }],
    [
      'records',
      object({ a: { type: 'object', additionalProperties: { type: 'number' } } }, ['a']),
      { a: { x: 1, y: 2 } },
    ],
    [
      'tuples',
      object(
        {
          a: {
            type: 'array',
            prefixItems: [{ type: 'string' }, { type: 'number' }],
            items: false,
            minItems: 2,
          },
        },
        ['a'],
      ),
      { a: ['x', 1] },
    ],
    ['untyped values', object({ a: {} }, ['a']), { a: { any: ['thing'] } }],
    [
      'unions',
      object(
        {
          a: {
            anyOf: [
              object({ k: { const: 'x' } }, ['k']),
              object({ k: { const: 'y' }, n: { type: 'number' } }, ['k']),
            ],
          },
        },
        ['a'],
      ),
      { a: { k: 'y' } },
    ],
    [
      'lists',
      object({ a: { type: 'array', items: object({ b: { type: 'string' } }) } }, ['a']),
      { a: [{}, { b: 'x' }] },
    ],
    [
      'recursion',
      { ...object({ a: { $ref: '#/$defs/T' } }, ['a']), $defs: { T: object({ t: { $ref: '#/$defs/T' } }) } },
      { a: { t: { t: {} } } },
    ],
    ['what is no object', { type: 'string' }, 'text'],
  ])('%s', (_what, schema, value) => {
    const lowered = lower(schema, 'openai')
    expect(lowered.lift(fitAnswer(value, lowered.schema))).toEqual(value)
  })

  test('a number in place of a text goes out as a number, as a bad model says it', () => {
    const lowered = lower(object({ a: { type: 'string' } }, ['a']), 'openai')
    expect(fitAnswer({ a: 5 }, lowered.schema)).toEqual({ a: 5 })
  })

  test('asked more often than it has turns, it says so', async () => {
    const client = scriptedModel([])
    const made = Request({ model: 'm', client, retry: { attempts: 1 } })
    await expect(made).rejects.toThrow(/script has 0 turns.*Add a turn/)
  })

  test('over HTTP too', async () => {
    const server = await scriptedModel([]).listen()
    const made = Request({ model: 'm', baseURL: server.baseURL, apiKey: 'x', retry: { attempts: 1 } })
    await expect(made).rejects.toThrow(/script has 0 turns/)
    await server.close()
  })
})
