import {
  type AnyActivity,
  type Call,
  createContext,
  createRegistry,
  type Message,
  message,
  type Registry,
  type RunOptions,
  type ToolSchema,
  tool,
} from 'callsheet'
import { describe, expect, test } from 'vitest'
import { number, optional, registryOf, string } from './harness.ts'

describe('ACT-2 what an Activity is given', () => {
  test('the resolved Call, the Tool’s schema, the scoped context, and the run', async () => {
    const scoped = tool('scoped', { n: number, _scopes: { const: ['state'] }, _output: number })
    const { Tool, Activity } = createRegistry({ tools: { scoped } })
    let given: unknown[] = []
    Activity.register('scoped', (...args) => {
      given = args
      return 1
    })
    const state = { type: 'state' as const, state: { n: 1 } }
    const text = { type: 'text' as const, text: 'not in scope' }
    const progress: unknown[] = []
    Tool.on('activity:progress', (event) => progress.push(event))
    await Tool(
      { _tool: 'scoped', n: '†state.n', _reasoningForCall: 'x' },
      { context: [state, text], id: 'key' },
    )
    const [call, schema, context, run] = given as Parameters<AnyActivity>
    expect(call).toEqual({ _tool: 'scoped', n: 1, _reasoningForCall: 'x' })
    expect(schema).toBe(Tool.get('scoped'))
    expect(context).toEqual([state])
    expect(run).toMatchObject({ id: 'key', attempt: 1 })
    expect(run.signal).toBeInstanceOf(AbortSignal)
    expect(run.signal.aborted).toBe(false)
    run.emit({ percent: 50 })
    expect(progress).toEqual([{ id: 'key', tool: 'scoped', attempt: 1, data: { percent: 50 } }])
  })

  test('each Call has an id of its own unless it is given one', async () => {
    const { Tool } = registryOf({ double: (_call, _tool, _context, { id }) => Number(id.length > 0) })
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => Tool.run({ _tool: 'double', n: 1 })))
    expect(new Set(outcomes.map(({ id }) => id)).size).toBe(50)
  })
})

