import type { Outcome } from '../../call/outcome.ts'
import type { Call, ErrorMessage, Message } from '../../context/message.ts'
import type { Reader } from '../../context/state.ts'
import { CallsheetError, type ErrorCode } from '../../errors.ts'
import { isSameJson } from '../../json/same-json.ts'
import { type IsParameter, isUnblocked, planGraph } from '../../plan/plan-graph.ts'
import { PlanViews } from '../../plan/plan-views.ts'
import { ReadyQueue } from '../../plan/ready-queue.ts'
import { messageOf } from '../../problems/message-of.ts'
import type { Effects } from '../../schema/schema.ts'
import type { Solution } from '../ideas/solution.ts'
import { addUsage, noUsage } from '../transport/token-usage.ts'
import type { AgentResult, ShownError, Turn } from './agent-options.ts'
import { callPolicy } from './call-policy.ts'
import type { Executor, PerformedOutcome } from './executor.ts'
import { LoopError } from './loop-error.ts'
import type { Meter } from './meter.ts'
import { limitOfTime, type RequestOutput, requestCall } from './request-call.ts'

/** What one run of the loop works with: values, and functions without effects. */
export interface LoopSettings {
  readonly runId: string
  /** The context at the beginning. */
  readonly messages: readonly Message[]
  /** Told of what is added, as it is added. */
  readonly onAppend: (messages: readonly Message[]) => void
  readonly meter: Meter
  /** Epoch milliseconds. */
  readonly deadline: number | undefined
  readonly isLazy: boolean
  /** Whether the newest plan of the context is run before the first Request. */
  readonly followsPlan: boolean
  readonly concurrency: number
  readonly isParameter: IsParameter
  readonly effectsOf: (call: Call) => Effects | undefined
  readonly redact: (error: ShownError, outcome: Outcome) => ShownError
  readonly onTurn: (turn: Turn) => void
}

/** A Call on its way: planned, and settled once it has an Outcome. */
interface Planned {
  readonly id: string
  readonly call: Call
  outcome?: PerformedOutcome
}

/**
 * Requests repeated until a solution has an output (REQ-8). It has no clock, no randomness and no engine of its own:
 * given the same Outcomes it does the same, in whatever order they come.
 *
 * @throws LoopError `stalled`, `limit_reached`, `plan_cycle`, or the code of the Request that failed.
 */
export function runLoop(settings: LoopSettings, executor: Executor): Promise<AgentResult> {
  return new Loop(settings, executor).run()
}

class Loop {
  readonly #settings: LoopSettings
  readonly #executor: Executor
  readonly #log: Message[]
  readonly #outcomes: Outcome[] = []
  readonly #turns: Turn[] = []
  #waiting: Planned[] = []
  /** The plan that the context tells of. */
  #told: readonly Call[] = []
  #usage = noUsage

  constructor(settings: LoopSettings, executor: Executor) {
    this.#settings = settings
    this.#executor = executor
    this.#log = [...settings.messages]
  }

