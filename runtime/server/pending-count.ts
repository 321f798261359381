import { atMost } from './in-time.ts'

/** Counts what has begun and not ended, for those who wait for the end of it. */
export class PendingCount {
  #count = 0
  #whenNone: (() => void) | undefined

  begin(): void {
    this.#count += 1
  }

  end(): void {
    this.#count -= 1
    if (this.#count === 0) this.#whenNone?.()
  }

  /** Resolves when nothing is pending, or after the time limit in milliseconds. */
  async none(time: number): Promise<void> {
    if (this.#count === 0) return
    await atMost(time, (done) => {
      this.#whenNone = done
    })
  }
}
