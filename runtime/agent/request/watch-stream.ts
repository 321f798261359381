import { startTimer } from '../../call/controls/start-timer.ts'

/** Reports a period of silence in a stream. */
export class StreamWatch {
  readonly #silence: number
  readonly #onSilence: () => void
  #timer: ReturnType<typeof startTimer>
  #isWaiting = false

  constructor(silence: number, onSilence: () => void) {
    this.#silence = silence
    this.#onSilence = onSilence
  }

  /** Ends the current silence; has no effect while the last piece is processed. */
  readonly onData = (): void => {
    if (this.#isWaiting) this.#wait()
  }

  /** Passes a stream on. */
  async *over<Piece>(stream: AsyncIterable<Piece>): AsyncGenerator<Piece> {
    this.#wait()
    try {
      for await (const piece of stream) {
        this.#stop()
        yield piece
        this.#wait()
      }
    } finally {
      this.#stop()
    }
  }

  #wait(): void {
    clearTimeout(this.#timer)
    this.#isWaiting = true
    this.#timer = startTimer(this.#silence, this.#listenOnceMore)
  }

  /**
   * Waits for one turn of the event loop: a process that was busy or suspended runs its timers before it reads what has arrived
   * meanwhile.
   */
  readonly #listenOnceMore = (): void => {
    this.#timer = setTimeout(this.#onSilence)
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#isWaiting = false
  }
}
