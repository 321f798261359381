import { LoopError } from '../agent/loop/loop-error.ts'
import { isCallsheetError } from '../errors.ts'
import type { TemporalWorkflow } from './sdk.ts'

/**
 * Converts a CallsheetError to an error that ends a Temporal workflow: any other exception is retried forever. A
 * workflow that catches it still sees a CallsheetError. One that was cancelled ends as cancelled, and not as failed.
 */
export function asFailure(workflow: TemporalWorkflow, thrown: unknown): unknown {
  const { ApplicationFailure, CancelledFailure, CancellationScope } = workflow
  if (!isCallsheetError(thrown)) return thrown
  const { code, message, problems, suggestions } = thrown
  const ours = {
    callsheet: true,
    code,
    ...(problems && { problems }),
    ...(suggestions && { suggestions }),
    // The result of the run so far; only available within the workflow, since the engine stores only message and type of a failure.
    ...(thrown instanceof LoopError && { result: thrown.result }),
  }
  const isCancelled = code === 'aborted' && CancellationScope?.current().consideredCancelled
  const failure =
    isCancelled && CancelledFailure
      ? new CancelledFailure(message)
      : ApplicationFailure.nonRetryable(message, code)
  return Object.assign(failure, ours)
}
