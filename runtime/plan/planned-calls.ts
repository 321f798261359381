import type { Call } from '../context/message.ts'
import { CallError } from '../errors.ts'
import { copyPlain } from '../json/copy-plain.ts'
import { briefly } from '../problems/problem.ts'
import type { PlanFacts } from './plan.ts'

/**
 * Copies the Calls of a plan or of a list of Calls.
 *
 * @param taker The name of the function that was called, for the error: `Tool.plan`.
 * @throws CallError `invalid_call` for anything else.
 */
export function plannedCalls(
  given: Pick<PlanFacts, 'calls'> | readonly object[],
  taker: string,
): readonly Call[] {
  const calls: unknown = Array.isArray(given) ? given : (given as Partial<PlanFacts> | undefined)?.calls
  if (Array.isArray(calls)) return Array.from(calls, (call: Call) => copyPlain(call))
  throw new CallError('invalid_call', `${taker} takes a plan or a list of Calls, got ${briefly(given)}.`)
}
