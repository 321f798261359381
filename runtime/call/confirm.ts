import type { Call } from '../context/message.ts'
import type { Effects, ToolSchema } from '../schema/schema.ts'
import type { ActivityContext } from '../tools/activity.ts'

/** What `confirm` is told about a Call that is about to run. */
export interface ConfirmInfo {
  readonly id: string
  readonly tool: ToolSchema
  readonly mode: 'explicit' | 'latent'
  readonly activity?: string
  readonly context: ActivityContext
}

/**
 * Approve (`true`), refuse (`false`, or with a reason), or run another Call in its place (REQ-9). Nothing else approves, so that
 * a path on which a return was forgotten does not.
 */
export type Confirmation = boolean | { readonly refuse: string } | { readonly replace: Call }

/** Asks whether a Call may run. */
export type Confirm = (call: Call, info: ConfirmInfo) => Confirmation | Promise<Confirmation>

/** Who is asked: for every Call, or for those of Tools with certain effects. */
export type ConfirmCalls = Confirm | { readonly effects: readonly Effects[]; readonly ask: Confirm }
