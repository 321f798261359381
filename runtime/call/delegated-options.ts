import type { Call } from '../context/message.ts'
import type { VariantPolicies } from './controls/variants.ts'
import type { Outcome } from './outcome.ts'
import type { TelemetryOptions } from './telemetry/tracer.ts'

/** What `before` is told. */
export interface BeforeInfo {
  readonly id: string
}

/** Options of a run that it passes on to the Calls of its delegates. */
export interface DelegatedOptions {
  /** Sees each Call, as it came, before it is checked; a returned Call takes its place (CALL-10). */
  readonly before?:
    | ((call: Call, info: BeforeInfo) => Call | undefined | Promise<Call | undefined>)
    | undefined
  /** Sees each Outcome before it is reported; a returned Outcome takes its place. Not subject to `timeout`. */
  readonly after?: ((outcome: Outcome) => Outcome | undefined | Promise<Outcome | undefined>) | undefined
  /** Who the Call is for, as a server knows it: what `enabled` of a Tool is asked with (SERVE-6). */
  readonly principal?: unknown
  /** An explicit `_activity` that nobody registered: answer latently (the default), or fail (ACT-4). */
  readonly missingActivity?: 'latent' | 'error' | undefined
  /** An output that `_output` does not allow: fail (the default), or keep it and flag the Outcome (ACT-7). */
  readonly onInvalidOutput?: OutputPolicy | Readonly<Record<string, OutputPolicy>> | undefined
  /**
   * What percentages of `policy` go by for Calls without an `_instance`: one key, one variant. An `Agent` gives its run's
   * id, delegates included, so that one run never sees two variants. The Call's own id unless given.
   */
  readonly variantKey?: string | undefined
  /** Which implementation a Call gets, by Activity name (ACT-5). */
  readonly policy?: VariantPolicies | undefined
  /** A span for each Call wherever OpenTelemetry is set up; `false` for none (CALL-10). */
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

/** What becomes of an output that `_output` does not allow: the Call fails, or the Outcome has both (ACT-7). */
export type OutputPolicy = 'error' | 'report'