describe('ACT-8 nothing that an Activity does to what it is given reaches anyone else', () => {
  const scoped = tool(
    'scoped',
    {
      user: { type: 'object', properties: { tags: { type: 'array' } } },
      _scopes: { const: ['state'] },
      _outputPath: optional(string),
      _output: {},
    },
    { effects: 'read' },
  )
  const given = { _tool: 'scoped', user: { tags: ['a'] }, _outputPath: '†state.out' }
  const state = { type: 'state' as const, state: { list: [1] } }

  /** Spoils everything in reach and says what it found. */
  function spoiler(found: unknown[], failures: number): AnyActivity {
    return (call, schema, context, run) => {
      found.push(structuredClone({ call, context }))
      call.user.tags.push('spoiled')
      call._outputPath = '†state.stolen'
      call._instance = 'stolen'
      const [first] = context as { state: { list: number[] } }[]
      first?.state.list.push(2)
      expect(() => Object.assign(schema, { effects: 'write' })).toThrow(TypeError)
      expect(() => Object.assign(schema.properties?.user ?? {}, { type: 'string' })).toThrow(TypeError)
      if (run.attempt <= failures) throw new Error('once more')
      return { done: true }
    }
  }

  test.each<[string, RunOptions]>([
    ['once', {}],
    ['on every attempt', { retry: { attempts: 3 } }],
  ])('%s', async (_what, options) => {
    const found: unknown[] = []
    const { Tool, Activity } = createRegistry({ tools: { scoped } })
    Activity.register('scoped', spoiler(found, (options.retry?.attempts ?? 1) - 1))
    const call = structuredClone(given)
    const context = createContext([state])
    await Tool(call, { ...options, context })
    expect(call).toEqual(given)
    expect(found).toHaveLength(options.retry?.attempts ?? 1)
    for (const each of found) expect(each).toEqual({ call: given, context: [state] })
    expect(context.messages[0]).toEqual(state)
    expect(context.messages[1]).toMatchObject({ _path: '†state.out', _call: given })
    expect(Tool.get('scoped')?.effects).toBe('read')
  })

  test('an array of Messages is never touched', async () => {
    const { Tool, Activity } = createRegistry({ tools: { scoped } })
    Activity.register('scoped', spoiler([], 0))
    const context = [structuredClone(state)]
    const { appended } = await Tool.run(structuredClone(given), { context })
    expect(context).toEqual([state])
    expect(appended).toHaveLength(1)
  })

  test('what it does to its output afterwards does not change what was written', async () => {
    const output = { list: [1] }
    const { Tool, Activity } = createRegistry({ tools: { scoped } })
    Activity.register('scoped', () => output)
    const context = createContext()
    await Tool(given, { context })
    output.list.push(2)
    expect(context.read('†state.out')).toEqual({ list: [1] })
  })

  test('what it does to its Message afterwards does not change what was written', async () => {
    const made = message({ type: 'data', kind: 'state', data: { out: { list: [1] } } })
    const { Tool, Activity } = createRegistry({ tools: { scoped } })
    Activity.register('scoped', () => made)
    const outcome = await Tool.run(given)
    made.data.out.list.push(2)
    expect(outcome.appended).toEqual([{ type: 'data', kind: 'state', data: { out: { list: [1] } } }])
    expect(outcome.output).toEqual({ list: [1] })
  })

  const handOver: [string, (registry: Registry, call: Call) => Promise<unknown>][] = [
    ['Tool.run', async ({ Tool }, call) => (await Tool.run(call)).output],
    ['Tool', ({ Tool }, call) => Tool(call)],
    ['Tool.all', async ({ Tool }, call) => (await Tool.all([call]))[0]],
    ['Tool.any', ({ Tool }, call) => Tool.any([call])],
    ['Tool.race', ({ Tool }, call) => Tool.race([call])],
    ['a hook', ({ Tool }, call) => Tool(call, { before: async () => undefined })],
    [
      'a hook that changes what it is shown',
      ({ Tool }, call) => Tool(call, { before: (own) => void Object.assign(own, { n: 9 }) }),
    ],
    ['confirm', ({ Tool }, call) => Tool(call, { confirm: async () => true })],
  ]
  test.each(handOver)(
    'what the caller does to the Call after handing it to %s changes nothing',
    async (_what, run) => {
      const registry = registryOf({ double: ({ n }) => n * 2 })
      // The first of a registry waits for its checks, the second does not: both run as they were handed over.
      for (const n of [1, 2]) {
        const call = { _tool: 'double', n }
        const output = run(registry, call)
        expect(call).toEqual({ _tool: 'double', n })
        call.n = 100
        expect(await output).toBe(n * 2)
      }
    },
  )

  test('what the caller does to the Call while it runs does not change what is written', async () => {
    const { Tool, Activity } = createRegistry({ tools: { scoped } })
    const call = structuredClone(given)
    Activity.register('scoped', async (own) => {
      call.user.tags.push('late')
      call._outputPath = '†state.elsewhere'
      await null
      return own.user.tags
    })
    const outcome = await Tool.run(call)
    expect(outcome.output).toEqual(['a'])
    expect(outcome.appended).toMatchObject([{ _path: '†state.out', _call: given }])
  })
})

