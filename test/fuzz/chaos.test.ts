import {
  type Call,
  createRegistry,
  isCallsheetError,
  type Outcome,
  type RunOptions,
  type Schema,
  type ToolSchema,
} from 'callsheet'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { often } from '../runs.ts'
import { fuzz } from './campaign.ts'
import { activities, contexts, hooks, ticks } from './chaos-parts.ts'

const text = { type: 'string' }

/** A Tool of which a Call needs nothing but the name. */
function loose(
  name: string,
  effects: 'read' | 'write' | undefined,
  more: Record<string, Schema> = {},
): ToolSchema {
  const meta = { _outputPath: text, _outputMethod: text, _instance: text, ...more }
  return {
    type: 'object',
    properties: { _tool: { const: name }, v: {}, ...meta, _output: {} },
    required: ['_tool'],
    ...(effects && { effects }),
  }
}

const tools = {
  read: loose('read', 'read'),
  write: loose('write', 'write'),
  plain: loose('plain', undefined, { _scopes: { const: ['state'] } }),
  clean: loose('clean', undefined, { _delegate: { const: 'read' } }),
}

const call = fc
  .tuple(
    fc.constantFrom(...Object.keys(tools)),
    fc.oneof(
      { weight: 2, arbitrary: fc.constant(1) },
      {
        weight: 1,
        arbitrary: fc.constantFrom<unknown>(
          1,
          '†state.seed',
          '†state.seed.a.0',
          '†state.out',
          '†state.nowhere',
          '††x',
          {
            deep: ['†state.seed'],
          },
        ),
      },
    ),
    rarelyHeld(
      '_outputPath',
      fc.constantFrom(
        '†state.out',
        'out',
        '†state.out && †log',
        '†state.out || †state.error',
        '†state.out.a.0',
        '†',
        '†state.__proto__',
      ),
    ),
    rarelyHeld('_outputMethod', fc.constantFrom('set', 'push', 'merge', 'odd')),
    rarelyHeld('_instance', fc.constantFrom('mine')),
  )
  .map(([_tool, value, ...members]): Call => Object.assign({ _tool, v: value }, ...members))

