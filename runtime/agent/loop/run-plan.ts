import type { Message } from '../../context/message.ts'
import type { Reader } from '../../context/reader.ts'
import { CallError } from '../../errors.ts'
import { type IsParameter, isUnblocked, missingReads } from '../../plan/plan-graph.ts'
import { PlanViews } from '../../plan/plan-views.ts'
import { ReadyQueue } from '../../plan/ready-queue.ts'
import type { Executor, PerformedOutcome } from './executor.ts'
import type { PlannedCall } from './planned-call.ts'
import { unstartedOutcome } from './unstarted-outcome.ts'

/** What carrying out a plan needs besides its Calls. */
export interface PlanSettings {
  readonly runId: string
  readonly concurrency: number
  readonly isParameter: IsParameter
  readonly executor: Executor
  /** The context before the plan; may not change any more. */
  readonly base: readonly Message[]
  /** For each Call the places of those that it waits for. */
  readonly waitsFor: readonly (readonly number[])[]
  readonly dispatch: (planned: PlannedCall, view: Reader) => unknown
  /** Whether the Call was held back instead of being run: it stays in the plan. */
  readonly isHeld: (outcome: PerformedOutcome) => boolean
  readonly onHeld: (outcome: PerformedOutcome) => void
}

/**
 * Runs the Calls of a plan, each as soon as what it reads is there. Sets the `outcome` of those that ran; what stays
 * blocked has none.
 *
 * @throws whatever the executor throws. By then the Calls that were on their way have ended, and have their Outcomes.
 */
export async function runPlan(plan: readonly PlannedCall[], settings: PlanSettings): Promise<void> {
  const run = new PlanRun(plan, settings)
  try {
    await run.toTheEnd()
  } catch (thrown) {
    await run.waitForPending()
    throw thrown
  }
}

class PlanRun {
  readonly #plan: readonly PlannedCall[]
  readonly #settings: PlanSettings
  readonly #views: PlanViews
  readonly #queue: ReadyQueue
  /** What was dispatched and has not ended; the two lists go place by place. */
  readonly #handles: unknown[] = []
  readonly #keys: string[] = []
  /** By key: the place in the plan, and the place in the lists. */
  readonly #pending = new Map<string, { readonly place: number; at: number }>()

  constructor(plan: readonly PlannedCall[], settings: PlanSettings) {
    this.#plan = plan
    this.#settings = settings
    const calls = plan.map(({ call }) => call)
    this.#views = new PlanViews(settings.base, calls, settings.waitsFor)
    this.#queue = new ReadyQueue(settings.waitsFor)
  }

  async toTheEnd(): Promise<void> {
    // What has started early is over before anything else is looked at.
    for (const [place, { outcome }] of this.#plan.entries()) if (outcome) this.#settle(place, outcome)
    for (;;) {
      this.#startReady()
      if (this.#pending.size === 0) return
      const { place, outcome } = await this.#next()
      const planned = this.#plan[place] as PlannedCall
      if (this.#settings.isHeld(outcome)) this.#settings.onHeld(outcome)
      else {
        planned.outcome = outcome
        this.#settle(place, outcome)
      }
    }
  }

  /** After an error: what has begun has its Outcome, as far as the executor still tells of it. */
  async waitForPending(): Promise<void> {
    while (this.#pending.size > 0) {
      try {
        const { place, outcome } = await this.#next()
        if (!this.#settings.isHeld(outcome)) (this.#plan[place] as PlannedCall).outcome = outcome
      } catch {
        // The executor itself is broken; the error that the run ends with says so.
        return
      }
    }
  }

  #startReady(): void {
    const { concurrency, isParameter, runId, dispatch } = this.#settings
    while (this.#pending.size < concurrency) {
      const place = this.#queue.next()
      if (place === undefined) return
      const planned = this.#plan[place] as PlannedCall
      const { id, call, outcome, approval } = planned
      if (outcome || approval) continue
      const view = this.#views.of(place)
      const key = `${runId}:${id}`
      if (!isUnblocked(call, view, isParameter)) {
        if (this.#isInVain(place)) planned.outcome = this.#inVain(planned, key, view)
        this.#queue.settle(place)
        continue
      }
      const handle = dispatch(planned, view)
      this.#pending.set(key, { place, at: this.#handles.push(handle) - 1 })
      this.#keys.push(key)
    }
  }

  /** Whether what the Call waited for is over, and only what stood there before is there: in a later turn it would read that. */
  #isInVain(place: number): boolean {
    const { base, waitsFor, isParameter } = this.#settings
    const { call } = this.#plan[place] as PlannedCall
    const isOver = (waitsFor[place] ?? []).every((other) => this.#plan[other]?.outcome)
    return isOver && isUnblocked(call, base, isParameter)
  }

  #inVain({ call }: PlannedCall, key: string, view: Reader): PerformedOutcome {
    const { isParameter, executor } = this.#settings
    const missing = missingReads(call, view, isParameter).join(', ')
    const message = `The Call reads ${missing}, and those that were to write it before have not: what stands there is older.`
    return unstartedOutcome(call, key, new CallError('unresolved_reference', message), executor.now())
  }

  async #next(): Promise<{ readonly place: number; readonly outcome: PerformedOutcome }> {
    const { id, outcome } = await this.#settings.executor.next(this.#handles)
    const ended = this.#pending.get(id)
    if (!ended) throw new Error(`The executor told of "${id}", which is not pending.`)
    this.#pending.delete(id)
    // The last takes the free place: a list of ten thousand is not written anew for each that ends.
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

  #settle(place: number, { appended }: PerformedOutcome): void {
    this.#views.settle(place, appended)
    this.#queue.settle(place)
  }
}
