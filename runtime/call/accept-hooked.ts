import type { Call } from '../context/message.ts'
import { asError } from './as-error.ts'
import { asGiven } from './as-given.ts'
import { callLimits } from './call-limits.ts'
import type { Cancellation } from './cancellation.ts'
import type { AcceptedCall } from './outcome-of.ts'
import type { RunOptions } from './run-options.ts'
import { orCancelled } from './settle.ts'

/**
 * Asks the hook `before` first; a Call that it gives takes the place of the one that came (CALL-10). Never rejects.
 *
 * @param outer Cancels the wait for the hook.
 */
export async function acceptHooked(
  given: Call,
  options: RunOptions,
  identity: Pick<AcceptedCall, 'id' | 'startedAt'>,
  outer: Cancellation | undefined,
  accept: (call: Call) => AcceptedCall | Promise<AcceptedCall>,
): Promise<AcceptedCall> {
  const limits = callLimits(options, outer)
  try {
    const asked = options.before?.(asGiven(given), { id: identity.id })
    const answer = limits ? orCancelled(Promise.resolve(asked), limits.cancellation) : asked
    return await accept((await answer) ?? given)
  } catch (thrown) {
    return { ...identity, call: given, error: asError(thrown, 'The hook `before` threw') }
  } finally {
    limits?.release()
  }
}
