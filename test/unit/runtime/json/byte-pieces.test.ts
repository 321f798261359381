import { expect, test } from 'vitest'
import { addPiece, joinPieces } from '../../../../runtime/json/byte-pieces.ts'

test.each([1, 2, 7, 1_000])(
  'REQ-8b, SERVE-6 a text in many pieces of up to %i bytes is kept in a few, and comes back',
  (most) => {
    const pieces: Uint8Array[] = []
    const bytes: number[] = []
    let kept = 0
    for (let count = 0; bytes.length < 100_000; count++) {
      const piece = Uint8Array.from({ length: (count * 31) % (most + 1) }, (_, at) => (count + at) % 256)
      addPiece(pieces, piece)
      bytes.push(...piece)
      kept = Math.max(kept, pieces.length)
    }
    expect(kept).toBeLessThan(20)
    expect(Buffer.from(joinPieces(pieces)).equals(Buffer.from(bytes))).toBe(true)
  },
)
