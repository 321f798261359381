import type { Call } from '../../context/message.ts'
import { asError } from '../call-errors.ts'
import type { CallRun } from '../call-run.ts'
import { callLimits } from '../controls/call-limits.ts'
import type { Cancellation } from '../controls/cancellation.ts'
import { requireReplaceable } from '../controls/replacement.ts'
import { orCancelled } from '../controls/wait.ts'
import type { AcceptedCall } from './accepted-call.ts'
import { snapshotCall } from './snapshot-call.ts'

/**
 * Runs the hook `before` and accepts the Call that it returns, or the original one (CALL-10). Never rejects.
 *
 * @param outer Cancels the wait for the hook.
 */
export async function runBeforeHook(
  run: CallRun,
  call: Call,
  outer: Cancellation | undefined,
  accept: (call: Call) => AcceptedCall | Promise<AcceptedCall>,
): Promise<AcceptedCall> {
  const { options } = run
  const limits = callLimits(options, outer)
  const startedAt = Date.now()
  try {
    const returned = options.before?.(snapshotCall(call), { id: run.id })
    const replacement = await (limits
      ? orCancelled(Promise.resolve(returned), limits.cancellation)
      : returned)
    if (replacement !== undefined) requireReplaceable(run, 'before', call, replacement)
    const accepted = await accept(replacement ?? call)
    return { ...accepted, waited: Date.now() - startedAt }
  } catch (thrown) {
    return { run, call, error: asError(thrown, 'The hook `before` threw') }
  } finally {
    limits?.release()
  }
}
