import { copyJson } from '../json/json-copy.ts'
import type { CallGroup } from './call-group.ts'
import { Cancellation } from './cancellation.ts'
import type { Implementation } from './implementation.ts'
import { copiedContext } from './load-data-plane.ts'
import type { AcceptedCall } from './outcome-of.ts'
import type { PreparedCall } from './prepared-call.ts'
import type { RunOptions } from './run-options.ts'

/** One run of a Call: what `runAccepted` takes. */
export interface CallRun {
  readonly accepted: AcceptedCall
  readonly options: RunOptions
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
  given: RunOptions,
  group: CallGroup | undefined,
): CallRun {
  const { shadow: itself, resolved, context, ...shared } = prepared
  const copies = { resolved: copyJson(resolved), context: copiedContext(context) }
  const { confirm, retry, ...options } = given
  return {
    accepted: { ...accepted, prepared: { ...shared, ...copies, implementation: shadow } },
    options,
    group: group ?? { cancellation: new Cancellation() },
  }
}
