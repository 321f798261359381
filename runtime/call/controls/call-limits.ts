import { ActivityError } from '../../errors.ts'
import type { RunOptions } from '../run-options.ts'
import { Cancellation, follow } from './cancellation.ts'
import { startTimer } from './start-timer.ts'

/** What can stop one Call. */
export interface CallLimits {
  readonly cancellation: Cancellation
  /** Takes timer and listeners off again. */
  release(): void
}

/** Starts the clock of a Call; undefined where nothing can stop it, which most Calls are and which costs nothing. */
export function callLimits(
  { signal, timeout }: RunOptions,
  outer: Cancellation | undefined,
): CallLimits | undefined {
  if (!signal && !outer && timeout === undefined) return undefined
  const cancellation = new Cancellation()
  const unfollow = follow(cancellation, signal, outer)
  const timer = startTimer(timeout, () => {
    cancellation.cancel(new ActivityError('timeout', `The Call did not finish within ${timeout} ms.`))
  })
  return {
    cancellation,
    release() {
      clearTimeout(timer)
      unfollow()
    },
  }
}
