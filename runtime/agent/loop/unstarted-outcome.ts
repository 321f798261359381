import type { Outcome } from '../../call/outcome.ts'
import { statusOf } from '../../call/run/make-outcome.ts'
import type { Call } from '../../context/message.ts'
import type { CallsheetError } from '../../errors.ts'

/** Builds the Outcome of something that no registry has run: a Request, an approval, or a refused Call. */
export function unstartedOutcome(
  call: Call,
  id: string,
  error?: CallsheetError,
  now: number = Date.now(),
): Outcome {
  return {
    id,
    call,
    tool: call._tool,
    mode: 'explicit',
    delegated: false,
    status: error ? statusOf(error) : 'succeeded',
    ...(error && { error }),
    appended: [],
    attempts: 0,
    startedAt: now,
    endedAt: now,
  }
}
