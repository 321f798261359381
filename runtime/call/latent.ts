import type { Call } from '../context/message.ts'
import type { Schema, ToolSchema } from '../schema/schema.ts'
import type { ActivityContext } from '../tools/activity.ts'
import type { IdeaData } from '../tools/idea-data.ts'
import type { TokenUsage } from '../tools/token-usage.ts'
import type { ConfirmCalls } from './confirm.ts'
import type { DelegatedOptions } from './delegated-options.ts'

/** The delegate of a Call, which answers it in a clean context (REQ-12). */
export interface LatentDelegate {
  /** The value of `_delegate`: a name, `anonymous`, or a file of the Ideas folder. */
  readonly name: string
  /** The Idea of that name, if the registry has one. */
  readonly idea?: IdeaData
}

/** What a model is asked for a latent Call: its output (CALL-2). */
export interface LatentRequest {
  /** The idempotency key of the Call. */
  readonly id: string
  readonly call: Call
  readonly tool: ToolSchema
  /** The schema of the answer: the Tool's `_output`. */
  readonly output: Schema
  /**
   * The Messages that the Call's scopes select. Without scopes: the whole context, or nothing for a delegate (SCOPE-3).
   */
  readonly context: ActivityContext
  readonly signal: AbortSignal
  /** Adds tokens that the answer cost to the Outcome's `usage`: once or in parts, also if the answer fails. */
  readonly spend: (tokens: Partial<TokenUsage>) => void
  /** Options of the run that also apply to Calls made while answering. */
  readonly under?:
    | {
        readonly confirm?: ConfirmCalls | undefined
        /**
         * True if `confirm` is only the registry's default: Calls of another registry then use that one's own, if it
         * has one.
         */
        readonly isDefault?: boolean
        readonly principal?: unknown
        /** The other options of the run, such as `before`, as far as they differ from its registry's defaults. */
        readonly run?: Omit<DelegatedOptions, 'principal'>
      }
    | undefined
  /** Set if the Call is delegated: the answer comes from a Request of its own, in a clean context. */
  readonly delegate?: LatentDelegate
}

/**
 * Answers latent Calls that carry no `_output`. `latentModel` of `callsheet/agent` creates one from an `openai` client.
 */
export interface LatentModel {
  /** Returns the output, which is then validated against the Tool's `_output`. */
  answer(request: LatentRequest): Promise<unknown>
  /**
   * Finds an Idea that is not in the registry, such as a file of the Ideas folder.
   *
   * @returns undefined if the name is not one that it looks up.
   */
  idea?(name: string): Promise<IdeaData | undefined>
}
