/**
 * One thing that is wrong with a value.
 *
 * @example { path: '/amount', expected: 'a number', received: '"ten"', message: '/amount: expected a number, got "ten"' }
 */
export interface Problem {
  /** JSON pointer (RFC 6901) to the part of the value that is wrong; `''` is the value itself. */
  readonly path: string
  readonly expected: string
  readonly received: string
  readonly message: string
}

/** The closed list of error codes; `docs/errors.md` gives the cause and the cure of each. */
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

/** An error as JSON, in an Outcome or an error Message. Never contains a stack. */
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
  /** Marks errors of any copy of the package, for {@link isCallsheetError}. */
  readonly callsheet: true = true
  /** What happened, from a closed list; docs/errors.md gives the cause and the cure of each. */
  readonly code: ErrorCode
  // `declare`: a class field would create the property with the value undefined on errors that have none.
  /** What is wrong with a Call or an output, one entry for each place. */
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

/**
 * A Call that cannot run: its Tool is unknown, it is invalid, a Reference has no value, or it has no implementation.
 */
export class CallError extends CallsheetError {
  override name = 'CallError'
}

/** An Activity or a model returned an output that the Tool's `_output` does not allow (`invalid_output`). */
export class OutputError extends CallsheetError {
  override name = 'OutputError'
}

/** A Call that was started and did not succeed: `activity_failed`, `timeout`, `aborted`, `refused`. */
export class ActivityError extends CallsheetError {
  override name = 'ActivityError'
}

/**
 * Returns true for a Callsheet error, including one from another copy of the package or another realm, where
 * `instanceof` would be false. A value that throws when its properties are read is not one.
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
