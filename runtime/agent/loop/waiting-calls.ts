import type { Outcome } from '../../call/outcome.ts'
import { copiedTogether } from '../../context/copied-data.ts'
import type { Call, Message } from '../../context/message.ts'
import type { Reader } from '../../context/reader.ts'
import { planGraph } from '../../plan/plan-graph.ts'
import { overlaps, writtenPaths } from '../../plan/plan-writers.ts'
import { type Approval, isAwaited, type SuspendedRun } from '../approvals/approval.ts'
import { callPolicy } from './call-policy.ts'
import { dispatchPlan } from './dispatch-plan.ts'
import { type Executor, nextSettled } from './executor.ts'
import type { LoopSettings } from './loop-settings.ts'
import type { PlannedCall } from './planned-call.ts'
import { approvalCall } from './request-call.ts'
import type { RunRecord } from './run-record.ts'
import { unstartedOutcome } from './unstarted-outcome.ts'

/** The Calls of a run that have not ended; each turn runs them as one plan. */
export class WaitingCalls {
  readonly #settings: LoopSettings
  readonly #executor: Executor
  readonly #record: RunRecord
  #list: PlannedCall[] = []
  /** Ended Calls that did not write what some waiting Calls read; they keep their positions in the plan of those. */
  #unwritten: readonly PlannedCall[] = []
  /** Counts what the Calls of all turns copy out of the context. */
  readonly #copied = copiedTogether()
  /** The Approval that the plan as a whole waits for. */
  #planApproval: Approval | undefined

  constructor(settings: LoopSettings, executor: Executor, record: RunRecord) {
    this.#settings = settings
    this.#executor = executor
    this.#record = record
  }

  get list(): readonly PlannedCall[] {
    return this.#list
  }

  get calls(): Call[] {
    return this.#list.map(({ call }) => call)
  }

  /** The Approvals of held-back Calls, in the order of the plan. */
  get approvals(): Approval[] {
    const ofCalls = this.#list.flatMap(({ approval }) => approval ?? [])
    return this.#planApproval ? [...ofCalls, this.#planApproval] : ofCalls
  }

  get unwritten(): readonly PlannedCall[] {
    return this.#unwritten
  }

