import type { Loss, StandIn } from './losses.ts'

/** What is noted while one schema, or one of its definitions, is lowered. A later word on a place counts. */
export class Ledger {
  #losses: Loss[] = []
  #standIns: StandIn[] = []

  lose(loss: Loss): void {
    this.#losses.push(loss)
  }

  standIn(standIn: StandIn): void {
    this.#standIns.push(standIn)
  }

  /** Does something and forgets what it noted, if `isKept` says no to its result. */
  attempt<Result>(action: () => Result, isKept: (result: Result) => boolean): Result {
    const [losses, standIns] = [this.#losses.length, this.#standIns.length]
    const result = action()
    if (!isKept(result)) {
      this.#losses.length = losses
      this.#standIns.length = standIns
    }
    return result
  }

  get losses(): Loss[] {
    return latest(this.#losses, ({ pointer, keyword }) => `${pointer} ${keyword}`)
  }

  get standIns(): StandIn[] {
    return latest(this.#standIns, ({ pointer, kind }) => `${pointer} ${kind}`)
  }
}

/** A node that is worked into several others is noted more than once. */
function latest<Entry>(entries: readonly Entry[], key: (entry: Entry) => string): Entry[] {
  return [...new Map(entries.map((entry) => [key(entry), entry])).values()]
}
