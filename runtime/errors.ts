/**
 * One thing that is wrong with a value.
 *
 * @example { path: '/amount', expected: 'a number', received: '"ten"', message: '/amount: expected a number, got "ten"' }
 */
export interface Problem {
  /** Where in the value: a JSON pointer (RFC 6901); `''` is the value itself. */
  readonly path: string
  readonly expected: string
  readonly received: string
  readonly message: string
}

/** The closed list of error codes; `docs/errors.md` has cause and cure of each. */
export type ErrorCode =
  | 'unknown_tool'
  | 'invalid_call'
  | 'invalid_output'
  | 'invalid_path'
  | 'invalid_message'
  | 'invalid_options'
  | 'unresolved_reference'
  | 'unknown_instance'
  | 'activity_mismatch'
  | 'missing_activity'
  | 'no_implementation'
  | 'no_output'
  | 'no_model'
  | 'activity_failed'
  | 'other_branch'
  | 'timeout'
  | 'aborted'
  | 'refused'
  | 'unsafe_strategy'
  | 'override_mismatch'
  | 'malformed_json'
  | 'interrupted'
  | 'unsupported_schema'
  | 'model_refused'
  | 'answer_truncated'
  | 'answer_invalid'
  | 'rate_limited'
  | 'server_error'
  | 'bad_request'
  | 'connection_failed'
  | 'limit_reached'
  | 'stalled'
  | 'plan_cycle'
  | 'approval_pending'
  | 'contract_mismatch'
  | 'unauthorized'
  | 'internal'

export interface ErrorDetails {
  readonly problems?: readonly Problem[] | undefined
  /** The nearest valid names, best first. */
  readonly suggestions?: readonly string[] | undefined
  readonly cause?: unknown
}

/** An error as data: what an Outcome or an error Message carries. Never a stack. */
export interface ErrorData {
  readonly name: string
  readonly code: string
  readonly message: string
  readonly problems?: readonly Problem[]
  readonly suggestions?: readonly string[]
}

/**
 * The base of every error that Callsheet throws. Recognise one with {@link isCallsheetError}, which also works when
 * two copies of the package are loaded.
 */
export class CallsheetError extends Error {
  override name: string = 'CallsheetError'
  /** Marks errors of every copy of the package. */
  readonly callsheet: true = true
  /** What happened, from a closed list: docs/errors.md has cause and cure of each. */
  readonly code: ErrorCode
  // Declared, so that an error without them has no such property that is undefined.
  /** What is wrong with a Call or an output, place by place. */
  declare readonly problems?: readonly Problem[]
  /** The nearest valid names, best first. */
  declare readonly suggestions?: readonly string[]

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.code = code
    if (details.problems) this.problems = details.problems
    if (details.suggestions?.length) this.suggestions = details.suggestions
  }

  /** The error as data, without stack and cause. */
  toJSON(): ErrorData {
    return {
      name: this.name,
      code: this.code,
      message: this.message,
      ...(this.problems && { problems: this.problems }),
      ...(this.suggestions && { suggestions: this.suggestions }),
    }
  }
}

/** A Call that cannot run: unknown, invalid, unresolved, or without an implementation. Nothing has been run. */
export class CallError extends CallsheetError {
  override name = 'CallError'
}

/** An Activity's or a model's output that its Tool's `_output` does not allow (`invalid_output`). */
export class OutputError extends CallsheetError {
  override name = 'OutputError'
}

/** A Call whose Activity began and did not finish well: `activity_failed`, `timeout`, `aborted`, `refused`. */
export class ActivityError extends CallsheetError {
  override name = 'ActivityError'
}

/**
 * True for an error of any copy of Callsheet, also of one in another realm, where `instanceof` does not reach; narrows
 * to the fields that all of them have. What throws when it is looked at is none.
 */
export function isCallsheetError(value: unknown): value is CallsheetError {
  try {
    if (Object.prototype.toString.call(value) !== '[object Error]') return false
    const { callsheet, code } = value as { callsheet?: unknown; code?: unknown }
    return callsheet === true && typeof code === 'string'
  } catch {
    return false
  }
}
