import type { CopiedData } from '../../context/copied-data.ts'
import type { Message } from '../../context/message.ts'
import type { Reader } from '../../context/reader.ts'
import { readerOf } from '../../context/state.ts'
import { CallError } from '../../errors.ts'
import { type IsParameter, isUnblocked, missingReads, placesOnCycles } from '../../plan/plan-graph.ts'
import { PlanViews } from '../../plan/plan-views.ts'
import { ReadyQueue } from '../../plan/ready-queue.ts'
import { type Executor, nextSettled, type PerformedOutcome } from './executor.ts'
import type { PlannedCall } from './planned-call.ts'
import { unstartedOutcome } from './unstarted-outcome.ts'

/** The inputs for running a plan, in addition to its Calls. */
export interface PlanSettings {
  readonly runId: string
  readonly concurrency: number
  readonly isParameter: IsParameter
  readonly executor: Executor
  /** The context before the plan; must not change anymore. */
  readonly base: readonly Message[]
  /** For each Call, the indexes of the Calls that it waits for. */
  readonly waitsFor: readonly (readonly number[])[]
  /** Counts what the Calls copy, if those of other plans count with them. */
  readonly copied?: CopiedData
  readonly dispatch: (planned: PlannedCall, view: Reader) => unknown
  /** Converts an Outcome to the form that other Calls may read. */
  readonly redact: (outcome: PerformedOutcome) => PerformedOutcome
  /** Called for each Call that was held back for a decision: it stays in the plan, with its Approval. */
  readonly onHeld?: () => void
  /**
   * Called for each Call that stays blocked, with the paths that it waited for. Pass it only if no later turn continues
   * the plan.
   */
  readonly onBlocked?: (place: number, missing: readonly string[]) => void
}

/**
 * Runs the Calls of a plan, each as soon as the values it reads are written. Sets the `outcome` of Calls that ran, or
 * that can never read what they waited for, and the `approval` of those that wait for a decision. Blocked Calls have
 * neither; if later turns continue them, i.e. without `onBlocked`, their `misses` are set too.
 *
 * @throws whatever the executor throws, after the running Calls have ended and have their Outcomes.
 */
export async function dispatchPlan(plan: readonly PlannedCall[], settings: PlanSettings): Promise<void> {
  const dispatch = new PlanDispatch(plan, settings)
  try {
    await dispatch.run()
  } catch (thrown) {
    await dispatch.waitForPending()
    throw thrown
  }
  if (!settings.onBlocked) dispatch.endUnrunnable()
}

class PlanDispatch {
  readonly #plan: readonly PlannedCall[]
  readonly #settings: PlanSettings
  readonly #views: PlanViews
  readonly #queue: ReadyQueue
  /** The handles of running Calls, and their keys, by the same index. */
  readonly #handles: unknown[] = []
  readonly #keys: string[] = []
  /** By key: the Call's index in the plan, and its index in these lists. */
  readonly #pending = new Map<string, { readonly place: number; at: number }>()

  constructor(plan: readonly PlannedCall[], settings: PlanSettings) {
    this.#plan = plan
    this.#settings = settings
    const calls = plan.map(({ call }) => call)
    this.#views = new PlanViews(settings.base, calls, settings.waitsFor, settings.copied)
    this.#queue = new ReadyQueue(settings.waitsFor)
  }

