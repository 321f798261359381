import type { Loss, StandIn } from './losses.ts'

/** The losses and stand-ins of lowering one schema or definition. A later entry for the same place replaces the earlier one. */
export class Ledger {
  #losses: Loss[] = []
  #standIns: StandIn[] = []

  lose(loss: Loss): void {
    this.#losses.push(loss)
  }

  standIn(standIn: StandIn): void {
    this.#standIns.push(standIn)
  }

  /** Runs a function, and drops the entries it made if `isKept` rejects its result. */
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

/** Removes duplicates: a node that is merged into several others is recorded several times. */
function latest<Entry>(entries: readonly Entry[], key: (entry: Entry) => string): Entry[] {
  return [...new Map(entries.map((entry) => [key(entry), entry])).values()]
}
