import type { Call, GivenCall } from '../context/message.ts'
import type { Effects, ToolSchema } from '../schema/schema.ts'
import type { ActivityContext } from '../tools/activity.ts'

/** The second argument of `confirm`: what is known of a Call that is about to run. */
export interface ConfirmInfo {
  readonly id: string
  readonly tool: ToolSchema
  readonly mode: 'explicit' | 'latent'
  readonly activity?: string
  readonly context: ActivityContext
}

/**
 * Approves (`true`), refuses (`false`, or with a reason), or runs another Call instead (REQ-9). Any other answer, such
 * as the `undefined` of a forgotten `return`, does not approve.
 */
export type Confirmation = boolean | { readonly refuse: string } | { readonly replace: GivenCall }

/** Decides whether a Call may run. */
export type Confirm = (call: Call, info: ConfirmInfo) => Confirmation | Promise<Confirmation>

/** Called for every Call, or only for those of Tools with the listed effects. */
export type ConfirmCalls = Confirm | { readonly effects: readonly Effects[]; readonly ask: Confirm }
