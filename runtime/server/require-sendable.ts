import { invalidCall } from '../call/call-errors.ts'
import type { Call } from '../context/message.ts'
import { pointerOf } from '../json/json-pointer.ts'
import { findNotJson, isJson } from '../json/not-json.ts'
import { handOn } from '../problems/handed-on.ts'
import { problem } from '../problems/problem.ts'

/**
 * Refuses to send a Call that would arrive as another one: where a schema allows anything, a Call in this process may hold `NaN` or an
 * item that is undefined, which JSON makes null, or a function, which it leaves out.
 *
 * @throws CallError `invalid_call`, with the place.
 */
export function requireSendable(call: Call): void {
  if (isJson(call)) return
  const { path = [], value } = findNotJson(call) ?? {}
  const found = problem(pointerOf(path), 'plain JSON, which is all that can be sent', value)
  throw handOn(invalidCall(`The Call of "${call._tool}" runs elsewhere and cannot be sent`, [found]))
}
