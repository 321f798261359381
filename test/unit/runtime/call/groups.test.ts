import {
  type AnyActivity,
  type Call,
  createContext,
  createRegistry,
  type GroupOptions,
  message,
  type Outcome,
  tool,
} from 'callsheet'
import { describe, expect, test, vi } from 'vitest'
import { collectGarbage } from '../../../collect-garbage.ts'
import { deaf, number, optional, registryOf, rejection, sleep, string, tools } from './harness.ts'

type Strategy = 'all' | 'any' | 'race'

/** Does as its parameter says: sleeps `ms`, then fails or doubles; may be deaf to its signal. */
const step = tool('step', {
  n: number,
  ms: optional(number),
  fails: optional({ type: 'boolean' }),
  deaf: optional({ type: 'boolean' }),
  _outputPath: optional(string),
  _output: number,
})
const write = { ...tools.pay }

interface Log {
  readonly started: number[]
  readonly aborted: number[]
  running: number
  most: number
}

function setUp(options: GroupOptions = {}) {
  const log: Log = { started: [], aborted: [], running: 0, most: 0 }
  const activity: AnyActivity = async (call, _tool, _context, run) => {
    log.started.push(call.n)
    log.most = Math.max(log.most, ++log.running)
    run.signal.addEventListener('abort', () => log.aborted.push(call.n))
    try {
      if (call.deaf) await deaf()
      if (call.ms) await sleep(call.ms, run.signal)
      if (call.fails) throw new Error(`failed ${call.n}`)
      return call.n * 2
    } finally {
      log.running--
    }
  }
  return { log, ...registryOf({ step: activity, pay: () => 1 }, { tools: { step, write }, ...options }) }
}

const make = (n: number, more: object = {}): Call => ({
  _tool: 'step',
  n,
  _outputPath: `†state.r${n}`,
  ...more,
})

