import type { LatentModel } from '../../call/latent.ts'
import type { Outcome } from '../../call/outcome.ts'
import type { RunOptions } from '../../call/run-options.ts'
import type { ContextLike } from '../../context/context.ts'
import type { Call, Message } from '../../context/message.ts'
import type { ToolMethods } from '../../registry/registry-api.ts'
import type { Schema } from '../../schema/schema.ts'
import type { TokenUsage } from '../../tools/token-usage.ts'
import type { Approval, Decision, SuspendedRun } from '../approvals/approval.ts'
import type { ConfirmOption } from '../approvals/confirm-options.ts'
import type { IdeaSources } from '../ideas/idea-folder.ts'
import type { Solution } from '../ideas/solution.ts'
import type { ModelOptions } from '../request/request-options.ts'
import type { ExecutorFactory } from './executor.ts'
import type { AgentLimits, Spent } from './meter.ts'
import type { RunEvent } from './run-event.ts'

/** The part of a registry's `Tool` that the loop uses. */
export interface AgentTools
  extends Pick<ToolMethods, 'composable' | 'get'>,
    Partial<Pick<ToolMethods, 'composeOptions' | 'find' | 'names'>> {
  /** Runs one Call to its Outcome; a failed Call does not throw. */
  run(call: Call, options?: RunOptions): Promise<Outcome>
}

/** An error in the form that a model sees. */
export interface ShownError {
  readonly code: string
  readonly message: string
}

/** Options of every Call of an agent: those of `Tool.run` that the agent does not set itself. */
export type EveryCallOptions = Omit<RunOptions, 'context' | 'signal' | 'id' | 'attempt' | 'model' | 'confirm'>

/** Options for Calls and delegates, shared with `latentModel`. */
export interface DelegateOptions extends ModelOptions {
  /** The source of delegates that are not registered. */
  readonly ideas?: IdeaSources | undefined
  /** Deepest nesting of delegates (REQ-12). Default: 8. */
  readonly maxDepth?: number | undefined
}

/** Options of `Agent` and `streamAgent`. */
export interface AgentOptions extends DelegateOptions, AgentLimits {
  /** The `Tool` of a registry: offers its Tools and runs their Calls. */
  readonly tools: AgentTools
  /** An array of Messages is never changed; the run's Messages are appended to a Context. */
  readonly context?: ContextLike | undefined
  /** The schema of the output, TypeBox or plain. Without one the run cannot finish: the first turn without Calls stalls. */
  readonly output?: Schema | object | undefined
  readonly signal?: AbortSignal | undefined
  /**
   * Called for each Call just before it runs; or rules that ask only for certain effects, or for whole plans (REQ-9).
   * `'pending'` ends the run with the error `approval_pending`, which contains the value for {@link resume}.
   */
  readonly confirm?: ConfirmOption | undefined
  /**
   * Resumes a run that waited for approvals: `error.result.suspended`, unchanged or from JSON. It contains the Messages:
   * {@link context} is not read, so that the same options can be passed again.
   */
  readonly resume?: SuspendedRun | undefined
  /** With `resume`: the decisions. Approvals without a decision are asked about again. */
  readonly decisions?: readonly Decision[] | undefined
  /**
   * Called just before the decision about an Approval takes effect. Return false if it has taken effect before, in any process:
   * `resume` is plain JSON, and only your storage knows whether it was used twice. If it throws, the Call fails without
   * running.
   */
  readonly claim?: ((approval: Approval) => boolean | Promise<boolean>) | undefined
  /**
   * The hash of the contract, which generated code exports: any change of it invalidates waiting Approvals. By default, an
   * Approval is bound to the schemas of its Calls' Tools only.
   */
  readonly contract?: string | undefined
  /** Options of every Call, such as `retry` and `timeout`. */
  readonly run?: EveryCallOptions | undefined
  /** Answers latent Calls and delegates. Default: the loop's model. */
  readonly latent?: LatentModel | undefined
  /** Most Calls that run at the same time. Default: all that are not blocked. */
  readonly concurrency?: number | undefined
  /**
   * With `stream`: which Calls start before the answer is complete (REQ-7). `safe`, the default: those of Tools declared `read` or
   * `idempotent`.
   */
  readonly early?: 'none' | 'safe' | 'all' | undefined
  /** `lazy` makes one Request and runs nothing: the Calls are returned as a plan Message (REQ-10). */
  readonly plan?: 'eager' | 'lazy' | undefined
  /** Returns the form of an error that the model sees. Default: code and message. A stack or cause is never sent. */
  readonly redact?: ((error: ShownError, outcome: Outcome) => ShownError) | undefined
  /** Runs the Calls (REQ-8a). Default: in this process. */
  readonly executor?: ExecutorFactory | undefined
  /** The prefix of the run's keys. To replay a run, pass the same id. Default: unique. */
  readonly runId?: string | undefined
  /**
   * Receives every event of the run as plain JSON; written one per line, they make a file for `callsheet studio
   * --runs`. Events contain prompts, answers and results.
   */
  readonly log?: ((event: RunEvent) => void) | undefined
  /** Called after each turn. An exception is logged, and the run continues. */
  readonly onTurn?: ((turn: Turn) => void) | undefined
}

/** One turn: a Request, and the Calls that ran after it. */
export interface Turn<Output = unknown> {
  /** Counted from 1; 0 for a plan of the initial context. */
  readonly turn: number
  readonly solution: Solution<Output>
  /** The Outcomes of the Calls that ran in this turn, in the order of the plan. */
  readonly outcomes: readonly Outcome[]
  /** The Calls that still wait for their References. */
  readonly waiting: readonly Call[]
  /** The Messages that the turn added. */
  readonly appended: readonly Message[]
  readonly usage: TokenUsage
  /** One composed schema, or native tools; absent for turn 0. */
  readonly mode?: 'composed' | 'native'
}

/** The result of a run. */
export interface AgentResult<Output = unknown> {
  readonly runId: string
  /** Null if the run only planned. */
  readonly output: Output | null
  /** The Outcomes of all Calls, in the order of the plans. */
  readonly outcomes: readonly Outcome[]
  readonly turns: readonly Turn<Output>[]
  /** All Messages, including the initial ones: another run can continue from here. */
  readonly context: readonly Message[]
  /** The planned Calls that have not run. */
  readonly waiting: readonly Call[]
  /** Tokens of the loop's own Requests. */
  readonly usage: TokenUsage
  /** Everything that was spent, delegates included. */
  readonly spent: Spent
  /** With the error `approval_pending`: the value to store until the decisions are made (REQ-9). */
  readonly suspended?: SuspendedRun
}
