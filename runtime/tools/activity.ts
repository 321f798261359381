import type { Branch } from '../context/branch.ts'
import type { Message } from '../context/message.ts'
import type { MadeMessage } from '../context/message-mark.ts'
import type { ToolSchema } from '../schema/schema.ts'
import type { TokenUsage } from './token-usage.ts'

/** What an Activity is told about the run it is part of (ACT-2). */
export interface ActivityRun {
  /** Aborts when the Call times out, is cancelled, or loses a race. Created when first asked for. */
  readonly signal: AbortSignal
  /** 1 for the first attempt. */
  readonly attempt: number
  /** An idempotency key: the same on every attempt of one Call. */
  readonly id: string
  /** The run that the Call is part of, where somebody said so: an Activity that sends the Call elsewhere sends it along (ACT-5). */
  readonly variantKey?: string | undefined
  /** Reports progress to the listeners of `Tool.on('activity:progress', …)`. Needs no `this`. */
  readonly emit: (data: unknown) => void
  /** Tells what the Activity spent at a model, in tokens; once or in parts. It is in the Outcome's `usage`. Needs no `this`. */
  readonly spend: (tokens: Partial<TokenUsage>) => void
}

/** What every Tool's schema may say besides its properties, which generated types list one by one (ACT-2). */
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

/** The Messages that an Activity may see: what its `_scopes` let through, oldest first; empty without scopes. */
export type ActivityContext = readonly Message[]

/** What an Activity may return: its output, or what `message()` or `branch()` made (ACT-6). */
export type ActivityResult<Output> = Returned<Output> | Promise<Returned<Output>>

type Returned<Output> = Output | ActivityMessage

/** What an Activity may return in place of its output. */
export type ActivityMessage = MadeMessage | Branch

/**
 * The implementation of a Tool.
 *
 * @param call The Call with References resolved: parameters and the meta-fields that the Tool declares.
 * @param tool The Tool's schema.
 * @param context The scoped context.
 * @param run Signal, attempt, idempotency key and progress reporter.
 */
export type ActivityFunction<ResolvedCall, Output, Context = ActivityContext, Tool = ToolSchema> = (
  call: ResolvedCall,
  tool: Tool,
  context: Context,
  run: ActivityRun,
) => ActivityResult<Output>

/** An Activity of which nothing is known statically. */
// `any`: an Activity typed for one Tool must be assignable here, and parameters are contravariant.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyActivity = ActivityFunction<any, unknown, any, any>
