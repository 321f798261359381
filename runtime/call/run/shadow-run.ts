import { copyJson } from '../../json/json-copy.ts'
import type { AcceptedCall, PreparedCall } from '../accept/accepted-call.ts'
import { copyContext } from '../contextual/provision.ts'
import { Cancellation } from '../controls/cancellation.ts'
import type { CallGroup } from '../groups/call-group.ts'
import type { Implementation } from './implementation.ts'

/** A second run of a Call, for comparison: the arguments of `RunningCall`. */
export interface ShadowRun {
  readonly accepted: AcceptedCall
  readonly group: CallGroup
}

/**
 * Prepares the run of the implementation that a Call is compared with (ACT-5). It works on copies, is not retried or
 * confirmed, and, as in a group, does not write the last alternative of its path if it fails.
 */
export function shadowRun(
  accepted: AcceptedCall,
  prepared: PreparedCall,
  shadow: Implementation,
  group: CallGroup | undefined,
): ShadowRun {
  const { shadow: itself, resolved, context, ...shared } = prepared
  // A copy for its Outcome, too: the caller may change the Call's Outcome before this run ends.
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
