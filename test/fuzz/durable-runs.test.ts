import type { Call } from 'callsheet'
import { createRegistry } from 'callsheet'
import type { Approval, Decision } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import fc from 'fast-check'
import { expect } from 'vitest'
import { Journal, restateOf } from '../unit/runtime/restate/engine.ts'
import { fuzz } from './campaign.ts'

/** One Call that a model asks for: of two Tools, reading what an earlier one of its plan wrote. */
interface Asked {
  readonly name: 'add' | 'pay'
  readonly amount: number
  readonly reads: number
}

/** What somebody says about a payment. */
type Verdict = 'approve' | 'refuse' | 'edit'

interface Run {
  readonly turns: readonly (readonly Asked[])[]
  readonly verdicts: readonly Verdict[]
  readonly local: readonly ('add' | 'pay')[]
  readonly isAskedForPlan: boolean
  readonly deaths: readonly number[]
}

const number = { type: 'number' }
const schemaOf = (name: string, effects: string) => ({
  type: 'object',
  effects,
  properties: { _tool: { const: name }, amount: number, _outputPath: { type: 'string' }, _output: number },
  required: ['_tool', 'amount'],
})
const schemas = { add: schemaOf('add', 'read'), pay: schemaOf('pay', 'write') }

/** The Calls of a turn. Each writes to a path of its own; a Reference leads back to an earlier one. */
function callsOf(asked: readonly Asked[], turn: number): Call[] {
  return asked.map(({ name, amount, reads }, place) => ({
    _tool: name,
    amount: place > 0 && reads > 0 ? `†state.t${turn}.p${reads % place}` : amount,
    _outputPath: `†state.t${turn}.p${place}`,
  }))
}

/** Carries a run out, in as many processes as it takes, and says what it came to. */
async function carryOut({ turns, verdicts, local, isAskedForPlan }: Run, deaths: readonly number[]) {
  const bodies: { readonly id: string; readonly name: string; readonly amount: number }[] = []
  const { Tool, Activity } = createRegistry({ tools: schemas })
  for (const name of ['add', 'pay'] as const) {
    Activity.register(name, ({ amount }, _tool, _context, { id }) => {
      bodies.push({ id, name, amount })
      return amount + 1
    })
  }
  const script = [...turns.map((asked, turn) => ({ calls: callsOf(asked, turn) })), { output: 'done' }]
  const journal = new Journal()
  // A process knows of the answers before it only by the journal.
  const answered = () =>
    journal.entries.filter(({ name, rank }) => /^payer\/k:\d+$/.test(name) && rank !== undefined)
  const shown = new Map<string, Approval>()
  const agent = () => ({
    model: 'm',
    output: { type: 'string' },
    client: scriptedModel(script.slice(answered().length)),
    confirm: {
      effects: ['write'],
      ask: () => 'pending',
      ...(isAskedForPlan && { askPlan: () => 'pending' }),
    },
  })
  const { run, ask } = await restateOf(Tool, { agent, local: [...local] })
  let isOver = false
  const ended = run({ deaths, journal }).finally(() => {
    isOver = true
  })
  /** By what is shown and not by when: the verdict about an amount is the same in every process. */
  const decisionOf = ({ id, hash, scope, calls }: Approval): Decision => {
    const [call] = calls
    const verdict = verdicts[Number(call?.amount) % verdicts.length] ?? 'approve'
    if (scope === 'plan' || verdict === 'approve' || !call) return { approval: id, hash, approve: true }
    if (verdict === 'refuse') return { approval: id, hash, approve: false }
    return { approval: id, hash, approve: true, call: { ...call, amount: 1_000 } }
  }
  while (!isOver) {
    for (const approval of (await ask('approvals')) as Approval[]) {
      if (shown.has(approval.id)) continue
      shown.set(approval.id, approval)
      // Twice, as somebody who got no answer does.
      const decision = decisionOf(approval)
      const counted = [await ask('decide', decision), await ask('decide', decision)]
      expect(counted).toEqual([{ counted: true }, { counted: false }])
    }
    await new Promise((turned) => setImmediate(turned))
  }
  return {
    result: (await ended) as Result,
    bodies,
    shown: [...shown.values()].sort((left, right) => (left.id < right.id ? -1 : 1)),
  }
}

