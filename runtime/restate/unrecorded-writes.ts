import type { Call } from '../context/message.ts'
import type { RecordedOutcome } from '../durable/recorded-outcome.ts'
import { canonicalJson } from '../json/canonical-json.ts'

/**
 * Milliseconds for which a result is kept that the engine has not recorded: its server may be gone for long, and repeats the step once it
 * is back; or another process has taken the step over.
 */
const keptFor = 3_600_000

/**
 * The writes of this process that the engine has not recorded yet. If the server is lost while one runs, the server repeats the
 * step; the repetition gets the result of the write that already runs, instead of writing a second time.
 */
export class UnrecordedWrites {
  readonly #results = new Map<string, Promise<RecordedOutcome>>()

  /** @param step Identifies the step: the same when the engine repeats it. */
  run(step: string, call: Call, write: () => Promise<RecordedOutcome>): Promise<RecordedOutcome> {
    const key = keyOf(step, call)
    const known = this.#results.get(key)
    if (known) return known
    const result = write().finally(() => {
      const timer: unknown = setTimeout(() => {
        if (this.#results.get(key) === result) this.#results.delete(key)
      }, keptFor)
      // The timer must not keep the process alive.
      ;(timer as { unref?(): void }).unref?.()
    })
    this.#results.set(key, result)
    return result
  }

  /** Forgets a step that the engine has recorded, or given up. */
  forget(step: string, call: Call): void {
    this.#results.delete(keyOf(step, call))
  }
}

/** With the Call, since a run that was killed and made again has the same ids. */
function keyOf(step: string, call: Call): string {
  return `${step} ${canonicalJson(call)}`
}
