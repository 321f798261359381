import {
  type Call,
  type ContextLike,
  createContext,
  createRegistry,
  type GivenMessage,
  type Message,
} from 'callsheet'
import { Agent } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { describe, expect, test } from 'vitest'

const any = {}
const { Tool, Activity } = createRegistry({
  tools: {
    keep: {
      type: 'object',
      properties: {
        _tool: { const: 'keep' },
        value: any,
        _instance: { type: 'string' },
        _outputPath: { type: 'string' },
        _output: any,
      },
      required: ['_tool', 'value'],
    },
    count: {
      type: 'object',
      properties: { _tool: { const: 'count' }, value: { type: 'array' }, _output: { type: 'number' } },
      required: ['_tool', 'value'],
    },
    see: {
      type: 'object',
      properties: { _tool: { const: 'see' }, _scopes: { type: 'array' }, _output: { type: 'number' } },
      required: ['_tool'],
    },
  },
})
Activity.register('keep', ({ value }) => value)
Activity.register('count', ({ value }) => value.length)
Activity.register('see', (_call, _tool, context) => context.length)

const length = 1000
const places = Array.from({ length }, (_, place) => place)

/** A list of patches, each of another name, that counts how often one of them is looked at to find out what it wrote. */
function countedContext(): { readonly context: Message[]; readonly looks: () => number } {
  let looks = 0
  const context = places.map((place) => {
    const message = { type: 'state', state: { [`k${place}`]: place } } as unknown as Message
    return Object.defineProperty(message, '_instance', {
      enumerable: true,
      get() {
        looks += 1
        return undefined
      },
    })
  })
  return { context, looks: () => looks }
}

describe('a long list of Messages that is read often is not searched each time', () => {
  const absent = (place: number): string => `†state.none${place}`
  const there = (place: number): string => `†state.k${place}`
  const kept = (value: unknown, place?: number) => ({
    _tool: 'keep',
    value,
    ...(place !== undefined && { _outputPath: `†state.x${place}` }),
  })
  const cases: Record<string, (context: Message[]) => Promise<unknown>> = {
    'by one Call, of what is there': (context) => Tool.run(kept(places.map(there)), { context }),
    'by one Call, of what nobody wrote': (context) => Tool.run(kept(places.map(absent)), { context }),
    'by a group': (context) =>
      Tool.all(
        places.map((place) => kept(`${absent(place)} || ${there(place)}`)),
        { context },
      ),
    'by a group of an instance': (context) =>
      Tool.all(
        places.map(() => ({ ...kept(1), _instance: 'nobody' })),
        { context },
      ).catch(() => undefined),
    'by a plan that is checked': (context) =>
      Tool.plan(
        places.map((place) => kept(place === 0 ? 1 : `${absent(place)} || †state.x${place - 1}`, place)),
        { context },
      ),
  }
  test.each(Object.entries(cases))('%s', async (_, read) => {
    const { context, looks } = countedContext()
    await read(context)
    expect(looks()).toBeGreaterThanOrEqual(length)
    expect(looks()).toBeLessThan(20 * length)
  })

  test('what is appended to the list between two reads is seen', async () => {
    const { context } = countedContext()
    const seen: unknown[] = []
    for (const value of [1, 2]) {
      context.push({ type: 'state', state: { late: value } } as unknown as Message)
      const [first, last] = await Tool.all(
        places.map(() => kept(`${absent(0)} || †state.late`)).concat(kept('†state.late')),
        { context },
      )
      seen.push(first, last)
    }
    expect(seen).toEqual([1, 1, 2, 2])
  })
})

describe('REF-4 what References put into one Call is bounded', () => {
  const grow = (by: number, from: number) => ({
    ...{ _tool: 'keep', value: Array.from({ length: by }, () => `†state.x${from}`) },
    _outputPath: `†state.x${from + 1}`,
  })

  test('a plan that multiplies what it reads ends with a code', async () => {
    const { outcomes, blocked } = await Tool.plan([
      { _tool: 'keep', value: [1, 2, 3], _outputPath: '†state.x0' },
      ...Array.from({ length: 8 }, (_, from) => grow(100, from)),
    ])
    const ends = outcomes.map((outcome) => outcome?.error?.code ?? outcome?.status)
    expect(ends.slice(0, 5)).toEqual(['succeeded', 'succeeded', 'succeeded', 'invalid_call', undefined])
    expect(outcomes[3]?.error?.message).toContain('References of the Call copy more than')
    expect(blocked).toHaveLength(5)
  })

  test('texts count by their length', async () => {
    const text = 'x'.repeat(1_000_000)
    const context = [{ type: 'state', state: { text } }] as unknown as Message[]
    const read = (times: number) =>
      Tool.run({ _tool: 'keep', value: Array.from({ length: times }, () => '†state.text') }, { context })
    expect((await read(50)).status).toBe('succeeded')
    expect((await read(300)).error?.code).toBe('invalid_call')
  })

  test('one Reference takes a long list', async () => {
    const list = Array.from({ length: 1_500_000 }, () => 0)
    const context = [{ type: 'state', state: { list } }] as unknown as Message[]
    const { status, output } = await Tool.run({ _tool: 'keep', value: '†state.list' }, { context })
    expect([status, (output as unknown[]).length]).toEqual(['succeeded', list.length])
  })

  /** Each Call writes all that is there below it again, so that it doubles. */
  const double = (place: number): Call => ({
    ...{ _tool: 'keep', value: '†state' },
    _outputPath: `†state.x${place}`,
  })
  const seed = [{ type: 'state' as const, state: { list: Array.from({ length: 100_000 }, () => 0) } }]

  test('Calls that double what is there, one after the other, end with a code', async () => {
    const context = createContext(seed)
    const ends: unknown[] = []
    for (let place = 0; place < 8; place++) {
      const { status, error } = await Tool.run(double(place), { context })
      ends.push(error?.code ?? status)
    }
    const [fits, tooMuch] = ['succeeded', 'invalid_call']
    expect(ends).toEqual([fits, fits, fits, fits, fits, tooMuch, tooMuch, tooMuch])
  })

  test('what is written to many paths counts for each of them', async () => {
    const paths = (count: number): string =>
      Array.from({ length: count }, (_, at) => `†state.y${at}`).join(' && ')
    const write = (count: number) =>
      Tool.run({ _tool: 'keep', value: '†state.list', _outputPath: paths(count) }, { context: seed })
    expect((await write(8)).status).toBe('succeeded')
    expect((await write(20)).error?.code).toBe('invalid_path')
    const large = [
      ...seed,
      { type: 'state' as const, state: { list: Array.from({ length: 200_000 }, () => 0) } },
    ]
    const call = { _tool: 'keep', value: '†state.list', _outputPath: paths(16) }
    expect((await Tool.run(call, { context: large })).error?.code).toBe('invalid_call')
  })
})

