import type { Call } from '../../context/message.ts'
import { CallError, type Problem } from '../../errors.ts'
import { isJsonObject, own } from '../../json/json.ts'
import { firstNearest, nearest } from '../../problems/nearest.ts'
import { briefly, problem } from '../../problems/problem.ts'
import { suggest } from '../../problems/suggest.ts'
import type { Check } from '../../schema/validator.ts'

/** What a model returned for a composed schema: Calls to run, and the goal, or null while it is not reached. */
export interface Solution<Output = unknown, Calls extends Call = Call> {
  readonly calls: readonly Calls[]
  readonly output: Output | null
}

/** A Call of an answer that is not run: of no Tool that was offered, or unreadable. It costs itself alone (REQ-6a). */
export interface RejectedCall {
  /** As the model wrote it; what is not an object stands under `value`. */
  readonly call: Call
  readonly error: CallError
  /** The provider's id of the tool call, where there is one. */
  readonly id?: string | undefined
}

/** A solution as it was read: its Calls are those of offered Tools, and the others stand beside them. */
export interface ReadSolution extends Solution {
  readonly rejected: readonly RejectedCall[]
  /** The provider's ids of `calls`, place by place; empty where it gives none. */
  readonly ids: readonly (string | undefined)[]
}

/** What a solution is checked against. */
export interface SolutionRules {
  /** The Tools that were offered. */
  readonly tools: readonly string[]
  /** The check of the goal; absent when none was asked for. */
  readonly output?: Check | undefined
}

/** An answer with more Calls that cannot be run is no plan with a mistake in it, and each would have an error of its own. */
export const mostRejected = 1_000

/**
 * Reads a solution (REQ-6): Calls of Tools that were offered, and an output that its schema allows. Each Call passes its
 * Tool's own checks when it runs.
 *
 * @returns The solution, or every problem that makes the whole of it unusable.
 */
export function readSolution(
  value: unknown,
  { tools, output }: SolutionRules,
): { readonly solution: ReadSolution } | { readonly problems: readonly Problem[] } {
  if (!isJsonObject(value)) return { problems: [problem('', 'an object with "calls"', value)] }
  const said = own(value, 'calls')
  if (!Array.isArray(said)) return { problems: [problem('/calls', 'a list of Calls', said)] }
  const problems: Problem[] = []
  const given = own(value, 'output') ?? null
  if (given !== null) {
    if (output) output(given, '/output', problems)
    else problems.push(problem('/output', 'no output, since none was asked for', given))
  }
  if (problems.length > 0) return { problems }
  const calls: Call[] = []
  const rejected: RejectedCall[] = []
  const guess = firstNearest()
  for (const value of said) {
    const read = readOfferedCall(value, tools, guess)
    if (!('error' in read)) calls.push(read.call)
    else if (rejected.push(read) > mostRejected) return { problems: [tooManyRejected(said)] }
  }
  return { solution: { calls, output: given, rejected, ids: [] } }
}

/** The problem of an answer with more Calls that cannot be run than count as mistakes. */
export function tooManyRejected(said: unknown): Problem {
  return problem('/calls', `Calls of offered Tools, at most ${mostRejected} that are not`, said)
}

/** Reads one Call of an answer, which has to be of a Tool that was offered (REQ-7). */
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
  const call = value as Call
  return isOfferedCall(call, offered) ? { call } : { call, error: notOffered(name, offered, guess) }
}

/** True for a Call of a Tool that was offered (REQ-7). */
export function isOfferedCall(value: unknown, offered: readonly string[]): value is Call {
  if (!isJsonObject(value)) return false
  const name = own(value, '_tool')
  return typeof name === 'string' && offered.includes(name)
}

/** The error of a Call whose Tool was not offered, whether or not it is registered. */
export function notOffered(
  name: string,
  offered: readonly string[],
  guess: typeof nearest = nearest,
): CallError {
  const suggestions = guess(name, offered)
  const message = `The tool ${briefly(name)} was not offered.${suggest(suggestions)}`
  return new CallError('unknown_tool', message, { suggestions })
}
