/**
 * What must not stand in a line of prompt text: line breaks of every kind, control characters, and marks that reorder
 * what a reader sees.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const breaks = /[\s\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g

/** Free text on one line, so that it can end neither its comment nor the fence around it. */
export function oneLine(text: string): string {
  return text.replace(breaks, ' ').trim()
}

/** A string or key as source, on one line. */
export function quote(text: string): string {
  return escapeUnprintable(JSON.stringify(text))
}

/** JSON text without marks that JSON allows raw in strings and a reader does not see, or reads as a line break. */
export function escapeUnprintable(json: string): string {
  return json.replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
