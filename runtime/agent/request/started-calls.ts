import { asError } from '../../call/call-errors.ts'
import { type Cancellation, doNothing } from '../../call/controls/cancellation.ts'
import type { Outcome } from '../../call/outcome.ts'
import type { Call } from '../../context/message.ts'
import { isSameJson } from '../../json/same-json.ts'
import { RequestError } from '../transport/request-error.ts'
import { requestFailure } from '../transport/request-failure.ts'

/** Starts a complete Call while the rest of the answer still arrives; undefined for one that must wait. */
export type StartCall = (call: Call, index: number) => Promise<Outcome> | undefined

/** The Calls of one Request that started before its answer was complete, by their index (REQ-7). */
export class StartedCalls {
  readonly #start: StartCall | undefined
  readonly #begun = new Map<number, { readonly call: Call; readonly outcome: Promise<Outcome> }>()

  constructor(start: StartCall | undefined) {
    this.#start = start
  }

  /** True if `start` was given. */
  get areWanted(): boolean {
    return this.#start !== undefined
  }

  get count(): number {
    return this.#begun.size
  }

  offer(call: Call, index: number): void {
    const outcome = this.#startOf(call, index)
    if (!outcome) return
    // Handled here, so that a rejection before it is awaited does not end the process.
    Promise.resolve(outcome).catch(doNothing)
    this.#begun.set(index, { call, outcome })
  }

  /** Reports an exception of `start` as `invalid_options`: it is not a connection failure, and a retry would not help. */
  #startOf(call: Call, index: number): Promise<Outcome> | undefined {
    try {
      return this.#start?.(call, index)
    } catch (thrown) {
      throw requestFailure(asError(thrown, 'The option `start` threw'))
    }
  }

  /** Requires the complete answer to contain the Calls that have started. @throws RequestError `answer_invalid` */
  requireSame(answer: unknown): void {
    // Only a solution has Calls; other answers may be null.
    if (this.#begun.size === 0) return
    const { calls } = answer as { calls: readonly Call[] }
    for (const [index, { call }] of this.#begun) {
      if (isSameJson(calls[index], call)) continue
      throw new RequestError('answer_invalid', `The answer says Call ${index} twice, and differently.`)
    }
  }

  outcomes(): ReadonlyMap<number, Promise<Outcome>> {
    return new Map([...this.#begun].map(([index, { outcome }]) => [index, outcome]))
  }

  /**
   * Waits for the Calls, or for the end of the Request and one turn of the event loop: what was aborted with it has ended by then.
   *
   * @returns The Outcomes in the order of the Calls, and the number of Calls without one. A promise that `start` returned may also
   * reject; that must not hide why the answer broke off.
   */
  async settled(
    end: Cancellation | undefined,
  ): Promise<{ readonly outcomes: readonly Outcome[]; readonly running: number }> {
    const outcomes: (Outcome | undefined)[] = []
    let running = this.#begun.size
    const all = Array.from(this.#begun.values(), async ({ outcome }, place) => {
      const [settled] = await Promise.allSettled([outcome])
      if (settled.status === 'fulfilled') outcomes[place] = settled.value
      running--
    })
    await new Promise<unknown>((resolve) => {
      end?.onCancel(() => setTimeout(resolve))
      Promise.all(all).then(resolve)
    })
    return { outcomes: outcomes.flatMap((outcome) => outcome ?? []), running }
  }
}
