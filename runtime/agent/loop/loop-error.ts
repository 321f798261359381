import { ActivityError, CallsheetError, type ErrorCode, type ErrorDetails } from '../../errors.ts'
import type { Approval } from '../approvals/approval.ts'
import type { AgentResult } from './agent-options.ts'

/**
 * A run that ended without an output. {@link result} has everything it did until then: nothing is lost.
 *
 * Codes: `limit_reached`, `stalled`, `plan_cycle`, and those of the Request that failed.
 *
 * @example
 * try {
 *   await Agent({ model, tools: Tool, context, output })
 * } catch (error) {
 *   if (isCallsheetError(error) && error.code === 'limit_reached') goOnWith((error as LoopError).result.context)
 * }
 */
export class LoopError extends CallsheetError {
  override name = 'LoopError'
  /** The run so far, with a null output. */
  readonly result: AgentResult<never>

  constructor(code: ErrorCode, message: string, result: AgentResult<never>, details: ErrorDetails = {}) {
    super(code, message, details)
    this.result = result
  }
}

/** Builds the error of a turn with Calls that wait for a decision (REQ-9). */
export function approvalPending(approvals: readonly Approval[]): ActivityError {
  const count = approvals.length === 1 ? 'An approval is' : `${approvals.length} approvals are`
  return new ActivityError(
    'approval_pending',
    `${count} pending. Store error.result.suspended, and call Agent({ resume, decisions }) with the decisions.`,
  )
}

/** Builds the error of a turn with neither Calls nor an output. */
export function stalled(waiting: number): CallsheetError {
  const blocked = waiting > 0 ? ` ${waiting} planned Calls wait for values that no Call writes.` : ''
  return new CallsheetError(
    'stalled',
    `The model returned neither Calls nor an output, so the run cannot continue.${blocked}`,
  )
}
