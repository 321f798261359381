import { ActivityError, CallsheetError, isCallsheetError } from '../errors.ts'
import { messageOf } from '../problems/message-of.ts'

/** The error of what a user's function threw, as the cause; what is a Callsheet error already stays as it is. */
export function asError(thrown: unknown, what: string): CallsheetError {
  if (isCallsheetError(thrown)) return thrown
  return new ActivityError('activity_failed', `${what}: ${messageOf(thrown)}`, { cause: thrown })
}

/** The error of a defect of Callsheet, which is never blamed on the Call (CALL-12); a Callsheet error stays as it is. */
export function asInternal(thrown: unknown, doing: string): CallsheetError {
  if (isCallsheetError(thrown)) return thrown
  return new CallsheetError(
    'internal',
    `Callsheet itself failed while it ${doing}: ${messageOf(thrown)}. This is a defect of Callsheet and not of the Call: please report it, with the stack of \`cause\`.`,
    { cause: thrown },
  )
}
