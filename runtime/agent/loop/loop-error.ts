import { CallsheetError, type ErrorCode, type ErrorDetails } from '../../errors.ts'
import type { AgentResult } from './agent-options.ts'

/**
 * A run that ended without its output. What it had done by then is in {@link result}: nothing is lost.
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
  /** The run so far, its output null. */
  readonly result: AgentResult<never>

  constructor(code: ErrorCode, message: string, result: AgentResult<never>, details: ErrorDetails = {}) {
    super(code, message, details)
    this.result = result
  }
}
