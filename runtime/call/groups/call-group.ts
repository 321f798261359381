import type { nearest } from '../../problems/nearest.ts'
import type { PreparedCall } from '../accept/accepted-call.ts'
import type { Cancellation } from '../controls/cancellation.ts'

/** What a Call runs in as one of several: it writes no alternative of its own (CALL-5). */
export interface CallGroup {
  /** Cancels all of them together. */
  readonly cancellation: Cancellation
  /** Guesses what a Call of an unknown Tool meant. */
  readonly guess?: typeof nearest | undefined
  /** Throws for a Call that must not run here: a hook may have put another one in the place of a harmless one. */
  readonly require?: ((prepared: PreparedCall) => void) | undefined
  /** Nobody is asked for the Call itself; for what its delegate calls somebody is. */
  readonly isApproved?: boolean | undefined
}