describe('CALL-4 Tool.all', () => {
  test('gives results, and writes, in the order of the Calls, whichever was first', async () => {
    const { Tool } = setUp()
    const context = createContext()
    const calls = [make(1, { ms: 15 }), make(2, { ms: 5 }), make(3)]
    expect(await Tool.all(calls, { context })).toEqual([2, 4, 6])
    expect(context.messages.map((each) => '_path' in each && each._path)).toEqual([
      '†state.r1',
      '†state.r2',
      '†state.r3',
    ])
  })

  test('each Call has a signal of its own, which a failure of another does not abort once it is done', async () => {
    const signals: AbortSignal[] = []
    const { Tool, Activity } = registryOf({}, { tools: { step } })
    Activity.register('step', async ({ n, fails }, _tool, _context, run) => {
      signals.push(run.signal)
      if (fails) await sleep(5)
      if (fails) throw new Error(`failed ${n}`)
      return n
    })
    const calls = [make(1), make(2, { fails: true }), make(3)]
    await expect(Tool.all(calls)).rejects.toMatchObject({ code: 'activity_failed' })
    expect(new Set(signals).size).toBe(3)
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false])
  })

  test('aborts the signal of a Call that runs, also where nobody looked at it before', async () => {
    let late: AbortSignal | undefined
    const { Tool, Activity } = registryOf({}, { tools: { step } })
    Activity.register('step', async ({ n, fails }, _tool, _context, run) => {
      await sleep(1)
      if (fails) throw new Error(`failed ${n}`)
      await sleep(20)
      late = run.signal
      return n
    })
    await expect(Tool.all([make(1), make(2, { fails: true })])).rejects.toMatchObject({
      code: 'activity_failed',
    })
    await expect.poll(() => late?.aborted).toBe(true)
  })

  test('checks every Call before it starts any; each ends in an Outcome', async () => {
    const { Tool, log, events } = setUp()
    const context = createContext()
    const after: string[] = []
    const calls = [make(1), { _tool: 'step', n: 'two' }, { _tool: 'nope' }, make(4)]
    await expect(
      Tool.all(calls, { context, after: ({ status }) => void after.push(status) }),
    ).rejects.toMatchObject({ code: 'invalid_call' })
    expect(log.started).toEqual([])
    expect(context.messages).toEqual([])
    expect(events.ended.map(({ status, error }) => [status, error?.code])).toEqual([
      ['aborted', 'aborted'],
      ['failed', 'invalid_call'],
      ['failed', 'unknown_tool'],
      ['aborted', 'aborted'],
    ])
    expect(after).toEqual(['aborted', 'failed', 'failed', 'aborted'])
    expect(events.ended.map(({ attempts, appended }) => [attempts, appended])).toEqual(
      calls.map(() => [0, []]),
    )
  })

  test('on the first failure aborts the others, deaf ones too, and writes nothing', async () => {
    const { Tool, log, events } = setUp()
    const context = createContext()
    const calls = [
      make(1),
      make(2, { deaf: true }),
      make(3, { ms: 5, fails: true }),
      make(4, { ms: 600_000 }),
    ]
    const error = await rejection(Tool.all(calls, { context }))
    expect(error).toMatchObject({ code: 'activity_failed', cause: { message: 'failed 3' } })
    expect(log.aborted).toEqual([2, 4])
    expect(context.messages).toEqual([])
    expect(events.ended.map(({ status }) => status)).toEqual(['succeeded', 'aborted', 'failed', 'aborted'])
    // What a Call did not really add, its Outcome does not list.
    expect(events.ended.flatMap(({ appended }) => appended)).toEqual([])
  })

  test('runs Tools that write, those too that a hook puts there: it has no losers', async () => {
    const paid: unknown[] = []
    const { Tool } = registryOf({ pay: ({ n }) => paid.push(n) }, { tools: { step, write } })
    const before = () => ({ _tool: 'pay', n: 2 })
    expect(await Tool.all([{ _tool: 'pay', n: 1 }, make(1)], { before })).toEqual([1, 2])
    expect(paid).toEqual([2, 2])
  })

  test('after a failure nothing that waits for its turn is started', async () => {
    const { Tool, log, events } = setUp()
    const calls = [make(1, { fails: true }), make(2), make(3)]
    await rejection(Tool.all(calls, { concurrency: 1 }))
    expect(log.started).toEqual([1])
    expect(events.ended.map(({ attempts }) => attempts)).toEqual([1, 0, 0])
  })

  test('a context that refuses the writes makes the group fail, with nothing written', async () => {
    const { Tool, events } = setUp()
    const context = {
      messages: [],
      append: () => {
        throw new Error('the disk is full')
      },
      read: () => undefined,
    }
    const error = await rejection(Tool.all([make(1)], { context }))
    expect(error.message).toContain('the disk is full')
    expect(events.ended.flatMap(({ appended }) => appended)).toEqual([])
  })

  test.each([
    ['is refused later', () => Promise.reject(new Error('the disk is full'))],
    ['succeeds later', () => Promise.resolve()],
    // biome-ignore lint/suspicious/noThenProperty: a query that runs when it is awaited is such an object
    ['begins when it is awaited', () => ({ then: () => {} })],
  ])('a context whose append %s fails a Call at once, alone and in a group', async (_what, append) => {
    const { Tool, events } = setUp()
    const context = { messages: [], append, read: () => undefined }
    const refused = { code: 'invalid_options', message: expect.stringContaining('to append at once') }
    const outcome = await Tool.run(make(1), { context })
    expect(outcome).toMatchObject({ status: 'failed', error: refused, appended: [] })
    expect(await rejection(Tool.all([make(1)], { context }))).toMatchObject(refused)
    expect(events.ended.flatMap(({ appended }) => appended)).toEqual([])
  })
})