interface Result {
  readonly output: unknown
  readonly outcomes: readonly { readonly id: string; readonly status: string; readonly output?: unknown }[]
  readonly context: readonly object[]
}

/** A result without its times. */
const timeless = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, each) =>
      ['startedAt', 'endedAt', '_date'].includes(name) ? undefined : each,
    ),
  )

const asked: fc.Arbitrary<Asked> = fc.record({
  name: fc.constantFrom('add', 'pay'),
  amount: fc.integer({ min: 0, max: 9 }),
  reads: fc.integer({ min: 0, max: 3 }),
})

/**
 * What only reads runs again under its id if it ended unrecorded; what a worker does it does once. The processes of these tests share
 * their memory, as attempts do of one whose server was lost: so a write that was not recorded is not made again either.
 */
function requireOnce(
  bodies: readonly { readonly name: string }[],
  inOneProcess: readonly object[],
  local: readonly string[],
): void {
  const key = (each: object): string => JSON.stringify(each)
  expect(new Set(bodies.map(key))).toEqual(new Set(inOneProcess.map(key)))
  const single = bodies.filter(({ name }) => name === 'pay' || !local.includes(name))
  expect(new Set(single.map(key)).size).toBe(single.length)
}

fuzz(
  'DUR-2, DUR-3, REQ-9 a run on Restate, in as many processes as it takes, comes to what it comes to in one',
  60,
  fc.record<Run>({
    turns: fc.array(fc.array(asked, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
    verdicts: fc.array(fc.constantFrom('approve', 'refuse', 'edit'), { minLength: 1, maxLength: 3 }),
    local: fc.subarray(['add', 'pay']),
    isAskedForPlan: fc.boolean(),
    deaths: fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 6 }),
  }),
  async (given) => {
    const once = await carryOut(given, [])
    const { result, bodies, shown } = await carryOut(given, given.deaths)
    expect(timeless(result)).toEqual(timeless(once.result))
    expect(timeless(shown)).toEqual(timeless(once.shown))
    expect(once.result.output).toBe('done')
    const ids = result.outcomes.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    requireOnce(bodies, once.bodies, given.local)
  },
)

/** What a handler does in turn: Calls alone, in groups and in plans, some of which fail. */
interface Handled {
  readonly steps: readonly { readonly how: 'run' | 'all' | 'plan'; readonly asked: readonly Asked[] }[]
  readonly local: readonly ('add' | 'pay')[]
  /** An amount with which the Activities fail. */
  readonly failing: number
  readonly concurrency: number
  readonly deaths: readonly number[]
}

async function handle({ steps, local, failing, concurrency }: Handled, deaths: readonly number[]) {
  const bodies: { readonly id: string; readonly name: string; readonly amount: number }[] = []
  const { Tool, Activity } = createRegistry({ tools: schemas })
  for (const name of ['add', 'pay'] as const) {
    Activity.register(name, async ({ amount }, _tool, _context, { id }) => {
      bodies.push({ id, name, amount })
      if (amount === failing) throw new Error('it fails')
      return amount + 1
    })
  }
  const engine = await restateOf(Tool, { local: [...local] }, { attempts: 1 })
  const said = (thrown: unknown): string => String((thrown as Error).message)
  const result = await engine.handle(
    async ({ run, all, plan }) => {
      const told: unknown[] = []
      for (const [turn, { how, asked }] of steps.entries()) {
        const calls = callsOf(asked, turn)
        const options = { concurrency }
        if (how === 'run') for (const call of calls) told.push((await run(call)).status)
        if (how === 'all') told.push(await all(calls, options).catch(said))
        if (how === 'plan') told.push(await plan(calls, options).catch(said))
      }
      return told
    },
    { deaths },
  )
  return { result, bodies }
}

