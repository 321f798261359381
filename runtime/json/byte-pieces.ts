/**
 * Adds a piece of a text to those before it. Pieces of like length are joined, so that neither many small ones are kept nor large ones
 * copied often.
 */
export function addPiece(pieces: Uint8Array[], piece: Uint8Array): void {
  let last = piece
  for (let before = pieces.at(-1); before && before.length <= last.length; before = pieces.at(-1)) {
    last = joinPieces([before, last])
    pieces.pop()
  }
  if (last.length > 0) pieces.push(last)
}

/** Joins pieces of bytes. A single one is returned as it is. */
export function joinPieces(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces
  if (only && pieces.length === 1) return only
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