  async run(): Promise<AgentResult> {
    try {
      await this.#followPlan()
      for (let turn = 1; ; turn++) {
        const { solution, started, usage, mode } = await this.#request(turn)
        const planned = solution.calls.map((call, index): Planned => {
          const outcome = started.get(index)
          return { id: `${turn}.${index}`, call, ...(outcome && { outcome }) }
        })
        this.#waiting.push(...planned)
        const before = this.#log.length
        const outcomes = this.#settings.isLazy ? [] : await this.#runPlan()
        this.#tellPlan()
        const appended = this.#log.slice(before)
        this.#endTurn({ turn, solution, outcomes, appended, usage, mode })
        if (this.#settings.isLazy || solution.output !== null) return this.#result(solution.output)
        if (planned.length === 0 && outcomes.length === 0) throw stalled(this.#waiting.length)
      }
    } catch (thrown) {
      throw this.#failure(thrown)
    }
  }

  /** The newest plan of the context is run first, unless it says that it is lazy. */
  async #followPlan(): Promise<void> {
    if (!this.#settings.followsPlan || this.#settings.isLazy) return
    const plan = this.#log.findLast((message) => message.type === 'plan')
    if (plan?.type !== 'plan' || plan.mode === 'lazy' || plan.plan.length === 0) return
    this.#told = plan.plan
    this.#waiting = plan.plan.map((call, index) => ({ id: `0.${index}`, call }))
    const before = this.#log.length
    const outcomes = await this.#runPlan()
    this.#tellPlan()
    const solution: Solution = { calls: plan.plan, output: null }
    this.#endTurn({ turn: 0, solution, outcomes, appended: this.#log.slice(before), usage: noUsage })
  }

  async #request(turn: number): Promise<RequestOutput & { started: Map<number, PerformedOutcome> }> {
    const { runId, deadline, meter } = this.#settings
    this.#requireTime()
    this.#require({ turns: 1 })
    const key = `${runId}:${turn}`
    const handle = this.#executor.dispatch(requestCall(turn), key, {
      kind: 'request',
      context: [...this.#log],
      deadline,
      waiting: this.#waiting.map(({ call }) => call),
    })
    const { outcome } = await this.#executor.next([handle])
    const { usage = noUsage, started = [] } = (outcome.output ??
      outcome.error ??
      {}) as Partial<RequestOutput>
    this.#usage = addUsage(this.#usage, usage)
    meter.add({ turns: 1, tokens: usage.in + usage.out })
    if (outcome.status === 'succeeded') {
      return { ...(outcome.output as RequestOutput), started: new Map(started) }
    }
    // What had started before the answer broke off has happened, and is told.
    const { outcomes = [] } = (outcome.error ?? {}) as { outcomes?: readonly PerformedOutcome[] }
    for (const each of outcomes) this.#record({ id: each.id, call: each.call, outcome: each })
    throw outcome.error
  }

  /** Runs the Calls that wait, each as soon as what it reads is there; what stays blocked stays in the plan. */
  async #runPlan(): Promise<Outcome[]> {
    const plan = this.#waiting
    const { isParameter, runId, concurrency } = this.#settings
    const base = [...this.#log]
    const waitsFor = this.#admitted(plan, base)
    const views = new PlanViews(base, waitsFor)
    const queue = new ReadyQueue(waitsFor)
    const pending = new Map<string, { readonly handle: unknown; readonly place: number }>()
    // What has started early is over before anything else is looked at.
    for (const [place, { outcome }] of plan.entries()) if (outcome) settle(place, outcome)
    for (;;) {
      while (pending.size < concurrency) {
        const place = queue.next()
        if (place === undefined) break
        const { id, call, outcome } = plan[place] as Planned
        if (outcome) continue
        const view = views.of(place)
        if (isUnblocked(call, view, isParameter)) {
          pending.set(`${runId}:${id}`, { handle: this.#dispatch(call, `${runId}:${id}`, view), place })
        } else queue.settle(place)
      }
      if (pending.size === 0) break
      const { id, outcome } = await this.#executor.next(Array.from(pending.values(), ({ handle }) => handle))
      const settled = pending.get(id)
      if (!settled) throw new Error(`The executor told of "${id}", which is not pending.`)
      pending.delete(id)
      ;(plan[settled.place] as Planned).outcome = outcome
      settle(settled.place, outcome)
    }
    return this.#settle(plan)

    function settle(place: number, { appended }: PerformedOutcome): void {
      views.settle(place, appended)
      queue.settle(place)
    }
  }

  /**
   * Which Calls of a plan wait for which. A plan that is refused is refused as a whole; what of it had started early has
   * happened, and is told.
   *
   * @throws CallError `plan_cycle`; RequestError `limit_reached`.
   */
  #admitted(plan: readonly Planned[], base: readonly Message[]): readonly (readonly number[])[] {
    const { isParameter, meter } = this.#settings
    const early = plan.filter(({ outcome }) => outcome).length
    meter.add({ calls: early })
    try {
      const { waitsFor } = planGraph(
        plan.map(({ call }) => call),
        base,
        isParameter,
      )
      this.#require({ calls: plan.length - early })
      return waitsFor
    } catch (thrown) {
      this.#settle(plan)
      throw thrown
    }
  }

  /** Takes over what has run, in the order of the plan; what has not stays in it. */
  #settle(plan: readonly Planned[]): Outcome[] {
    const ran = plan.filter(({ outcome }) => outcome)
    this.#waiting = plan.filter(({ outcome }) => !outcome)
    for (const each of ran) this.#record(each)
    return ran.map(({ outcome }) => outcome as Outcome)
  }

