import { LoopError } from '../agent/loop/loop-error.ts'
import { isCallsheetError } from '../errors.ts'
import type { TemporalWorkflow } from './sdk.ts'

/**
 * Makes an error of ours one that ends a workflow of Temporal: one that throws anything else is repeated for ever. It is
 * still an error of ours, for a workflow that catches it.
 */
export function asFailure({ ApplicationFailure }: TemporalWorkflow, thrown: unknown): unknown {
  if (!isCallsheetError(thrown)) return thrown
  const { code, message, problems, suggestions } = thrown
  const ours = {
    callsheet: true,
    code,
    ...(problems && { problems }),
    ...(suggestions && { suggestions }),
    // What a run had done by then; it stays within the workflow, since an engine keeps only message and type of a failure.
    ...(thrown instanceof LoopError && { result: thrown.result }),
  }
  return Object.assign(ApplicationFailure.nonRetryable(message, code), ours)
}
