import { isDeepStrictEqual } from 'node:util'
import { type Call, createRegistry, type Message, type Outcome } from 'callsheet'
import { Agent, type AgentResult, type Decision, LoopError } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import fc from 'fast-check'
import { expect } from 'vitest'
import { inProcessExecutor } from '../../runtime/agent/loop/executor.ts'
import { isDataMessage } from '../../runtime/context/message.ts'
import { readState } from '../../runtime/context/state.ts'
import { Steps, stepPerformer } from '../../runtime/durable/steps.ts'
import { planGraph } from '../../runtime/plan/plan-graph.ts'
import { fuzz } from './campaign.ts'

/** One Call of a plan. */
interface Step {
  readonly writes: string
  readonly reads: string | undefined
  readonly does: 'write' | 'fail' | 'approved' | 'refused'
  readonly pushes: boolean
  readonly instance: 'i' | undefined
}

const path = fc.constantFrom('a', 'a.x', 'a.x.y', 'a.x.z', 'a.w', 'b')
const step: fc.Arbitrary<Step> = fc.record({
  writes: fc.oneof({ weight: 6, arbitrary: path }, fc.constantFrom('a || †state.e', 'a.x && †state.b')),
  reads: fc.oneof(fc.constant(undefined), path, fc.constantFrom('later', 'e', 'b || †state.a')),
  does: fc.constantFrom('write', 'write', 'write', 'fail', 'approved', 'refused'),
  pushes: fc.boolean(),
  instance: fc.constantFrom(undefined, undefined, undefined, 'i' as const),
})

const callOf = ({ writes, reads, does, pushes, instance }: Step, place: number): Call => ({
  _tool: 'step',
  place,
  does,
  ...(reads !== undefined && { of: `†state.${reads}` }),
  _outputPath: `†state.${writes}`,
  ...(pushes && { _outputMethod: 'push' }),
  ...(instance && { _instance: instance }),
})
const later: Call = { _tool: 'step', place: -1, does: 'write', _outputPath: '†state.later' }

const schema = {
  type: 'object',
  effects: 'write',
  properties: {
    _tool: { const: 'step' },
    place: { type: 'number' },
    does: { enum: ['write', 'fail', 'approved', 'refused'] },
    of: {},
    _outputPath: { type: 'string' },
    _outputMethod: { enum: ['push'] },
    _instance: { type: 'string' },
    _output: {},
  },
  required: ['_tool', 'place', 'does'],
}

/** A listener that takes all out of what it is told, as one takes out what no log is to hold. */
function empty(told: unknown): void {
  if (typeof told !== 'object' || told === null || told instanceof Error) return
  for (const each of Object.values(told)) empty(each)
  for (const name of Object.keys(told)) Reflect.deleteProperty(told, name)
}

/** A registry whose Calls note what they were given, by their places. */
function registry() {
  const seen = new Map<number, unknown>()
  const { Tool, Activity } = createRegistry({ tools: { step: schema } })
  Activity.register('step', ({ place, does, of }, _tool, _context, { emit }) => {
    expect(seen.has(place), `Call ${place} runs once`).toBe(false)
    seen.set(place, of)
    const output = { is: `new ${place}` }
    emit(output)
    if (does === 'fail') throw new Error('no')
    return output
  })
  for (const event of ['call:start', 'call:end', 'activity:progress'] as const) Tool.on(event, empty)
  return { Tool, seen }
}

/** What became of each Call of the plan: one that never read what it waited for did not run, however that is told. */
const endsOf = (outcomes: readonly (Outcome | undefined)[]) =>
  outcomes.map((outcome) => (outcome && outcome.attempts > 0 ? outcome.status : 'blocked'))

const base = (isThere: boolean): Message[] =>
  isThere
    ? [{ type: 'state', state: { a: { x: { y: 'old', z: 'old' }, w: 'old' }, b: 'old', e: 'old' } }]
    : []

async function byAgent(Tool: ReturnType<typeof registry>['Tool'], context: Message[], turns: Call[][]) {
  const confirm = {
    ask: (call: Call) => {
      const { does } = call
      empty(call)
      return does === 'approved' || does === 'refused' ? ('pending' as const) : true
    },
  }
  const client = scriptedModel([...turns.map((calls) => ({ calls })), { output: 'done' }])
  const listeners = { onTurn: empty, log: empty }
  const options = {
    model: 'm',
    client,
    tools: Tool,
    output: { type: 'string' },
    runId: 'run',
    confirm,
    ...listeners,
  }
  const outcomes: Outcome[] = []
  for (let given: object = { context }; ; ) {
    const result: AgentResult | LoopError = await Agent({ ...options, ...given } as never).catch(
      (error) => error,
    )
    if (!(result instanceof LoopError)) return [...outcomes, ...result.outcomes]
    if (result.code !== 'approval_pending') throw result
    outcomes.push(...result.result.outcomes)
    const resume = result.result.suspended
    for (const { calls } of resume?.approvals ?? []) expect(calls).toMatchObject([{ _tool: 'step' }])
    const decisions = resume?.approvals.map(
      ({ id, hash, calls: [call] }): Decision => ({ approval: id, hash, approve: call?.does === 'approved' }),
    )
    given = { resume, decisions }
  }
}

