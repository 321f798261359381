import {
  ActivityError,
  type Call,
  createContext,
  createRegistry,
  message,
  type Outcome,
  plan,
  type RunOptions,
  tool,
} from 'callsheet'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { registryOf, rejection } from './harness.ts'

const call = { _tool: 'double', n: 1 }
const double = { double: ({ n }: { n: number }) => n * 2, read: ({ n }: { n: number }) => n * 3 }

describe('CALL-10 before', () => {
  test('sees each Call with its id, and changes nothing by returning nothing', async () => {
    const seen: unknown[] = []
    const { Tool } = registryOf(double)
    const outcome = await Tool.run(call, { before: (own, { id }) => void seen.push([own, id]) })
    expect(seen).toEqual([[call, outcome.id]])
    expect(outcome.output).toBe(2)
  })

  test('replaces the Call, which is then checked', async () => {
    const { Tool, events } = registryOf(double, { before: async (own) => ({ ...own, _tool: 'read' }) })
    expect(await Tool.run(call)).toMatchObject({ output: 3, tool: 'read', call: { _tool: 'read', n: 1 } })
    expect((await Tool.run({ _tool: 'x' })).error?.code).toBe('invalid_call')
    expect(events.started.map((event) => event.call._tool)).toEqual(['double', 'x'])
    expect(await Tool.all([call, call])).toEqual([3, 3])
  })

  test.each([
    ['a Date', new Date(0)],
    ['a Map', new Map()],
    ['a Promise', Promise.resolve(1)],
  ])('is no way by which %s becomes an empty object', async (_what, at) => {
    const { Tool, Activity } = createRegistry({ tools: { note: tool('note', { at: { type: 'object' } }) } })
    let notes = 0
    Activity.register('note', () => ++notes)
    const wrong = { _tool: 'note', at }
    const ways = [
      Tool.run(wrong, { before: () => undefined }),
      Tool.run(wrong, { before: (own) => ({ ...own }) }),
      Tool.plan([wrong]).then(({ outcomes }) => outcomes[0]),
      Tool.plan(plan([wrong])).then(({ outcomes }) => outcomes[0]),
    ]
    for (const way of ways) expect((await way)?.error?.message).toContain('/at: expected plain JSON')
    expect(notes).toBe(0)
  })

  test.each([
    ['a bigint', 5n],
    ['a function', () => 5],
    ['NaN', Number.NaN],
    ['a list with a hole', [undefined]],
  ])(
    'runs nothing with %s, which the Outcome could not show, where the schema allows anything',
    async (_what, tenant) => {
      const { Tool, Activity } = createRegistry({ tools: { note: tool('note', { tenant: {} }) } })
      let notes = 0
      Activity.register('note', () => ++notes)
      const outcome = await Tool.run({ _tool: 'note', tenant: 1 }, { before: (own) => ({ ...own, tenant }) })
      expect(outcome.error?.message).toMatch(/\/tenant(\/0)?: expected plain JSON/)
      expect(JSON.parse(JSON.stringify(outcome)).call).toEqual({ _tool: 'note' })
      expect(notes).toBe(0)
    },
  )

  test('one that throws fails its Call alone', async () => {
    const { Tool } = registryOf(double)
    const before = ({ n }: Call): Call | undefined => {
      if (n === 13) throw new Error('unlucky')
      return undefined
    }
    const outcome = await Tool.run({ ...call, n: 13 }, { before })
    expect(outcome).toMatchObject({ status: 'failed', attempts: 0, error: { code: 'activity_failed' } })
    expect(outcome.error?.message).toContain('`before`')
    expect(await Tool.any([{ ...call, n: 13 }, call], { before })).toBe(2)
  })
})

