import type { Call } from '../context/message.ts'
import type { Expression } from '../context/reference.ts'
import type { Checks } from '../schema/validator.ts'
import type { ActivityContext } from '../tools/activity.ts'
import type { ToolEntry } from '../tools/tool-entry.ts'
import type { Implementations } from './implementation.ts'
import type { LatentDelegate } from './latent.ts'

/** A Call that has passed every check and can run. */
export interface PreparedCall extends Implementations {
  /** As it came; a copy where it is written to the context later, so that nobody changes it in between. */
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
