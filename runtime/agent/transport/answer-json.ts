import { isCallsheetError } from '../../errors.ts'
import { isTooDeep } from '../../json/is-too-deep.ts'
import { isJsonObject, own } from '../../json/json.ts'
import { maximumDepth } from '../../json/json-copy.ts'
import { jsonOr } from '../../json/json-or.ts'
import { fromProviderForm, saidOnce, type ToolNamed } from '../../parse/provider-forms.ts'
import { scanJson } from '../../parse/scan-json.ts'
import { RequestError } from './request-error.ts'

/**
 * Reads the JSON of an answer. A provider that enforces the schema sends nothing else; another may send it in a
 * Markdown fence or in prose, which is read as by `Tool.parse` (CALL-9). Nothing is completed or repaired: a text
 * without JSON, or with several values, is refused.
 *
 * @throws RequestError `answer_invalid`; also for values nested deeper than a Call may be, since lifting and checking them would
 * overflow the stack.
 */
export function answerJson(text: string): unknown {
  if (text.trim() === '') {
    throw new RequestError('answer_invalid', "The model's answer is empty, where JSON was asked for.", {
      text,
    })
  }
  const value = jsonIn(text)
  if (isTooDeep(value, maximumDepth)) {
    const message = `The model's answer nests deeper than ${maximumDepth} levels.`
    throw new RequestError('answer_invalid', message, { text })
  }
  return value
}

/**
 * Reads the JSON of a solution, or a JSON string that contains it. A single Call or an array of Calls is a solution
 * without an output. Calls may be in a provider's form, also within `tool_calls`.
 *
 * @param toolNamed Maps a name in a provider's form to the Tool's name.
 * @throws RequestError `answer_invalid`, as {@link answerJson}.
 */
export function answerSolution(text: string, toolNamed?: ToolNamed): unknown {
  const said = answerJson(text)
  const value = typeof said === 'string' ? answerJson(said) : said
  try {
    return solutionOf(value, toolNamed)
  } catch (thrown) {
    if (!isCallsheetError(thrown)) throw thrown
    const { message, problems = [] } = thrown
    throw new RequestError('answer_invalid', message, { text, problems, cause: thrown })
  }
}

function solutionOf(value: unknown, toolNamed: ToolNamed | undefined): unknown {
  const all = (calls: readonly unknown[]): unknown[] =>
    saidOnce(calls).map((call) => callInSolution(call, toolNamed))
  const whole = fromProviderForm(value, '', toolNamed) ?? value
  if (isCall(whole)) return { calls: [whole], output: null }
  if (Array.isArray(value)) {
    const calls = all(value)
    return calls.length > 0 && calls.every(isCall) ? { calls, output: null } : value
  }
  if (!isJsonObject(value)) return value
  const calls = own(value, 'calls')
  if (Array.isArray(calls)) return { ...value, calls: all(calls) }
  const called = own(value, 'tool_calls')
  return Array.isArray(called) ? { calls: all(called), output: null } : value
}

/**
 * Reads one value in the `calls` of a solution. A malformed one in a provider's form is returned unchanged: it names no Tool, so
 * that it alone is rejected (REQ-6a).
 */
export function callInSolution(value: unknown, toolNamed?: ToolNamed): unknown {
  try {
    return fromProviderForm(value, '', toolNamed) ?? value
  } catch (thrown) {
    if (isCallsheetError(thrown)) return value
    throw thrown
  }
}

function isCall(value: unknown): boolean {
  return isJsonObject(value) && typeof own(value, '_tool') === 'string' && !Object.hasOwn(value, 'calls')
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    // A server that does not separate the model's reasoning leaves it before the answer, with or without its opening tag.
    const thoughts = /^\s*[{["]/.test(text) ? -1 : text.lastIndexOf(endOfThoughts)
    if (thoughts >= 0) return jsonIn(text.slice(thoughts + endOfThoughts.length))
    const found = fencedJson(text) ?? proseJson(text)
    if (found?.length === 1) return found[0]
    const why = cause instanceof Error ? cause.message : String(cause)
    const several = found ? `: it holds ${found.length} JSON values, where one was asked for` : `: ${why}`
    throw new RequestError('answer_invalid', `The model's answer is not JSON${several}.`, { text, cause })
  }
}

/** What open models write between their thoughts and their answer. */
export const endOfThoughts = '</think>'

/** Returns the values in Markdown fences; undefined if no fence contains one. */
function fencedJson(text: string): unknown[] | undefined {
  const values: unknown[] = []
  let inside: string[] | undefined
  for (const line of text.split('\n')) {
    const isFence = /^[ \t>]*(?:`{3,}|~{3,})/.test(line)
    if (!isFence) inside?.push(line)
    else if (!inside) inside = []
    else {
      const block = inside.join('\n')
      const value = jsonOr(block, undefined)
      // A broken block counts too: its content is unknown, so none of the blocks is used.
      if (isNested(value) || /^\s*[{[]/.test(block)) values.push(value)
      inside = undefined
    }
  }
  return values.length > 0 ? values : undefined
}

/** Returns the objects and arrays in prose; undefined if there are none. Takes linear time, like `scanJson`. */
function proseJson(text: string): unknown[] | undefined {
  const values: unknown[] = []
  const opening = /[{[]/g
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const { end, expected } = scanJson(text, found.index, false)
    const value = expected ? undefined : jsonOr(text.slice(found.index, end), undefined)
    // In prose, `[1]` and the like are footnote marks.
    if (isJsonObject(value) || (Array.isArray(value) && value.some(isNested))) values.push(value)
    // Continue after the scan's end: every bracket still open there would fail at the same place, so nothing is scanned twice.
    opening.lastIndex = Math.max(end, found.index + 1)
  }
  return values.length > 0 ? values : undefined
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