describe('CALL-5 Tool.any', () => {
  test('the first success wins, the others are aborted, only the winner writes', async () => {
    const { Tool, log, events } = setUp()
    const context = createContext()
    const calls = [
      make(1, { fails: true }),
      make(2, { ms: 5 }),
      make(3, { deaf: true }),
      make(4, { ms: 900 }),
    ]
    expect(await Tool.any(calls, { context })).toBe(4)
    expect(context.messages).toMatchObject([{ _path: '†state.r2' }])
    expect(log.aborted).toEqual([3, 4])
    expect(events.ended.map(({ status }) => status)).toEqual(['failed', 'succeeded', 'aborted', 'aborted'])
  })

  test('of several that are done at the same time the first is the winner', async () => {
    const { Tool, events } = setUp()
    const context = createContext()
    expect(await Tool.any([make(1), make(2), make(3)], { context })).toBe(2)
    expect(context.messages).toMatchObject([{ _path: '†state.r1' }])
    // What was written is what its Outcome says was.
    expect(events.ended[0]?.appended).toMatchObject([{ _path: '†state.r1' }])
    expect(events.ended.slice(1).flatMap(({ appended }) => appended)).toEqual([])
  })

  test('all failed: every reason, in the order of the Calls', async () => {
    const { Tool } = setUp()
    const calls = [make(1, { ms: 5, fails: true }), { _tool: 'nope' }, make(3, { fails: true })]
    const error = await rejection(Tool.any(calls))
    expect(error).toBeInstanceOf(AggregateError)
    const reasons = (error as unknown as AggregateError).errors as { code: string }[]
    expect(reasons.map(({ code }) => code)).toEqual(['activity_failed', 'unknown_tool', 'activity_failed'])
  })
})

describe('CALL-5 Tool.race', () => {
  test('the first to settle wins, as a success', async () => {
    const { Tool, log } = setUp()
    const context = createContext()
    expect(await Tool.race([make(1, { ms: 900 }), make(2)], { context })).toBe(4)
    expect(context.messages).toMatchObject([{ _path: '†state.r2' }])
    expect(log.aborted).toEqual([1])
  })

  test('the first to settle wins, as a failure', async () => {
    const { Tool } = setUp()
    const context = createContext()
    const error = await rejection(Tool.race([make(1, { ms: 900 }), make(2, { fails: true })], { context }))
    expect(error.code).toBe('activity_failed')
    expect(context.messages).toEqual([])
  })
})

describe('CALL-5 in groups', () => {
  const branching = { _outputPath: '†state.ok || †state.error' }

  test.each<Strategy>(['all', 'any', 'race'])(
    '%s writes no alternative of a failed Call',
    async (strategy) => {
      const { Tool, events } = setUp()
      const context = createContext()
      const seen: unknown[] = []
      const after: GroupOptions['after'] = ({ appended }) => {
        seen.push(...appended)
        return undefined
      }
      await rejection(Tool[strategy]([make(1, { ...branching, fails: true })], { context, after }))
      expect(seen).toEqual([])
      expect(context.messages).toEqual([])
      expect(events.ended[0]?.appended).toEqual([])
      // Alone it does (OUT-6).
      const alone = await Tool.run(make(1, { ...branching, fails: true }), { context })
      expect(alone.appended).toMatchObject([{ data: { error: { message: 'failed 1' } } }])
    },
  )

  test.each<Strategy>(['all', 'any', 'race'])('a BranchError counts as a failure of %s', async (strategy) => {
    const other = message({ type: 'data', kind: 'state', data: { error: { reason: 'no' } } })
    const { Tool } = registryOf({ step: () => other }, { tools: { step } })
    const context = createContext()
    const error = await rejection(Tool[strategy]([make(1, branching)], { context }))
    const reason = error instanceof AggregateError ? error.errors[0] : error
    expect(reason).toMatchObject({ name: 'BranchError', code: 'other_branch', branch: other })
    expect(context.messages).toEqual([])
  })

  test.each<Strategy>(['all', 'any', 'race'])(
    '%s settles at once when its signal aborts',
    async (strategy) => {
      const { Tool, events } = setUp()
      const controller = new AbortController()
      setTimeout(() => controller.abort(), 5)
      const calls = [make(1, { deaf: true }), make(2, { deaf: true })]
      const error = await rejection(Tool[strategy](calls, { signal: controller.signal, concurrency: 1 }))
      const reason = error instanceof AggregateError ? error.errors[0] : error
      expect(reason).toMatchObject({ code: 'aborted' })
      expect(events.ended.map(({ status }) => status)).toEqual(['aborted', 'aborted'])
    },
  )

  test.each<Strategy>(['all', 'any', 'race'])('%s waits for no hook when it is aborted', async (strategy) => {
    const { Tool, events } = setUp({ before: deaf })
    const error = await rejection(Tool[strategy]([make(1)], { signal: AbortSignal.timeout(5) }))
    const reason = error instanceof AggregateError ? error.errors[0] : error
    expect(reason).toMatchObject({ code: 'aborted' })
    expect(events.ended).toHaveLength(1)
  })
})