describe('REF-4 what Calls copy that run together is bounded', () => {
  // A copy of a text takes no time, and counts as much as a copy of a list.
  const text = 'x'.repeat(90_000_000)
  const messages: readonly GivenMessage[] = [{ type: 'state', state: { text } }]
  const enough = 25
  const every = <Each>(each: Each): Each[] => Array.from({ length: enough }, () => each)
  const takesText: Call = { _tool: 'keep', value: '†state.text' }

  test.each<[string, ContextLike]>([
    ['a list of Messages', messages],
    ['a Context', createContext(messages)],
  ])('in a group with %s', async (_, context) => {
    await expect(Tool.all(every(takesText), { context })).rejects.toMatchObject({ code: 'invalid_call' })
    const few = await Tool.all([takesText, takesText], { context })
    expect(few).toHaveLength(2)
  })

  test('in a group whose Calls see Messages through their scopes', async () => {
    const ofState: Call = { _tool: 'see', _scopes: ['state'] }
    const group = Tool.all(every(ofState), { context: messages })
    await expect(group).rejects.toThrow(
      'The Calls that run together copy more than 20000000 values or 2000000000 characters',
    )
  })

  test('in a plan, where it costs the Calls that are too many', async () => {
    const { outcomes } = await Tool.plan(every(takesText), { context: messages })
    const ended = outcomes.map((outcome) => outcome?.error?.code ?? outcome?.status)
    expect(new Set(ended.slice(0, 20))).toEqual(new Set(['succeeded']))
    expect(new Set(ended.slice(24))).toEqual(new Set(['invalid_call']))
  })

  test.each([
    ['what is free again does not count', {}, 'succeeded'],
    ['what is written stays, and counts', { _outputPath: '†state.kept' }, 'invalid_call'],
  ])('in a plan whose Calls run one after the other: %s', async (_, meta, last) => {
    const calls = every({ ...takesText, ...meta })
    const { outcomes } = await Tool.plan(calls, { context: messages, concurrency: 1 })
    const ended = outcomes.map((outcome) => outcome?.error?.code ?? outcome?.status)
    expect(new Set(ended.slice(0, 20))).toEqual(new Set(['succeeded']))
    expect(ended.at(-1)).toBe(last)
  })

  test('Calls that were refused do not count, so that later ones run', async () => {
    const many = Array.from({ length: 60 }, () => takesText)
    const done: Call = { _tool: 'keep', value: 1, _outputPath: '†state.done' }
    const later: Call = { _tool: 'keep', value: ['†state.text', '†state.done'] }
    const { outcomes } = await Tool.plan([...many, done, later], { context: messages })
    expect(outcomes[59]?.error?.code).toBe('invalid_call')
    expect(outcomes.at(-1)?.error?.message ?? outcomes.at(-1)?.status).toBe('succeeded')
  })

  test.each([false, true])('turns of a run that only read do not add up, streamed: %s', async (stream) => {
    const list = Array.from({ length: 900_000 }, () => 0)
    const calls = Array.from({ length: 9 }, (): Call => ({ _tool: 'count', value: '†state.list' }))
    const { outcomes } = await Agent({
      model: 'scripted',
      client: scriptedModel([{ calls }, { calls }, { calls }, { output: 'done' }]),
      tools: Tool,
      context: [{ type: 'state', state: { list } }],
      output: { type: 'string' },
      instructions: 'Go on.',
      stream,
      early: 'all',
    })
    expect(outcomes.map(({ status }) => status)).toEqual(Array(27).fill('succeeded'))
  })

  test('groups one after the other on one Context do not add up', async () => {
    const context = createContext(messages)
    for (let group = 0; group < 3; group++) {
      expect(await Tool.all(every(takesText).slice(0, 10), { context })).toHaveLength(10)
    }
  })
})
