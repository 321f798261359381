import { ownCopy } from '../json/own-copy.ts'
import type { Outcome } from './outcome.ts'

/** Copies an Outcome for a listener. The error is shared: it is not JSON. */
export function ownOutcome<Given extends Outcome>(outcome: Given): Given {
  const { error, output, ...rest } = outcome
  const own = {
    ...ownCopy(rest),
    ...('output' in outcome && { output: ownCopy(output) }),
    ...(error && { error }),
  }
  // Safe cast: the copy has the same members.
  return own as unknown as Given
}
