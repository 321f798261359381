import { ActivityError } from '../../errors.ts'
import type { RunOptions } from '../run-options.ts'
import { Cancellation, follow } from './cancellation.ts'

/** The longest wait that `setTimeout` can do, in milliseconds, about 25 days. What is longer it would do at once. */
export const longestWait: number = 2 ** 31 - 1

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
  const timer = timeout === undefined ? undefined : startTimer(cancellation, timeout)
  return {
    cancellation,
    release() {
      clearTimeout(timer)
      unfollow()
    },
  }
}

function startTimer(cancellation: Cancellation, timeout: number): ReturnType<typeof setTimeout> | undefined {
  if (timeout > longestWait) return undefined
  return setTimeout(() => {
    cancellation.cancel(new ActivityError('timeout', `The Call did not finish within ${timeout} ms.`))
  }, timeout)
}
