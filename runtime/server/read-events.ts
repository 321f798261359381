/** One event of an event stream, its data parsed. */
export interface StreamedEvent {
  readonly event: string
  readonly data: unknown
}

/** One event is at most so long, in characters: what is longer is not an answer of a server of ours. */
const longestEvent = 16_777_216

/** Reads a `text/event-stream` whose events have JSON as data. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      if (text.length > longestEvent) throw new Error(`An event is longer than ${longestEvent} characters.`)
      for (const each of events) {
        const event = parseEvent(each)
        if (event) yield event
      }
    }
  } finally {
    // Whoever stops reading wants no more of it.
    await reader.cancel().catch(() => undefined)
  }
}

function parseEvent(text: string): StreamedEvent | undefined {
  const lines = text.split('\n')
  const event = lines.find((line) => line.startsWith('event: '))?.slice('event: '.length)
  const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice('data: '.length))
  if (event === undefined || data.length === 0) return undefined // A comment that keeps the connection open.
  return { event, data: JSON.parse(data.join('\n')) }
}
