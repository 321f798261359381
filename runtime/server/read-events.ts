/** One event of an event stream, its data parsed. */
export interface StreamedEvent {
  readonly event: string
  readonly data: unknown
}

/** One event is at most so long, in characters: what is longer is not an answer of a server of ours. */
export const longestEvent = 16_777_216

/**
 * Reads a `text/event-stream` whose events have JSON as data.
 *
 * @throws Error for an event that is too long, and for data that is no JSON.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  // What came since the last event, in pieces: were each joined to it, a long event in small ones would take minutes.
  let pieces: string[] = []
  let length = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const piece = decoder.decode(value, { stream: true })
      if (piece === '') continue
      const isEnd = piece.includes('\n\n') || (piece.startsWith('\n') && pieces.at(-1)?.endsWith('\n'))
      pieces.push(piece)
      length += piece.length
      if (isEnd) {
        const events = pieces.join('').split('\n\n')
        const rest = events.pop() ?? ''
        pieces = rest === '' ? [] : [rest]
        length = rest.length
        for (const each of events) {
          const event = parseEvent(each)
          if (event) yield event
        }
      }
      if (length > longestEvent) throw new Error(`An event is longer than ${longestEvent} characters.`)
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