describe('CALL-10 after', () => {
  test('sees each Outcome before it is reported, and can replace it', async () => {
    const { Tool, events } = registryOf(double, {
      after: async (outcome) => ({ ...outcome, output: `<${outcome.output}>` }),
    })
    expect(await Tool(call)).toBe('<2>')
    expect(await Tool.all([call])).toEqual(['<2>'])
    expect(events.ended.map(({ output }) => output)).toEqual(['<2>', '<2>'])
  })

  test('can turn a failure into a success, and the other way round', async () => {
    const { Tool } = registryOf({ ...double, read: () => Promise.reject(new Error('no')) })
    const rescued = (outcome: Outcome): Outcome => {
      const { error, ...rest } = outcome
      return { ...rest, status: 'succeeded', output: 0 }
    }
    expect(await Tool({ _tool: 'read', n: 1 }, { after: rescued })).toBe(0)
    const failed = { code: 'refused' } as never
    const spoilt = (outcome: Outcome): Outcome => ({ ...outcome, status: 'failed', error: failed })
    expect(await rejection(Tool(call, { after: spoilt }))).toMatchObject({ code: 'refused' })
  })

  test('can hide what an error says, which stays an error that can be thrown and sent', async () => {
    const { Tool } = registryOf({ double: () => Promise.reject(new Error('password: x')) })
    const after = (outcome: Outcome): Outcome =>
      ({ ...outcome, error: { ...outcome.error, message: 'hidden' } }) as unknown as Outcome
    const error = await rejection(Tool(call, { after }))
    expect(error).toBeInstanceOf(Error)
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'ActivityError',
      code: 'activity_failed',
      message: 'hidden',
    })
  })

  test.each([
    ['a member of its own', { took: 5n }],
    ['a time', { endedAt: 5n }],
    ['the Call', { call: { ...call, tenant: 5n } }],
    ['a prediction', { predicted: Number.NaN }],
  ])('cannot return what no log or server could write: %s', async (_what, changes) => {
    const { Tool } = registryOf(double)
    const outcome = await Tool.run(call, { after: (own) => ({ ...own, ...changes }) as Outcome })
    expect(outcome).toMatchObject({ output: 2, error: { code: 'invalid_options' } })
    expect(JSON.parse(JSON.stringify(outcome))).toMatchObject({ call })
  })

  test('sees Calls that never ran', async () => {
    const seen: string[] = []
    const { Tool } = registryOf(double, { after: ({ status }) => void seen.push(status) })
    await Tool.run({ _tool: 'nope' })
    await Tool.run(call, { confirm: () => false })
    await Tool.run(call, { signal: AbortSignal.abort() })
    expect(seen).toEqual(['failed', 'refused', 'aborted'])
  })

  test('one that throws fails its Call, and nothing is written', async () => {
    const after = () => {
      throw new Error('the audit log is full')
    }
    const { Tool, events } = registryOf(double, { after })
    const outcome = await Tool.run({ ...call, _outputPath: '†state.x' })
    expect(outcome).toMatchObject({ status: 'failed', appended: [], error: { code: 'activity_failed' } })
    expect(events.ended).toEqual([outcome])
  })
})

