import type { nearest } from '../../problems/nearest.ts'
import type { PreparedCall } from '../accept/accepted-call.ts'
import type { Cancellation } from '../controls/cancellation.ts'

/**
 * What the Calls of a group share. A Call of a group that fails does not write the last alternative of its path
 * (CALL-5).
 */
export interface CallGroup {
  /** Cancels all of them together. */
  readonly cancellation: Cancellation
  /** Suggests names for an unknown Tool. */
  readonly guess?: typeof nearest | undefined
  /** Throws for a Call that must not run in this group: a hook may have replaced a harmless one. */
  readonly require?: ((prepared: PreparedCall) => void) | undefined
  /** Skips `confirm` for the Call itself, but not for the Calls of its delegate. */
  readonly isApproved?: boolean | undefined
}
