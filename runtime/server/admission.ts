import type { StopSignal } from './ending.ts'
import { atMost } from './in-time.ts'
import type { ServerLimits } from './limits.ts'
import { ServerProblem } from './problem-response.ts'

interface Waiting {
  readonly places: number
  readonly start: () => void
  readonly refuse: (problem: ServerProblem) => void
}

/** Limits the number of running and waiting Calls, and reports when none is left. */
export class Admission {
  readonly #limits: ServerLimits
  readonly #waiting = new Set<Waiting>()
  #running = 0
  #whenIdle: (() => void) | undefined
  #drained: Promise<void> | undefined
  #isClosing = false

  constructor(limits: ServerLimits) {
    this.#limits = limits
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /**
   * Runs work as soon as the limits allow. Work whose caller has left by then is not started.
   *
   * @param places Number of Calls that the work runs at a time. They are acquired and released together.
   * @throws ServerProblem `busy`, `closing`.
   */
  async run<Result>(work: () => Promise<Result>, signal: StopSignal, places = 1): Promise<Result> {
    const turn = this.#turn(signal, places)
    if (turn) await turn
    try {
      return await work()
    } finally {
      this.#running -= places
      this.#next()
    }
  }

  /** Refuses waiting and new work. Resolves when nothing runs anymore, or after a time in milliseconds, by default `drainTime`. */
  drain(time: number = this.#limits.drainTime): Promise<void> {
    // A second call waits for the same promise.
    this.#drained ??= this.#drain(time)
    return this.#drained
  }

  async #drain(time: number): Promise<void> {
    this.#isClosing = true
    for (const { refuse } of this.#waiting) refuse(closing())
    this.#waiting.clear()
    if (this.#running === 0) return
    await atMost(time, (done) => {
      this.#whenIdle = done
    })
  }

  /** Returns the promise to wait for; undefined if the limits allow the work now. */
  #turn(signal: StopSignal, places: number): Promise<void> | undefined {
    if (this.#isClosing) return Promise.reject(closing())
    if (signal.aborted) return Promise.reject(gone())
    // First in, first out: otherwise a large group could wait forever.
    if (this.#waiting.size === 0 && this.#hasRoom(places)) {
      this.#running += places
      return undefined
    }
    if (this.#waiting.size >= this.#limits.queue) {
      return Promise.reject(
        new ServerProblem(
          'busy',
          `${this.#running} Calls run and ${this.#waiting.size} wait. Try again later.`,
          {
            headers: { 'retry-after': '1' },
          },
        ),
      )
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(waiting)
        reject(gone())
        this.#next()
      }
      const waiting: Waiting = {
        places,
        start: () => {
          signal.removeEventListener('abort', leave)
          resolve()
        },
        refuse: reject,
      }
      this.#waiting.add(waiting)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  #next(): void {
    for (const waiting of this.#waiting) {
      if (!this.#hasRoom(waiting.places)) break
      this.#waiting.delete(waiting)
      this.#running += waiting.places
      waiting.start()
    }
    if (this.#running === 0) this.#whenIdle?.()
  }

  #hasRoom(places: number): boolean {
    return this.#running + places <= this.#limits.concurrency
  }
}

function gone(): ServerProblem {
  return new ServerProblem('bad_request', 'The caller went away.')
}

/** Refuses what arrives while the server closes. */
export function closing(): ServerProblem {
  return new ServerProblem(
    'closing',
    'The server is closing, and the Call did not run. Try again in 5 seconds.',
    { headers: { 'retry-after': '5' } },
  )
}
