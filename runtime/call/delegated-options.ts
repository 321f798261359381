import type { Call, GivenCall } from '../context/message.ts'
import type { VariantPolicies } from './controls/variants.ts'
import type { Outcome } from './outcome.ts'
import type { TelemetryOptions } from './telemetry/tracer.ts'

/** The second argument of the hook `before`. */
export interface BeforeInfo {
  /** The idempotency key of the Call. */
  readonly id: string
}

/** What a hook may return: what replaces what it was given, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks has no `return`, and TypeScript 5.9 infers void
export type Replaced<Value> = Value | void | Promise<Value | void>

/** Options of a run that also apply to the Calls of its delegates. */
export interface DelegatedOptions {
  /** Receives each Call, unchanged, before it is checked; a returned Call replaces it (CALL-10). */
  readonly before?: ((call: Call, info: BeforeInfo) => Replaced<GivenCall>) | undefined
  /**
   * Receives each Outcome before it is reported; a returned Outcome replaces it (CALL-10). If the output changes and
   * `appended` does not, the new output is what the Call writes. Not subject to `timeout`.
   */
  readonly after?: ((outcome: Outcome) => Replaced<Outcome>) | undefined
  /** The client that the Call runs for, as a server authenticated it; passed to `enabled` of each Tool (SERVE-6). */
  readonly principal?: unknown
  /** If the Tool's `_activity` is not registered: let the model answer (the default), or fail (ACT-4). */
  readonly missingActivity?: 'latent' | 'error' | undefined
  /** If `_output` does not allow an output: fail (the default), or keep it and add an error to the Outcome (ACT-7). */
  readonly onInvalidOutput?: OutputPolicy | Readonly<Record<string, OutputPolicy>> | undefined
  /**
   * The key by which percentages of `policy` choose for Calls without an `_instance`: the same key, the same variant.
   * An `Agent` passes its run's id, to delegates too, so that one run never sees two variants. Default: the Call's own
   * id.
   */
  readonly variantKey?: string | undefined
  /** Chooses the implementation of a Call, by Activity name (ACT-5). */
  readonly policy?: VariantPolicies | undefined
  /** Options for the spans of Calls, which are created if OpenTelemetry is set up; `false` for no spans (CALL-10). */
  readonly telemetry?: false | TelemetryOptions | undefined
}

/** The names of the options that a run passes on to the Calls of its delegates. */
export const delegatedOptions: readonly (keyof DelegatedOptions)[] = Object.keys({
  before: true,
  after: true,
  principal: true,
  missingActivity: true,
  onInvalidOutput: true,
  variantKey: true,
  policy: true,
  telemetry: true,
} satisfies Record<keyof DelegatedOptions, true>) as (keyof DelegatedOptions)[]

/**
 * What to do with an output that `_output` does not allow: fail the Call, or put output and error into the Outcome
 * (ACT-7).
 */
export type OutputPolicy = 'error' | 'report'
