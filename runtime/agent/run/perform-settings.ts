import type { LatentModel } from '../../call/latent.ts'
import type { Message } from '../../context/message.ts'
import type { PlanReading } from '../../plan/plan-reading.ts'
import type { Approver } from '../approvals/approver.ts'
import type { AgentOptions } from '../loop/agent-options.ts'
import type { Meter } from '../loop/meter.ts'

/** What performing needs besides the options. */
export interface PerformSettings {
  readonly options: AgentOptions
  /** Counts what is spent for real; a replayed run spends nothing. */
  readonly meter: Meter
  /** Answers latent Calls and delegates, counting on the meter that it is given. */
  readonly latent: (meter: Meter) => LatentModel
  /** How Calls are read in a context. */
  readonly readingOf: (context: readonly Message[]) => PlanReading
  /** Asks before Calls run; absent where nobody wants to be asked. */
  readonly approver: Approver | undefined
}
