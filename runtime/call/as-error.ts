import { ActivityError, type CallsheetError, isCallsheetError } from '../errors.ts'
import { messageOf } from '../problems/message-of.ts'

/** What the machinery throws is a Callsheet error already; what a user's function throws is wrapped, as the cause. */
export function asError(thrown: unknown, what: string): CallsheetError {
  if (isCallsheetError(thrown)) return thrown
  return new ActivityError('activity_failed', `${what}: ${messageOf(thrown)}`, { cause: thrown })
}
