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

/** What the loop needs of a registry. */
export interface AgentTools
  extends Pick<ToolMethods, 'composable' | 'get'>,
    Partial<Pick<ToolMethods, 'composeOptions' | 'find' | 'names'>> {
  /** Runs one Call to its Outcome; never throws on failure. */
  run(call: Call, options?: RunOptions): Promise<Outcome>
}

/** An error as a model may see it. */
export interface ShownError {
  readonly code: string
  readonly message: string
}

/** Options of every Call of an agent: those of `Tool.run` but for what the agent says itself. */
export type EveryCallOptions = Omit<RunOptions, 'context' | 'signal' | 'id' | 'model' | 'confirm'>

/** Options of how Calls and delegates run; `latentModel` takes them too. */
export interface DelegateOptions extends ModelOptions {
  /** Where delegates come from that the registry does not know. */
  readonly ideas?: IdeaSources | undefined
  /** How deep delegates may nest; 8 by default (REQ-12). */
  readonly maxDepth?: number | undefined
}

/** Options of `Agent` and `streamAgent`. */
export interface AgentOptions extends DelegateOptions, AgentLimits {
  /** The `Tool` of a registry: what is offered, and what runs the Calls. */
  readonly tools: AgentTools
  /** A list of Messages is not touched; to a Context, what the run adds is appended. */
  readonly context?: ContextLike | undefined
  /** The schema of the goal, TypeBox's or plain. Without one there is nothing to reach: the model's first turn without Calls stalls. */
  readonly output?: Schema | object | undefined
  readonly signal?: AbortSignal | undefined
  /**
   * Asked for each Call just before it runs, or as rules: for Calls with certain effects, or for whole plans (REQ-9). The
   * answer `'pending'` ends the run with the error `approval_pending`, which holds what {@link resume} takes.
   */
  readonly confirm?: ConfirmOption | undefined
  /**
   * Goes on with a run that waited for approvals: `error.result.suspended`, as it is or from JSON. Its Messages are the
   * run's: {@link context} is not read then, so that the same options can be given again.
   */
  readonly resume?: SuspendedRun | undefined
  /** With `resume`: what was decided. Approvals without a decision are asked for again. */
  readonly decisions?: readonly Decision[] | undefined
  /**
   * Told of each Approval just before its decision takes effect. Return false when it has taken effect already, in
   * whatever process: `resume` is plain JSON, and only your storage knows whether it was used twice. Where it throws the
   * Call does not run, and fails.
   */
  readonly claim?: ((approval: Approval) => boolean | Promise<boolean>) | undefined
  /**
   * The hash of a contract, such as generated code exports it: any change of it makes Approvals void that wait. Unless said, an
   * Approval is bound to the schemas of the Tools that its Calls name, and changes of others leave it as it was.
   */
  readonly contract?: string | undefined
  /** Options of every Call's run, such as `retry` and `timeout`. */
  readonly run?: EveryCallOptions | undefined
  /** Answers latent Calls and delegates; the same model as the loop's by default. */
  readonly latent?: LatentModel | undefined
  /** The most Calls at the same time; all that are not blocked by default. */
  readonly concurrency?: number | undefined
  /**
   * With `stream`: which Calls start before the whole answer is there. `safe`, the default: those of Tools declared
   * `read` or `idempotent` (REQ-7).
   */
  readonly early?: 'none' | 'safe' | 'all' | undefined
  /** `lazy` asks once and plans without executing: the Calls come as a plan Message (REQ-10). */
  readonly plan?: 'eager' | 'lazy' | undefined
  /** What the model sees of an error; its code and message by default. Never asked for a stack or a cause. */
  readonly redact?: ((error: ShownError, outcome: Outcome) => ShownError) | undefined
  /** Runs the Calls; in this process by default (REQ-8a). */
  readonly executor?: ExecutorFactory | undefined
  /** Names the run in its keys. A run that is to be replayed needs the same again; unique by default. */
  readonly runId?: string | undefined
  /**
   * Told of everything that happens in the run, as it happens, made for JSON: a line each makes a file for `callsheet studio --runs`. It
   * holds prompts, answers and results.
   */
  readonly log?: ((event: RunEvent) => void) | undefined
  /** Told of each turn when it is over. What it throws goes to the console, and the run goes on. */
  readonly onTurn?: ((turn: Turn) => void) | undefined
}

/** One turn: a Request, and the Calls that ran because of it. */
export interface Turn<Output = unknown> {
  /** From 1; 0 for a plan that the context brought along. */
  readonly turn: number
  readonly solution: Solution<Output>
  /** Of the Calls that ran in this turn, in the order of the plan. */
  readonly outcomes: readonly Outcome[]
  /** The Calls that still wait for what they read. */
  readonly waiting: readonly Call[]
  /** The Messages that the turn added. */
  readonly appended: readonly Message[]
  readonly usage: TokenUsage
  /** One composed schema, or the provider's own tools; absent for turn 0. */
  readonly mode?: 'composed' | 'native'
}

/** What a run came to. */
export interface AgentResult<Output = unknown> {
  readonly runId: string
  /** Null for a run that only planned. */
  readonly output: Output | null
  /** Every Call that was run, in the order of the plans. */
  readonly outcomes: readonly Outcome[]
  readonly turns: readonly Turn<Output>[]
  /** All Messages, those of the beginning included: a next run can go on from here. */
  readonly context: readonly Message[]
  /** The Calls that were planned and have not run. */
  readonly waiting: readonly Call[]
  /** Tokens of the loop's own Requests. */
  readonly usage: TokenUsage
  /** With what its delegates have spent. */
  readonly spent: Spent
  /** With the error `approval_pending`: what to keep until the decisions are there (REQ-9). */
  readonly suspended?: SuspendedRun
}
