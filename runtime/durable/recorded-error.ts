import { RequestError } from '../agent/transport/request-error.ts'
import type { Outcome } from '../call/outcome.ts'
import {
  ActivityError,
  CallError,
  CallsheetError,
  type ErrorCode,
  type ErrorData,
  OutputError,
} from '../errors.ts'
import type { TokenUsage } from '../tools/token-usage.ts'

/** An error as an engine stores it; for a Request, with its usage and Outcomes. */
export interface RecordedError extends ErrorData {
  readonly status?: number
  readonly retryAfter?: number
  readonly text?: string
  readonly usage?: TokenUsage
  readonly attempts?: number
  readonly outcomes?: readonly RecordedOutcome[]
}

/** An Outcome as an engine stores it: plain JSON. */
export type RecordedOutcome = Omit<Outcome, 'error'> & { readonly error?: RecordedError }

const classes: Readonly<
  Record<string, new (code: ErrorCode, message: string, details: object) => CallsheetError>
> = { CallsheetError, CallError, OutputError, ActivityError, RequestError }

/** Serialises an error, without stack and cause. */
export function recordError(
  error: CallsheetError,
  recordOutcome: (outcome: Outcome) => RecordedOutcome,
): RecordedError {
  const data = error.toJSON()
  if (!isOfRequest(error)) return data
  const { status, retryAfter, text, usage, attempts, outcomes } = error
  return {
    ...data,
    ...(status !== undefined && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(text !== undefined && { text }),
    usage,
    attempts,
    ...(outcomes.length > 0 && { outcomes: outcomes.map(recordOutcome) }),
  }
}

/** Restores a serialised error, with the same class, code and message. */
export function reviveError(
  { name, code, message, outcomes, ...details }: RecordedError,
  reviveOutcome: (outcome: RecordedOutcome) => Outcome,
): CallsheetError {
  const Class = Object.hasOwn(classes, name) ? classes[name] : undefined
  const whole = { ...details, ...(outcomes && { outcomes: outcomes.map(reviveOutcome) }) }
  return new (Class ?? CallsheetError)(code as ErrorCode, message, whole)
}

/** Recognised by its fields rather than its class, since another copy of the package may have created it. */
function isOfRequest(error: CallsheetError): error is RequestError {
  return error.name === 'RequestError' && 'usage' in error && 'outcomes' in error
}
