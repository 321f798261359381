import type { HeldBytes } from './exchange.ts'
import type { ServerLimits } from './limits.ts'
import { ServerProblem } from './problem-response.ts'

/** Counts the bytes of all bodies in memory, so that many large waiting ones cannot exhaust it. */
export class BodyBudget {
  readonly #most: number
  #held = 0

  constructor({ heldBytes }: Pick<ServerLimits, 'heldBytes'>) {
    this.#most = heldBytes
  }

  /** Returns the counter of one request. */
  open(): HeldBody {
    return new HeldBody(this)
  }

  /** @throws ServerProblem `busy`. */
  add(bytes: number): void {
    this.#held += bytes
    if (this.#held <= this.#most) return
    throw new ServerProblem(
      'busy',
      `The bodies of all requests come to more than ${this.#most} bytes. Try again later.`,
      { headers: { 'retry-after': '1' } },
    )
  }

  release(bytes: number): void {
    this.#held -= bytes
  }
}

/** Counts the bytes of one request's body. */
export class HeldBody implements HeldBytes {
  readonly #budget: BodyBudget
  #bytes = 0

  constructor(budget: BodyBudget) {
    this.#budget = budget
  }

  add(bytes: number): void {
    this.#bytes += bytes
    this.#budget.add(bytes)
  }

  /** Releases the bytes when the request is done. */
  release(): void {
    this.#budget.release(this.#bytes)
    this.#bytes = 0
  }
}
