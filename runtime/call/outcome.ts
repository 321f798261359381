import type { Call, Message } from '../context/message.ts'
import type { CallsheetError } from '../errors.ts'
import type { TokenUsage } from '../tools/token-usage.ts'

/** How a Call ended. */
export type OutcomeStatus = 'succeeded' | 'failed' | 'aborted' | 'refused'

/** Every status of an Outcome. */
export const outcomeStatuses: readonly string[] = Object.keys({
  succeeded: true,
  failed: true,
  aborted: true,
  refused: true,
} satisfies Record<OutcomeStatus, true>)

/** Checks the status of an Outcome that a server or a hook returned. */
export function isOutcomeStatus(value: unknown): value is OutcomeStatus {
  return outcomeStatuses.includes(value as string)
}

/**
 * The record of one executed Call (CALL-8): every Call that was accepted ends in exactly one.
 *
 * @example
 * const outcome = await Tool.run(call)
 * if (outcome.status === 'succeeded') console.log(outcome.output)
 * else console.error(outcome.error?.code, outcome.error?.message)
 */
export interface Outcome<Output = unknown> {
  /** The idempotency key of the Call: the same on every attempt. */
  readonly id: string
  /** The Call as it was passed, with its References unresolved. */
  readonly call: Call
  /** The Tool's name. */
  readonly tool: string
  /** `explicit` if an Activity ran it, `latent` if the model answered. */
  readonly mode: 'explicit' | 'latent'
  /** True if it ran in a clean context of its own (`_delegate`). */
  readonly delegated: boolean
  /** The Activity that ran. */
  readonly activity?: string
  /** The variant that a policy chose; absent for `default`. */
  readonly variant?: string
  /** `refused` if `confirm` refused it. Every status but `succeeded` comes with an `error`. */
  readonly status: OutcomeStatus
  /** The checked output of the Activity or the model. */
  readonly output?: Output
  /** What a model put into `_output` of an explicit Call: not validated and not used (CALL-1a). */
  readonly predicted?: unknown
  /** The Message that the Activity returned, if it returned one (ACT-6). */
  readonly message?: Message
  /** What went wrong. With `succeeded`: an invalid output that `onInvalidOutput` let pass (ACT-7). */
  readonly error?: CallsheetError
  /** The Messages that the Call adds to its context; a failed Call can add some, too (OUT-6). */
  readonly appended: readonly Message[]
  /** Number of attempts that were started. */
  readonly attempts: number
  /** The tokens that its attempts reported with `spend`; absent if none were reported. */
  readonly usage?: TokenUsage
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly endedAt: number
}
