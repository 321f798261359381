import { CallError } from '../../errors.ts'
import type { PreparedCall } from '../accept/accepted-call.ts'
import { requireStillThere } from '../accept/find-tool.ts'
import type { CallRun } from '../call-run.ts'
import type { ActivityOfCall, Implementation } from './implementation.ts'

/**
 * Checks a Call again that has waited since it was prepared: for a confirmation, its turn in a group or another attempt.
 *
 * @returns The Call with what runs it now: of an Activity that was replaced meanwhile, the new function.
 * @throws What `requireStillThere` throws; CallError `no_implementation` if its Activity was unregistered.
 */
export function prepareAgain(run: CallRun, prepared: PreparedCall): PreparedCall {
  requireStillThere(run, prepared.call, prepared.entry)
  const { implementation, shadow } = prepared
  const now = implementationNow(run, implementation)
  // Safe cast: the model as an implementation is not registered.
  if (!now) throw unregistered(implementation as ActivityOfCall)
  const shadowNow = shadow && implementationNow(run, shadow)
  return now === implementation && shadowNow === shadow
    ? prepared
    : { ...prepared, implementation: now, shadow: shadowNow }
}

/** Finds what is registered now as the variant that was chosen. @returns undefined if nothing is. */
function implementationNow(
  { state, options }: CallRun,
  implementation: Implementation,
): Implementation | undefined {
  if (implementation.mode === 'latent' || options.elsewhere) return implementation
  const { activity, variant, inside } = implementation
  const registered = state.activities.registered(activity, variant)
  return registered && inside ? inside(registered) : registered
}

function unregistered({ activity, variant }: ActivityOfCall): CallError {
  const which = variant === 'default' ? '' : `, variant "${variant}",`
  return new CallError(
    'no_implementation',
    `Activity "${activity}"${which} was unregistered while the Call waited, so it was not run. Register it, and make the Call again.`,
  )
}
