import { type CallsheetError, type ErrorData, isCallsheetError, type Problem } from '../errors.ts'
import type { Answer } from './exchange.ts'

/** Codes of requests that a server refuses before it reads a Call; all others are error codes of Calls. */
export type ServerProblemCode =
  | 'bad_request'
  | 'not_found'
  | 'method_not_allowed'
  | 'unauthorized'
  | 'forbidden_host'
  | 'forbidden_origin'
  | 'too_large'
  | 'unsupported_media_type'
  | 'unsupported_coding'
  | 'idempotency_conflict'
  | 'contract_mismatch'
  | 'busy'
  | 'loop_detected'
  | 'closing'

const statuses: Readonly<Record<ServerProblemCode, number>> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden_host: 403,
  forbidden_origin: 403,
  not_found: 404,
  method_not_allowed: 405,
  idempotency_conflict: 409,
  contract_mismatch: 409,
  too_large: 413,
  unsupported_media_type: 415,
  busy: 429,
  unsupported_coding: 501,
  loop_detected: 508,
  closing: 503,
}

/** HTTP statuses of failed Calls; 500 for codes that are not listed. */
const statusesOfCalls: Readonly<Record<string, number>> = {
  unknown_tool: 404,
  contract_mismatch: 409,
  unauthorized: 401,
  refused: 403,
  invalid_call: 422,
  malformed_json: 422,
  invalid_path: 422,
  invalid_message: 422,
  unresolved_reference: 422,
  unknown_instance: 422,
  activity_mismatch: 422,
  unsafe_strategy: 422,
  no_implementation: 501,
  missing_activity: 501,
  no_output: 501,
  no_model: 501,
  activity_failed: 502,
  invalid_output: 502,
  other_branch: 502,
  aborted: 503,
  interrupted: 503,
  timeout: 504,
}

/** A request that a server refuses. */
export class ServerProblem extends Error {
  readonly code: ServerProblemCode
  readonly headers: Readonly<Record<string, string>>
  readonly problems: readonly Problem[] | undefined

  constructor(
    code: ServerProblemCode,
    message: string,
    more: { headers?: Record<string, string>; problems?: readonly Problem[] } = {},
  ) {
    super(message)
    this.code = code
    this.headers = more.headers ?? {}
    this.problems = more.problems
  }
}

/** The body for a refused request, a failed Call, or an internal error (RFC 9457). */
export interface ProblemDetails {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly problems?: readonly Problem[]
  readonly suggestions?: readonly string[]
}

/** Answers with `application/problem+json`. */
export function problemAnswer(error: unknown): Answer {
  const details = problemDetails(error)
  return {
    status: details.status,
    headers: {
      'content-type': 'application/problem+json',
      ...(error instanceof ServerProblem && error.headers),
    },
    body: JSON.stringify(details),
  }
}

/** Converts an error to a problem for the client. */
export function problemDetails(error: unknown): ProblemDetails {
  if (error instanceof ServerProblem) return detailsOf(statuses[error.code], error)
  if (isCallsheetError(error)) return callProblemDetails(error)
  // An internal error: its text could reveal what clients must not see.
  return detailsOf(500, { code: 'internal', message: 'The server failed. Its log says more.' })
}

/** Answers a Call that did not succeed. */
export function callProblemAnswer(error: CallsheetError | ErrorData): Answer {
  const details = callProblemDetails(error)
  return {
    status: details.status,
    headers: { 'content-type': 'application/problem+json' },
    body: JSON.stringify(details),
  }
}

function callProblemDetails(error: CallsheetError | ErrorData): ProblemDetails {
  return detailsOf(statusesOfCalls[error.code] ?? 500, error)
}

interface Failure {
  readonly code: string
  readonly message: string
  readonly problems?: readonly Problem[] | undefined
  readonly suggestions?: readonly string[] | undefined
}

function detailsOf(status: number, { code, message, problems, suggestions }: Failure): ProblemDetails {
  return {
    type: `urn:callsheet:${code}`,
    title: titleOf(code),
    status,
    detail: message,
    code,
    ...(problems && { problems }),
    ...(suggestions && { suggestions }),
  }
}

/** Converts a code to a title: `unknown_tool` to "Unknown tool". */
function titleOf(code: string): string {
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