describe('ACT-6 output or Message', () => {
  const cases: [string, object | undefined, unknown, 'output' | 'message' | 'neither'][] = [
    ['an output', number, 1, 'output'],
    ['what message() made', number, message({ type: 'text', text: 'hi' }), 'message'],
    ['what message() made, although _output allows it', {}, message({ type: 'text', text: 'hi' }), 'message'],
    ['an API’s { type: text } that _output allows', {}, { type: 'text', text: 'hi' }, 'output'],
    ['what only looks like a Message', number, { type: 'text', text: 'hi' }, 'neither'],
    ['an ill-formed one that _output does not allow', number, { type: 'text', txt: 'hi' }, 'neither'],
    ['anything from a Tool without _output', undefined, { any: 1 }, 'output'],
    ['the same from a Tool without _output', undefined, { type: 'text', text: 'hi' }, 'output'],
    ['a Message from a Tool without _output', undefined, message({ type: 'text', text: 'hi' }), 'message'],
  ]
  test.each(cases)('%s', async (_what, _output, returned, want) => {
    const { Tool, Activity } = createRegistry({ tools: { t: { properties: _output ? { _output } : {} } } })
    Activity.register('t', () => returned)
    const outcome = await Tool.run({ _tool: 't' })
    expect(outcome.error?.code).toBe(want === 'neither' ? 'invalid_output' : undefined)
    expect(outcome.message).toEqual(want === 'message' ? returned : undefined)
    expect(outcome.appended).toEqual(want === 'message' ? [returned] : [])
    if (want === 'output') expect(outcome.output).toEqual(_output ? returned : undefined)
  })

  const data: Message = { type: 'data', kind: 'state', data: 4 }
  const withoutPath: [string, object | undefined, Message, unknown][] = [
    ['data that _output allows is the output', number, data, 4],
    ['data that it does not allow is none', string, data, undefined],
    ['a Message without data holds none', number, { type: 'text', text: 'hi' }, undefined],
    ['a Tool without _output has no wrong ones', undefined, { type: 'text', text: 'hi' }, undefined],
  ]
  test.each(withoutPath)(
    'ACT-7 a Message, and no _outputPath: %s',
    async (_what, _output, returned, output) => {
      const { Tool, Activity } = createRegistry({ tools: { t: { properties: _output ? { _output } : {} } } })
      Activity.register('t', () => message(returned))
      const context = createContext()
      const outcome = await Tool.run({ _tool: 't' }, { context })
      expect(outcome).toMatchObject({ status: 'succeeded', appended: [returned] })
      expect(outcome.output).toEqual(output)
      expect(context.messages).toEqual([returned])
      const handedBack = Tool({ _tool: 't' })
      if (output === undefined && _output)
        await expect(handedBack).rejects.toMatchObject({ code: 'other_branch' })
      else expect(await handedBack).toEqual(output)
    },
  )

  test('a Tool without _output says that it is done where it is asked to (OUT-1)', async () => {
    const silent = tool('silent', { _outputPath: optional(string) })
    const { Tool, Activity } = createRegistry({ tools: { silent } })
    Activity.register('silent', () => 'nobody’s business')
    const context = createContext()
    expect(await Tool({ _tool: 'silent', _outputPath: '†state.done' }, { context })).toBeUndefined()
    expect(context.read('†state.done')).toBeNull()
    expect((await Tool.run({ _tool: 'silent' })).appended).toEqual([])
  })

  test.each(['error', 'report'] as const)(
    'a Message of another instance is never written, not even with onInvalidOutput: %s (INST-2)',
    async (onInvalidOutput) => {
      const { Tool } = registryOf({
        double: () => message({ type: 'state', state: {}, _instance: 'theirs' }),
      })
      const context = createContext()
      const outcome = await Tool.run({ _tool: 'double', n: 1 }, { context, onInvalidOutput })
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'invalid_output' }, appended: [] })
      expect(context.messages).toEqual([])
    },
  )

  test('a Message that was spoiled after message() made it is refused', async () => {
    const { Tool } = registryOf({
      double: () => Object.assign(message({ type: 'text', text: 'hi' }), { type: 'nonsense' }),
    })
    const outcome = await Tool.run({ _tool: 'double', n: 1 }, { context: createContext() })
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'invalid_output' }, appended: [] })
  })
})

