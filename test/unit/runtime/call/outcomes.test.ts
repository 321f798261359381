import { type AnyActivity, type Call, createContext, type GroupOptions, type Outcome, tool } from 'callsheet'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { runs } from '../../../runs.ts'
import { deaf, number, optional, registryOf, sleep, string } from './harness.ts'

type Strategy = 'run' | 'all' | 'any' | 'race'

/** What one Activity of the property test does, as a parameter of its Call. */
const behaviours = [
  'return',
  'return late',
  'throw',
  'throw late',
  'throw odd',
  'hang',
  'hang until aborted',
  'wrong output',
  'message',
  'bad message',
  'nested call',
] as const

const act = tool(
  'act',
  { n: number, does: string, ms: optional(number), _outputPath: optional(string), _output: number },
  { effects: 'read' },
)

const unhandled: unknown[] = []
const note = (reason: unknown): void => void unhandled.push(reason)

beforeAll(() => void process.on('unhandledRejection', note))
afterAll(() => void process.off('unhandledRejection', note))

/** Timers that were set since, and have neither fired nor been cleared. */
function watchTimers(): { readonly live: ReadonlySet<unknown>; stop(): void } {
  const { setTimeout: set, clearTimeout: clear } = globalThis
  const live = new Set<unknown>()
  const watched = (work: () => void, milliseconds?: number): unknown => {
    const timer = set(() => {
      live.delete(timer)
      work()
    }, milliseconds)
    live.add(timer)
    return timer
  }
  globalThis.setTimeout = watched as typeof set
  globalThis.clearTimeout = (timer) => {
    live.delete(timer)
    clear(timer)
  }
  return { live, stop: () => void Object.assign(globalThis, { setTimeout: set, clearTimeout: clear }) }
}

function activity(nested: () => Promise<unknown>): AnyActivity {
  return async ({ n, does, ms = 0 }, _tool, _context, run) => {
    if (does === 'hang') return deaf()
    if (does === 'hang until aborted') return sleep(60_000, run.signal)
    if (does.endsWith('late')) await sleep(ms)
    if (does.startsWith('throw')) throw does === 'throw odd' ? Object.create(null) : new Error(does)
    if (does === 'wrong output') return 'wrong'
    if (does === 'message') return { type: 'data', kind: 'state', data: { out: n } }
    if (does === 'bad message') return { type: 'data', kind: 'state', data: {}, _instance: 'theirs' }
    if (does === 'nested call') await nested()
    return n
  }
}

const callOf = fc.record(
  {
    _tool: fc.constantFrom('act', 'act', 'act', 'act', 'nope'),
    n: fc.constantFrom<unknown>(1, 2, 3, '†state.seed', '†state.missing', 'wrong'),
    does: fc.constantFrom(...behaviours),
    ms: fc.integer({ min: 0, max: 6 }),
    _outputPath: fc.constantFrom('†state.out', '†state.out || †state.error', '†state.__proto__'),
  },
  { requiredKeys: ['_tool', 'n', 'does'] },
) as fc.Arbitrary<Call>

const mostly = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Call | undefined>(undefined) },
  { weight: 1, arbitrary: callOf },
)

/** Every run has something that ends it, since some Activities never do. */
const planOf = fc.record({
  strategy: fc.constantFrom<Strategy>('run', 'all', 'any', 'race'),
  calls: fc.array(callOf, { minLength: 1, maxLength: 6 }),
  timeout: fc.integer({ min: 0, max: 12 }),
  abort: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined }),
  concurrency: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  attempts: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  backoff: fc.integer({ min: 0, max: 3 }),
  report: fc.boolean(),
  before: fc.option(mostly, { nil: undefined }),
  confirm: fc.option(
    fc.oneof(
      fc.constantFrom<unknown>(true, false, 'nonsense'),
      callOf.map((replace) => ({ replace })),
    ),
    { nil: undefined },
  ),
  after: fc.constantFrom('none', 'same', 'throws'),
})
type Plan = typeof planOf extends fc.Arbitrary<infer Value> ? Value : never

