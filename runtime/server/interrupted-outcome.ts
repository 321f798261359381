import type { Call } from '../context/message.ts'
import { CallsheetError } from '../errors.ts'
import type { OutcomeJson } from './outcome-json.ts'

/**
 * Builds the Outcome of a Call of which it is not known how far it came.
 *
 * @param why What happened, as a sentence.
 */
export function interruptedOutcome(id: string, call: Call, why: string): OutcomeJson {
  const now = Date.now()
  const error = new CallsheetError(
    'interrupted',
    `${why} Whether it did its work is not known; look before you ask under another id.`,
  )
  return {
    id,
    call,
    tool: String(call._tool),
    mode: 'explicit',
    delegated: false,
    status: 'failed',
    error: error.toJSON(),
    appended: [],
    attempts: 1,
    startedAt: now,
    endedAt: now,
  }
}
