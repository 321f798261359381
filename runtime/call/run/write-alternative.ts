import type { Message } from '../../context/message.ts'
import { writeFailure } from '../../context/output-path.ts'
import type { CallsheetError } from '../../errors.ts'
import type { PreparedCall } from '../accept/accepted-call.ts'

/**
 * Makes the Messages of a Call that failed while it ran, for its last alternative, where it has one (OUT-6). What was thrown is
 * written as it is, unless it cannot even be read: then what is known of it.
 */
export function writeAlternativeOf({ call, path }: PreparedCall, error: CallsheetError): Message[] {
  if (!path) return []
  const date = new Date().toISOString()
  if (error.code !== 'activity_failed') return writeFailure(call, path, error, date)
  try {
    return writeFailure(call, path, error.cause, date)
  } catch {
    return writeFailure(call, path, error, date)
  }
}
