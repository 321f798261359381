import { isJsonObject, type JsonObject, own } from '../json/json.ts'
import { describeOffset, malformedJson, notACall } from './parse-error.ts'
import { parseCallExpressions } from './parse-tuple.ts'
import type { ParsedCall, PositionalParameters } from './parsed-call.ts'
import { fromProviderForm, isProviderForm, saidOnce, type ToolNamed } from './provider-forms.ts'
import { scanJson } from './scan-json.ts'
import { skip } from './skip.ts'

/** How many levels of JSON encoded as a JSON string are decoded. */
const maximumEncodings = 3

/** What the parser needs to know about a registry's Tools. */
export interface KnownTools {
  /** Parameter names of Tools that may be called as `name("x", 1)`; see `docs/parsing.md`. */
  readonly positional?: PositionalParameters
  /** Maps a name in a provider's form to the name of the Tool. */
  readonly toolNamed?: ToolNamed
}

/**
 * Reads the Calls that a model sent (CALL-9): a Call, an array of them, a solution `{ calls, output }`, or a provider's
 * own form of these (`{ name, arguments }`, `{ name, input }`, `{ tool_calls }`); as values, as JSON text, as a JSON
 * string of that text, in Markdown fences, or in prose. Takes time linear in the text, and never completes or repairs it:
 * truncated text is an error and does not yield the Calls before the cut.
 *
 * If fences contain Calls, only those count, since the prose around them tends to repeat them. Only the form is checked:
 * each Call must be an object that names its Tool.
 *
 * @throws CallError `malformed_json`, with line, column and offset, or `invalid_call`, with the JSON pointer.
 * @example parseCalls('Sure:\n```json\n{ "_tool": "bold", "text": "hi" }\n```') // [{ _tool: 'bold', text: 'hi' }]
 */
export function parseCalls(text: unknown, { positional, toolNamed }: KnownTools = {}): ParsedCall[] {
  if (typeof text !== 'string') return callsOf(text, toolNamed)
  return (
    (positional && parseCallExpressions(text, positional)) ?? parseText(text, toolNamed, maximumEncodings)
  )
}

function parseText(text: string, toolNamed: ToolNamed | undefined, encodings: number): ParsedCall[] {
  const start = text.search(/\S|$/)
  const { end, expected } = scanJson(text, start, false)
  if (!expected && skip(/\s*/y, text, end) === text.length) {
    const value: unknown = JSON.parse(text.slice(start, end))
    if (typeof value === 'string' && encodings > 0) return parseText(value, toolNamed, encodings - 1)
    return callsOf(value, toolNamed)
  }
  if (expected && end === text.length && text.charAt(start) === '"') throw malformedJson(text, end, expected)
  return parseProse(text, toolNamed)
}

/** A part of the text from an opening bracket to the end of its JSON value, or to the first error. */
interface Stretch {
  readonly start: number
  readonly end: number
  readonly fenced: boolean
}

interface Value extends Stretch {
  readonly value: unknown
}

interface Failure extends Stretch {
  readonly expected: string
}

/** Reads Calls from prose that contains JSON. Brackets that do not begin JSON are prose too, unless they contain a `_tool`. */
function parseProse(text: string, toolNamed: ToolNamed | undefined): ParsedCall[] {
  const values: Value[] = []
  const brokenCalls: Failure[] = []
  let furthest: Failure | undefined
  let fence = ''
  // Opening brackets, and lines that may open or close a Markdown fence.
  const landmark = /[{[]|^[ \t>]*(`{3,}|~{3,})(.*)/gm
  for (let found = landmark.exec(text); found; found = landmark.exec(text)) {
    const start = found.index
    const [line, marker, rest = ''] = found
    if (marker) {
      fence = fenceAfter(fence, marker, rest)
      landmark.lastIndex = start + line.length - rest.length
      continue
    }
    const fenced = fence !== ''
    const { end, expected, named } = scanJson(text, start, false)
    if (!expected) values.push({ start, end, fenced, value: JSON.parse(text.slice(start, end)) })
    else if (end >= text.length) throw malformedJson(text, end, expected)
    else {
      const failure = { start, end, fenced, expected }
      if (named) brokenCalls.push(failure)
      if (!furthest || end - start > furthest.end - furthest.start) furthest = failure
    }
    // Continue after `end`: every bracket still open there would fail at the same place, so nothing is scanned twice.
    landmark.lastIndex = end
  }

  const holders = values.filter(holdsCalls)
  const counts = holders.some(({ fenced }) => fenced) ? ({ fenced }: Stretch) => fenced : () => true
  const broken = brokenCalls.find(counts)
  if (broken) throw malformedJson(text, broken.end, broken.expected)
  if (holders.length > 0) {
    return holders
      .filter(counts)
      .flatMap(({ value, start }) => callsOf(value, toolNamed, () => describeOffset(text, start)))
  }
  const [stray] = values
  if (stray) throw notACall('', expectedCall, stray.value, describeOffset(text, stray.start))
  if (furthest) throw malformedJson(text, furthest.end, furthest.expected)
  throw malformedJson(text, text.search(/\S|$/), 'a JSON object or array')
}

/** Returns the marker of the fence that is open after a line that begins with a marker; `''` for none. Follows CommonMark. */
function fenceAfter(open: string, marker: string, rest: string): string {
  if (open) return marker.startsWith(open) && rest.trim() === '' ? '' : open
  return marker.startsWith('`') && rest.includes('`') ? '' : marker
}

const expectedCall = 'an object with the string "_tool", or with "name" and "arguments"'

/** Properties that contain a list of Calls: of a solution, and of a provider's message. */
const lists = ['calls', 'tool_calls'] as const

/** True for a value that is clearly meant as Calls. An empty array counts only in a fence: prose uses `[]` for other things. */
function holdsCalls({ value, fenced }: Value): boolean {
  if (Array.isArray(value)) return value.length === 0 ? fenced : value.some(isMeantAsCall)
  return isMeantAsCall(value) || (isJsonObject(value) && lists.some((list) => Object.hasOwn(value, list)))
}

function isMeantAsCall(value: unknown): boolean {
  return isJsonObject(value) && (Object.hasOwn(value, '_tool') || isProviderForm(value))
}

function callsOf(value: unknown, toolNamed: ToolNamed | undefined, where?: () => string): ParsedCall[] {
  const all = (items: readonly unknown[], path: string): ParsedCall[] =>
    saidOnce(items).map((item, index) => asCall(item, `${path}/${index}`, toolNamed, where))
  if (Array.isArray(value)) return all(value, '')
  if (!isMeantAsCall(value) && isJsonObject(value)) {
    for (const list of lists) {
      if (!Object.hasOwn(value, list)) continue
      const calls = own(value, list)
      if (!Array.isArray(calls)) throw notACall(`/${list}`, 'an array of Calls', calls, where?.())
      return all(calls, `/${list}`)
    }
  }
  return [asCall(value, '', toolNamed, where)]
}

function asCall(
  value: unknown,
  path: string,
  toolNamed: ToolNamed | undefined,
  where?: () => string,
): ParsedCall {
  if (isJsonObject(value) && isNamed(value)) return value
  const call = fromProviderForm(value, path, toolNamed)
  if (call) return call
  throw notACall(path, expectedCall, value, where?.())
}

function isNamed(value: JsonObject): value is JsonObject & ParsedCall {
  return typeof own(value, '_tool') === 'string'
}
