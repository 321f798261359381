/** Progress events of one Call that are sent at once, and per second after that. */
const burst = 100
const perSecond = 20

/**
 * Limits the rate of a Call's progress events if it is unknown whether the client reads them: the MCP SDK buffers every
 * notification. Dropped events are superseded by later ones.
 */
export class ProgressPace {
  #room = burst
  #last = performance.now()

  /** Returns true if the next event may be sent. */
  admits(): boolean {
    const now = performance.now()
    this.#room = Math.min(burst, this.#room + ((now - this.#last) * perSecond) / 1_000)
    this.#last = now
    if (this.#room < 1) return false
    this.#room -= 1
    return true
  }
}
