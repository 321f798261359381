import type { Message } from '../../context/message.ts'
import { writeFailure } from '../../context/output-path.ts'
import type { CallsheetError } from '../../errors.ts'
import { isHandedOn } from '../../problems/handed-on.ts'
import type { PreparedCall } from '../accept/accepted-call.ts'

/**
 * Creates the Messages that write a failure to the last alternative of the Call's path, if it has several (OUT-6). What
 * the Activity threw is written itself, or, if it cannot be read, the error that wraps it.
 */
export function writeAlternativeOf({ call, path }: PreparedCall, error: CallsheetError): Message[] {
  if (!path) return []
  const date = new Date().toISOString()
  // Where the Call ran elsewhere and no more than the error came back, that is all there is to say.
  const isWhole = error.cause === undefined && isHandedOn(error)
  if (error.code !== 'activity_failed' || isWhole) return writeFailure(call, path, error, date)
  try {
    return writeFailure(call, path, error.cause, date)
  } catch {
    return writeFailure(call, path, error, date)
  }
}
