import { invalidCall } from '../call/call-errors.ts'
import type { Call } from '../context/message.ts'
import { pointerOf } from '../json/json-pointer.ts'
import { findNotJson, isJson } from '../json/not-json.ts'
import { handOn } from '../problems/handed-on.ts'
import { problem } from '../problems/problem.ts'

/**
 * Refuses to send a Call that JSON would change: `NaN` and an undefined item become null, and a function is left out. One that
 * runs in this process is refused as it is accepted (CALL-10); an engine gets it before that.
 *
 * @throws CallError `invalid_call`, with the path.
 */
export function requireSendable(call: Call): void {
  if (isJson(call)) return
  const { path = [], value } = findNotJson(call) ?? {}
  const found = problem(pointerOf(path), 'plain JSON, which is all that can be sent', value)
  throw handOn(invalidCall(`The Call of "${call._tool}" runs elsewhere and cannot be sent`, [found]))
}
