import { ownCopy } from '../json/own-copy.ts'
import type { Outcome } from './outcome.ts'

/** An Outcome for a listener: a copy of all of it but its error, which is no JSON. */
export function ownOutcome<Given extends Outcome>(outcome: Given): Given {
  const { error, output, ...rest } = outcome
  const own = {
    ...ownCopy(rest),
    ...('output' in outcome && { output: ownCopy(output) }),
    ...(error && { error }),
  }
  // The one cast: the same members, and what each of them is.
  return own as unknown as Given
}
