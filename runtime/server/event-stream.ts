import type { Follower } from './call-runner.ts'
import type { Answer } from './exchange.ts'
import { problemDetails } from './problem-response.ts'

/** A comment goes out so often, in milliseconds, so that proxies do not take a quiet stream for a dead one. */
const keepAliveEvery = 15_000

/**
 * Bytes that wait for a reader. Beyond them progress is left out, since it says nothing that a later event does not; Outcomes
 * and the result are always sent.
 */
const mostUnread = 262_144

/**
 * Answers with events as they come (`text/event-stream`): `progress` and `outcome` while Calls run, then `result` or `problem`.
 *
 * @param work What runs; its result is the last event.
 * @param onGone Told when the reader goes away.
 * @param onFailed Told why the work failed, of which the reader learns no more than its code.
 */
export function eventStream(
  work: (follower: Follower) => Promise<unknown>,
  onGone: (reason: unknown) => void,
  onFailed: (error: unknown) => void,
): Answer {
  const encoder = new TextEncoder()
  let timer: ReturnType<typeof setInterval>
  let isOpen = true
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: mostUnread })
  const body = new ReadableStream<Uint8Array>(
    {
      async start(controller) {
        const write = (text: string): void => {
          if (isOpen) controller.enqueue(encoder.encode(text))
        }
        const hasRoom = (): boolean => (controller.desiredSize ?? 0) > 0
        const send = (event: string, data: unknown): void =>
          write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
        timer = setInterval(() => {
          if (hasRoom()) write(': still here\n\n')
        }, keepAliveEvery)
        try {
          const result = await work({
            progress: (event) => {
              if (hasRoom()) send('progress', event)
            },
            outcome: (outcome) => send('outcome', outcome),
          })
          send('result', result)
        } catch (error) {
          onFailed(error)
          send('problem', problemDetails(error))
        } finally {
          clearInterval(timer)
          if (isOpen) controller.close()
          isOpen = false
        }
      },
      cancel(reason) {
        isOpen = false
        clearInterval(timer)
        onGone(reason)
      },
    },
    strategy,
  )
  return {
    status: 200,
    headers: {
      'content-type': 'text/event-stream',
      // What compresses or buffers a stream holds its events back.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    },
    body,
  }
}
