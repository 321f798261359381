import type { Outcome } from '../../call/outcome.ts'
import { CallsheetError, type ErrorCode, type ErrorDetails } from '../../errors.ts'
import { noUsage, type TokenUsage } from '../../tools/token-usage.ts'

/** The details of a {@link RequestError}. */
export interface RequestErrorDetails extends ErrorDetails {
  /** The HTTP status of the response. */
  readonly status?: number | undefined
  /** The wait that the server asked for, in milliseconds. */
  readonly retryAfter?: number | undefined
  /** The model's answer as far as received; never Calls. */
  readonly text?: string | undefined
  readonly usage?: TokenUsage | undefined
  readonly attempts?: number | undefined
  readonly outcomes?: readonly Outcome[] | undefined
}

/**
 * A Request without a usable answer. No part of the answer was used, unless the code is `interrupted`: then {@link
 * outcomes} has the results of the Calls that had started.
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
  /** Tokens of all attempts, as far as the server reported them. */
  readonly usage: TokenUsage
  /** Number of attempts. */
  readonly attempts: number
  /** The Outcomes of Calls that had started early (REQ-7). */
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

  /** Copies the error with the data of the whole Request. */
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
