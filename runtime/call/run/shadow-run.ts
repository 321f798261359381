import { copyJson } from '../../json/json-copy.ts'
import type { AcceptedCall, PreparedCall } from '../accept/accepted-call.ts'
import { copyContext } from '../contextual/provision.ts'
import { Cancellation } from '../controls/cancellation.ts'
import type { CallGroup } from '../groups/call-group.ts'
import type { Implementation } from './implementation.ts'

/** A run beside that of a Call: what `RunningCall` takes. */
export interface ShadowRun {
  readonly accepted: AcceptedCall
  readonly group: CallGroup
}

/**
 * Makes the run of the implementation that a Call is compared with (ACT-5), before the Call's own begins: with copies,
 * once, without asking, and, as in a group, without an alternative that it would write.
 */
export function shadowRun(
  accepted: AcceptedCall,
  prepared: PreparedCall,
  shadow: Implementation,
  group: CallGroup | undefined,
): ShadowRun {
  const { shadow: itself, resolved, context, ...shared } = prepared
  // Its Outcome's own, too: the Call's Outcome is somebody's to change by the time that this run ends.
  const call = copyJson(accepted.call)
  const copies = { call, resolved: copyJson(resolved), context: copyContext(context) }
  const { retry, ...options } = accepted.run.options
  return {
    accepted: {
      ...accepted,
      run: accepted.run.withOptions(options),
      call,
      prepared: { ...shared, ...copies, implementation: shadow },
    },
    group: { cancellation: new Cancellation(), ...group, isApproved: true },
  }
}
