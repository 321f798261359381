import type { Call, GivenCall, Message } from '../../context/message.ts'
import type { Effects } from '../../schema/schema.ts'
import type { TokenUsage } from '../../tools/token-usage.ts'
import type { Exchange } from '../request/exchange.ts'

/**
 * A request to approve a Call or a plan, as plain JSON: it can be stored, sent to a person and answered in another
 * process (REQ-9).
 */
export interface Approval {
  /** The key of the Call, or of the plan, in its run. */
  readonly id: string
  readonly runId: string
  /** One Call that is about to run, or the whole plan of a turn. */
  readonly scope: 'call' | 'plan'
  /** The Calls that would run: one Call with its References resolved, or the plan's Calls as the model wrote them. */
  readonly calls: readonly Call[]
  /** The declared effects of each Call's Tool, in the order of {@link calls}; null if the Tool declares none. */
  readonly effects: readonly (Effects | null)[]
  /** The hash of the schemas of the Calls' Tools, or the `contract` option of the agent. */
  readonly contract: string
  /** The hash over all of the above; a decision must repeat it. */
  readonly hash: string
  /** Epoch milliseconds after which a decision is no longer accepted. */
  readonly expiresAt?: number
}

/** The answer to an {@link Approval}. It is valid once, and only for the Calls that were shown. */
export interface Decision {
  /** The `id` of the Approval. */
  readonly approval: string
  /** The `hash` of the Approval. */
  readonly hash: string
  readonly approve: boolean
  /** With `approve: false`: the reason, which the model reads. */
  readonly reason?: string | undefined
  /** With `approve: true`: a Call to run instead. It must be of the same Tool, and is checked like any other Call. */
  readonly call?: GivenCall | undefined
}

/** A Call of a suspended run that has not run yet. */
export interface WaitingCall {
  readonly id: string
  readonly call: Call
  /** True if it was approved as part of a plan. */
  readonly isApproved?: boolean
  /** The contract that it was approved with; it is refused if its Tool has another one when it runs. */
  readonly approvedContract?: string
  readonly toolCall?: { readonly exchange: number; readonly id: string }
  /** The ids of the Calls of the same plan that it waits for. */
  readonly waitsFor?: readonly string[]
  /** The ids of the Calls that it waited for and that ended without writing the path that it reads. */
  readonly misses?: readonly string[]
}

/**
 * A run that waits for decisions, as plain JSON. Store it where only your own code can write: it determines what runs
 * next. `Agent({ resume, decisions })` continues the run.
 */
export interface SuspendedRun {
  readonly version: 1
  readonly runId: string
  readonly turn: number
  /** All Messages so far. */
  readonly context: readonly Message[]
  /** The Calls that have not run. */
  readonly waiting: readonly WaitingCall[]
  /** The Calls that ended without writing a path that some of the {@link waiting} Calls read. */
  readonly unwritten?: readonly Pick<WaitingCall, 'id' | 'call'>[]
  /** The output, if the model returned it together with the Calls that wait; else null. */
  readonly output: unknown
  readonly approvals: readonly Approval[]
  /** The model's answers through the provider's own tool calls. */
  readonly exchanges?: readonly Exchange[]
  readonly usage: TokenUsage
  readonly spent: { readonly turns: number; readonly calls: number; readonly tokens: number }
}

/**
 * True if the resumed run waits for a decision about the step with this key, whatever the current `confirm` asks for.
 */
export function isAwaited(resume: SuspendedRun | undefined, key: string): boolean {
  return resume?.approvals.some(({ id }) => id === key) ?? false
}
