import { type Call, createContext, createRegistry, isCallsheetError, type Message, tool } from 'callsheet'
import { afterEach, describe, expect, test } from 'vitest'
import { number, registryOf, rejection, string } from './harness.ts'

const names = ['__proto__', 'constructor', 'prototype', 'then', 'toString', 'hasOwnProperty', 'valueOf']

/** Own properties of the prototypes, which no test may change. */
const prototypes = [Object, Function, Array, String, Promise, Map, Error].map(({ prototype }) => prototype)
const pristine = prototypes.map((prototype) => Reflect.ownKeys(prototype).length)

afterEach(() => {
  expect(prototypes.map((prototype) => Reflect.ownKeys(prototype).length)).toEqual(pristine)
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

const open = tool('open', { text: string, _output: {} }, { additionalProperties: true })
const free = tool(
  'free',
  {
    value: {},
    _outputPath: { ...string, '~optional': true },
    _instance: { ...string, '~optional': true },
    _output: {},
  },
  { effects: 'read' },
)
const echo = { free: ({ value }: Call) => value, open: (call: Call) => call }
const setUp = () => registryOf(echo, { tools: { open, free } })

/** Parses, so that `__proto__` is an own property, as in what a model sends. */
const parsed = (text: string): Call => JSON.parse(text) as Call

describe.each(names)('the name %s', (name) => {
  test('as an unknown Tool', async () => {
    const { Tool } = setUp()
    expect((await Tool.run({ _tool: name })).error).toMatchObject({ code: 'unknown_tool' })
    expect(Tool.get(name)).toBeUndefined()
    expect(Tool.unregister(name)).toBe(false)
    await expect(Tool.all([{ _tool: name }])).rejects.toMatchObject({ code: 'unknown_tool' })
    await expect(Tool.race([{ _tool: name }])).rejects.toMatchObject({ code: 'unknown_tool' })
  })

  test('as a registered Tool: it works, or is refused at registration', async () => {
    const { Tool, Activity } = createRegistry()
    try {
      Tool.register(name, { properties: { n: number, _output: number } })
    } catch (error) {
      expect(error).toMatchObject({ code: 'unsupported_schema' })
      expect(['__proto__', 'constructor', 'prototype']).toContain(name)
      return
    }
    expect((await Tool.run({ _tool: name, n: 1 })).error?.code).toBe('no_model')
    Activity.register(name, ({ n }) => n + 1)
    expect(await Tool({ _tool: name, n: 1 }, { policy: {}, onInvalidOutput: {} })).toBe(2)
  })

  test('as an Activity', async () => {
    const { Activity } = createRegistry()
    expect(Activity.get(name)).toBeUndefined()
    expect(Activity.get(name, name)).toBeUndefined()
    Activity.register(name, () => 1, { variant: name })
    expect(Activity.get(name, name)?.({}, {}, [], {} as never)).toBe(1)
    expect(Activity.unregister(name)).toBe(true)
  })

  test('as a parameter: own data, or refused', async () => {
    const { Tool } = setUp()
    const call = parsed(`{"_tool":"open","text":"x","${name}":{"polluted":true}}`)
    const outcome = await Tool.run(call)
    expect(outcome.status).toBe('succeeded')
    expect(Object.hasOwn(outcome.output as object, name)).toBe(true)
    expect(Object.getPrototypeOf(outcome.output)).toBe(Object.prototype)
    const closed = await Tool.run({ ...call, _tool: 'free', value: 1 })
    expect(closed.error?.code).toBe('invalid_call')
  })

  test('deep in a parameter, next to a Reference', async () => {
    const { Tool } = setUp()
    const context = createContext([{ type: 'state', state: { n: 1 } }])
    const call = parsed(`{"_tool":"free","value":{"${name}":{"polluted":"†state.n"}}}`)
    const output = (await Tool(call, { context })) as object
    expect(JSON.stringify(output)).toBe(`{"${name}":{"polluted":1}}`)
    expect(Object.getPrototypeOf(output)).toBe(Object.prototype)
  })

  test('as a segment of a path, read and written', async () => {
    const { Tool } = setUp()
    const context = createContext([{ type: 'state', state: {} }])
    const read = await Tool.run({ _tool: 'free', value: `†state.${name}.x` }, { context })
    expect(['invalid_path', 'unresolved_reference']).toContain(read.error?.code)
    const written = await Tool.run(
      { _tool: 'free', value: 1, _outputPath: `†state.${name}.polluted` },
      { context },
    )
    if (written.error) expect(written.error.code).toBe('invalid_path')
    else expect(context.read(`†state.${name}.polluted`)).toBe(1)
  })

  test('as an instance', async () => {
    const { Tool } = setUp()
    const call = { _tool: 'free', value: 1, _instance: name, _outputPath: '†state.x' }
    const messages: Message[] = [{ type: 'state', state: {}, _instance: name }]
    expect((await Tool.run(call)).error?.code).toBe('unknown_instance')
    const { appended } = await Tool.run(call, { context: messages })
    expect(appended).toMatchObject([{ _instance: name }])
  })

  test('as an event', () => {
    const { Tool } = setUp()
    const on = Tool.on as (event: string, listener: () => void) => void
    expect(() => on(name, () => undefined)).toThrow(expect.objectContaining({ code: 'invalid_options' }))
  })

  test('as a positional Tool', () => {
    const { Tool } = setUp()
    expect(() => Tool.parse.tuple(name, '[1]')).toThrow(expect.objectContaining({ code: 'unknown_tool' }))
  })
})

describe('values that no model should send', () => {
  const cyclic: Record<string, unknown> = { _tool: 'free' }
  cyclic.value = cyclic
  const deep = JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`) as unknown
  const throwing = (name: string): Call =>
    Object.defineProperty({ _tool: 'free', value: 1 } as Call, name, {
      enumerable: true,
      get() {
        throw new Error('gotcha')
      },
    })
  const proxy = new Proxy({ _tool: 'free' } as Call, {
    ownKeys() {
      throw new Error('gotcha')
    },
  })
  const { proxy: revoked, revoke } = Proxy.revocable({ _tool: 'free' } as Call, {})
  revoke()

  const cases: [string, unknown][] = [
    ['10,000 levels', { _tool: 'free', value: deep }],
    ['10,000 levels in _output', { _tool: 'free', value: 1, _output: deep }],
    ['a cycle', cyclic],
    ['a parameter whose getter throws', throwing('value')],
    ['a _tool whose getter throws', throwing('_tool')],
    ['an _outputPath whose getter throws', throwing('_outputPath')],
    ['an _instance whose getter throws', throwing('_instance')],
    ['an _output whose getter throws', throwing('_output')],
    ['a proxy that throws', proxy],
    ['a revoked proxy', revoked],
  ]
  test.each(cases)('%s: a clear invalid_call', async (_what, call) => {
    const { Tool, events } = setUp()
    const outcome = await Tool.run(call as Call)
    expect(outcome).toMatchObject({ status: 'failed', attempts: 0, error: { code: 'invalid_call' } })
    expect(outcome.error?.message.length).toBeLessThan(1000)
    for (const strategy of ['all', 'any', 'race'] as const) {
      const error = await rejection(Tool[strategy]([call as Call]))
      const reason = error instanceof AggregateError ? error.errors[0] : error
      expect(reason).toMatchObject({ code: 'invalid_call' })
    }
    expect(events.started).toHaveLength(4)
    expect(events.ended).toHaveLength(4)
  })

  test('CALL-1 a getter that tells another name each time: the record has that of the Tool that ran', async () => {
    let told = 0
    const call = {
      get _tool() {
        return told++ === 0 ? 'free' : 'open'
      },
      value: 1,
    }
    const { Tool, Activity } = createRegistry({ tools: { open, free } })
    Activity.register('free', () => 'ran')
    const outcome = await Tool.run(call)
    expect(outcome.output).toBe('ran')
    expect([outcome.tool, outcome.call._tool]).toEqual(['free', 'free'])
  })

  test.each([
    ['a Date', new Date(0), 'Date {}'],
    ['a Map', new Map(), 'Map {}'],
    ['a Promise that nobody awaited', Promise.resolve(1), 'Promise {}'],
  ])('%s is no JSON, and its copy would be {}', async (_what, value, got) => {
    const { Tool } = setUp()
    const outcome = await Tool.run({ _tool: 'free', value: [{ at: value }] })
    expect(outcome.error?.problems).toMatchObject([{ path: '/value/0/at', received: got }])
  })

  test('10 MB of text is a value like any other', async () => {
    const { Tool } = setUp()
    const text = 'x'.repeat(10_000_000)
    expect(await Tool({ _tool: 'free', value: text })).toBe(text)
  })

  const long = 'x'.repeat(10_000_000)
  const longCalls: [string, Call][] = [
    ['_tool', { _tool: long }],
    ['_activity', { _tool: 'free', value: 1, _activity: long }],
    ['_instance', { _tool: 'free', value: 1, _instance: long }],
    ['_outputPath', { _tool: 'free', value: 1, _outputPath: `†${long}.__proto__` }],
    ['an unknown parameter', { _tool: 'free', value: 1, [long]: 1 }],
    ['a wrong parameter', { _tool: 'open', text: [long] }],
  ]
  test.each(longCalls)('10 MB of %s: a short error', async (_what, call) => {
    const { Tool } = setUp()
    const { error } = await Tool.run(call)
    expect(isCallsheetError(error)).toBe(true)
    expect(error?.message.length).toBeLessThan(2000)
  })

  test('CALL-11a 100,000 problems: the first as data and in the message, the others counted', async () => {
    const list = tool('list', { items: { type: 'array', items: number } })
    const { Tool } = registryOf({ list: () => undefined }, { tools: { list } })
    const { error } = await Tool.run({ _tool: 'list', items: Array(100_000).fill('x') })
    expect(error?.problems).toHaveLength(101)
    expect(error?.message.length).toBeLessThan(2000)
    expect(error?.message).toContain('and 99980 more')
  })

  test('a context that holds no Messages fails the Call', async () => {
    const { Tool } = setUp()
    for (const context of [[null], [1], [{ type: 'state' }]]) {
      const call = { _tool: 'free', value: '†state.x', _instance: 'mine' }
      const outcome = await Tool.run(call, { context: context as unknown as Message[] })
      expect(outcome.status).toBe('failed')
      expect(isCallsheetError(outcome.error)).toBe(true)
    }
  })
})

describe('what Activities throw', () => {
  const hostile = Object.defineProperty({}, 'message', {
    get() {
      throw new Error('gotcha')
    },
  })
  const thrown: [string, unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['a text', 'boom'],
    ['a number', 1],
    ['a symbol', Symbol('boom')],
    ['an object without a prototype', Object.create(null)],
    ['an object that cannot be read', hostile],
    ['a function', () => undefined],
    ['an error whose message is no text', Object.assign(new Error(), { message: { a: 1 } })],
  ]
  test.each(thrown)(
    '%s: activity_failed, with it as the cause, and the alternative written',
    async (_what, cause) => {
      const { Tool } = registryOf(
        {
          free: () => {
            throw cause
          },
        },
        { tools: { free } },
      )
      const outcome = await Tool.run({ _tool: 'free', value: 1, _outputPath: '†state.ok || †state.error' })
      expect(outcome.error).toMatchObject({ code: 'activity_failed', message: expect.any(String) })
      expect(outcome.error?.cause).toBe(cause)
      expect(outcome.appended).toMatchObject([{ data: { error: { code: expect.anything() } } }])
      expect(JSON.parse(JSON.stringify(outcome.appended))).toEqual(outcome.appended)
    },
  )
})
