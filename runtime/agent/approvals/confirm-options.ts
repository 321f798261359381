import type { Confirmation, ConfirmInfo } from '../../call/confirm.ts'
import type { Call } from '../../context/message.ts'
import type { Effects } from '../../schema/schema.ts'
import type { Approval } from './approval.ts'

/** An answer about a Call; `'pending'` when it comes later, and from somewhere else. */
export type ConfirmAnswer = Confirmation | 'pending'

/** An answer about a plan. Only `true` approves. */
export type PlanAnswer = boolean | { readonly refuse: string } | 'pending'

export type AskCall = (call: Call, info: ConfirmInfo) => ConfirmAnswer | Promise<ConfirmAnswer>

/** Which Calls need an approval, and who gives it (REQ-9). */
export interface ConfirmRules {
  /** Asks only for Tools with these effects; one that declares none counts as `write`. All by default. */
  readonly effects?: readonly Effects[] | undefined
  /** Asked for each such Call just before it runs, its References resolved. */
  readonly ask?: AskCall | undefined
  /**
   * Asked once for the Calls of a turn, before any of them runs; they are not asked for again. References are shown as
   * written: they take the values that they have at run time. What a later turn adds is asked for then.
   */
  readonly askPlan?: ((approval: Approval) => PlanAnswer | Promise<PlanAnswer>) | undefined
  /** Milliseconds that a decision may take; for ever by default. */
  readonly expiresIn?: number | undefined
}

/** Rules, or the function that is asked for every Call. */
export type ConfirmOption = ConfirmRules | AskCall

export function confirmRules(confirm: ConfirmOption): ConfirmRules {
  return typeof confirm === 'function' ? { ask: confirm } : confirm
}

/** Whether a Call of a Tool with these effects needs approval. */
export function needsApproval({ effects }: ConfirmRules, declared: Effects | undefined): boolean {
  return effects === undefined || effects.includes(declared ?? 'write')
}
