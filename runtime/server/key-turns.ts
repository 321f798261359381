/** Serialises work per key; different keys run concurrently. */
export class KeyTurns {
  /** The last work of each key. */
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs work after all earlier work of the key has settled. */
  async take<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key)
    const turn = before ? before.then(work, work) : work()
    this.#last.set(key, turn)
    try {
      return await turn
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key)
    }
  }
}
