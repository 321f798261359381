/**
 * A queue of the Calls of a plan that no longer wait for another Call. Returns each place once, first in, first out.
 */
export class ReadyQueue {
  readonly #ready: number[] = []
  /** How many of `#ready` were returned. */
  #taken = 0
  /** For each Call, how many Calls it still waits for. */
  readonly #missing: number[]
  /** For each Call, the places of those that wait for it. */
  readonly #waiting: number[][]

  constructor(waitsFor: readonly (readonly number[])[]) {
    this.#missing = waitsFor.map((others) => others.length)
    this.#waiting = waitsFor.map(() => [])
    for (const [place, others] of waitsFor.entries()) {
      for (const other of others) this.#waiting[other]?.push(place)
      if (others.length === 0) this.#ready.push(place)
    }
  }

  /** Removes the next place; undefined if no Call is ready. */
  next(): number | undefined {
    return this.#taken < this.#ready.length ? this.#ready[this.#taken++] : undefined
  }

  /** Releases the Calls that wait for this one: it has ended or will not run. Must be called once per Call. */
  settle(place: number): void {
    for (const reader of this.#waiting[place] ?? []) {
      const missing = (this.#missing[reader] as number) - 1
      this.#missing[reader] = missing
      if (missing === 0) this.#ready.push(reader)
    }
  }
}
