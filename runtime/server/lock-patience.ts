import { messageOf } from '../problems/message-of.ts'
import { KeyTurns } from './key-turns.ts'

/** Milliseconds for which a database may be locked before work on it fails. */
export const longestLock = 5_000

/** Milliseconds for which SQLite waits for a lock by itself: it blocks the process meanwhile, with all other requests. */
export const blockingWait = 100

/**
 * Does work on a SQLite database. If another process has locked it for longer than SQLite waits, the work is repeated until the
 * lock is gone, and later work waits its turn: whatever it did before it met the lock has to be the same when done twice.
 */
export class LockPatience {
  readonly #turns = new KeyTurns()
  #waiting = 0
  /** The error of the last work, if that met a lock. */
  #lock: unknown

  run<Result>(work: () => Result): Result | Promise<Result> {
    if (this.#waiting > 0) return this.#wait(work)
    try {
      return this.#attempt(work)
    } catch (error) {
      if (this.#lock === undefined) throw error
      return this.#wait(work)
    }
  }

  async #wait<Result>(work: () => Result): Promise<Result> {
    const latest = performance.now() + longestLock
    this.#waiting += 1
    try {
      return await this.#turns.take('', () => this.#whenUnlocked(work, latest))
    } finally {
      this.#waiting -= 1
    }
  }

  async #whenUnlocked<Result>(work: () => Result, latest: number): Promise<Result> {
    for (;;) {
      if (this.#lock !== undefined) {
        if (performance.now() > latest) throw this.#lock
        await new Promise((resolve) => setTimeout(resolve, blockingWait))
      }
      try {
        return this.#attempt(work)
      } catch (error) {
        if (this.#lock === undefined) throw error
      }
    }
  }

  #attempt<Result>(work: () => Result): Result {
    this.#lock = undefined
    try {
      return work()
    } catch (error) {
      // The packages for SQLite have different codes, and the same text.
      if (messageOf(error).includes('database is locked')) this.#lock = error
      throw error
    }
  }
}
