import type { ServerResponse } from 'node:http'
import type { Answer } from './exchange.ts'
import type { ServerLimits } from './limits.ts'
import { clientLeft } from './node-request.ts'

/** Longer texts are sent in pieces of so many bytes: only between pieces can be seen whether somebody reads. */
const pieceBytes = 65_536

/** Sends an answer on a socket of Node's. Resolves when all of it is on its way, or nobody is there to take it. */
export function sendAnswer(
  { status, headers, body }: Answer,
  outgoing: ServerResponse,
  limits: ServerLimits,
): Promise<void> | undefined {
  if (outgoing.destroyed)
    return body instanceof ReadableStream ? body.cancel(new Error(clientLeft)) : undefined
  if (body instanceof ReadableStream) {
    outgoing.writeHead(status, headers)
    return sendStream(body, outgoing, limits)
  }
  const length = body === null ? 0 : Buffer.byteLength(body)
  if (body !== null) headers['content-length'] = String(length)
  outgoing.writeHead(status, headers)
  if (body !== null && length > pieceBytes) return sendStream(inPieces(body), outgoing, limits)
  end(outgoing, limits, body)
  return undefined
}

/** A text as a stream that has the next piece when somebody takes it. */
function inPieces(text: string): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(text)
  let at = 0
  return new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(bytes.subarray(at, at + pieceBytes))
        at += pieceBytes
        if (at >= bytes.length) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Sends a stream as fast as it is read, and lets go of it when the client leaves or reads no more. */
async function sendStream(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
  limits: ServerLimits,
): Promise<void> {
  const reader = body.getReader()
  const leave = (): void => void reader.cancel(new Error(clientLeft)).catch(() => undefined)
  outgoing.once('close', leave)
  // Whoever follows waits for the head, and the first event may be long in coming.
  setImmediate(() => outgoing.flushHeaders())
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      if (!outgoing.write(value)) await taken('drain', outgoing, limits)
    }
    end(outgoing, limits, null)
  } catch {
    // It broke in the middle: an answer that ends in order would look whole.
    outgoing.destroy()
  } finally {
    outgoing.off('close', leave)
  }
}

/** Ends an answer. What does not fit into the connection waits for its reader, and not for ever. */
function end(outgoing: ServerResponse, limits: ServerLimits, body: string | null): void {
  outgoing.end(body)
  if (outgoing.socket && outgoing.socket.writableLength > 0) void taken('finish', outgoing, limits)
}

/**
 * Waits until what is written has gone, or nobody is there to send to. Closes the connection when that takes too long: by a clock of
 * its own, as those of a socket start anew with each byte that the client sends.
 */
function taken(
  event: 'drain' | 'finish',
  outgoing: ServerResponse,
  { answerTime }: ServerLimits,
): Promise<void> {
  if (outgoing.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(() => outgoing.destroy(), answerTime)
    const done = (): void => {
      clearTimeout(timer)
      outgoing.off(event, done).off('close', done)
      resolve()
    }
    outgoing.on(event, done).on('close', done)
  })
}
