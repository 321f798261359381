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

/** A Call that was accepted: it has either `prepared`, after passing every check, or the `error` that it ends with. */
export interface AcceptedCall {
  readonly run: CallRun
  /** A copy of the Call as it was passed; the Call itself if it cannot be copied. */
  readonly call: Call
  readonly prepared?: PreparedCall
  readonly error?: CallsheetError
  /** Milliseconds that the hook `before` took; they count towards `timeout`. */
  readonly waited?: number
  /** How the Call would have run; only with `error`. */
  readonly mode?: Outcome['mode']
}

/** A Call that has passed every check and can run. */
export interface PreparedCall extends Implementations {
  /** A copy of the Call as it was passed, for its Outcome and its Messages. */
  readonly call: Call
  /** A copy with its References resolved and without `_output`: an Activity may change it (REF-4). */
  readonly resolved: Call
  /** A copy of the Call's `_output`, if it has one: the answer of a latent Call (CALL-2). */
  readonly predicted: { readonly output: unknown } | undefined
  readonly entry: ToolEntry
  readonly checks: Checks
  readonly delegated: boolean
  /** The delegate that runs it in a clean context (REQ-12). */
  readonly delegate: LatentDelegate | undefined
  /** The parsed `_outputPath`. */
  readonly path: Expression | undefined
  /** The Messages that the Activity may see. */
  readonly context: ActivityContext
}
