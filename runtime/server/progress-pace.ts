/** Steps of one Call that are told at once, and each second after that. */
const burst = 100
const perSecond = 20

/**
 * How fast the progress of a Call may be told where nobody can see whether it is read: the MCP SDK keeps every notification until it is.
 * A step that is left out says nothing that a later one does not.
 */
export class ProgressPace {
  #room = burst
  #last = Date.now()

  /** True where the next step may be told. */
  admits(): boolean {
    const now = Date.now()
    this.#room = Math.min(burst, this.#room + ((now - this.#last) * perSecond) / 1_000)
    this.#last = now
    if (this.#room < 1) return false
    this.#room -= 1
    return true
  }
}
