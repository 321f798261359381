import { startTimer } from '../../call/controls/start-timer.ts'

/** Passes a stream on, and reports a period of silence. */
export async function* watchStream<Piece>(
  stream: AsyncIterable<Piece>,
  silence: number,
  onSilence: () => void,
): AsyncGenerator<Piece> {
  let timer = startTimer(silence, onSilence)
  try {
    for await (const piece of stream) {
      clearTimeout(timer)
      yield piece
      timer = startTimer(silence, onSilence)
    }
  } finally {
    clearTimeout(timer)
  }
}
