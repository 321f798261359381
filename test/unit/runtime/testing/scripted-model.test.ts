import { createRegistry, type JsonSchema, lower, tool } from 'callsheet'
import { Agent, type AgentOptions, Request } from 'callsheet/agent'
import { scriptedModel, type TestModel } from 'callsheet/testing'
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
    [
      'what is left out where null is a value',
      object({
        a: { type: ['string', 'null'] },
        b: { type: ['string', 'null'] },
        _omitted: { type: 'null' },
      }),
      { b: null },
    ],
    ['what is no object', { type: 'string' }, 'text'],
    ['an object that may be null', { anyOf: [object({ a: {} }, ['a']), { type: 'null' }] }, { a: 1 }],
    ['null, which may be an object', { anyOf: [object({ a: {} }, ['a']), { type: 'null' }] }, null],
    ...['5', 'null', '{"a":1}', 'text', null, 5, { a: '5' }].map((value): [string, JsonSchema, unknown] => [
      `any value: ${JSON.stringify(value)}`,
      object({ a: {}, b: {} }, ['b']),
      { a: value, b: value },
    ]),
  ])('%s', (_what, schema, value) => {
    const lowered = lower(schema, 'openai')
    expect(lowered.lift(fitAnswer(value, lowered.schema))).toEqual(value)
  })

  test('the items of a tuple, and those after them', () => {
    const tuple = { type: 'array', prefixItems: [{ type: 'number' }, {}] }
    const lowered = lower(object({ t: tuple }, ['t']), 'gemini')
    const value = { t: [1, '2', '3', { a: null }] }
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

describe('wrong use is told at once, and as what it is', () => {
  const asked = (model: TestModel): Promise<unknown> =>
    Agent<string>({
      model: 'm',
      client: model,
      tools: createRegistry().Tool,
      output: { type: 'string' },
      retry: { backoff: 0 },
    }).then(({ output }) => output)
  const untyped = scriptedModel as (turns: unknown) => TestModel

  test.each([
    [{ cals: [] }, '/0/cals: no such property; did you mean "calls"?'],
    [{ calls: { _tool: 'a' } }, '/0/calls: expected a list of Calls'],
    [{ text: 5 }, '/0/text: expected a string, got 5'],
    [{ usage: 5 }, '/0/usage'],
    [{ output: 'x', usage: { input: 5 } }, '/0/usage/input: no such property'],
    [{ isTruncated: 'yes' }, '/0/isTruncated: expected true or false'],
    [{ text: 'a', output: 'x' }, '/0/output: expected nothing beside a text or a refusal'],
    [{ refusal: 'no', calls: [] }, '/0/calls: expected nothing beside a refusal'],
    [Promise.resolve({ output: 'x' }), '/0: expected an answer, or a function that gives one'],
  ])('the turn %j', async (turn, says) => {
    expect(() => untyped([turn])).toThrow(says)
    await expect(asked(untyped([() => (turn instanceof Promise ? undefined : turn)]))).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining(turn instanceof Promise ? '/0: expected an object' : says),
    })
  })

  test('a turn may be asynchronous', async () => {
    expect(await asked(scriptedModel([async () => ({ output: 'later' })]))).toBe('later')
  })

  test('a text beside calls: said before them in native mode, and refused where one schema is all of the answer', async () => {
    const look = tool('look', { _output: { type: 'string' } }, { effects: 'read' })
    const { Tool, Activity } = createRegistry({ tools: { look } })
    Activity.register('look', () => 'seen')
    const said: string[] = []
    const run = (options: Partial<AgentOptions>) => {
      const client = scriptedModel([{ text: 'I look.', calls: [{ _tool: 'look' }] }, { output: 'done' }])
      const onText = (text: string): unknown => said.push(text)
      return Agent({ model: 'm', client, tools: Tool, output: { type: 'string' }, onText, ...options })
    }
    for (const form of [{ api: 'chat' }, { api: 'responses' }, { provider: 'anthropic' }] as const) {
      const { outcomes } = await run({ ...form, mode: 'native', stream: true })
      expect(outcomes).toMatchObject([{ output: 'seen' }])
      expect(said.splice(0).join('')).toContain('I look.')
    }
    await expect(run({ mode: 'composed' })).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('says a text beside calls'),
    })
  })

  test('an assertion that fails in a turn ends the run, and says what it says', async () => {
    const model = scriptedModel([() => expect(1).toBe(2) as never, { output: 'hidden' }])
    await expect(asked(model)).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('Turn 1 of the script threw: expected 1 to be 2'),
    })
    expect(model.requests).toHaveLength(1)
  })

  test('another error stands for one of the client, and is named when the script is over', async () => {
    const fails = () => {
      throw new Error('socket hang up')
    }
    expect(await asked(scriptedModel([fails, { output: 'again' }]))).toBe('again')
    await expect(asked(scriptedModel([fails]))).rejects.toMatchObject({
      code: 'invalid_options',
      message:
        'The script has 1 turn, and the model was asked once more. Add a turn. Turn 1 of the script threw: socket hang up',
    })
  })

  test.each([
    [{ faults: [{ at: 'mid-call', kind: 'dorp' }] }, '/faults/0/kind: expected "drop"'],
    [{ faults: [{ at: 'middle', kind: 'drop' }] }, '/faults/0/at: expected "headers"'],
    [{ faults: [{ kind: 'drop' }] }, '/faults/0/at: expected'],
    [
      { faults: [{ at: 'headers', kind: 'drop', request: -1 }] },
      '/faults/0/request: expected a whole number from 0',
    ],
    [{ faults: { at: 'headers', kind: 'drop' } }, '/faults: expected a list of faults'],
    [{ fault: [] }, '/fault: no such property; did you mean "faults"?'],
  ])('a server that listens with %j', async (options, says) => {
    const { listen } = scriptedModel([]) as unknown as { listen(options: unknown): Promise<unknown> }
    await expect(listen(options)).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining(says),
    })
  })
})
