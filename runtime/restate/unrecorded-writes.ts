import type { RecordedOutcome } from '../durable/recorded-outcome.ts'

/** Most results that are kept; of more, the oldest may be written again. */
const most = 256

/**
 * The writes of this process that the engine has not recorded yet. If the server is lost while one runs, the server repeats the
 * step; the repetition gets the result of the write that already runs, instead of writing a second time.
 */
export class UnrecordedWrites {
  readonly #results = new Map<string, Promise<RecordedOutcome>>()

  /** @param step Identifies the step: the same when the engine repeats it. */
  run(step: string, write: () => Promise<RecordedOutcome>): Promise<RecordedOutcome> {
    const result = this.#results.get(step) ?? write()
    this.#results.set(step, result)
    // A write whose repetition another process took over is never forgotten here.
    const [oldest] = this.#results.keys()
    if (this.#results.size > most && oldest !== undefined) this.#results.delete(oldest)
    return result
  }

  /** Forgets a step that the engine has recorded, or given up. */
  forget(step: string): void {
    this.#results.delete(step)
  }
}
