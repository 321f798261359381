/** Runs work with at most so many at a time, in the order in which it was given. */
export class Limit {
  readonly #most: number
  #running = 0
  readonly #waiting: (() => void)[] = []
  #next = 0

  constructor(most: number) {
    this.#most = most
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  /** Hands the place on to the next in line, or gives it back. A cursor, since `shift` of a long queue is linear. */
  #release(): void {
    const next = this.#waiting[this.#next]
    if (!next) {
      this.#running--
      return
    }
    this.#next++
    if (this.#next === this.#waiting.length) {
      this.#waiting.length = 0
      this.#next = 0
    }
    next()
  }
}