describe('CALL-8 onOutcome', () => {
  const told: [number, string, unknown][] = []
  const onOutcome: GroupOptions['onOutcome'] = ({ status, output }, place) => {
    told.push([place, status, output])
    throw new Error('nobody is disturbed')
  }

  test.each([
    ['all', [make(1, { ms: 20 }), make(2)], ['1 succeeded 4', '0 succeeded 2']],
    ['any', [make(1, { ms: 20 }), make(2)], ['1 succeeded 4', '0 aborted ']],
    ['all', [make(1), { _tool: 'step', n: 'x' }], ['0 aborted ', '1 failed ']],
    ['plan', [make(1, { ms: 20 }), make(2)], ['1 succeeded 4', '0 succeeded 2']],
  ] as const)(
    '%s tells of each Call with its place, whatever a hook puts in its place',
    async (way, calls, want) => {
      const silent = vi.spyOn(console, 'error').mockImplementation(() => {})
      told.length = 0
      const { Tool } = setUp({ before: (call) => ({ ...call, _reasoningForCall: 'changed' }) })
      await Tool[way]([...calls], { onOutcome }).catch(() => {})
      expect(told.map((each) => each.join(' ')).toSorted()).toEqual([...want].toSorted())
      expect(silent).toHaveBeenCalledTimes(2)
      silent.mockRestore()
    },
  )
})

test('CALL-8 onOutcome: an Outcome is whole where nobody else hears of it', async () => {
  const { Tool, Activity } = createRegistry({ tools: { step } })
  Activity.register('step', async ({ n }) => n)
  const told: Outcome[] = []
  const start = Date.now()
  await Tool.all([make(1), make(2)], { onOutcome: (outcome) => void told.push(outcome) })
  expect(new Set(told.map(({ id }) => id)).size).toBe(2)
  for (const { id, call, startedAt, endedAt } of told) {
    expect(id).not.toBe('')
    expect(call).toMatchObject({ _tool: 'step' })
    expect(startedAt).toBeGreaterThanOrEqual(start)
    expect(endedAt).toBeGreaterThanOrEqual(startedAt)
  }
})

describe('CALL-6 groups of none', () => {
  test('all, any and race', async () => {
    const { Tool } = setUp()
    expect(await Tool.all([])).toEqual([])
    const none = await rejection(Tool.any([]))
    expect(none).toBeInstanceOf(AggregateError)
    expect((none as unknown as AggregateError).errors).toEqual([])
    await expect(Tool.race([])).rejects.toMatchObject({ code: 'invalid_call' })
  })

  test.each<Strategy>(['all', 'any', 'race'])(
    '%s of what is no list is a clear rejection',
    async (strategy) => {
      const { Tool } = setUp()
      const run = Tool[strategy] as (calls: unknown) => Promise<unknown>
      for (const calls of [undefined, null, 'step', {}]) {
        await expect(run(calls)).rejects.toMatchObject({ code: 'invalid_call' })
      }
    },
  )

  test('a hole in the list is an invalid Call, not a lost one', async () => {
    const { Tool, events } = setUp()
    const holes: Call[] = [make(1)]
    holes.length = 2
    await expect(Tool.all(holes)).rejects.toMatchObject({ code: 'invalid_call' })
    expect(events.ended).toHaveLength(2)
  })
})

