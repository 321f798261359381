import type { Call } from '../../context/message.ts'
import { ActivityError } from '../../errors.ts'
import { isSameJson } from '../../json/same-json.ts'
import { asError } from '../call-errors.ts'
import type { CallRun } from '../call-run.ts'
import { callLimits } from '../controls/call-limits.ts'
import type { Cancellation } from '../controls/cancellation.ts'
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
    if (options.approved && replacement !== undefined && !isSameJson(replacement, call)) {
      throw changedApproved(call)
    }
    const accepted = await accept(replacement ?? call)
    return { ...accepted, waited: Date.now() - startedAt }
  } catch (thrown) {
    return { run, call, error: asError(thrown, 'The hook `before` threw') }
  } finally {
    limits?.release()
  }
}

function changedApproved({ _tool }: Call): ActivityError {
  return new ActivityError(
    'refused',
    `The hook \`before\` changes the Call of "${_tool}" after it was approved. Make it return an approved Call unchanged.`,
  )
}
