import type { ServerResponse } from 'node:http'
import type { Answer } from './exchange.ts'
import type { ServerLimits } from './limits.ts'
import { clientLeft } from './node-request.ts'

/** Size of pieces, in bytes, in which long texts are sent: only between pieces can the reader's progress be checked. */
const pieceBytes = 65_536

/** Sends a response on a Node socket. Resolves when the system has all of it, or the client has left. */
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
  return end(outgoing, limits, body)
}

/** Converts a text to a stream that produces pieces on demand. */
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

/** Sends a stream as fast as it is read; cancels it when the client leaves or stops reading. */
async function sendStream(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
  limits: ServerLimits,
): Promise<void> {
  const reader = body.getReader()
  const leave = (): void => void reader.cancel(new Error(clientLeft)).catch(() => undefined)
  outgoing.once('close', leave)
  // The client waits for the head, and the first event may come much later.
  setImmediate(() => outgoing.flushHeaders())
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      if (!outgoing.write(value)) await taken('drain', outgoing, limits)
    }
    await end(outgoing, limits, null)
  } catch {
    // It broke in the middle: ending the response normally would make it look complete.
    outgoing.destroy()
  } finally {
    outgoing.off('close', leave)
  }
}

/** Ends a response. Data that does not fit into the socket's buffer waits for the reader, with a time limit. */
function end(outgoing: ServerResponse, limits: ServerLimits, body: string | null): Promise<void> | undefined {
  outgoing.end(body)
  const isWaiting = outgoing.socket && outgoing.socket.writableLength > 0
  return isWaiting ? taken('finish', outgoing, limits) : undefined
}

/**
 * Waits until the written data is sent, or the client has left. Closes the connection if that takes too long, with its
 * own timer, since a socket's timeout restarts with each byte that the client sends.
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
