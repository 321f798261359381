import type { Call } from '../context/message.ts'
import type { Schema, ToolSchema } from '../schema/schema.ts'
import type { ActivityContext } from '../tools/activity.ts'
import type { IdeaData } from '../tools/idea-data.ts'
import type { TokenUsage } from '../tools/token-usage.ts'
import type { ConfirmCalls } from './confirm.ts'
import type { DelegatedOptions } from './delegated-options.ts'

/** The clean room that a delegated Call names (REQ-12). */
export interface LatentDelegate {
  /** As the Tool or the Call says it: a name, `anonymous`, or a file of the Ideas folder. */
  readonly name: string
  /** The Idea of that name, where the registry knows it. */
  readonly idea?: IdeaData
}

/** One question to a model: fill in the output of this Call (CALL-2). */
export interface LatentRequest {
  /** The idempotency key of the Call. */
  readonly id: string
  readonly call: Call
  readonly tool: ToolSchema
  /** The schema of the answer: the Tool's `_output`. */
  readonly output: Schema
  /** What the Call's scopes let through; without scopes the whole context, but nothing of it to a delegate (SCOPE-3). */
  readonly context: ActivityContext
  readonly signal: AbortSignal
  /** Tells what the answer cost, in tokens; once or in parts, also when it fails. It is in the Outcome's `usage`. */
  readonly spend: (tokens: Partial<TokenUsage>) => void
  /** Who is asked, and whom the Call is for: this holds for the Calls that are made for the answer as well. */
  readonly under?:
    | {
        readonly confirm?: ConfirmCalls | undefined
        /** `confirm` is the default of the registry: Calls of another registry with a `confirm` of its own are asked about there. */
        readonly isDefault?: boolean
        readonly principal?: unknown
        /** The other options of the run, such as `before`; without the defaults of its registry. */
        readonly run?: Omit<DelegatedOptions, 'principal'>
      }
    | undefined
  /** Set when the Call is delegated: the answer comes from a Request of its own, in a clean context. */
  readonly delegate?: LatentDelegate
}

/** What answers latent Calls that carry no `_output`; `callsheet/agent` makes one of the `openai` client. */
export interface LatentModel {
  /** The output; it is validated against the Tool's `_output` like any other. */
  answer(request: LatentRequest): Promise<unknown>
  /**
   * Finds an Idea that the registry does not know, such as a file of the Ideas folder.
   *
   * @returns undefined when the name is not of the kind that it looks up.
   */
  idea?(name: string): Promise<IdeaData | undefined>
}
