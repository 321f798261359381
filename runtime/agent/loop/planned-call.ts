import type { Call } from '../../context/message.ts'
import type { Approval } from '../approvals/approval.ts'
import type { ToolCallPlace } from './exchange-log.ts'
import type { PerformedOutcome } from './executor.ts'

/** A planned Call; it is settled once it has an Outcome. */
export interface PlannedCall {
  /** `turn.index`; prefixed with the run's id, it is the key of its dispatch. */
  readonly id: string
  readonly call: Call
  /** True if it was approved as part of a plan and needs no further approval. */
  isApproved?: boolean
  /** The contract that it was approved with. */
  approvedContract?: string | undefined
  /** The native tool call it came from. */
  readonly toolCall?: ToolCallPlace | undefined
  /** The Approval that it waits for; it is not asked about again. */
  approval?: Approval
  /** The ids of the Calls that it waits for, set when it is planned. */
  waitsFor?: readonly string[]
  /** Those of them that ended without writing what it reads, and that no other Call has replaced yet. */
  misses?: readonly string[]
  outcome?: PerformedOutcome
}
