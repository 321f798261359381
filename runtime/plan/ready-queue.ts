/** The Calls of a plan that wait for no other any more, first come, first served. Each is given out once. */
export class ReadyQueue {
  readonly #ready: number[] = []
  #given = 0
  /** For each Call how many it still waits for, and which wait for it. */
  readonly #missing: number[]
  readonly #waiting: number[][]

  constructor(waitsFor: readonly (readonly number[])[]) {
    this.#missing = waitsFor.map((others) => others.length)
    this.#waiting = waitsFor.map(() => [])
    for (const [place, others] of waitsFor.entries()) {
      for (const other of others) this.#waiting[other]?.push(place)
      if (others.length === 0) this.#ready.push(place)
    }
  }

  next(): number | undefined {
    return this.#given < this.#ready.length ? this.#ready[this.#given++] : undefined
  }

  /** Nobody waits for the Call any more: it has ended, or will not run. To be told once. */
  settle(place: number): void {
    for (const reader of this.#waiting[place] ?? []) {
      const missing = (this.#missing[reader] as number) - 1
      this.#missing[reader] = missing
      if (missing === 0) this.#ready.push(reader)
    }
  }
}