  #dispatch(call: Call, key: string, view: Reader): unknown {
    const { deadline, meter, effectsOf } = this.#settings
    meter.add({ calls: 1 })
    return this.#executor.dispatch(call, key, callPolicy(view, { effects: effectsOf(call), deadline }))
  }

  /** Appends what a Call adds, in the order of the plan and not of its ending. */
  #record({ call, outcome }: Planned): void {
    if (!outcome) return
    const { spent } = outcome
    if (spent) this.#settings.meter.add({ turns: spent.turns, calls: spent.calls, tokens: spent.tokens })
    this.#outcomes.push(outcome)
    this.#append(addedBy(call, outcome, this.#settings.redact))
  }

  /** A plan Message keeps the graph between turns (REQ-10); one that is done is told to be empty. */
  #tellPlan(): void {
    const plan = this.#waiting.map(({ call }) => call)
    if (isSameJson(plan, this.#told)) return
    this.#told = plan
    this.#append([{ type: 'plan', plan, ...(this.#settings.isLazy && { mode: 'lazy' as const }) }])
  }

  #append(messages: readonly Message[]): void {
    if (messages.length === 0) return
    // One by one: an argument for each would overflow the stack at 100,000.
    for (const message of messages) this.#log.push(message)
    this.#settings.onAppend(messages)
  }

  #endTurn(turn: Omit<Turn, 'waiting'>): void {
    const whole: Turn = { ...turn, waiting: this.#waiting.map(({ call }) => call) }
    this.#turns.push(whole)
    this.#settings.onTurn(whole)
  }

  #require(wanted: { turns?: number; calls?: number }): void {
    const shortage = this.#settings.meter.shortage(wanted)
    if (shortage) throw shortage
  }

  #requireTime(): void {
    const { deadline } = this.#settings
    if (deadline !== undefined && this.#executor.now() >= deadline) throw limitOfTime()
  }

  #result(output: unknown): AgentResult {
    return {
      runId: this.#settings.runId,
      output,
      outcomes: this.#outcomes,
      turns: this.#turns,
      context: this.#log,
      waiting: this.#waiting.map(({ call }) => call),
      usage: this.#usage,
      spent: this.#settings.meter.spent,
    }
  }

  #failure(thrown: unknown): LoopError {
    // An executor may have passed the error through JSON.
    const { code = 'activity_failed', problems, suggestions } = (thrown ?? {}) as Partial<CallsheetError>
    return new LoopError(code as ErrorCode, messageOf(thrown), this.#result(null) as AgentResult<never>, {
      problems,
      suggestions,
      cause: thrown,
    })
  }
}

/** The Messages of a Call that has run: what it adds itself, else its output; and its failure, if it failed (REQ-8). */
function addedBy(call: Call, outcome: Outcome, redact: LoopSettings['redact']): readonly Message[] {
  const instance = typeof call._instance === 'string' ? { _instance: call._instance } : {}
  if (outcome.status === 'succeeded') {
    if (outcome.appended.length > 0 || call._outputPath !== undefined) return outcome.appended
    return [{ type: 'data', kind: 'result', data: outcome.output ?? null, _call: call, ...instance }]
  }
  const { code = 'activity_failed', message = 'The Call failed.' } = outcome.error ?? {}
  const shown = redact({ code, message }, outcome)
  const error: ErrorMessage = {
    type: 'error',
    data: { call, error: { code: shown.code, message: shown.message } },
    ...instance,
  }
  return [...outcome.appended, error]
}

function stalled(waiting: number): CallsheetError {
  const blocked = waiting > 0 ? ` ${waiting} planned Calls wait for what nobody writes.` : ''
  return new CallsheetError(
    'stalled',
    `The model gave neither Calls nor an output, so there is nothing to go on with.${blocked}`,
  )
}
