import type { Confirmation, ConfirmInfo } from '../../call/confirm.ts'
import type { Call } from '../../context/message.ts'
import type { Effects } from '../../schema/schema.ts'
import type { ConstantFunction } from '../../typed/constant-function.ts'
import type { Approval } from './approval.ts'

/** The answer to the question whether a Call may run; `'pending'` if a `Decision` follows later. */
export type ConfirmAnswer = Confirmation | 'pending'

/** The answer to the question whether a plan may run. Only `true` approves. */
export type PlanAnswer = boolean | { readonly refuse: string } | 'pending'

/** Answers whether a Call may run; the Calls of a plan one by one. May be async. */
export type AskCall = ConstantFunction<[call: Call, info: ConfirmInfo], ConfirmAnswer>

/** Which Calls need an approval, and which functions are asked for it (REQ-9). */
export interface ConfirmRules {
  /**
   * Only Calls of Tools with these effects need approval; a Tool that declares none counts as `write`. All by default.
   */
  readonly effects?: readonly Effects[] | undefined
  /** Called for each such Call just before it runs, with its References resolved. */
  readonly ask?: AskCall | undefined
  /**
   * Called once for all Calls of a turn before any of them runs; `ask` is not called for them again. References are
   * shown unresolved: they take the values that they have at run time. Calls that a later turn adds are asked for in
   * that turn.
   */
  readonly askPlan?: ConstantFunction<[approval: Approval], PlanAnswer> | undefined
  /** Milliseconds until an Approval expires; never by default. */
  readonly expiresIn?: number | undefined
}

/** Rules, or a function that is called for every Call. */
export type ConfirmOption = ConfirmRules | AskCall

/** Returns the option as rules: a function becomes `{ ask }`. */
export function toConfirmRules(confirm: ConfirmOption): ConfirmRules {
  return typeof confirm === 'function' ? { ask: confirm } : confirm
}

/** Returns the effects of Tools whose Calls need no approval. */
export function unaskedEffects({ effects }: Pick<ConfirmRules, 'effects'>): readonly Effects[] {
  if (effects === undefined) return []
  return (['read', 'idempotent', 'write'] as const).filter((each) => !effects.includes(each))
}

/** True if a Call of a Tool with these effects needs approval. */
export function needsApproval({ effects }: ConfirmRules, declared: Effects | undefined): boolean {
  return effects === undefined || effects.includes(declared ?? 'write')
}
