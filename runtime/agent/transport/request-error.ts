import type { Outcome } from '../../call/outcome.ts'
import { CallsheetError, type ErrorCode, type ErrorDetails } from '../../errors.ts'
import { noUsage, type TokenUsage } from '../../tools/token-usage.ts'

/** What a {@link RequestError} knows besides its code. */
export interface RequestErrorDetails extends ErrorDetails {
  /** The HTTP status that the server answered with. */
  readonly status?: number | undefined
  /** Milliseconds that the server asked to wait. */
  readonly retryAfter?: number | undefined
  /** What the model answered, as far as it came; never Calls. */
  readonly text?: string | undefined
  readonly usage?: TokenUsage | undefined
  readonly attempts?: number | undefined
  readonly outcomes?: readonly Outcome[] | undefined
}

/**
 * A Request without a usable answer. Nothing of the answer was used, except where the code is `interrupted`: then
 * {@link outcomes} says what the Calls that had started came to.
 *
 * Codes: `model_refused`, `answer_truncated`, `answer_invalid`, `rate_limited`, `server_error`, `bad_request`,
 * `connection_failed`, `timeout`, `aborted`, `interrupted`, `limit_reached`, `invalid_options`.
 *
 * @example
 * try {
 *   await Request({ model, context, tools: Tool })
 * } catch (error) {
 *   if (isCallsheetError(error) && error.code === 'rate_limited') await later((error as RequestError).retryAfter)
 * }
 */
export class RequestError extends CallsheetError {
  override name = 'RequestError'
  readonly status?: number
  readonly retryAfter?: number
  readonly text?: string
  /** Tokens of every attempt, as far as the server said. */
  readonly usage: TokenUsage
  /** How often the model was asked. */
  readonly attempts: number
  /** What the Calls that had started early came to (REQ-7). */
  readonly outcomes: readonly Outcome[]

  constructor(code: ErrorCode, message: string, details: RequestErrorDetails = {}) {
    super(code, message, details)
    const { status, retryAfter, text, usage = noUsage, attempts = 0, outcomes = [] } = details
    if (status !== undefined) this.status = status
    if (retryAfter !== undefined) this.retryAfter = retryAfter
    if (text !== undefined) this.text = text
    this.usage = usage
    this.attempts = attempts
    this.outcomes = outcomes
  }

  /** The same error, with what only the whole Request knows. */
  with(details: RequestErrorDetails): RequestError {
    const { problems, suggestions, cause, status, retryAfter, text, usage, attempts, outcomes } = this
    const own = { problems, suggestions, status, retryAfter, text, usage, attempts, outcomes }
    return new RequestError(this.code, this.message, {
      ...own,
      ...(cause !== undefined && { cause }),
      ...details,
    })
  }
}
