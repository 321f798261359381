import type { Call, Message } from '../../context/message.ts'
import type { Effects } from '../../schema/schema.ts'
import type { TokenUsage } from '../../tools/token-usage.ts'
import type { Exchange } from '../request/exchange.ts'

/**
 * What somebody is asked to approve, as plain JSON: it can be stored, sent to a person and answered in another process
 * (REQ-9).
 */
export interface Approval {
  /** The key of the Call, or of the plan, in its run. */
  readonly id: string
  readonly runId: string
  /** One Call that is about to run, or the whole plan of a turn. */
  readonly scope: 'call' | 'plan'
  /** What would run: the Call with its References resolved, or the plan's Calls as they were written. */
  readonly calls: readonly Call[]
  /** What the Tools do to the world, Call by Call; null where a Tool does not say. */
  readonly effects: readonly (Effects | null)[]
  /** The hash of the schemas of the Calls' Tools, or of the contract that the agent was given. */
  readonly contract: string
  /** The hash over all of the above: a decision has to name it. */
  readonly hash: string
  /** Epoch milliseconds after which a decision does not count any more. */
  readonly expiresAt?: number
}

/** The answer to an {@link Approval}. It counts for what was shown, and once. */
export interface Decision {
  /** The `id` of the Approval. */
  readonly approval: string
  /** The `hash` of what was shown. */
  readonly hash: string
  readonly approve: boolean
  /** With `approve: false`: why, for the model to read. */
  readonly reason?: string | undefined
  /** With `approve: true`: what to run instead. It is of the same Tool, and passes every check of its own. */
  readonly call?: Call | undefined
}

/** A Call of a suspended run that has not run. */
export interface WaitingCall {
  readonly id: string
  readonly call: Call
  readonly isApproved?: boolean
  readonly toolCall?: { readonly exchange: number; readonly id: string }
  /** The ids of those of its own plan that it waits for. */
  readonly waitsFor?: readonly string[]
  /** The ids of those that it waited for, and that have ended without writing what it reads. */
  readonly misses?: readonly string[]
}

/**
 * A run that waits for decisions, as plain JSON. Keep it where only your own code writes: it says what runs next.
 * `Agent({ resume, decisions })` goes on from it.
 */
export interface SuspendedRun {
  readonly version: 1
  readonly runId: string
  readonly turn: number
  /** All Messages so far. */
  readonly context: readonly Message[]
  /** The Calls that have not run. */
  readonly waiting: readonly WaitingCall[]
  /** The Calls that have ended without writing what some of those read. */
  readonly unwritten?: readonly Pick<WaitingCall, 'id' | 'call'>[]
  /** The goal, where the model had reached it beside the Calls that wait. */
  readonly output: unknown
  readonly approvals: readonly Approval[]
  /** What the model said through the provider's own tools. */
  readonly exchanges?: readonly Exchange[]
  readonly usage: TokenUsage
  readonly spent: { readonly turns: number; readonly calls: number; readonly tokens: number }
}

/** Whether the run that is gone on with waits for an answer about a step of this key, whoever is asked by now. */
export function isAwaited(resume: SuspendedRun | undefined, key: string): boolean {
  return resume?.approvals.some(({ id }) => id === key) ?? false
}
