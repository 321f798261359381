import type { Outcome } from '../../call/outcome.ts'
import type { Call, Message, PlanMessage } from '../../context/message.ts'
import type { CallsheetError, ErrorCode } from '../../errors.ts'
import { isSameJson } from '../../json/same-json.ts'
import { messageOf } from '../../problems/message-of.ts'
import { addUsage, noUsage } from '../../tools/token-usage.ts'
import type { SuspendedRun, WaitingCall } from '../approvals/approval.ts'
import { notOfferedError, type RejectedCall, type Solution } from '../ideas/solution.ts'
import type { AgentResult, Turn } from './agent-options.ts'
import { type Executor, nextSettled, type PerformedOutcome } from './executor.ts'
import { approvalPending, LoopError, stalled } from './loop-error.ts'
import type { LoopSettings } from './loop-settings.ts'
import type { PlannedCall } from './planned-call.ts'
import { type RequestOutput, requestCall, timeLimitError } from './request-call.ts'
import { RunRecord } from './run-record.ts'
import { unstartedOutcome } from './unstarted-outcome.ts'
import { WaitingCalls } from './waiting-calls.ts'

/**
 * Repeats Requests until a solution has an output (REQ-8). Uses no clock, no randomness and no engine of its own: with the same
 * Outcomes it does the same, in whatever order they arrive.
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
  readonly #waiting: WaitingCalls
  #suspended: SuspendedRun | undefined
  /** The Calls of the run's newest plan Message. */
  #recordedPlan: readonly Call[] = []
  /** That Message, or the one that the context began with. */
  #planMessage: Message | undefined
  #usage = noUsage

  constructor(settings: LoopSettings, executor: Executor) {
    this.#settings = settings
    this.#executor = executor
    this.#record = new RunRecord(settings)
    this.#planMessage = this.#record.newestPlan
    this.#waiting = new WaitingCalls(settings, executor, this.#record)
  }

  async run(): Promise<AgentResult> {
    const { resume } = this.#settings
    try {
      if (resume) {
        const output = await this.#resume(resume)
        if (output !== null) return this.#result(output)
      } else await this.#runContextPlan()
      for (let turn = (resume?.turn ?? 0) + 1; ; turn++) {
        const { output, isLast } = await this.#turn(turn)
        if (this.#settings.isLazy || isLast) return this.#result(output)
      }
    } catch (thrown) {
      throw this.#failure(thrown)
    }
  }

  /** Runs one turn. @returns The output of its solution, and whether it ends the run. */
  async #turn(turn: number): Promise<{ readonly output: unknown; readonly isLast: boolean }> {
    const request = await this.#request(turn)
    const { solution, rejected = [], started, usage, mode, native, endsWithNull = false } = request
    const { output } = solution
    const before = this.#record.messages.length
    const placeOf = this.#record.exchanges.add(native, before)
    const planned = solution.calls.map((given, index): PlannedCall => {
      const call = this.#record.reading.complete(given)
      const outcome = started.get(index)
      const approval = outcome?.approval
      const toolCall = placeOf?.(native?.ids[index])
      return { id: `${turn}.${index}`, call, toolCall, ...(approval ? { approval } : outcome && { outcome }) }
    })
    this.#waiting.add(planned)
    let refused: Outcome[]
    try {
      refused = this.#recordRejected(turn, rejected, (index) => placeOf?.(native?.rejectedIds[index]))
    } catch (thrown) {
      this.#waiting.settleStarted()
      throw thrown
    }
    const ran = this.#settings.isLazy ? [] : await this.#waiting.run(turn)
    this.#recordPlan()
    const outcomes = [...refused, ...ran]
    this.#endTurn({ turn, solution, outcomes, appended: this.#record.messages.slice(before), usage, mode })
    this.#requireDecided(turn, output)
    const blocked = this.#waiting.list.length
    const isLast = output !== null || (endsWithNull && blocked === 0)
    const isStalled = planned.length === 0 && outcomes.length === 0 && !isLast
    if (isStalled && !this.#settings.isLazy) throw stalled(blocked)
    return { output, isLast }
  }

  /** Runs the Calls that waited for decisions. @returns The output, if the suspended run already had one. */
  async #resume({ turn, waiting, unwritten, output = null, usage, spent }: SuspendedRun): Promise<unknown> {
    this.#usage = usage
    this.#settings.meter.add(spent)
    this.#recordedPlan = waiting.map(({ call }) => call)
    this.#waiting.addUnwritten(unwritten)
    this.#waiting.add(waiting.map((planned) => ({ ...planned, ...this.#endIfLeftOut(planned) })))
    const solution: Solution = { calls: this.#recordedPlan, output }
    await this.#runRecordedPlan(turn, solution)
    return output
  }

  /**
   * Fails a waiting Call whose Tool is excluded now (REQ-15). A plan of the initial context is trusted, whichever Tools
   * are excluded.
   */
  #endIfLeftOut({ id, call }: WaitingCall): { readonly outcome: Outcome } | undefined {
    const { isLeftOut, runId } = this.#settings
    if (id.startsWith('0.') || !isLeftOut(call)) return undefined
    const error = notOfferedError(call._tool, [])
    return { outcome: unstartedOutcome(call, `${runId}:${id}`, error, this.#executor.now()) }
  }

  /** Runs the newest plan of the initial context first, unless it is lazy. */
  async #runContextPlan(): Promise<void> {
    if (!this.#settings.runsContextPlan || this.#settings.isLazy) return
    const plan = this.#record.newestPlan
    if (plan?.type !== 'plan' || plan.mode === 'lazy' || plan.plan.length === 0) return
    this.#recordedPlan = plan.plan.map(this.#record.reading.complete)
    this.#waiting.add(this.#recordedPlan.map((call, index) => ({ id: `0.${index}`, call })))
    await this.#runRecordedPlan(0, { calls: this.#recordedPlan, output: null })
  }

  /** Runs Calls that a plan Message of the context already lists, as a turn without a Request. */
  async #runRecordedPlan(turn: number, solution: Solution): Promise<void> {
    const before = this.#record.messages.length
    const outcomes = await this.#waiting.run(turn)
    this.#recordPlan()
    this.#endTurn({ turn, solution, outcomes, appended: this.#record.messages.slice(before), usage: noUsage })
    this.#requireDecided(turn, solution.output)
  }

  async #request(turn: number): Promise<RequestOutput & { started: Map<number, PerformedOutcome> }> {
    const { runId, deadline, meter } = this.#settings
    this.#requireTime()
    meter.require({ turns: 1 })
    const key = `${runId}:${turn}`
    const exchanges = this.#record.exchanges.list
    const handle = this.#executor.dispatch(requestCall(turn), key, {
      kind: 'request',
      context: [...this.#record.messages],
      deadline,
      waiting: this.#waiting.calls,
      ...(exchanges.length > 0 && { exchanges: [...exchanges] }),
    })
    const { outcome } = await nextSettled(this.#executor, [handle])
    const { usage = noUsage, started = [] } = (outcome.output ??
      outcome.error ??
      {}) as Partial<RequestOutput>
    this.#usage = addUsage(this.#usage, usage)
    const tokens = usage.in + usage.out
    meter.add({ turns: 1, tokens })
    if (outcome.status === 'succeeded') {
      if (tokens === 0) meter.warnUncounted()
      return { ...(outcome.output as RequestOutput), started: new Map(started) }
    }
    const { outcomes = [] } = (outcome.error ?? {}) as { outcomes?: readonly PerformedOutcome[] }
    const ran = outcomes.filter(({ approval }) => approval === undefined)
    this.#waiting.add(ran.map((each) => ({ id: each.id, call: each.call, outcome: each })))
    this.#waiting.settleStarted()
    throw outcome.error
  }

  /** Records Calls that cannot run: only they fail, and the run continues (REQ-6a). */
  #recordRejected(
    turn: number,
    rejected: readonly RejectedCall[],
    placeOf: (index: number) => PlannedCall['toolCall'],
  ): Outcome[] {
    if (rejected.length === 0) return []
    this.#settings.meter.require({ calls: rejected.length })
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

  /** Appends a plan Message with the waiting Calls (REQ-10); an empty one when a plan is done. */
  #recordPlan(): void {
    const plan = this.#waiting.calls
    if (isSameJson(plan, this.#recordedPlan) && !this.#isHidden(plan)) return
    this.#recordedPlan = plan
    this.#appendPlan({ type: 'plan', plan, ...(this.#settings.isLazy && { mode: 'lazy' as const }) })
  }

  /** True if a plan Message of an Activity is newer than the run's own, so that a run that continues would lose these Calls. */
  #isHidden(plan: readonly Call[]): boolean {
    return plan.length > 0 && this.#record.newestPlan !== this.#planMessage
  }

  #appendPlan(message: PlanMessage): void {
    this.#planMessage = message
    this.#record.append([message])
  }

  /** Updates the plan Message before an error: a run that continues from it must not repeat Calls that have run (REQ-8b). */
  #recordRemainingPlan(): void {
    const waiting = new Set(this.#waiting.calls)
    const plan = this.#recordedPlan.filter((call) => waiting.has(call))
    if (plan.length === this.#recordedPlan.length && !this.#isHidden(plan)) return
    try {
      this.#appendPlan({ type: 'plan', plan })
    } catch {
      // The run's own record has it. That the caller's Context refused the Message is already the reported error.
    }
  }

  #endTurn(turn: Omit<Turn, 'waiting'>): void {
    this.#record.endTurn({ ...turn, waiting: this.#waiting.calls })
  }

  /** @throws CallsheetError `approval_pending` if Calls of the turn wait for decisions (REQ-9). */
  #requireDecided(turn: number, output: unknown): void {
    const { approvals } = this.#waiting
    if (approvals.length === 0) return
    const { runId, meter } = this.#settings
    const exchanges = this.#record.exchanges.list
    const { unwritten } = this.#waiting
    this.#suspended = {
      version: 1,
      runId,
      turn,
      context: [...this.#record.messages],
      waiting: this.#waiting.list.map(
        ({ id, call, isApproved, approvedContract, toolCall, waitsFor, misses }) => ({
          id,
          call,
          ...(isApproved && { isApproved }),
          ...(approvedContract !== undefined && { approvedContract }),
          ...(toolCall && { toolCall }),
          ...(waitsFor && { waitsFor }),
          ...(misses && misses.length > 0 && { misses }),
        }),
      ),
      ...(unwritten.length > 0 && { unwritten: unwritten.map(({ id, call }) => ({ id, call })) }),
      output,
      approvals,
      ...(exchanges.length > 0 && { exchanges }),
      usage: this.#usage,
      spent: meter.spent,
    }
    throw approvalPending(approvals)
  }

  #requireTime(): void {
    const { deadline } = this.#settings
    if (deadline !== undefined && this.#executor.now() >= deadline) throw timeLimitError()
  }

  #result(output: unknown): AgentResult {
    return {
      runId: this.#settings.runId,
      output,
      outcomes: this.#record.outcomes,
      turns: this.#record.turns,
      context: this.#record.messages,
      waiting: this.#waiting.calls,
      usage: this.#usage,
      spent: this.#settings.meter.spent,
      ...(this.#suspended && { suspended: this.#suspended }),
    }
  }

  #failure(thrown: unknown): LoopError {
    this.#recordRemainingPlan()
    // An executor may have serialised the error as JSON.
    const { code = 'activity_failed', problems, suggestions } = (thrown ?? {}) as Partial<CallsheetError>
    return new LoopError(code as ErrorCode, messageOf(thrown), this.#result(null) as AgentResult<never>, {
      problems,
      suggestions,
      cause: thrown,
    })
  }
}
