import type { Outcome } from '../call/outcome.ts'
import { ActivityError } from '../errors.ts'
import { messageOf } from '../problems/message-of.ts'
import type { StopSignal } from './ending.ts'

/** Says in an aborted Call's error who aborted it: the client cannot know the server's signal, which may be its closing. */
export function whyAborted(outcome: Outcome, signal: StopSignal | undefined): Outcome {
  if (outcome.status !== 'aborted' || !signal?.aborted) return outcome
  const { reason } = signal
  return { ...outcome, error: new ActivityError('aborted', messageOf(reason), { cause: reason }) }
}