describe('CALL-10 what `after` makes of an Outcome is what the Call writes', () => {
  const writing = { ...call, _outputPath: '†state.x || †state.error' }
  const secret = { ...double, read: () => Promise.reject(new Error('the password is 1234')) }
  const ways: [string, NonNullable<RunOptions['after']>][] = [
    ['returned', (outcome) => ({ ...outcome, output: '***' })],
    ['returned as a copy', ({ error, ...outcome }) => ({ ...structuredClone(outcome), output: '***' })],
    ['changed in place', (outcome) => void Object.assign(outcome, { output: '***' })],
  ]

  test.each(ways)('a masked output, %s', async (_way, after) => {
    const { Tool, events } = registryOf(double, { after })
    const context = createContext()
    expect(await Tool(writing, { context })).toBe('***')
    expect(context.read('†state')).toEqual({ x: '***' })
    await Tool.all([{ ...writing, _outputPath: '†state.a && †state.b' }], { context })
    expect(context.read('†state')).toEqual({ x: '***', a: '***', b: '***' })
    expect(JSON.stringify(events.ended)).not.toContain('"x":2')
  })

  test('a part of an output that was masked in place', async () => {
    const card = { number: '4242', holder: 'Ada' }
    const after = ({ output }: Outcome): undefined => void Object.assign(output as object, { number: '***' })
    const step = tool('step', { _outputPath: { type: 'string' }, _output: { type: 'object' } })
    const { Tool } = registryOf({ step: () => ({ ...card }) }, { tools: { step }, after })
    const context = createContext()
    await Tool({ _tool: 'step', _outputPath: '†state.card' }, { context })
    expect(context.read('†state')).toEqual({ card: { ...card, number: '***' } })
  })

  test('an output that was taken away is written as nothing', async () => {
    const { Tool } = registryOf(double, { after: ({ output, ...rest }) => rest })
    const context = createContext()
    await Tool.run(writing, { context })
    expect(context.read('†state')).toEqual({ x: null })
  })

  test('a failure that became a success writes the first alternative, and a plan goes on', async () => {
    const after = ({ error, ...rest }: Outcome): Outcome =>
      error ? { ...rest, status: 'succeeded', output: 21 } : rest
    const { Tool } = registryOf(secret, { after })
    for (const path of ['†state.n', '†state.n || †state.error']) {
      const { outcomes, blocked } = await Tool.plan([
        { _tool: 'read', n: 1, _outputPath: path },
        { ...call, n: '†state.n', _outputPath: '†state.x' },
      ])
      expect([outcomes.map((outcome) => outcome?.status), blocked]).toEqual([['succeeded', 'succeeded'], []])
      expect(outcomes.flatMap((outcome) => outcome?.appended)).toMatchObject([
        { data: { n: 21 } },
        { data: {} },
      ])
    }
  })

  test('a success that became a failure writes the last alternative', async () => {
    const error = new ActivityError('activity_failed', 'not plausible')
    const after = (outcome: Outcome): Outcome => ({ ...outcome, status: 'failed', error })
    const { Tool } = registryOf(double, { after })
    const context = createContext()
    await Tool.run(writing, { context })
    expect(context.read('†state')).toMatchObject({ error: { message: 'not plausible' } })
    expect(context.read('†state')).not.toHaveProperty('x')
    expect((await Tool.run({ ...call, _outputPath: '†state.x' }, { context })).appended).toEqual([])
    const seen: Outcome[] = []
    await rejection(Tool.all([writing], { context, onOutcome: (outcome) => void seen.push(outcome) }))
    expect(seen).toMatchObject([{ status: 'failed', appended: [] }])
  })

  test('an error whose text was masked', async () => {
    const error = new ActivityError('activity_failed', '***')
    const { Tool } = registryOf(secret, { after: (outcome) => ({ ...outcome, error }) })
    const context = createContext()
    await Tool.run({ ...writing, _tool: 'read' }, { context })
    expect(context.read('†state')).toMatchObject({ error: { message: '***' } })
  })

  test('a Message of the Activity', async () => {
    const step = tool('step', { _output: {} })
    const activity = () => message({ type: 'data', kind: 'state', data: { secret: 1 } })
    const after = (outcome: Outcome): Outcome => ({ ...outcome, output: { secret: '***' } })
    const { Tool } = registryOf({ step: activity }, { tools: { step }, after })
    const outcome = await Tool.run({ _tool: 'step' })
    expect(outcome).toMatchObject({ output: { secret: '***' }, message: { data: { secret: '***' } } })
    expect(outcome.appended).toEqual([outcome.message])
  })

  test('Messages that the hook changed itself are kept, and those of the same output too', async () => {
    const own = { type: 'data', kind: 'state', data: { mine: 1 } } as const
    const context = createContext()
    const { Tool } = registryOf(double)
    await Tool(writing, { context, after: (outcome) => ({ ...outcome, output: 0, appended: [own] }) })
    expect(context.read('†state')).toEqual({ mine: 1 })
    const seen: unknown[] = []
    const outcome = await Tool.run(writing, {
      after: (given) => {
        seen.push(given.appended)
        return { ...given, attempts: 5 }
      },
    })
    expect(seen).toEqual([outcome.appended])
  })

  test('a Call that was refused for its path cannot succeed', async () => {
    const after = ({ error, ...rest }: Outcome): Outcome => ({ ...rest, status: 'succeeded', output: 1 })
    const { Tool } = registryOf(double, { after })
    const outcome = await Tool.run({ ...call, _outputPath: '†state.__proto__' })
    expect(outcome).toMatchObject({ status: 'failed', appended: [], error: { code: 'invalid_path' } })
  })
})

describe('ACT-7a what `after` puts in the place of an output', () => {
  test.each([
    ['a Date', new Date(0), '/output'],
    ['a Map inside', { at: [new Map()] }, '/output/at/0'],
    ['a big integer', 1n, '/output'],
  ])('is refused where it is %s, and nothing is written', async (_what, output, path) => {
    const { Tool } = registryOf(double, { after: (outcome) => ({ ...outcome, output }) })
    const outcome = await Tool.run({ ...call, _outputPath: '†state.x' })
    expect(outcome).toMatchObject({
      status: 'failed',
      output: 2,
      appended: [],
      error: { code: 'invalid_options', problems: [{ path }] },
    })
    // A model would ask for a payment again.
    expect(outcome.error?.message).toMatch(/^The Call ran, but the hook `after` returned/)
  })

  test('may be nothing', async () => {
    const { Tool } = registryOf(double, { after: ({ output, ...rest }) => rest })
    expect(await Tool.run(call)).not.toHaveProperty('output')
  })
})

