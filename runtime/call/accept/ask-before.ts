import type { Call } from '../../context/message.ts'
import { asError } from '../call-errors.ts'
import { callLimits } from '../controls/call-limits.ts'
import type { Cancellation } from '../controls/cancellation.ts'
import { orCancelled } from '../controls/wait.ts'
import type { RunOptions } from '../run-options.ts'
import type { AcceptedCall } from './accepted-call.ts'
import type { Identity } from './identity.ts'
import { keepCall } from './keep-call.ts'

/**
 * Asks the hook `before`; a Call that it gives takes the place of the one that came (CALL-10). Never rejects.
 *
 * @param outer Cancels the wait for the hook.
 */
export async function askBefore(
  given: Call,
  options: RunOptions,
  identity: Identity,
  outer: Cancellation | undefined,
  accept: (call: Call) => AcceptedCall | Promise<AcceptedCall>,
): Promise<AcceptedCall> {
  const call = keepCall(given)
  const limits = callLimits(options, outer)
  const startedAt = Date.now()
  try {
    const asked = options.before?.(keepCall(call), { id: identity.id })
    const answer = limits ? orCancelled(Promise.resolve(asked), limits.cancellation) : asked
    const accepted = await accept((await answer) ?? call)
    return { ...accepted, waited: Date.now() - startedAt }
  } catch (thrown) {
    return { identity, call, error: asError(thrown, 'The hook `before` threw') }
  } finally {
    limits?.release()
  }
}
