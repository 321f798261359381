/** How every JSON text begins and ends. Most others are recognised by it: an exception takes some hundred times as long. */
const mayBeJson = /^\s*(?:\{.*\}|\[.*\]|".*"|-?\d[\d.eE+-]*|true|false|null)\s*$/s

/** Parses a text as JSON; returns `otherwise` if it is not JSON. */
export function jsonOr(text: string, otherwise: unknown): unknown {
  if (!mayBeJson.test(text)) return otherwise
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}
