import { ActivityError, CallError, CallsheetError, isCallsheetError, type Problem } from '../errors.ts'
import { messageOf } from '../problems/message-of.ts'
import { ended, listProblems } from '../problems/problem.ts'

/** Creates the error of an invalid Call, with every problem in its message and as data. */
export function invalidCall(what: string, problems: readonly Problem[]): CallError {
  return new CallError('invalid_call', ended(`${what}: ${listProblems(problems)}`), { problems })
}

/** Wraps what a user's function threw as `activity_failed`, with the cause. A Callsheet error is returned unchanged. */
export function asError(thrown: unknown, what: string): CallsheetError {
  if (isCallsheetError(thrown)) return thrown
  return new ActivityError('activity_failed', `${what}: ${messageOf(thrown)}`, { cause: thrown })
}

/**
 * Wraps an unexpected exception, a bug in Callsheet, as `internal` (CALL-12). A Callsheet error is returned unchanged.
 */
export function asInternalError(thrown: unknown, doing: string): CallsheetError {
  if (isCallsheetError(thrown)) return thrown
  return new CallsheetError(
    'internal',
    `Callsheet itself failed while it ${doing}: ${messageOf(thrown)}. This is a defect of Callsheet: please report it, with the stack of \`cause\`.`,
    { cause: thrown },
  )
}
