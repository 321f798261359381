import type { Call, Message } from '../../context/message.ts'
import type { PlanReading } from '../../plan/plan-reading.ts'
import type { Effects } from '../../schema/schema.ts'
import type { SuspendedRun } from '../approvals/approval.ts'
import type { Redact } from './added-messages.ts'
import type { Turn } from './agent-options.ts'
import type { Meter } from './meter.ts'

/** What one run of the loop works with: values, and functions without effects. */
export interface LoopSettings {
  readonly runId: string
  /** The context at the beginning. */
  readonly messages: readonly Message[]
  /** Told of what is added, as it is added. */
  readonly onAppend: (messages: readonly Message[]) => void
  readonly meter: Meter
  /** Epoch milliseconds. */
  readonly deadline: number | undefined
  readonly isLazy: boolean
  /** Whether the newest plan of the context is run before the first Request. */
  readonly followsPlan: boolean
  /** The run to go on with, which waited for decisions. */
  readonly resume: SuspendedRun | undefined
  /** Whether a Call that was held back is of a Tool that takes no part any more. */
  readonly isLeftOut: (call: Call) => boolean
  readonly concurrency: number
  /** How Calls are read, where Tools come with a context that grows. */
  readonly readingOf: (context: readonly Message[]) => PlanReading
  readonly effectsOf: (call: Call) => Effects | undefined
  /** Whether a plan with this Call has to be approved as a whole before any of it runs. */
  readonly asksForPlanWith: (call: Call) => boolean
  /** Whether somebody is asked for this Call just before it runs. */
  readonly asksFor: (call: Call) => boolean
  /** What the model sees of an error; its code and message by default. */
  readonly redact: Redact | undefined
  readonly onTurn: ((turn: Turn) => void) | undefined
}
