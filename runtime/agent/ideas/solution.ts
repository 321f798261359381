import type { Call } from '../../context/message.ts'
import type { Problem } from '../../errors.ts'
import { isJsonObject, own } from '../../json/json.ts'
import { nearest } from '../../problems/nearest.ts'
import { briefly, problem } from '../../problems/problem.ts'
import type { Check } from '../../schema/validator.ts'

/** What a model returned for a composed schema: Calls to run, and the goal, or null while it is not reached. */
export interface Solution<Output = unknown, Calls extends Call = Call> {
  readonly calls: readonly Calls[]
  readonly output: Output | null
}

/** What a solution is checked against. */
export interface SolutionRules {
  /** The Tools that were offered. */
  readonly tools: readonly string[]
  /** The check of the goal; absent when none was asked for. */
  readonly output?: Check | undefined
}

/**
 * Checks the form of a solution (REQ-6): Calls of Tools that were offered, and an output that its schema allows. Each
 * Call passes its Tool's own checks when it runs, so that one bad Call does not cost the others.
 *
 * @returns Every problem; none for a usable solution.
 */
export function solutionProblems(value: unknown, { tools, output }: SolutionRules): Problem[] {
  if (!isJsonObject(value)) return [problem('', 'an object with "calls"', value)]
  const calls = own(value, 'calls')
  if (!Array.isArray(calls)) return [problem('/calls', 'a list of Calls', calls)]
  const problems = calls.flatMap((call, index) => callProblems(call, `/calls/${index}`, tools))
  const given = own(value, 'output') ?? null
  if (given !== null) {
    if (output) output(given, '/output', problems)
    else problems.push(problem('/output', 'no output, since none was asked for', given))
  }
  return problems
}

function callProblems(call: unknown, path: string, tools: readonly string[]): Problem[] {
  if (!isJsonObject(call)) return [problem(path, 'a Call', call)]
  const name = own(call, '_tool')
  if (typeof name === 'string' && tools.includes(name)) return []
  const near = typeof name === 'string' ? nearest(name, tools) : []
  const meant = near.length > 0 ? `; did you mean ${near.map(briefly).join(' or ')}?` : ''
  const found = problem(`${path}/_tool`, 'the name of a Tool that was offered', name)
  return [{ ...found, message: `${found.message}${meant}` }]
}
