const newline = 10
const carriageReturn = 13

/**
 * Counts the bytes of a body or, in a stream, of the event that is still open. Passes on whole events: a client keeps all lines of
 * one, and OpenAI's reads them again with each piece.
 */
export class LimitedBody {
  readonly #isStream: boolean
  readonly #most: number
  /** What has come of an event that has not ended. */
  #open: Uint8Array[] = []
  #length = 0

  constructor(isStream: boolean, most: number) {
    this.#isStream = isStream
    this.#most = most
  }

  get isTooLong(): boolean {
    return this.#length > this.#most
  }

  /** Adds a piece. @returns What can be passed on. */
  push(piece: Uint8Array): Uint8Array | undefined {
    if (!this.#isStream) {
      this.#length += piece.length
      return piece
    }
    const end = lastEventEnd(piece, this.#open.at(-1))
    const whole = end === 0 ? undefined : joined([...this.#open, piece.subarray(0, end)])
    if (whole) {
      this.#open = []
      this.#length = 0
    }
    this.#keep(piece.subarray(end))
    return whole
  }

  /** Joins pieces of like length, so that neither many small ones are kept nor large ones copied often. */
  #keep(piece: Uint8Array): void {
    this.#length += piece.length
    let last = piece
    for (let before = this.#open.at(-1); before && before.length <= last.length; before = this.#open.at(-1)) {
      last = joined([before, last])
      this.#open.pop()
    }
    if (last.length > 0) this.#open.push(last)
  }

  /** Returns the rest of a stream that ends within an event. */
  end(): Uint8Array | undefined {
    return this.#length > 0 && this.#isStream ? joined(this.#open) : undefined
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** Returns the offset after the last blank line of a piece, which ends an event; 0 if there is none. */
function lastEventEnd(piece: Uint8Array, before: Uint8Array | undefined): number {
  const at = (offset: number): number | undefined => (offset < 0 ? before?.at(offset) : piece[offset])
  for (let end = piece.length; end > 0; end--) {
    const [last, second, third] = [at(end - 1), at(end - 2), at(end - 3)]
    if (!isBreak(last) || !isBreak(second)) continue
    const isOneBreak = last === newline && second === carriageReturn
    if (!isOneBreak || isBreak(third)) return end
  }
  return 0
}

function isBreak(byte: number | undefined): boolean {
  return byte === newline || byte === carriageReturn
}
