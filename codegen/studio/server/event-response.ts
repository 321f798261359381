/** Levels of a value that are sent: writing deeper ones as JSON would overflow the stack. */
const deepest = 500

/** Sends one event to the page. */
export type SendEvent = (event: string, data: unknown) => void

/**
 * Answers with events as they come. Anything that is not JSON is sent as text, so that a strange output is seen and not lost.
 *
 * @param work Sends events until it is over; its failure is the last event, `problem`.
 * @param onGone Called when the page disconnects.
 */
export function eventResponse(work: (send: SendEvent) => Promise<void>, onGone: () => void): Response {
  const encoder = new TextEncoder()
  let isOpen = true
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send: SendEvent = (event, data) => {
        if (isOpen) controller.enqueue(encoder.encode(`event: ${event}\ndata: ${jsonText(data)}\n\n`))
      }
      try {
        await work(send)
      } catch (error) {
        send('problem', { message: error instanceof Error ? error.message : String(error) })
      } finally {
        if (isOpen) controller.close()
        isOpen = false
      }
    },
    cancel() {
      isOpen = false
      onGone()
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

function jsonText(data: unknown): string {
  const seen: object[] = []
  return JSON.stringify(data, function (this: unknown, _, value: unknown) {
    if (typeof value === 'bigint') return `${value}n`
    if (typeof value !== 'object' || value === null) return value
    // A value can only refer back to one that contains it.
    while (seen.length > 0 && seen.at(-1) !== this) seen.pop()
    if (seen.includes(value)) return '(refers to itself)'
    if (seen.length === deepest) return '(deeper than can be shown)'
    seen.push(value)
    return value
  })
}
