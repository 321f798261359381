/** One event of an event stream, its data parsed. */
export interface StreamedEvent {
  readonly event: string
  readonly data: unknown
}

/** Longest event, in characters: an endless one must not fill the memory. */
export const longestEvent = 16_777_216

/**
 * Reads a `text/event-stream` whose events have JSON as data.
 *
 * @param longest Characters of the longest event; further ones are not read.
 * @throws Error if an event is too long, or its data is not JSON.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  longest: number = longestEvent,
): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  // The pieces since the last event: joining each at once would take minutes for a long event in small pieces.
  let pieces: string[] = []
  let length = 0
  let endsInReturn = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      // Proxies may send CRLF; what JSON has within a text is escaped.
      const given = decoder.decode(value, { stream: true })
      const piece = (endsInReturn && given.startsWith('\n') ? given.slice(1) : given).replaceAll(
        /\r\n?/g,
        '\n',
      )
      if (given !== '') endsInReturn = given.endsWith('\r')
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
      if (length > longest) throw new Error(`An event is longer than ${longest} characters`)
    }
  } finally {
    // The reader stopped, so cancel the stream.
    await reader.cancel().catch(() => undefined)
  }
}

function parseEvent(text: string): StreamedEvent | undefined {
  const lines = text.split('\n')
  const valuesOf = (field: string): string[] =>
    lines.filter((line) => line.startsWith(field)).map((line) => line.slice(field.length).replace(/^ /, ''))
  const [event] = valuesOf('event:')
  const data = valuesOf('data:')
  if (event === undefined || data.length === 0) return undefined // A comment that keeps the connection open.
  return { event, data: JSON.parse(data.join('\n')) }
}
