import { atMost } from './in-time.ts'

/** Counts what has begun and not ended, for those who wait for the end of it. */
export class PendingCount {
  #count = 0
  readonly #whenNone = new Set<() => void>()

  begin(): void {
    this.#count += 1
  }

  end(): void {
    this.#count -= 1
    if (this.#count > 0) return
    for (const done of this.#whenNone) done()
    this.#whenNone.clear()
  }

  /** Resolves when nothing is pending, or after the time limit in milliseconds. */
  async none(time: number): Promise<void> {
    if (this.#count === 0) return
    await atMost(time, (done) => {
      this.#whenNone.add(done)
    })
  }
}