/** An object with this member, or mostly without. */
function rarelyHeld(name: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<object> {
  const held = value.map((each) => ({ [name]: each }))
  return fc.oneof(
    { weight: name === '_outputPath' ? 1 : 6, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: held },
  )
}

const named = <Table extends object>(table: Table) =>
  fc.constantFrom(...(Object.keys(table) as (keyof Table & string)[]))

/** Mostly nothing: where every hook does something odd, no Call gets as far as its Activity. */
const rarely = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

const given = fc.record({
  calls: fc.array(call, { minLength: 1, maxLength: 4 }),
  does: fc.array(named(activities), { minLength: 4, maxLength: 4 }),
  strategy: fc.constantFrom('run', 'one', 'all', 'any', 'race', 'plan'),
  context: rarely(named(contexts)),
  before: rarely(named(hooks.before)),
  after: rarely(named(hooks.after)),
  confirm: rarely(named(hooks.confirm)),
  retry: rarely(named(hooks.retry)),
  concurrency: rarely(fc.constantFrom(1, 2)),
  abortAfter: rarely(fc.nat(24)),
  abortReason: fc.constantFrom<unknown>(undefined, 'text', null, { odd: true }),
  listenerThrows: fc.boolean(),
})

/** What ends with its limit, or never. */
const endless: ReadonlySet<string | undefined> = new Set([
  'never settles',
  'ends with its signal',
  'throws in its abort',
  'never',
])

const statuses: Record<string, number> = {}

fuzz(
  'CALL-8, ACT-7a whatever Activities, hooks and contexts do: it ends, with one Outcome for each Call, and nothing runs twice',
  150,
  given,
  async (chosen) => {
    const { Tool, Activity } = createRegistry({ tools })
    const runs = new Map<string, number>()
    Object.keys(tools).forEach((name, index) => {
      const act = activities[chosen.does[index] ?? ''] as (typeof activities)[string]
      Activity.register(name, (...inputs) => {
        const { id } = inputs[3]
        runs.set(id, (runs.get(id) ?? 0) + 1)
        return act(...inputs)
      })
    })
    const started: string[] = []
    const ended: Outcome[] = []
    Tool.on('call:start', ({ id }) => {
      started.push(id)
      if (chosen.listenerThrows) throw new Error('listener')
    })
    Tool.on('call:end', (outcome) => void ended.push(outcome))
    Tool.on('listener:error', () => {})

    const abort = new AbortController()
    const options = {
      // On a busy machine 40 ms pass before anything has ended, which only what never ends should meet.
      timeout: [...chosen.does, chosen.before, chosen.confirm].some((each) => endless.has(each))
        ? 40
        : 20_000,
      signal: abort.signal,
      ...(chosen.context && { context: contexts[chosen.context]?.() }),
      ...(chosen.before && { before: hooks.before[chosen.before] }),
      ...(chosen.after && { after: hooks.after[chosen.after] }),
      ...(chosen.confirm && { confirm: hooks.confirm[chosen.confirm] }),
      ...(chosen.retry && { retry: hooks.retry[chosen.retry] }),
    } as RunOptions
    const { calls, strategy, concurrency } = chosen
    const group = { ...options, ...(concurrency && { concurrency }), allowEffects: true }
    const [first] = calls as [Call]
    const running: Promise<unknown> =
      strategy === 'run'
        ? Tool.run(first, options)
        : strategy === 'one'
          ? Tool(first, options)
          : strategy === 'plan'
            ? Tool.plan(calls, group)
            : Tool[strategy](calls, group)
    const settled = running.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    if (chosen.abortAfter !== undefined) {
      await ticks(chosen.abortAfter)
      abort.abort(chosen.abortReason)
    }
    const limit = new Promise<'hangs'>((done) => setTimeout(done, 5000, 'hangs'))
    const end = await Promise.race([settled, limit])
    expect(end).not.toBe('hangs')
    const { value, error } = end as { value?: unknown; error?: unknown }

    if (error !== undefined) {
      expect(isCallsheetError(error) || error instanceof AggregateError, String(error)).toBe(true)
      // `Tool.run` rejects for a context or options that cannot be used, before anything starts.
      if (strategy === 'run')
        expect([(error as { code: string }).code, started.length]).toEqual(['invalid_options', 0])
    }
    expect(JSON.stringify(error)?.includes('"code":"internal"') ?? false, JSON.stringify(error)).toBe(false)
    // Losers of a race settle after it.
    if (strategy === 'any' || strategy === 'race') await new Promise((passed) => setTimeout(passed, 60))
    expect(ended.map(({ id }) => id).sort()).toEqual([...started].sort())
    for (const outcome of ended) {
      statuses[outcome.error?.code ?? outcome.status] =
        (statuses[outcome.error?.code ?? outcome.status] ?? 0) + 1
      expect(outcome.error?.code).not.toBe('internal')
      expect(['succeeded', 'failed', 'aborted', 'refused']).toContain(outcome.status)
      expect(JSON.parse(JSON.stringify(outcome.appended))).toEqual(outcome.appended)
      expect(runs.get(outcome.id) ?? 0).toBe(outcome.attempts)
      if (!chosen.retry) expect(outcome.attempts).toBeLessThanOrEqual(1)
    }
    if (strategy === 'run' && value !== undefined) expect(ended).toEqual([value])
    if (strategy === 'plan' && value !== undefined) {
      const { outcomes, blocked } = value as { outcomes: unknown[]; blocked: unknown[] }
      expect(outcomes).toHaveLength(calls.length)
      expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(blocked.length)
    }
  },
)

test('the Calls above ended in many ways', () => {
  expect(Object.keys(statuses).length, JSON.stringify(statuses)).toBeGreaterThan(6)
  expect(statuses.succeeded, JSON.stringify(statuses)).toBeGreaterThan(often(20))
})

const odd = fc.constantFrom<unknown>(
  null,
  5,
  'read',
  [],
  {},
  { _tool: 5 },
  { _tool: 'read', v: '†state.seed', _outputPath: { a: 1 } },
  new Proxy({}, { ownKeys: () => 5 as never }),
  Object.defineProperty({ _tool: 'read' }, 'v', {
    enumerable: true,
    get() {
      throw new Error('trap')
    },
  }),
)

fuzz(
  'CALL-11, CALL-12 what is no Call or no Message, in every kind of group: an error with a code, never a defect',
  120,
  fc.record({
    calls: fc.array(fc.oneof(call, odd), { minLength: 1, maxLength: 3 }),
    strategy: fc.constantFrom('all', 'any', 'race', 'plan'),
    context: named(contexts),
  }),
  async ({ calls, strategy, context }) => {
    const { Tool, Activity } = createRegistry({ tools })
    for (const name of Object.keys(tools)) Activity.register(name, () => 1)
    const options = { context: contexts[context]?.() as RunOptions['context'], allowEffects: true }
    const group: Promise<unknown> = Tool[strategy](calls as Call[], options)
    const error: unknown = await group.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (error === undefined) return
    for (const each of error instanceof AggregateError ? error.errors : [error]) {
      expect(isCallsheetError(each), String(each)).toBe(true)
      expect((each as { code: string }).code).not.toBe('internal')
    }
  },
)
