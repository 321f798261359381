import { asError } from '../../call/call-errors.ts'
import { doNothing } from '../../call/controls/cancellation.ts'
import type { Outcome } from '../../call/outcome.ts'
import type { Call } from '../../context/message.ts'
import { isSameJson } from '../../json/same-json.ts'
import { RequestError } from '../transport/request-error.ts'
import { requestFailure } from '../transport/request-failure.ts'

/** Starts a Call that is complete while the rest is coming; undefined for one that has to wait. */
export type StartCall = (call: Call, index: number) => Promise<Outcome> | undefined

/** The Calls of one Request that began while its answer was still coming, by their place in it (REQ-7). */
export class StartedCalls {
  readonly #start: StartCall | undefined
  readonly #begun = new Map<number, { readonly call: Call; readonly outcome: Promise<Outcome> }>()

  constructor(start: StartCall | undefined) {
    this.#start = start
  }

  /** True where somebody wants Calls before the answer is whole. */
  get areWanted(): boolean {
    return this.#start !== undefined
  }

  get count(): number {
    return this.#begun.size
  }

  offer(call: Call, index: number): void {
    const outcome = this.#startOf(call, index)
    if (!outcome) return
    // Where it rejects before anybody waits for it, that ends no process.
    Promise.resolve(outcome).catch(doNothing)
    this.#begun.set(index, { call, outcome })
  }

  /** What it throws is no failure of the connection, and asking again mends nothing. */
  #startOf(call: Call, index: number): Promise<Outcome> | undefined {
    try {
      return this.#start?.(call, index)
    } catch (thrown) {
      throw requestFailure(asError(thrown, 'The option `start` threw'))
    }
  }

  /** A Call that has started must be the one that the whole answer says. @throws RequestError `answer_invalid` */
  requireSame(answer: unknown): void {
    const { calls = [] } = answer as { calls?: readonly Call[] }
    for (const [index, { call }] of this.#begun) {
      if (isSameJson(calls[index], call)) continue
      throw new RequestError('answer_invalid', `The answer says Call ${index} twice, and differently.`)
    }
  }

  outcomes(): ReadonlyMap<number, Promise<Outcome>> {
    return new Map([...this.#begun].map(([index, { outcome }]) => [index, outcome]))
  }
}
