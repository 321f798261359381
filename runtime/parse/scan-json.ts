import { skip } from './skip.ts'

/** The extent of the JSON value at an offset, or the position of its first error. */
export interface Scan {
  /** The offset after the value; after a failed scan, the offset of the unexpected character. */
  readonly end: number
  /** What was expected at `end`; undefined if the value is complete. */
  readonly expected: string | undefined
  /** True if an object in it, complete or not, has a key that only Calls have. */
  readonly named: boolean
  /** The value as strict JSON text; empty unless it was scanned with `literal`. */
  readonly json: string
}

/** Deepest accepted nesting, so that code which walks a Call recursively cannot overflow the stack. */
const maximumDepth = 1000

/** Keys that mark broken JSON as a malformed Call: Callsheet's own, and those of providers. */
const keysOfCalls: ReadonlySet<string> = new Set(['_tool', 'tool_calls', 'arguments'])

const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' }
const words: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' }
const jsonWord = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/

/**
 * Finds the end of the JSON value that begins at `start`, in one pass and without recursion, so in linear time for any text.
 *
 * @param literal Also accepts Python literals: tuples, single quotes, `True`, `False`, `None`, and a trailing comma.
 */
export function scanJson(text: string, start: number, literal: boolean): Scan {
  const closers: string[] = []
  const json: string[] = []
  let next: 'value' | 'key' | 'colon' | 'comma' = 'value'
  let mayClose = false
  let named = false
  let at = start
  const fail = (end: number, expected: string): Scan => ({ end, expected, named, json: '' })

  for (;;) {
    at = skip(literal ? /\s*/y : /[ \t\n\r]*/y, text, at)
    const char = text.charAt(at)
    const closer = closers.at(-1)
    if (mayClose && char === closer) {
      if (json.at(-1) === ',') json.pop()
      json.push(char === ')' ? ']' : char)
      closers.pop()
      at++
    } else if (next === 'comma') {
      if (char !== ',') return fail(at, `"," or "${closer}"`)
      json.push(char)
      next = closer === '}' ? 'key' : 'value'
      mayClose = literal
      at++
      continue
    } else if (next === 'colon') {
      if (char !== ':') return fail(at, '":"')
      json.push(char)
      next = 'value'
      at++
      continue
    } else if (char === '"' || (literal && char === "'")) {
      const string = scanString(text, at, char)
      if (string.expected) return fail(string.end, string.expected)
      const content = text.slice(at + 1, string.end - 1)
      if (literal) json.push(`"${content.replace(/\\.|"/g, asJsonString)}"`)
      at = string.end
      if (next === 'key') {
        named ||= keysOfCalls.has(content)
        next = 'colon'
        mayClose = false
        continue
      }
    } else if (next === 'key') {
      return fail(at, mayClose ? 'a key in double quotes or "}"' : 'a key in double quotes')
    } else if (char === '{' || char === '[' || (literal && char === '(')) {
      if (closers.length === maximumDepth) return fail(at, `at most ${maximumDepth} levels of nesting`)
      closers.push(closing[char] ?? '')
      json.push(char === '(' ? '[' : char)
      next = char === '{' ? 'key' : 'value'
      mayClose = true
      at++
      continue
    } else {
      const end = skip(/[-+.\w]*/y, text, at)
      const found = text.slice(at, end)
      const word = (literal && Object.hasOwn(words, found) && words[found]) || found
      // A word at the end of the text may be cut off rather than wrong.
      if (!jsonWord.test(word)) return fail(end === text.length ? end : at, 'a JSON value')
      json.push(word)
      at = end
    }
    if (closers.length === 0)
      return { end: at, expected: undefined, named, json: literal ? json.join('') : '' }
    next = 'comma'
    mayClose = true
  }
}

function scanString(text: string, start: number, quote: string): { end: number; expected?: string } {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === quote) return { end: at + 1 }
    if (char < ' ')
      return { end: at, expected: 'the line break or control character as an escape, such as \\n,' }
    if (char === '\\') {
      const end = skip(
        quote === '"' ? /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y : /\\(?:['"\\/bfnrt]|u[\da-fA-F]{4})/y,
        text,
        at,
      )
      if (end === at) {
        const cut = skip(/\\(?:u[\da-fA-F]{0,3})?/y, text, at) === text.length
        return { end: cut ? text.length : at, expected: 'an escape that JSON knows' }
      }
      at = end - 1
    }
  }
  return { end: text.length, expected: `a closing ${quote}` }
}

/** Converts an escape of a single-quoted literal to its spelling in double quotes. */
function asJsonString(piece: string): string {
  return piece === "\\'" ? "'" : piece === '"' ? '\\"' : piece
}
