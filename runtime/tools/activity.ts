import type { Branch } from '../context/branch.ts'
import type { Message } from '../context/message.ts'
import type { MadeMessage } from '../context/message-mark.ts'
import type { ToolSchema } from '../schema/schema.ts'
import type { TokenUsage } from './token-usage.ts'

/** The fourth argument of an Activity: the attempt that it is called for (ACT-2). */
export interface ActivityRun {
  /** Aborts when the Call times out, is cancelled, or loses a race. Created on first access. */
  readonly signal: AbortSignal
  /** 1 for the first attempt. */
  readonly attempt: number
  /** An idempotency key: the same on every attempt of one Call. */
  readonly id: string
  /** The option `variantKey` of the run. An Activity that sends the Call to another process passes it on (ACT-5). */
  readonly variantKey?: string | undefined
  /** Reports progress to the listeners of `Tool.on('activity:progress', …)`. Can be destructured: needs no `this`. */
  readonly emit: (data: unknown) => void
  /**
   * Adds tokens that the Activity spent on a model to the Outcome's `usage`; may be called several times. Needs no
   * `this`.
   */
  readonly spend: (tokens: Partial<TokenUsage>) => void
}

/** The keywords of every Tool's schema apart from `properties`, which generated types list one by one (ACT-2). */
export interface TypedTool
  extends Pick<
    ToolSchema,
    | '$defs'
    | 'title'
    | 'description'
    | 'type'
    | 'required'
    | 'effects'
    | 'enabled'
    | 'parser'
    | 'parameters'
    | 'deprecated'
    | 'examples'
  > {}

/** The Messages that an Activity may see: those that `_scopes` select, oldest first; empty without scopes. */
export type ActivityContext = readonly Message[]

/** What an Activity may return: its output, or the result of `message()` or `branch()` (ACT-6). */
export type ActivityResult<Output> = Returned<Output> | Promise<Returned<Output>>

type Returned<Output> = Output | ActivityMessage

/** What an Activity may return instead of its output: the result of `message()` or `branch()`. */
export type ActivityMessage = MadeMessage | Branch

/**
 * The implementation of a Tool.
 *
 * @param call The Call with References resolved: parameters and the meta-fields that the Tool declares.
 * @param tool The Tool's schema.
 * @param context The Messages that the Call's scopes select.
 * @param run Signal, attempt, idempotency key, and functions to report progress and tokens.
 */
export type ActivityFunction<ResolvedCall, Output, Context = ActivityContext, Tool = ToolSchema> = (
  call: ResolvedCall,
  tool: Tool,
  context: Context,
  run: ActivityRun,
) => ActivityResult<Output>

/** An Activity of unknown type. */
// `any`: an Activity typed for one Tool must be assignable to it, and parameters are contravariant.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyActivity = ActivityFunction<any, unknown, any, any>
