import type { Outcome } from '../../call/outcome.ts'
import type { Call, Message } from '../../context/message.ts'
import type { Reader } from '../../context/reader.ts'
import type { CallsheetError, ErrorCode } from '../../errors.ts'
import { isSameJson } from '../../json/same-json.ts'
import { planGraph } from '../../plan/plan-graph.ts'
import { messageOf } from '../../problems/message-of.ts'
import { addUsage, noUsage } from '../../tools/token-usage.ts'
import type { Approval, SuspendedRun } from '../approvals/approval.ts'
import type { RejectedCall, Solution } from '../ideas/solution.ts'
import type { AgentResult, Turn } from './agent-options.ts'
import { callPolicy } from './call-policy.ts'
import type { Executor, PerformedOutcome } from './executor.ts'
import { approvalPending, LoopError, stalled } from './loop-error.ts'
import type { LoopSettings } from './loop-settings.ts'
import type { PlannedCall } from './planned-call.ts'
import { approvalCall, limitOfTime, type RequestOutput, requestCall } from './request-call.ts'
import { runPlan } from './run-plan.ts'
import { RunRecord } from './run-record.ts'
import { unstartedOutcome } from './unstarted-outcome.ts'

/**
 * Requests repeated until a solution has an output (REQ-8). It has no clock, no randomness and no engine of its own:
 * given the same Outcomes it does the same, in whatever order they come.
 *
 * @throws LoopError `stalled`, `limit_reached`, `plan_cycle`, `approval_pending`, or the code of the Request that failed.
 */
export function runLoop(settings: LoopSettings, executor: Executor): Promise<AgentResult> {
  return new Loop(settings, executor).run()
}

class Loop {
  readonly #settings: LoopSettings
  readonly #executor: Executor
  readonly #record: RunRecord
  #waiting: PlannedCall[] = []
  /** What the Calls that were held back wait for. */
  #approvals: Approval[] = []
  #suspended: SuspendedRun | undefined
  /** The plan that the context tells of. */
  #told: readonly Call[] = []
  #usage = noUsage

  constructor(settings: LoopSettings, executor: Executor) {
    this.#settings = settings
    this.#executor = executor
    this.#record = new RunRecord(settings)
  }

  async run(): Promise<AgentResult> {
    const { resume } = this.#settings
    try {
      if (resume) {
        const output = await this.#goOn(resume)
        if (output !== null) return this.#result(output)
      } else await this.#followPlan()
      for (let turn = (resume?.turn ?? 0) + 1; ; turn++) {
        const output = await this.#turn(turn)
        if (this.#settings.isLazy || output !== null) return this.#result(output)
      }
    } catch (thrown) {
      throw this.#failure(thrown)
    }
  }

  /** @returns The output of the turn's solution; null where there is none yet. */
  async #turn(turn: number): Promise<unknown> {
    const { solution, rejected = [], started, usage, mode, native } = await this.#request(turn)
    const before = this.#record.log.length
    const placeOf = this.#record.exchanges.add(native, before)
    const refused = this.#recordRejected(turn, rejected, (index) => placeOf?.(native?.rejectedIds[index]))
    const planned = solution.calls.map((call, index): PlannedCall => {
      const outcome = started.get(index)
      const isHeld = outcome?.approval !== undefined
      const toolCall = placeOf?.(native?.ids[index])
      return { id: `${turn}.${index}`, call, toolCall, ...(outcome && !isHeld && { outcome }) }
    })
    this.#waiting.push(...planned)
    const ran = this.#settings.isLazy ? [] : await this.#runWaiting(turn)
    this.#tellPlan()
    const outcomes = [...refused, ...ran]
    this.#endTurn({ turn, solution, outcomes, appended: this.#record.log.slice(before), usage, mode })
    this.#requireDecided(turn, solution.output)
    const isStalled = planned.length === 0 && outcomes.length === 0 && solution.output === null
    if (isStalled && !this.#settings.isLazy) throw stalled(this.#waiting.length)
    return solution.output
  }

  /** Runs what waited for decisions. @returns The goal, where it had been reached already. */
  async #goOn({ turn, waiting, output, usage, spent }: SuspendedRun): Promise<unknown> {
    this.#usage = usage
    this.#settings.meter.add(spent)
    this.#waiting = waiting.map((planned) => ({ ...planned }))
    this.#told = this.#waiting.map(({ call }) => call)
    const solution: Solution = { calls: this.#told, output }
    await this.#runTold(turn, solution)
    return output
  }

  /** The newest plan of the context is run first, unless it says that it is lazy. */
  async #followPlan(): Promise<void> {
    if (!this.#settings.followsPlan || this.#settings.isLazy) return
    const plan = this.#record.log.findLast((message) => message.type === 'plan')
    if (plan?.type !== 'plan' || plan.mode === 'lazy' || plan.plan.length === 0) return
    this.#told = plan.plan
    this.#waiting = plan.plan.map((call, index) => ({ id: `0.${index}`, call }))
    await this.#runTold(0, { calls: plan.plan, output: null })
  }

  /** Runs the Calls that the context tells of already, as a turn without a Request. */
  async #runTold(turn: number, solution: Solution): Promise<void> {
    const before = this.#record.log.length
    const outcomes = await this.#runWaiting(turn)
    this.#tellPlan()
    this.#endTurn({ turn, solution, outcomes, appended: this.#record.log.slice(before), usage: noUsage })
    this.#requireDecided(turn, solution.output)
  }

