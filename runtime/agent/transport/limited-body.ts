import { addPiece, joinPieces } from '../../json/byte-pieces.ts'

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
    const whole = end === 0 ? undefined : joinPieces([...this.#open, piece.subarray(0, end)])
    if (whole) {
      this.#open = []
      this.#length = 0
    }
    this.#length += piece.length - end
    addPiece(this.#open, piece.subarray(end))
    return whole
  }

  /** Returns the rest of a stream that ends within an event. */
  end(): Uint8Array | undefined {
    return this.#length > 0 && this.#isStream ? joinPieces(this.#open) : undefined
  }
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
