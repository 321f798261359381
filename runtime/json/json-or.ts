/** Parses a text as JSON; for one that is not JSON, gives what stands in for it. */
export function jsonOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}