describe('ACT-7 outputs are validated', () => {
  const call = { _tool: 'double', n: 1, _outputPath: '†state.x' }
  const wrong = { double: () => 'two', read: () => 'two' }

  test('error: an OutputError with path, expected and received; nothing is written', async () => {
    const { Tool } = registryOf(wrong)
    await expect(Tool(call)).rejects.toMatchObject({
      name: 'OutputError',
      code: 'invalid_output',
      problems: [{ path: '', expected: 'a number', received: '"two"' }],
    })
    const outcome = await Tool.run(call)
    expect(outcome).toMatchObject({ status: 'failed', appended: [] })
    expect('output' in outcome).toBe(false)
  })

  test('report: the output is kept, flagged in the Outcome', async () => {
    const { Tool } = registryOf(wrong)
    const outcome = await Tool.run(call, { onInvalidOutput: 'report' })
    expect(outcome).toMatchObject({ status: 'succeeded', output: 'two', error: { code: 'invalid_output' } })
    expect(outcome.appended).toMatchObject([{ data: { x: 'two' } }])
    expect(await Tool(call, { onInvalidOutput: 'report' })).toBe('two')
  })

  test('per Tool, by own names only', async () => {
    const { Tool } = registryOf(wrong, { onInvalidOutput: { double: 'report' } })
    expect((await Tool.run(call)).status).toBe('succeeded')
    expect((await Tool.run({ ...call, _tool: 'read' })).status).toBe('failed')
  })

  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic
  const notJson: [string, unknown, string | undefined][] = [
    ['what contains itself', cyclic, undefined],
    ['a Date', { at: [new Date(0)] }, '/at/0'],
    ['a Map', new Map([['a', 1]]), ''],
    ['a Set', { 'a/b': new Set() }, '/a~1b'],
    ['bytes', new Uint8Array(2), ''],
    ['a Promise that nobody awaited', { at: Promise.resolve(1) }, '/at'],
    ['a Response', new Response('{}'), ''],
    ['an Error', { why: Object.assign(new Error('x'), { code: 'ENOENT' }) }, '/why'],
    ['a big integer', { n: 1n }, '/n'],
    ['a function', { f: () => 1 }, '/f'],
    ['a symbol', [Symbol('s')], '/0'],
    ['a number without end', { n: Number.POSITIVE_INFINITY }, '/n'],
  ]
  test.each(notJson)('OUT-2 %s is not plain JSON and cannot be written', async (_what, output, path) => {
    const free = tool('free', { _outputPath: optional(string), _output: {} })
    const { Tool } = registryOf({ free: () => output }, { tools: { free } })
    const outcome = await Tool.run({ _tool: 'free', _outputPath: '†state.x' })
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'invalid_output' }, appended: [] })
    if (path !== undefined) expect(outcome.error?.problems).toMatchObject([{ path }])

    const state = { type: 'data', kind: 'state', data: { x: output } }
    const other = registryOf({ double: () => state })
    const { appended, error } = await other.Tool.run({ _tool: 'double', n: 1 })
    expect([error?.code, appended]).toEqual(['invalid_output', []])
  })

  test('OUT-2 members that are undefined are none, and objects of a class count by their members', async () => {
    class Point {
      x = 1
      y = undefined
    }
    const free = tool('free', { _outputPath: optional(string), _output: {} })
    const { Tool } = registryOf({ free: () => [new Point(), null] }, { tools: { free } })
    const { appended } = await Tool.run({ _tool: 'free', _outputPath: '†state.x' })
    expect(JSON.parse(JSON.stringify(appended))).toMatchObject([{ data: { x: [{ x: 1 }, null] } }])
  })

  test('the invalid output of a Call that an Activity made is that Call’s, not its own', async () => {
    const { Tool } = registryOf({ double: () => 'two', read: () => Tool({ _tool: 'double', n: 1 }) })
    const { error } = await Tool.run({ _tool: 'read', n: 1 })
    expect(error).toMatchObject({ code: 'activity_failed', cause: { code: 'invalid_output' } })
  })
})

test.each([
  ['write', true],
  ['read', false],
] as const)(
  'ACT-7a a wrong output of a Tool that is %s says that it has run: %s',
  async (effects, isSaid) => {
    const pay: ToolSchema = {
      type: 'object',
      effects,
      properties: { _tool: { const: 'pay' }, _output: { type: 'string' } },
      required: ['_tool'],
    }
    const { Tool, Activity } = createRegistry({ tools: { pay } })
    Activity.register('pay', () => 5)
    const { error } = await Tool.run({ _tool: 'pay' })
    expect(error?.code).toBe('invalid_output')
    expect(error?.message.endsWith('It has run; look before you ask for it again.')).toBe(isSaid)
  },
)