  async #request(turn: number): Promise<RequestOutput & { started: Map<number, PerformedOutcome> }> {
    const { runId, deadline, meter } = this.#settings
    this.#requireTime()
    this.#require({ turns: 1 })
    const key = `${runId}:${turn}`
    const exchanges = this.#record.exchanges.list
    const handle = this.#executor.dispatch(requestCall(turn), key, {
      kind: 'request',
      context: [...this.#record.log],
      deadline,
      waiting: this.#waiting.map(({ call }) => call),
      ...(exchanges.length > 0 && { exchanges: [...exchanges] }),
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
    const ran = outcomes.filter(({ approval }) => approval === undefined)
    this.#record.add(ran.map((each) => ({ id: each.id, call: each.call, outcome: each })))
    throw outcome.error
  }

  /** A Call that cannot be run costs itself alone: its error is told, and the run goes on (REQ-6a). */
  #recordRejected(
    turn: number,
    rejected: readonly RejectedCall[],
    placeOf: (index: number) => PlannedCall['toolCall'],
  ): Outcome[] {
    if (rejected.length === 0) return []
    this.#require({ calls: rejected.length })
    this.#settings.meter.add({ calls: rejected.length })
    const { runId } = this.#settings
    const time = this.#executor.now()
    const planned = rejected.map(({ call, error }, index): PlannedCall => {
      const id = `${turn}.rejected.${index}`
      const outcome = unstartedOutcome(call, `${runId}:${id}`, error, time)
      return { id, call, toolCall: placeOf(index), outcome }
    })
    return this.#record.add(planned)
  }

  /** Runs the Calls that wait; what stays blocked, or is held back for a decision, stays in the plan. */
  async #runWaiting(turn: number): Promise<Outcome[]> {
    const plan = this.#waiting
    let failure: { readonly thrown: unknown } | undefined
    try {
      await this.#carryOut(plan, turn)
    } catch (thrown) {
      failure = { thrown }
    }
    // Whatever went wrong, what has run is told (REQ-8b).
    const outcomes = this.#settle(plan)
    if (failure) throw failure.thrown
    return outcomes
  }

  async #carryOut(plan: readonly PlannedCall[], turn: number): Promise<void> {
    const { isParameter, runId, concurrency } = this.#settings
    const base = [...this.#record.log]
    const waitsFor = this.#admitted(plan, base)
    if (!(await this.#approvedPlan(plan, turn, base))) return
    await runPlan(plan, {
      runId,
      concurrency,
      isParameter,
      executor: this.#executor,
      base,
      waitsFor,
      dispatch: (planned, view) => this.#dispatch(planned, view),
      isHeld: ({ approval }) => approval !== undefined,
      onHeld: ({ approval }) => {
        this.#approvals.push(approval as Approval)
        this.#settings.meter.add({ calls: -1 })
      },
    })
  }

  /**
   * Which Calls of a plan wait for which. A plan that is refused is refused as a whole; what of it had started early has
   * happened, and is told.
   *
   * @throws CallError `plan_cycle`; RequestError `limit_reached`.
   */
  #admitted(plan: readonly PlannedCall[], base: readonly Message[]): readonly (readonly number[])[] {
    const { isParameter, meter } = this.#settings
    const early = plan.filter(({ outcome }) => outcome).length
    meter.add({ calls: early })
    const { waitsFor } = planGraph(
      plan.map(({ call }) => call),
      base,
      isParameter,
    )
    this.#require({ calls: plan.length - early })
    return waitsFor
  }

  /** Asks for the plan as a whole, where that is wanted; a plan that is refused ends with each of its Calls refused. */
  async #approvedPlan(
    plan: readonly PlannedCall[],
    turn: number,
    context: readonly Message[],
  ): Promise<boolean> {
    const { runId, deadline, asksForPlanWith } = this.#settings
    const open = plan.filter(({ outcome, isApproved }) => !outcome && !isApproved)
    if (!open.some(({ call }) => asksForPlanWith(call))) return true
    const calls = open.map(({ call }) => call)
    const key = `${runId}:${turn}.plan`
    const policy = { kind: 'approval', context, deadline, plan: calls } as const
    const handle = this.#executor.dispatch(approvalCall(turn), key, policy)
    const { outcome } = await this.#executor.next([handle])
    if (outcome.approval) this.#approvals.push(outcome.approval)
    else if (outcome.status === 'succeeded') for (const planned of open) planned.isApproved = true
    else {
      for (const planned of open) {
        planned.outcome = {
          ...outcome,
          id: `${runId}:${planned.id}`,
          call: planned.call,
          tool: planned.call._tool,
        }
      }
    }
    return outcome.status === 'succeeded'
  }

  /** Takes over what has run, in the order of the plan; what has not stays in it. */
  #settle(plan: readonly PlannedCall[]): Outcome[] {
    this.#waiting = plan.filter(({ outcome }) => !outcome)
    return this.#record.add(plan.filter(({ outcome }) => outcome))
  }

  #dispatch({ id, call, isApproved }: PlannedCall, view: Reader): unknown {
    const { deadline, meter, effectsOf, asksFor, runId } = this.#settings
    meter.add({ calls: 1 })
    const policy = callPolicy(view, {
      effects: effectsOf(call),
      deadline,
      isApproved,
      isAsked: asksFor(call),
    })
    return this.#executor.dispatch(call, `${runId}:${id}`, policy)
  }

  /** A plan Message keeps the graph between turns (REQ-10); one that is done is told to be empty. */
  #tellPlan(): void {
    const plan = this.#waiting.map(({ call }) => call)
    if (isSameJson(plan, this.#told)) return
    this.#told = plan
    this.#record.append([{ type: 'plan', plan, ...(this.#settings.isLazy && { mode: 'lazy' as const }) }])
  }

  #endTurn(turn: Omit<Turn, 'waiting'>): void {
    this.#record.endTurn({ ...turn, waiting: this.#waiting.map(({ call }) => call) })
  }

  /** @throws CallsheetError `approval_pending` when Calls of the turn wait for decisions (REQ-9). */
  #requireDecided(turn: number, output: unknown): void {
    if (this.#approvals.length === 0) return
    const { runId, meter } = this.#settings
    const exchanges = this.#record.exchanges.list
    this.#suspended = {
      version: 1,
      runId,
      turn,
      context: [...this.#record.log],
      waiting: this.#waiting.map(({ id, call, isApproved, toolCall }) => ({
        id,
        call,
        ...(isApproved && { isApproved }),
        ...(toolCall && { toolCall }),
      })),
      output,
      approvals: this.#approvals,
      ...(exchanges.length > 0 && { exchanges }),
      usage: this.#usage,
      spent: meter.spent,
    }
    throw approvalPending(this.#approvals)
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
      outcomes: this.#record.outcomes,
      turns: this.#record.turns,
      context: this.#record.log,
      waiting: this.#waiting.map(({ call }) => call),
      usage: this.#usage,
      spent: this.#settings.meter.spent,
      ...(this.#suspended && { suspended: this.#suspended }),
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
