import type { LatentModel } from '../../call/latent.ts'
import type { Message } from '../../context/message.ts'
import type { PlanReading } from '../../plan/plan-reading.ts'
import type { Approver } from '../approvals/approver.ts'
import type { AgentOptions } from '../loop/agent-options.ts'
import type { Meter } from '../loop/meter.ts'

/** The inputs for performing steps, in addition to the options. */
export interface PerformSettings {
  readonly options: AgentOptions
  /** Counts what is really spent; a replayed run spends nothing. */
  readonly meter: Meter
  /** Answers latent Calls and delegates, counted on the given meter. */
  readonly latent: (meter: Meter) => LatentModel
  /** Returns how to read Calls in a context. */
  readonly readingOf: (context: readonly Message[]) => PlanReading
  /** Asks before Calls run; absent without `confirm`. */
  readonly approver: Approver | undefined
}