  /** Restores, from a suspended run, the Calls that ended without writing. */
  addUnwritten(calls: SuspendedRun['unwritten'] = []): void {
    this.#unwritten = calls.map(({ id, call }) => ({
      id,
      call,
      outcome: unstartedOutcome(call, id, undefined, 0),
    }))
  }

  add(planned: readonly PlannedCall[]): void {
    // One by one: as separate arguments, 100,000 would overflow the stack.
    for (const each of planned) {
      const { outcome } = each
      this.#list.push(outcome ? { ...each, outcome: this.#record.redactOutcome(outcome) } : each)
    }
  }

  /** Runs the waiting Calls; those that stay blocked, or wait for a decision, stay in the plan. */
  async run(turn: number): Promise<Outcome[]> {
    const plan = this.#list
    let failure: { readonly thrown: unknown } | undefined
    try {
      await this.#carryOut(plan, turn)
    } catch (thrown) {
      failure = { thrown }
    }
    // Whatever went wrong, record the Calls that have run (REQ-8b).
    const outcomes = this.#settle(plan)
    if (failure) throw failure.thrown
    return outcomes
  }

  /** Records the early-started Calls of a turn that is not run: they have happened. */
  settleStarted(): void {
    this.#countStarted(this.#list)
    this.#settle(this.#list)
  }

  async #carryOut(plan: readonly PlannedCall[], turn: number): Promise<void> {
    const { runId, concurrency } = this.#settings
    const base = [...this.#record.messages]
    const waitsFor = this.#admit(plan, base)
    const approvedEarlier = new Set(plan.filter(({ isApproved }) => isApproved))
    if (!(await this.#isPlanApproved(plan, turn, base))) return
    const whole = this.#withUnwritten(plan)
    await dispatchPlan(whole, {
      runId,
      concurrency,
      isParameter: this.#record.reading.isReadable,
      executor: this.#executor,
      base,
      copied: this.#copied,
      waitsFor: whole === plan ? waitsFor : waitsForPlaces(whole),
      dispatch: (planned, view) => this.#dispatch(planned, view, approvedEarlier.has(planned)),
      redact: (outcome) => this.#record.redactOutcome(outcome),
      onHeld: () => this.#settings.meter.add({ calls: -1 }),
    })
  }

  /**
   * Computes which Calls of the plan wait for which. A plan is refused as a whole; Calls that had started early have happened and
   * are recorded.
   *
   * @throws CallError `plan_cycle`; RequestError `limit_reached`.
   */
  #admit(plan: readonly PlannedCall[], base: readonly Message[]): readonly (readonly number[])[] {
    const { meter } = this.#settings
    const early = this.#countStarted(plan)
    // Check limits before building the graph, whose size can be quadratic in the model's answer.
    meter.require({ calls: plan.length - early })
    const calls = plan.map(({ call }) => call)
    const { waitsFor } = planGraph(calls, base, this.#record.reading.isReadable, earlierWaits(plan))
    for (const [place, planned] of plan.entries()) {
      const others = (waitsFor[place] ?? []).map((other) => plan[other] as PlannedCall)
      const misses = this.#stillMissed(planned, others)
      planned.waitsFor = [...misses, ...others.map(({ id }) => id)]
      if (planned.misses) planned.misses = misses
    }
    return waitsFor
  }

  /** Returns the missing dependencies of a Call, without those that a later planned Call has replaced. */
  #stillMissed(
    { misses = [], waitsFor = [] }: PlannedCall,
    others: readonly PlannedCall[],
  ): readonly string[] {
    if (misses.length === 0) return misses
    const newer = others.filter(({ id }) => !waitsFor.includes(id)).flatMap(({ call }) => writtenPaths(call))
    const isReplaced = (missed: PlannedCall): boolean =>
      writtenPaths(missed.call).some((path) => newer.some((other) => overlaps(other, path)))
    const replaced = new Set(this.#unwritten.filter(isReplaced).map(({ id }) => id))
    return misses.filter((id) => !replaced.has(id))
  }

  /** Returns the plan including the Calls that ended without writing, in planned order; the plan itself if there are none. */
  #withUnwritten(plan: readonly PlannedCall[]): readonly PlannedCall[] {
    const missed = new Set(plan.flatMap(({ misses = [] }) => misses))
    const unwritten = this.#unwritten.filter(({ id }) => missed.has(id))
    if (unwritten.length === 0) return plan
    return [...unwritten, ...plan].sort((left, right) => comparePlaces(left.id, right.id))
  }

  #countStarted(plan: readonly PlannedCall[]): number {
    const calls = plan.filter(({ outcome }) => outcome).length
    this.#settings.meter.add({ calls })
    return calls
  }

  /** Asks for approval of the plan as a whole, if required. If it is refused, each of its Calls is. */
  async #isPlanApproved(
    plan: readonly PlannedCall[],
    turn: number,
    context: readonly Message[],
  ): Promise<boolean> {
    const { runId, deadline, resume, needsPlanApproval } = this.#settings
    const open = plan.filter(({ outcome, isApproved }) => !outcome && !isApproved)
    const key = `${runId}:${turn}.plan`
    if (!isAwaited(resume, key) && !open.some(({ call }) => needsPlanApproval(call))) return true
    const calls = open.map(({ call }) => call)
    const policy = { kind: 'approval', context, deadline, plan: calls } as const
    const handle = this.#executor.dispatch(approvalCall(turn), key, policy)
    const { outcome } = await nextSettled(this.#executor, [handle])
    if (outcome.approval) this.#planApproval = outcome.approval
    else if (outcome.status === 'succeeded') {
      for (const [index, planned] of open.entries()) {
        planned.isApproved = true
        planned.approvedContract = outcome.contracts?.[index]
      }
    } else {
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

  /** Records the Calls that have run, in the order of the plan; the others stay in it. */
  #settle(plan: readonly PlannedCall[]): Outcome[] {
    this.#list = plan.filter(({ outcome }) => !outcome)
    const ended = plan.filter(({ outcome }) => outcome)
    const missed = new Set(this.#list.flatMap(({ misses = [] }) => misses))
    this.#unwritten = [...this.#unwritten, ...ended].filter(({ id }) => missed.has(id))
    return this.#record.add(ended)
  }

  #dispatch(planned: PlannedCall, view: Reader, isApprovedEarlier: boolean): unknown {
    const { id, call, isApproved, approvedContract } = planned
    const { deadline, meter, effectsOf, needsCallApproval, resume, runId, unasked } = this.#settings
    meter.add({ calls: 1 })
    const key = `${runId}:${id}`
    const policy = callPolicy(view, {
      effects: effectsOf(call),
      deadline,
      isApproved,
      approvedContract,
      isAsked: isApproved ? isApprovedEarlier : needsCallApproval(call) || isAwaited(resume, key),
      unasked,
    })
    return this.#executor.dispatch(call, key, policy)
  }
}

/** Returns, for each Call, the indexes of the Calls that it waits for. */
function waitsForPlaces(plan: readonly PlannedCall[]): number[][] {
  const places = new Map(plan.map(({ id }, place) => [id, place]))
  return plan.map(({ outcome, waitsFor = [] }) =>
    outcome ? [] : waitsFor.flatMap((id) => places.get(id) ?? []),
  )
}

/** Compares ids by turn, and then by index. */
function comparePlaces(left: string, right: string): number {
  const [turn = 0, place = 0] = left.split('.').map(Number)
  const [otherTurn = 0, otherPlace = 0] = right.split('.').map(Number)
  return turn - otherTurn || place - otherPlace
}

/**
 * Returns, for the Calls of earlier turns, which come first, the indexes of the Calls that each waits for and that have
 * not ended.
 */
function earlierWaits(plan: readonly PlannedCall[]): number[][] {
  const places = new Map(plan.map(({ id }, place) => [id, place]))
  const isNew = plan.findIndex(({ waitsFor }) => waitsFor === undefined)
  return plan
    .slice(0, isNew === -1 ? plan.length : isNew)
    .map(({ waitsFor = [] }) => waitsFor.flatMap((id) => places.get(id) ?? []))
}