function optionsOf(plan: Plan, signal: AbortSignal): GroupOptions {
  const { timeout, concurrency, attempts, backoff, before, confirm, after } = plan
  return {
    timeout,
    signal,
    ...(concurrency !== undefined && { concurrency }),
    ...(attempts !== undefined && { retry: { attempts, backoff } }),
    ...(plan.report && { onInvalidOutput: 'report' }),
    ...(before && { before: async () => before }),
    ...(confirm !== undefined && { confirm: async () => confirm as never }),
    ...(after === 'same' && { after: async (outcome) => outcome }),
    ...(after === 'throws' && {
      after: () => {
        throw new Error('a broken hook')
      },
    }),
  }
}

async function carryOut(plan: Plan) {
  const registry = registryOf({}, { tools: { act } })
  const { Tool, Activity, events } = registry
  Activity.register(
    'act',
    activity(() => Tool({ _tool: 'act', n: 1, does: 'return' })),
  )
  const context = createContext([{ type: 'state', state: { seed: 7 } }])
  const controller = new AbortController()
  const timer = plan.abort === undefined ? undefined : setTimeout(() => controller.abort(), plan.abort)
  const options = { ...optionsOf(plan, controller.signal), context }
  const { strategy, calls } = plan
  const returned: Outcome[] = []
  if (strategy === 'run') {
    const runs = calls.map((call) => Tool.run(call, options).then((outcome) => returned.push(outcome)))
    await Promise.all(runs)
  } else await Tool[strategy](calls, options).catch(() => undefined)
  clearTimeout(timer)
  return { events, context, returned }
}

describe('CALL-8 every accepted Call ends in exactly one Outcome', () => {
  test('whatever it does, under whichever options', { timeout: 60_000 }, async () => {
    const timers = watchTimers()
    onTestFinished(timers.stop)
    await fc.assert(
      fc.asyncProperty(planOf, async (plan) => {
        const { events, context, returned } = await carryOut(plan)
        const started = events.started.map(({ id }) => id)
        expect(events.ended.map(({ id }) => id).sort()).toEqual([...started].sort())
        expect(new Set(started).size).toBe(started.length)
        const nested = plan.calls.length
        expect(started.length).toBeGreaterThanOrEqual(nested)

        for (const outcome of events.ended) checkOutcome(outcome)
        if (plan.strategy === 'run') expect(returned).toHaveLength(plan.calls.length)
        // What the Outcomes say they added is what the context has, no more and no less.
        const added = events.ended.flatMap(({ appended }) => appended)
        expect(context.messages).toHaveLength(1 + added.length)
        expect(context.messages.slice(1)).toEqual(expect.arrayContaining(added))
      }),
      { numRuns: runs(400) },
    )
    // The Calls that hang hold nothing that would keep the process alive; Activities that sleep wake within milliseconds.
    timers.stop()
    await expect.poll(() => timers.live.size, { timeout: 20_000 }).toBe(0)
    expect(unhandled).toEqual([])
  })
})

function checkOutcome(outcome: Outcome): void {
  const { status, error, attempts, startedAt, endedAt, tool: name, appended } = outcome
  expect(endedAt).toBeGreaterThanOrEqual(startedAt)
  expect(attempts).toBeGreaterThanOrEqual(0)
  expect(typeof name).toBe('string')
  if (status !== 'succeeded') expect(error?.callsheet).toBe(true)
  if (status === 'aborted' || status === 'refused') {
    expect(error?.code).toBe(status)
    expect(appended).toEqual([])
  }
}

test('CALL-8 an Outcome has the fields that the protocol names, and no other', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1000 })
  onTestFinished(() => void vi.useRealTimers())
  const takesHalfASecond: AnyActivity = ({ n }) => {
    vi.setSystemTime(1500)
    return n
  }
  const { Tool } = registryOf({ act: takesHalfASecond }, { tools: { act } })
  const call = { _tool: 'act', n: 1, does: 'return', _outputPath: '†state.out', _output: 5 }
  const outcome = await Tool.run(call, { id: 'mine' })
  expect(outcome).toEqual({
    id: 'mine',
    call,
    tool: 'act',
    mode: 'explicit',
    delegated: false,
    activity: 'act',
    status: 'succeeded',
    output: 1,
    predicted: 5,
    appended: [expect.objectContaining({ _path: '†state.out' })],
    attempts: 1,
    startedAt: 1000,
    endedAt: 1500,
  })
})