fuzz(
  'DUR-2, DUR-5 a handler on Restate, in as many processes as it takes, comes to what it comes to in one',
  150,
  fc.record<Handled>({
    steps: fc.array(
      fc.record({
        how: fc.constantFrom('run', 'all', 'plan'),
        asked: fc.array(asked, { minLength: 1, maxLength: 4 }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    local: fc.subarray(['add', 'pay']),
    failing: fc.integer({ min: 0, max: 20 }),
    concurrency: fc.integer({ min: 1, max: 4 }),
    deaths: fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 6 }),
  }),
  async (given) => {
    const once = await handle(given, [])
    const { result, bodies } = await handle(given, given.deaths)
    expect(timeless(result)).toEqual(timeless(once.result))
    requireOnce(bodies, once.bodies, given.local)
  },
)

/** What one deployment knows of a Tool. */
interface Version {
  readonly effects: 'read' | 'idempotent' | 'write' | undefined
  readonly maximum: number
}

/** Runs an agent of one deployment with the Activities of another. */
async function runAcross(
  here: Version,
  there: Version,
  asks: readonly string[],
  answer: boolean | 'pending',
) {
  const registryOf = ({ effects, maximum }: Version) => {
    const { effects: _, properties, ...schema } = schemas.pay
    const amount = { type: 'number', maximum }
    return createRegistry({
      tools: { pay: { ...schema, ...(effects && { effects }), properties: { ...properties, amount } } },
    })
  }
  const { Tool, Activity } = registryOf(here)
  const deployed = registryOf(there)
  let paid = 0
  Activity.register('pay', () => 0)
  deployed.Activity.register('pay', ({ amount }) => {
    paid++
    return amount
  })
  let isAsked = false
  const ask = (): boolean | 'pending' => {
    isAsked = true
    return answer
  }
  const client = scriptedModel([{ calls: [{ _tool: 'pay', amount: 5 }] }, { output: 'done' }])
  const agent = () => ({ model: 'm', output: { type: 'string' }, client, confirm: { effects: asks, ask } })
  const engine = await restateOf(Tool, { agent, deployed: deployed.Tool })
  const ended = engine.run()
  if (answer === 'pending') {
    let isOver = false
    void ended.finally(() => {
      isOver = true
    })
    while (!isOver) {
      for (const { id, hash } of (await engine.ask('approvals')) as Approval[]) {
        await engine.ask('decide', { approval: id, hash, approve: true })
      }
      await new Promise((turned) => setImmediate(turned))
    }
  }
  return { result: (await ended) as Result, paid, isAsked }
}

const version: fc.Arbitrary<Version> = fc.record({
  effects: fc.constantFrom('read', 'idempotent', 'write', undefined),
  maximum: fc.constantFrom(10, 10, 10, 20),
})

fuzz(
  'REQ-9, SERVE-4 where agents and Activities are of two deployments, a Call runs if both take it, and was approved if either wants that',
  120,
  fc.record({
    here: version,
    there: version,
    asks: fc.subarray(['read', 'idempotent', 'write'], { minLength: 1, maxLength: 2 }),
    answer: fc.constantFrom(true, 'pending' as const, false),
  }),
  async ({ here, there, asks, answer }) => {
    const { result, paid, isAsked } = await runAcross(here, there, asks, answer)
    const needs = ({ effects = 'write' }: Version): boolean => asks.includes(effects)
    expect(isAsked).toBe(needs(here))
    const isApproved = needs(here) ? answer !== false : !needs(there)
    expect(paid).toBe(isApproved && here.maximum === there.maximum ? 1 : 0)
    expect(result.output).toBe('done')
    expect(result.outcomes.map(({ status }) => status === 'succeeded')).toEqual([paid === 1])
  },
)
