import type { Call, GivenCall } from '../../context/message.ts'
import { CallError, type Problem } from '../../errors.ts'
import { isTooDeep } from '../../json/is-too-deep.ts'
import { isJsonObject, own } from '../../json/json.ts'
import { maximumValueDepth } from '../../json/json-copy.ts'
import { firstNearest, nearest } from '../../problems/nearest.ts'
import { briefly, problem } from '../../problems/problem.ts'
import { suggest } from '../../problems/suggest.ts'
import type { Check } from '../../schema/validator.ts'

/** A model's answer to a composed schema: Calls to run, and the output, or null until the model can give one. */
export interface Solution<Output = unknown, Calls extends GivenCall = Call> {
  readonly calls: readonly Calls[]
  readonly output: Output | null
}

/** A Call of an answer that cannot run: its Tool was not offered, or it is malformed. The other Calls run (REQ-6a). */
export interface RejectedCall {
  /** As the model wrote it; anything but an object is in `value`. */
  readonly call: Call
  readonly error: CallError
  /** The provider's id of the tool call, where there is one. */
  readonly id?: string | undefined
}

/** A solution whose `calls` are all of offered Tools; the others are in `rejected`. */
export interface ReadSolution extends Solution {
  readonly rejected: readonly RejectedCall[]
  /** The provider's ids of `calls`, by index; empty if it gives none. */
  readonly ids: readonly (string | undefined)[]
  /** True if null is the output, and not the sign that there is none yet: the goal allows it, and nothing is called. */
  readonly endsWithNull: boolean
}

/** What a solution is checked against. */
export interface SolutionRules {
  /** The Tools that were offered. */
  readonly tools: readonly string[]
  /** Checks the output; absent if none was requested. */
  readonly output?: Check | undefined
}

/**
 * The most rejected Calls of one answer. Each gets an error of its own; beyond this the whole answer is an error, since
 * it is hardly a plan with a few mistakes.
 */
export const mostRejected = 1_000

/**
 * Reads a solution (REQ-6): separates Calls of offered Tools from others, and checks the output. The arguments of each
 * Call are checked when it runs.
 *
 * @returns The solution, or every problem that makes it unusable as a whole.
 */
export function readSolution(
  value: unknown,
  { tools, output }: SolutionRules,
): { readonly solution: ReadSolution } | { readonly problems: readonly Problem[] } {
  if (!isJsonObject(value)) return { problems: [problem('', 'an object with "calls"', value)] }
  const list = own(value, 'calls')
  if (!Array.isArray(list)) return { problems: [problem('/calls', 'a list of Calls', list)] }
  const problems: Problem[] = []
  const answered = own(value, 'output') ?? null
  if (isTooDeep(answered, maximumValueDepth)) {
    problems.push(problem('/output', `at most ${maximumValueDepth} levels`, answered))
  } else if (answered !== null) {
    if (output) output(answered, '/output', problems)
    else problems.push(problem('/output', 'no output, since none was asked for', answered))
  }
  if (problems.length > 0) return { problems }
  const calls: Call[] = []
  const rejected: RejectedCall[] = []
  const guess = firstNearest()
  for (const value of list) {
    const read = readOfferedCall(value, tools, guess)
    if (!('error' in read)) calls.push(read.call)
    else if (rejected.push(read) > mostRejected) return { problems: [tooManyRejected(list)] }
  }
  const endsWithNull = list.length === 0 && own(value, 'output') === null && (output?.(null) ?? false)
  return { solution: { calls, output: answered, rejected, ids: [], endsWithNull } }
}

/** Makes the problem of an answer with more than {@link mostRejected} rejected Calls. */
export function tooManyRejected(calls: unknown): Problem {
  return problem('/calls', `Calls of offered Tools, at most ${mostRejected} that are not`, calls)
}

/** Reads one Call of an answer and checks that its Tool was offered (REQ-7). */
function readOfferedCall(
  value: unknown,
  offered: readonly string[],
  guess: typeof nearest,
): { readonly call: Call } | RejectedCall {
  if (!isJsonObject(value)) {
    const { message } = problem('', 'a Call', value)
    return { call: { _tool: '', value }, error: new CallError('invalid_call', `Not a Call: ${message}.`) }
  }
  const name = own(value, '_tool')
  if (typeof name !== 'string') {
    const { message } = problem('/_tool', 'the name of a Tool that was offered', name)
    return { call: { ...value, _tool: '' }, error: new CallError('invalid_call', `${message}.`) }
  }
  if (isTooDeep(value, maximumValueDepth)) {
    const message = `The Call of ${briefly(name)} nests deeper than ${maximumValueDepth} levels.`
    return { call: { _tool: name }, error: new CallError('invalid_call', message) }
  }
  const call = value as Call
  return offered.includes(name) ? { call } : { call, error: notOfferedError(name, offered, guess) }
}

/** True for a Call of a Tool that was offered (REQ-7), unless it nests too deep. */
export function isOfferedCall(value: unknown, offered: readonly string[]): value is Call {
  if (!isJsonObject(value) || isTooDeep(value, maximumValueDepth)) return false
  const name = own(value, '_tool')
  return typeof name === 'string' && offered.includes(name)
}

/** Makes the error of a Call whose Tool was not offered, whether or not it is registered. */
export function notOfferedError(
  name: string,
  offered: readonly string[],
  guess: typeof nearest = nearest,
): CallError {
  const suggestions = guess(name, offered)
  const message = `The tool ${briefly(name)} was not offered.${suggest(suggestions)}`
  return new CallError('unknown_tool', message, { suggestions })
}
