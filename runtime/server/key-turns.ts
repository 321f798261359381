/** Does one thing with a key after the other, whatever goes on with other keys. */
export class KeyTurns {
  /** The last of what goes on with a key. */
  readonly #last = new Map<string, Promise<unknown>>()

  /** Does work once all has ended that was begun with the key before, well or not. */
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
