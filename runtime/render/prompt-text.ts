/**
 * Characters that must not occur in a line of prompt text: line breaks of every kind, control characters, and marks that
 * reorder the text a reader sees.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const breaks = /[\s\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g

/** Puts free text on one line, so that it can end neither its comment nor the fence around it. */
export function oneLine(text: string): string {
  return text.replace(breaks, ' ').trim()
}

/** Quotes a string or key as source, on one line. */
export function quote(text: string): string {
  return escapeUnprintable(JSON.stringify(text))
}

/** Escapes the characters that JSON allows raw in strings but that are invisible or read as a line break. */
export function escapeUnprintable(json: string): string {
  return json.replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
