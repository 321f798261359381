import { CallError, type Problem } from '../errors.ts'
import { ended, listProblems } from '../problems/problem.ts'

/** The error of a Call that is wrong in itself, with every problem in its message and as data. */
export function invalidCall(what: string, problems: readonly Problem[]): CallError {
  return new CallError('invalid_call', ended(`${what}: ${listProblems(problems)}`), {
    problems,
  })
}
