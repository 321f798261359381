import type { Approval, Decision } from '../agent/approvals/approval.ts'
import type { DispatchPolicy } from '../agent/loop/executor.ts'
import type { AgentLimits, Spent } from '../agent/loop/meter.ts'
import type { Call, Message } from '../context/message.ts'
import type { SentTool } from '../durable/engine-tools.ts'
import type { RecordedError, RecordedOutcome } from '../durable/recorded-outcome.ts'
import type { Effects } from '../schema/schema.ts'

/** The data of a Tool that a workflow needs to plan its Calls, without code. */
export interface KnownTool extends SentTool {
  readonly name: string
  readonly contract: string
  /** The registry's limit of concurrent Calls; absent from workers with an earlier version. */
  readonly most?: number | undefined
  /** True if an Activity runs it rather than the model. */
  readonly isRemote: boolean
}

/** The options of an agent that the loop needs; the others stay with the workers. */
export interface AgentPlan extends AgentLimits {
  readonly context: readonly Message[]
  readonly isLazy: boolean
  /** The References that its Calls may read. */
  readonly references?: SentTool['references']
  readonly concurrency?: number | undefined
  /** The effects for which each Call, or each plan, needs approval; `all` for any. */
  readonly asks?: readonly Effects[] | 'all' | undefined
  readonly asksForPlans?: readonly Effects[] | 'all' | undefined
  /** The effects for which none needs one; absent if nothing is asked, and from workers with an earlier version. */
  readonly unasked?: readonly Effects[] | undefined
}

/** A refusal: of invalid Calls, of an agent that does not exist or has invalid options, or of what is too large to send. */
export interface Refused {
  readonly refused: RecordedError
}

/** A step of an agent that a worker performs: a Request, an approval, or a latent Call. */
export interface PerformRequest {
  readonly agent: string
  readonly input: unknown
  readonly runId: string
  readonly call: Call
  readonly key: string
  readonly policy: DispatchPolicy
  readonly approvals: readonly Approval[]
  readonly decisions: readonly Decision[]
  /** What the run has spent so far; absent from workflows with an earlier version. */
  readonly spent?: Spent | undefined
}

/** The Activities in addition to those of the Tools; their names contain a character that Tool names cannot. */
export interface OwnActivities {
  /** Lists the Tools for planning. */
  'callsheet:tools'(): Promise<readonly KnownTool[] | Refused>
  'callsheet:check'(request: {
    readonly calls: readonly Call[]
    readonly context: readonly Message[]
  }): Promise<RecordedError | null>
  'callsheet:agent'(request: {
    readonly agent: string
    readonly input: unknown
  }): Promise<AgentPlan | Refused>
  'callsheet:perform'(request: PerformRequest): Promise<RecordedOutcome>
}
