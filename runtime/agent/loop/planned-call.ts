import type { Call } from '../../context/message.ts'
import type { Approval } from '../approvals/approval.ts'
import type { ToolCallPlace } from './exchange-log.ts'
import type { PerformedOutcome } from './executor.ts'

/** A Call on its way: planned, and settled once it has an Outcome. */
export interface PlannedCall {
  /** `turn.place`: with the id of the run in front, the key of its dispatch. */
  readonly id: string
  readonly call: Call
  /** Approved as part of a plan: it runs without being asked for again. */
  isApproved?: boolean
  /** The provider's id of the call, and the place of its exchange. */
  readonly toolCall?: ToolCallPlace | undefined
  /** What it was held back for: it waits for that, and nobody is asked again. */
  approval?: Approval
  /** The ids of those that it waits for, once it has been planned. */
  waitsFor?: readonly string[]
  /** Of those the ones that have ended without writing what it reads: nothing has replaced that yet. */
  misses?: readonly string[]
  outcome?: PerformedOutcome
}
