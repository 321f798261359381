import type { Call } from '../../context/message.ts'
import type { Expression } from '../../context/reference.ts'
import type { CallsheetError } from '../../errors.ts'
import type { Checks } from '../../schema/validator.ts'
import type { ActivityContext } from '../../tools/activity.ts'
import type { ToolEntry } from '../../tools/tool-entry.ts'
import type { CallRun } from '../call-run.ts'
import type { LatentDelegate } from '../latent.ts'
import type { Outcome } from '../outcome.ts'
import type { Implementations } from '../run/implementation.ts'

/** A Call that was accepted: it passed every check, or it carries the error that it ends with. */
export interface AcceptedCall {
  readonly run: CallRun
  /** A copy of the Call as it came; the Call itself where it cannot be copied. */
  readonly call: Call
  readonly prepared?: PreparedCall
  readonly error?: CallsheetError
  /** Milliseconds that its hook `before` took of the time that the Call has. */
  readonly waited?: number
  /** How it would have run, where it carries an error instead. */
  readonly mode?: Outcome['mode']
}

/** A Call that has passed every check and can run. */
export interface PreparedCall extends Implementations {
  /** A copy of the Call as it came, for its Outcome and its Messages. */
  readonly call: Call
  /**
   * References resolved, without `_output`; never the caller's own object, so that an Activity may do with it what it
   * likes (REF-4).
   */
  readonly resolved: Call
  /** A copy of the Call's `_output`, where it carries one: the answer of a latent Call (CALL-2). */
  readonly predicted: { readonly output: unknown } | undefined
  readonly entry: ToolEntry
  readonly checks: Checks
  readonly delegated: boolean
  /** The clean room that it runs in (REQ-12). */
  readonly delegate: LatentDelegate | undefined
  readonly path: Expression | undefined
  /** What the Activity may see. */
  readonly context: ActivityContext
}