describe('CALL-10 events', () => {
  let logged: unknown[][]
  beforeEach(() => {
    logged = []
    vi.spyOn(console, 'error').mockImplementation((...args) => void logged.push(args))
  })
  afterEach(() => vi.restoreAllMocks())

  test('call:start and call:end of every Call, also of those that are none', async () => {
    const { Tool, events } = registryOf(double)
    const outcome = await Tool.run(call)
    await Tool.run(null as never)
    expect(events.started[0]).toEqual({ id: outcome.id, call })
    expect(events.ended[0]).toEqual(outcome)
    expect(events.started.map(({ id }) => id)).toEqual(events.ended.map(({ id }) => id))
  })

  test('who takes out of call:start what no log is to have changes nothing of what runs', async () => {
    const { Tool, events } = registryOf(double)
    Tool.on('call:start', ({ call: heard }) => void Reflect.deleteProperty(heard, 'n'))
    const given = { ...call }
    expect((await Tool.run(given)).status).toBe('succeeded')
    expect(given).toEqual(call)
    expect(events.ended[0]?.call).toEqual(call)
  })

  test.each(['all', 'any', 'race'] as const)(
    'what a listener takes out of what it is told is still there for who called: Tool.%s',
    async (strategy) => {
      const { Tool, Activity } = createRegistry({
        tools: { read: { properties: { _output: { type: 'object' } } } },
      })
      Activity.register('read', () => ({ secret: 'hunter2' }))
      const redact = ({ output }: Outcome): void => {
        delete (output as { secret?: string }).secret
      }
      Tool.on('call:end', redact)
      const outputs = await Tool[strategy]([{ _tool: 'read' }], { onOutcome: redact })
      expect([outputs].flat()).toEqual([{ secret: 'hunter2' }])
    },
  )

  test('on gives the function that takes the listener off', async () => {
    const { Tool } = registryOf(double)
    let count = 0
    const off = Tool.on('call:end', () => void count++)
    await Tool.run(call)
    off()
    off()
    await Tool.run(call)
    expect(count).toBe(1)
  })

  const broken: [string, () => unknown][] = [
    [
      'throws',
      () => {
        throw new Error('broken listener')
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken listener'))],
  ]
  test.each(broken)('a listener that %s disturbs no Call and no other listener', async (_what, listener) => {
    const { Tool } = registryOf(double)
    const errors: unknown[] = []
    let told = 0
    Tool.on('call:end', listener as () => void)
    Tool.on('call:end', () => void told++)
    const off = Tool.on('listener:error', (event) => errors.push(event))
    expect(await Tool(call)).toBe(2)
    await new Promise(setImmediate)
    expect(told).toBe(1)
    expect(errors).toEqual([{ event: 'call:end', error: new Error('broken listener') }])
    expect(logged).toEqual([])
    off()
    await Tool(call)
    await new Promise(setImmediate)
    expect(logged).toEqual([['callsheet: a listener of "call:end" threw.', new Error('broken listener')]])
  })

  test('a listener of listener:error that throws is told of on the console, once', async () => {
    const { Tool } = registryOf(double)
    for (const event of ['call:end', 'listener:error'] as const) {
      Tool.on(event, () => {
        throw new Error(event)
      })
    }
    expect(await Tool(call)).toBe(2)
    expect(logged).toEqual([
      ['callsheet: a listener of "listener:error" threw.', new Error('listener:error')],
    ])
  })

  test('a listener may add and take off listeners', async () => {
    const { Tool } = registryOf(double)
    let told = 0
    const add = (): void => {
      told++
      Tool.on('call:end', add)
      Tool.on('call:end', () => add())
    }
    const off = Tool.on('call:end', () => {
      off()
      add()
    })
    await Tool.run(call)
    expect(told).toBe(1)
  })

  test('an unknown event, and what is no listener, are refused at once', () => {
    const { Tool } = registryOf(double)
    const on = Tool.on as (event: unknown, listener: unknown) => void
    expect(() => on('call:ended', () => undefined)).toThrow(
      expect.objectContaining({ code: 'invalid_options', suggestions: ['call:end'] }),
    )
    expect(() => on('call:end', 'listener')).toThrow(expect.objectContaining({ code: 'invalid_options' }))
    expect(() => on(undefined, () => undefined)).toThrow(expect.objectContaining({ code: 'invalid_options' }))
  })
})
