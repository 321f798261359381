import type { Call, Message } from '../context/message.ts'
import type { CallsheetError } from '../errors.ts'
import type { TokenUsage } from '../tools/token-usage.ts'

/** How a Call ended. */
export type OutcomeStatus = 'succeeded' | 'failed' | 'aborted' | 'refused'

/** Every way in which a Call can end. */
export const outcomeStatuses: readonly string[] = Object.keys({
  succeeded: true,
  failed: true,
  aborted: true,
  refused: true,
} satisfies Record<OutcomeStatus, true>)

/** For Outcomes from outside: of a server, or a hook. */
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
  /** The Call as it came, References unresolved. */
  readonly call: Call
  /** The Tool's name. */
  readonly tool: string
  /** By an Activity, or by the model itself. */
  readonly mode: 'explicit' | 'latent'
  /** In a clean context of its own (`_delegate`). */
  readonly delegated: boolean
  /** The Activity that ran, and the variant of it that a policy chose. */
  readonly activity?: string
  readonly variant?: string
  /** `refused` by whoever was to confirm it; `failed` has an `error`. */
  readonly status: OutcomeStatus
  /** What the Activity returned, or the model said, once it was checked. */
  readonly output?: Output
  /** What a model put into `_output` of an explicit Call: ignored, unvalidated (CALL-1a). */
  readonly predicted?: unknown
  /** The Message that the Activity returned, where it returned one (ACT-6). */
  readonly message?: Message
  /** What went wrong; beside `succeeded`, an invalid output that the policy lets pass (ACT-7). */
  readonly error?: CallsheetError
  /** The Messages that the Call adds to its context, also when it failed (OUT-6). */
  readonly appended: readonly Message[]
  /** How often the Activity was started. */
  readonly attempts: number
  /** The tokens that its attempts say they spent; absent where none said so. */
  readonly usage?: TokenUsage
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly endedAt: number
}
