import type { Message } from '../../context/message.ts'
import { CallsheetError } from '../../errors.ts'
import type { Outcome } from '../outcome.ts'

/**
 * An Activity returned a Message that took another alternative of `_outputPath` than the first (OUT-7), or, where there
 * is no `_outputPath`, one whose data is no output of its Tool (ACT-7). Nothing went wrong, but there is no output to hand
 * back: `code` is `other_branch`.
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
      `The Activity of "${tool}" returned a Message without an output: it took another alternative of _outputPath, or holds no data that _output allows. Tool.run(call) reports it without throwing.`,
    )
    this.branch = branch
  }
}

/** Why a Call has no output to hand back: its error, or that its Message took another branch. */
export function failureOf(outcome: Outcome): CallsheetError | undefined {
  if (outcome.status !== 'succeeded') return outcome.error
  return outcome.message && !('output' in outcome)
    ? new BranchError(outcome.tool, outcome.message)
    : undefined
}
