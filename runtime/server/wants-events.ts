const events = 'text/event-stream'

/** True if the `accept` header lists an event stream and does not prefer JSON. */
export function wantsEvents(accept: string | undefined): boolean {
  // Most requests do not mention it.
  if (!accept?.toLowerCase().includes(events)) return false
  const weight = weightOf(accept, events) ?? 0
  return weight > 0 && weight >= (weightOf(accept, 'application/json') ?? 0)
}

/** Returns the quality of a listed media type, from 0 to 1; undefined if it is not listed. */
function weightOf(accept: string, mediaType: string): number | undefined {
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
    if (name !== mediaType) continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    if (weight === undefined) return 1
    return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 1
  }
  return undefined
}
