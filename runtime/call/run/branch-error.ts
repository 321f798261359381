import type { Message } from '../../context/message.ts'
import { CallsheetError } from '../../errors.ts'
import type { Outcome } from '../outcome.ts'

/**
 * Thrown by `Tool(call)` when a Call succeeded without an output: its Activity returned a Message for another
 * alternative of `_outputPath` than the first (OUT-7), or, without an `_outputPath`, a Message whose data is not an
 * output of the Tool (ACT-7). Its `code` is `other_branch`.
 *
 * @example
 * const outcome = await Tool.run(call) // does not throw: outcome.message is the Message
 */
export class BranchError extends CallsheetError {
  override name = 'BranchError'
  /** The Message that was returned. */
  readonly branch: Message

  constructor(tool: string, branch: Message) {
    super(
      'other_branch',
      `The Activity of "${tool}" returned a Message without an output: it took another alternative of _outputPath, or has no data that _output allows. To get the Message, use Tool.run(call).`,
    )
    this.branch = branch
  }
}

/**
 * Returns the error to throw for a Call without an output: its own, or a BranchError; undefined if it has an output.
 */
export function failureOf(outcome: Outcome): CallsheetError | undefined {
  if (outcome.status !== 'succeeded') return outcome.error
  return outcome.message && !('output' in outcome)
    ? new BranchError(outcome.tool, outcome.message)
    : undefined
}
