import type { Call, Message } from '../../context/message.ts'
import type { PlanReading } from '../../plan/plan-reading.ts'
import type { Effects } from '../../schema/schema.ts'
import type { SuspendedRun } from '../approvals/approval.ts'
import type { Redact } from './added-messages.ts'
import type { Turn } from './agent-options.ts'
import type { Meter } from './meter.ts'

/** The inputs of a run of the loop: values, functions that always return the same for the same arguments, and listeners. */
export interface LoopSettings {
  readonly runId: string
  /** The initial context. */
  readonly messages: readonly Message[]
  /** Called with Messages as they are added. */
  readonly onAppend: (messages: readonly Message[]) => void
  readonly meter: Meter
  /** The deadline, in epoch milliseconds. */
  readonly deadline: number | undefined
  readonly isLazy: boolean
  /** True to run the newest plan of the context before the first Request. */
  readonly runsContextPlan: boolean
  /** The suspended run to resume. */
  readonly resume: SuspendedRun | undefined
  /** Returns true if the Tool of a held-back Call is excluded now. */
  readonly isLeftOut: (call: Call) => boolean
  readonly concurrency: number
  /** Returns how to read Calls, since a growing context can add Tools. */
  readonly readingOf: (context: readonly Message[]) => PlanReading
  readonly effectsOf: (call: Call) => Effects | undefined
  /** Returns true if a plan with this Call must be approved as a whole before it runs. */
  readonly needsPlanApproval: (call: Call) => boolean
  /** Returns true if this Call needs approval just before it runs. */
  readonly needsCallApproval: (call: Call) => boolean
  /** The effects of Tools whose Calls need no approval; undefined if none needs one. */
  readonly unasked: readonly Effects[] | undefined
  /** Returns the form of an error that the model sees. */
  readonly redact: Redact | undefined
  readonly onTurn: ((turn: Turn) => void) | undefined
}
