import type { Answer } from './exchange.ts'
import type { Follower } from './followers.ts'
import { problemDetails } from './problem-response.ts'
import { longestEvent } from './read-events.ts'

/** Interval of keep-alive comments in milliseconds, so that proxies do not close a quiet stream. */
const keepAliveEvery = 15_000

/**
 * Most unread bytes in the buffer. Beyond that, progress events are dropped, since later ones supersede them; Outcomes
 * and the result are always sent.
 */
const mostUnread = 262_144

/**
 * Responds with a `text/event-stream`: `progress` and `outcome` while Calls run, then `result` or `problem`.
 *
 * @param work The work to run; its result is the last event.
 * @param onGone Called when the client leaves.
 * @param onFailed Receives the error of failed work; the client only gets its code.
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
        const send = (event: string, data: unknown): void => write(textOf(event, data))
        timer = setInterval(() => {
          if (hasRoom()) write(': still here\n\n')
        }, keepAliveEvery)
        try {
          const result = await work({
            progress: (event) => {
              if (!hasRoom()) return
              const text = textOf('progress', event)
              // At a longer one the client stops reading, and would not get the Outcome either.
              if (text.length <= longestEvent) write(text)
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
      // Compression and buffering would delay the events.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    },
    body,
  }
}

function textOf(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
