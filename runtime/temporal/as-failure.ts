import { isCallsheetError } from '../errors.ts'
import type { TemporalWorkflow } from './sdk.ts'

/**
 * Makes an error of ours one that ends a workflow of Temporal: one that throws anything else is repeated for ever. It is
 * still an error of ours, for a workflow that catches it.
 */
export function asFailure({ ApplicationFailure }: TemporalWorkflow, thrown: unknown): unknown {
  if (!isCallsheetError(thrown)) return thrown
  const { code, message, problems, suggestions } = thrown
  const ours = { callsheet: true, code, ...(problems && { problems }), ...(suggestions && { suggestions }) }
  return Object.assign(ApplicationFailure.nonRetryable(message, code), ours)
}
