import type { Approval, Decision } from '../agent/approvals/approval.ts'
import type { DispatchPolicy } from '../agent/loop/executor.ts'
import type { AgentLimits, Spent } from '../agent/loop/meter.ts'
import type { Call, Message } from '../context/message.ts'
import type { SentTool } from '../durable/engine-tools.ts'
import type { RecordedError, RecordedOutcome } from '../durable/recorded-outcome.ts'
import type { Effects } from '../schema/schema.ts'

/** A Tool as a workflow knows it: enough to plan its Calls, and no code. */
export interface KnownTool extends SentTool {
  readonly name: string
  readonly contract: string
  /** The most Calls at the same time that its registry allows; absent from workers of an earlier version. */
  readonly most?: number | undefined
  /** Whether an Activity runs it, and not the model. */
  readonly isRemote: boolean
}

/** What the loop has to know of an agent; the rest stays with the workers. */
export interface AgentPlan extends AgentLimits {
  readonly context: readonly Message[]
  readonly isLazy: boolean
  /** Which References its Calls may read. */
  readonly references?: SentTool['references']
  readonly concurrency?: number | undefined
  /** For which effects somebody is asked before each Call, or before each plan; `all` for every one. */
  readonly asks?: readonly Effects[] | 'all' | undefined
  readonly asksForPlans?: readonly Effects[] | 'all' | undefined
}

/** What cannot run: Calls that are not valid, an agent that does not exist or whose options cannot be used. */
export interface Refused {
  readonly refused: RecordedError
}

/** One step of an agent that a worker performs: a Request, a question, or a Call that the model itself answers. */
export interface PerformRequest {
  readonly agent: string
  readonly input: unknown
  readonly runId: string
  readonly call: Call
  readonly key: string
  readonly policy: DispatchPolicy
  readonly approvals: readonly Approval[]
  readonly decisions: readonly Decision[]
  /** What the run has spent by then; absent from workflows of an earlier version. */
  readonly spent?: Spent | undefined
}

/** The Activities beside those of the Tools; their names hold what no Tool's name holds. */
export interface OwnActivities {
  /** What is there to plan with. */
  'callsheet:tools'(): Promise<readonly KnownTool[]>
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
