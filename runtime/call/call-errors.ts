import { ActivityError, CallError, CallsheetError, isCallsheetError, type Problem } from '../errors.ts'
import { messageOf } from '../problems/message-of.ts'
import { ended, listProblems } from '../problems/problem.ts'

/** Makes the error of a Call that is wrong in itself, with every problem in its message and as data. */
export function invalidCall(what: string, problems: readonly Problem[]): CallError {
  return new CallError('invalid_call', ended(`${what}: ${listProblems(problems)}`), { problems })
}

/** Makes the error of what a user's function threw, as the cause; a Callsheet error stays as it is. */
export function asError(thrown: unknown, what: string): CallsheetError {
  if (isCallsheetError(thrown)) return thrown
  return new ActivityError('activity_failed', `${what}: ${messageOf(thrown)}`, { cause: thrown })
}

/** Makes the error of a defect of Callsheet, never blamed on the Call (CALL-12); a Callsheet error stays as it is. */
export function asInternal(thrown: unknown, doing: string): CallsheetError {
  if (isCallsheetError(thrown)) return thrown
  return new CallsheetError(
    'internal',
    `Callsheet itself failed while it ${doing}: ${messageOf(thrown)}. This is a defect of Callsheet and not of the Call: please report it, with the stack of \`cause\`.`,
    { cause: thrown },
  )
}