  async run(): Promise<void> {
    // Handle the Calls that started early first: they have ended.
    for (const [place, { outcome }] of this.#plan.entries()) if (outcome) this.#settle(place, outcome)
    for (;;) {
      this.#startReady()
      if (this.#pending.size === 0) return
      const { place, outcome } = await this.#next()
      this.#receive(place, outcome)
    }
  }

  /** After an error: waits for the Outcomes of running Calls, as far as the executor still reports them. */
  async waitForPending(): Promise<void> {
    while (this.#pending.size > 0) {
      try {
        const { place, outcome } = await this.#next()
        this.#receive(place, outcome)
      } catch {
        // The executor itself failed; the run ends with that error.
        return
      }
    }
  }

  /**
   * Fails the Calls that a later turn would run with other values than those they waited for, and those that now only wait for each
   * other: in a plan Message these would be a cycle, which another run would refuse.
   */
  endUnrunnable(): void {
    if (this.#plan.every(({ outcome }) => outcome)) return
    const { base, waitsFor, isParameter } = this.#settings
    const log = [...base, ...this.#plan.flatMap(({ outcome }) => outcome?.appended ?? [])]
    const later = readerOf(log)
    const left = this.#plan.filter(({ outcome }) => !outcome)
    const places = placesOnCycles(
      left.map(({ call }) => call),
      log,
      isParameter,
    )
    const circular = new Set(places.map((place) => left[place]))
    // In this order, Calls that wait for a failed one come after it.
    const queue = new ReadyQueue(waitsFor)
    for (let place = queue.next(); place !== undefined; place = queue.next()) {
      queue.settle(place)
      const planned = this.#plan[place] as PlannedCall
      if (planned.outcome || planned.approval) continue
      const lost = this.#views.lostReads(place, planned.call, later, isParameter)
      if (lost.length > 0)
        this.#fail(place, lost, 'not all Calls that should have written that before did so')
      else if (circular.has(planned)) {
        const missing = missingReads(planned.call, later, isParameter)
        this.#fail(place, missing, 'only itself, or Calls that wait for it, would write that')
      }
      if (!planned.outcome) this.#noteMissed(place, planned)
    }
  }

  #noteMissed(place: number, planned: PlannedCall): void {
    const missed = this.#views.missedBy(place, planned.call, this.#settings.isParameter)
    planned.misses = missed.map((other) => (this.#plan[other] as PlannedCall).id)
  }

  #fail(place: number, reads: readonly string[], why: string): void {
    const { id, call } = this.#plan[place] as PlannedCall
    const { runId, executor } = this.#settings
    const error = new CallError('unresolved_reference', `The Call reads ${reads.join(', ')}, and ${why}.`)
    this.#settle(place, unstartedOutcome(call, `${runId}:${id}`, error, executor.now()))
  }

  #startReady(): void {
    const { concurrency, isParameter, runId, dispatch, onBlocked } = this.#settings
    while (this.#pending.size < concurrency) {
      const place = this.#queue.next()
      if (place === undefined) return
      const planned = this.#plan[place] as PlannedCall
      const { id, call, outcome, approval } = planned
      if (outcome || approval) continue
      const view = this.#views.of(place)
      if (!isUnblocked(call, view, isParameter)) {
        onBlocked?.(place, missingReads(call, view, isParameter))
        this.#views.block(place)
        this.#queue.settle(place)
        continue
      }
      const handle = dispatch(planned, view)
      const key = `${runId}:${id}`
      this.#pending.set(key, { place, at: this.#handles.push(handle) - 1 })
      this.#keys.push(key)
    }
  }

  async #next(): Promise<{ readonly place: number; readonly outcome: PerformedOutcome }> {
    const { id, outcome: settled } = await nextSettled(this.#settings.executor, this.#handles)
    const outcome = this.#settings.redact(settled)
    const ended = this.#pending.get(id)
    if (!ended) throw new Error(`The executor returned "${id}", which is not pending.`)
    this.#pending.delete(id)
    // Move the last entry to the free index: a list of ten thousand must not be copied for each Call that ends.
    const handle = this.#handles.pop()
    const key = this.#keys.pop() as string
    const moved = this.#pending.get(key)
    if (moved && key !== id) {
      this.#handles[ended.at] = handle
      this.#keys[ended.at] = key
      moved.at = ended.at
    }
    return { place: ended.place, outcome }
  }

  #receive(place: number, outcome: PerformedOutcome): void {
    const { approval } = outcome
    if (approval === undefined) {
      this.#settle(place, outcome)
      return
    }
    const planned = this.#plan[place] as PlannedCall
    planned.approval = approval
    this.#settings.onHeld?.()
  }

  #settle(place: number, outcome: PerformedOutcome): void {
    const planned = this.#plan[place] as PlannedCall
    planned.outcome = outcome
    this.#views.settle(place, outcome.appended)
    this.#queue.settle(place)
  }
}