fuzz(
  'a plan ends the same as Tool.plan, as steps of an engine and as the turn of an agent',
  300,
  fc.tuple(fc.array(step, { minLength: 1, maxLength: 6 }), fc.boolean()),
  async ([drawn, isThere]) => {
    const steps = drawn.map((each): Step => {
      const does = each.does === 'write' || each.does === 'approved' ? 'write' : 'fail'
      return { ...each, does, reads: each.reads === 'later' ? 'b' : each.reads }
    })
    const calls = steps.map(callOf)
    const context = base(isThere)
    const { Tool } = registry()
    const plan = await Tool.plan(calls, { context, onOutcome: empty }).catch((error: Error) => error)
    fc.pre(!(plan instanceof Error))
    for (const outcome of plan.outcomes) {
      if (outcome?.status === 'succeeded') expect(outcome.output).toEqual({ is: `new ${outcome.call.place}` })
    }
    const engine = registry().Tool
    const perform = stepPerformer(engine, {}, new AbortController().signal)
    const executor = { ...inProcessExecutor(perform), cancel: async () => {} }
    const durable = new Steps({ Tool: engine, runId: 'run', check: async () => null, executor })
    const stepped = await durable.plan(calls, { context })
    expect(endsOf(stepped.outcomes)).toEqual(endsOf(plan.outcomes))
    expect(stepped.blocked).toEqual(plan.blocked)
    const outcomes = await byAgent(registry().Tool, context, [calls])
    const placed = calls.map((_, place) => outcomes.find(({ call }) => call.place === place))
    expect(endsOf(placed)).toEqual(endsOf(plan.outcomes))
  },
)

fuzz(
  'no Call sees what would be another value, had all written that it waits for',
  300,
  fc.tuple(fc.array(step, { minLength: 1, maxLength: 6 }), fc.boolean()),
  async ([steps, isThere]) => {
    const calls = steps.map(callOf)
    const context = base(isThere)
    const { Tool, seen } = registry()
    const outcomes = await byAgent(Tool, context, [calls, [later]]).catch((error: LoopError) => error)
    if (outcomes instanceof LoopError) {
      expect(outcomes.code).toBe('plan_cycle')
      expect([...seen.keys()].filter((place) => place >= 0)).toEqual([])
      return
    }
    const { waitsFor } = planGraph(calls, context, (_, name) => name === 'of')
    const appendedBy = (place: number) =>
      outcomes.find(({ call }) => call.place === place)?.appended.filter(isDataMessage) ?? []
    const isOneTurn = steps.every(
      ({ reads, does }) => reads !== 'later' && (does === 'write' || does === 'fail'),
    )
    for (const [place, value] of seen) {
      const { reads, instance } = steps[place] ?? {}
      if (reads === undefined || place < 0) continue
      const isGap = (other: number) => appendedBy(other).length === 0
      if (isOneTurn) {
        const waited = new Set(waitsFor[place])
        for (const other of waited) for (const further of waitsFor[other] ?? []) waited.add(further)
        const logOf = (unwritten: (call: Call) => Message[]) => [
          ...context,
          ...calls.flatMap((call, other) => {
            if (!waited.has(other)) return []
            return isGap(other) ? unwritten(call) : appendedBy(other)
          }),
        ]
        const [asItIs, asMeant] = [logOf(() => []), logOf(sentinelOf)]
        const wanted = reads.split(' || †state.').flatMap((names) => {
          const path = { kind: 'state', segments: names.split('.') }
          const [is, meant] = [asItIs, asMeant].map((log) => readState(log, path, instance))
          return is !== undefined && isDeepStrictEqual(is, meant) ? [is] : []
        })[0]
        expect(value).toEqual(wanted)
      } else if (!reads.includes('||')) {
        // Between turns what others have written is there as well: it may only hide what was not written.
        for (const gap of (waitsFor[place] ?? []).filter(isGap)) {
          const hiding = calls.filter((_, other) => other > gap && appendedBy(other).length > 0)
          expect(hiding.map(({ _outputPath }) => _outputPath)).not.toEqual([])
        }
      }
    }
  },
)

/** What a Call that did not write would have written: nothing that any Call writes. */
function sentinelOf({ _outputPath, _outputMethod, _instance }: Call): Message[] {
  const [first = ''] = String(_outputPath).split(' || ')
  const data = first.split(' && ').reduce<unknown>((whole, path) => {
    const nested = path
      .split('.')
      .slice(1)
      .reduceRight<unknown>((inner, name) => ({ [name]: inner }), 'missing')
    return { ...(whole as object), ...(nested as object) }
  }, {})
  return [{ type: 'data', kind: 'state', data, _path: first, _outputMethod, _instance } as Message]
}
