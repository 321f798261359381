import { CallError } from '../errors.ts'

/** Characters of the text that an error shows on each side of the position. */
const excerptReach = 24

/** Builds a `malformed_json` error with its position (line and column from 1, offset from 0) and what was expected there. */
export function malformedJson(text: string, offset: number, expected: string): CallError {
  const cut = offset >= text.length
  const received = cut
    ? 'the end of the text'
    : JSON.stringify(String.fromCodePoint(text.codePointAt(offset) ?? 0))
  const excerpt = JSON.stringify(text.slice(Math.max(0, offset - excerptReach), offset + excerptReach))
  const advice = cut
    ? 'The text may be cut off: ask for the whole answer again.'
    : 'Answer with a JSON object { "_tool": …, … }, an array of them, or { "calls": [ … ] }.'
  const message = `Malformed JSON at ${describeOffset(text, offset)}: expected ${expected}, got ${received}, near ${excerpt}. ${advice}`
  return new CallError('malformed_json', message, { problems: [{ path: '', expected, received, message }] })
}

/** Describes an offset as line and column. Computed here, since JavaScript engines word their own parse errors differently. */
export function describeOffset(text: string, offset: number): string {
  let line = 1
  let lineStart = 0
  for (const lineBreak of text.slice(0, offset).matchAll(/\r\n?|\n/g)) {
    line++
    lineStart = lineBreak.index + lineBreak[0].length
  }
  return `line ${line}, column ${offset - lineStart + 1} (offset ${offset})`
}

/**
 * Builds an `invalid_call` error: the JSON is well-formed, but not a Call.
 *
 * @param path A JSON pointer into the parsed value.
 * @param where The position of that value in the text, if the text contains more than it.
 */
export function notACall(path: string, expected: string, value: unknown, where?: string): CallError {
  const received = describe(value)
  const message = `Not a Call${where ? ` in the JSON at ${where}` : ''}: expected ${expected}${path && ` at ${path}`}, got ${received}.`
  return new CallError('invalid_call', message, { problems: [{ path, expected, received, message }] })
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60))
  if (value === null || typeof value !== 'object') return String(value).slice(0, 60)
  if (Array.isArray(value)) return `an array of ${value.length}`
  const keys = Object.keys(value)
  return `an object with the keys ${JSON.stringify(keys.slice(0, 5)).slice(0, 100)}${keys.length > 5 ? ' and more' : ''}`
}