describe('TOOL-9 what a loser wrote cannot be undone', () => {
  test.each(['any', 'race'] as const)('%s refuses a write Tool, and nothing runs', async (strategy) => {
    const { Tool, log, events } = setUp()
    const calls = [make(1), { _tool: 'pay', n: 1 }]
    await expect(Tool[strategy](calls)).rejects.toMatchObject({
      code: 'unsafe_strategy',
      message: expect.stringContaining(`Tool.${strategy} was given "pay"`),
    })
    expect(log.started).toEqual([])
    expect(events.started).toEqual([])
    await expect(Tool[strategy](calls, { allowEffects: true })).resolves.toBeTypeOf('number')
  })

  test.each(['any', 'race'] as const)('%s refuses one that a hook puts there', async (strategy) => {
    const replacement = { _tool: 'pay', n: 1 }
    for (const hook of [{ before: () => replacement }, { confirm: () => ({ replace: replacement }) }]) {
      const paid: unknown[] = []
      const { Tool } = registryOf({ pay: ({ n }) => paid.push(n) }, { tools: { step, write } })
      const error = await rejection(Tool[strategy]([make(1)], hook))
      const reason = error instanceof AggregateError ? error.errors[0] : error
      expect(reason).toMatchObject({ code: 'unsafe_strategy' })
      expect(paid).toEqual([])
    }
  })
})

describe('CALL-7 concurrency', () => {
  test.each([1, 2, 7])('never more than %d at a time', async (concurrency) => {
    const { Tool, log } = setUp()
    const calls = Array.from({ length: 40 }, (_, n) => make(n, { ms: 1 + (n % 3) }))
    expect(await Tool.all(calls, { concurrency })).toEqual(calls.map((_, n) => n * 2))
    expect(log.most).toBe(concurrency)
    expect(log.started).toEqual(calls.map((_, n) => n))
  })

  test.each([1, undefined])(
    'of %s: what cannot be traced rejects the group, and leaves it not hanging',
    async (concurrency) => {
      const { Tool } = setUp()
      const api = Symbol.for('opentelemetry.js.api.1')
      let asked = 0
      const value = {
        get trace(): undefined {
          if (++asked > 2) throw new Error('no tracer')
          return undefined
        },
      }
      Object.defineProperty(globalThis, api, { value, configurable: true })
      try {
        await expect(Tool.all([make(1), make(2), make(3)], { concurrency })).rejects.toThrow('no tracer')
      } finally {
        Reflect.deleteProperty(globalThis, api)
      }
    },
  )

  test('a yes that comes when the time is over starts nothing', async () => {
    const { Tool, log } = setUp()
    const confirm = (): Promise<boolean> => new Promise((resolve) => setTimeout(resolve, 20, true))
    const outcome = await Tool.run(make(1), { confirm, timeout: 5 })
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'timeout' }, attempts: 0 })
    await sleep(40)
    expect(log.started).toEqual([])
  })

  test('ten thousand Calls', async () => {
    const { Tool, log } = setUp()
    const calls = Array.from({ length: 10_000 }, (_, n) => ({ _tool: 'step', n, ms: 1 }))
    const heapUsed = (): number => {
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const before = heapUsed()
    const results = await Tool.all(calls, { concurrency: 100 })
    // Under 2 KB a Call, results and this log included; measured about 1.
    expect(heapUsed() - before).toBeLessThan(20e6)
    expect(results).toHaveLength(10_000)
    expect(results.at(-1)).toBe(19_998)
    expect(log.most).toBe(100)
  })
})
