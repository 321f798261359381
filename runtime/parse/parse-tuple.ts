import { CallError } from '../errors.ts'
import { malformedJson, notACall } from './parse-error.ts'
import type { ParsedCall, PositionalParameters } from './parsed-call.ts'
import { scanJson } from './scan-json.ts'
import { skip } from './skip.ts'

/**
 * Reads positional arguments as the Call of a named Tool (CALL-9): a JSON array, a tuple literal, or an array of
 * values. Missing arguments are left out; the Tool's schema decides whether they are required.
 *
 * @param parameters The names of the parameters, in the order of the positions.
 * @throws CallError `malformed_json` (with the position) or `invalid_call` (more values than parameters).
 * @example parseTuple('bold', ['text', 'times'], '("hi", 2, )') // { _tool: 'bold', text: 'hi', times: 2 }
 */
export function parseTuple(name: string, parameters: readonly string[], text: unknown): ParsedCall {
  if (typeof text !== 'string') return callOf(name, parameters, text)
  const source = unfence(text)
  const scan = scanTuple(source, 0)
  const rest = skip(/\s*/y, source, scan.end)
  if (rest < source.length) throw malformedJson(source, rest, 'nothing after the arguments')
  return callOf(name, parameters, scan.value)
}

/**
 * Reads text that consists only of calls of positional Tools: `bold("hi")`, one after another.
 *
 * @returns undefined if the text does not begin with the name of such a Tool and a parenthesis.
 */
export function parseCallExpressions(
  text: string,
  positional: PositionalParameters,
): ParsedCall[] | undefined {
  const source = unfence(text)
  const calls: ParsedCall[] = []
  const callee = /([A-Za-z_][\w.-]*)[ \t]*(?=\()/y
  let at = skip(separators, source, 0)
  do {
    callee.lastIndex = at
    const name = callee.exec(source)?.[1] ?? ''
    const parameters = positional(name)
    if (!parameters && calls.length === 0) return undefined
    if (!parameters) throw malformedJson(source, at, 'a call of a positional Tool')
    const scan = scanTuple(source, callee.lastIndex)
    calls.push(callOf(name, parameters, scan.value))
    at = skip(separators, source, scan.end)
  } while (at < source.length)
  return calls
}

/** White space and semicolons, which may separate two calls. */
const separators = /[\s;]*/y

function scanTuple(source: string, start: number): { end: number; value: unknown } {
  const first = skip(/\s*/y, source, start)
  if (!/[[(]/.test(source.charAt(first))) throw malformedJson(source, first, '"(" or "["')
  const scan = scanJson(source, first, true)
  if (scan.expected) throw malformedJson(source, scan.end, scan.expected)
  return { end: scan.end, value: JSON.parse(scan.json) }
}

function callOf(name: string, parameters: readonly string[], values: unknown): ParsedCall {
  if (!Array.isArray(values)) throw notACall('', `a list of the arguments of ${name}`, values)
  if (values.length > parameters.length) {
    const expected = `at most ${parameters.length} (${parameters.join(', ')})`
    const received = `${values.length}`
    const message = `Too many arguments for ${name}: expected ${expected}, got ${received}.`
    throw new CallError('invalid_call', message, {
      problems: [{ path: `/${parameters.length}`, expected, received, message }],
    })
  }
  const given = values.map((value, position): [string, unknown] => [parameters[position] ?? '', value])
  return { ...Object.fromEntries(given), _tool: name }
}

/** Returns the content of a text that is one Markdown fence from beginning to end; any other text unchanged. */
function unfence(text: string): string {
  const trimmed = text.trim()
  const marker = /^(?:```|~~~)/.exec(trimmed)?.[0]
  const opening = trimmed.indexOf('\n')
  if (!marker || opening === -1 || !trimmed.endsWith(marker)) return text
  return trimmed.slice(opening, -marker.length)
}
