import type { PreparedCall } from '../accept/accepted-call.ts'
import type { Cancellation } from '../controls/cancellation.ts'

/** The group that a Call runs in, which writes no alternative of its own (CALL-5). */
export interface CallGroup {
  /** Cancels all of them together. */
  readonly cancellation: Cancellation
  /** Throws for a Call that must not run here: a hook may have put another one in the place of a harmless one. */
  readonly require?: ((prepared: PreparedCall) => void) | undefined
}
