import type { Cancellation } from './cancellation.ts'
import { longestWait } from './start-timer.ts'

/**
 * Waits for work, or for the cancellation, whichever comes first: a Call settles at once even when its Activity does
 * not listen (CALL-7). What the work does afterwards is nobody's business, but it is not an unhandled rejection. The
 * listener stays: it does nothing once the work is done, and goes with the cancellation of the Call or its group.
 */
export function orCancelled<Result>(work: Promise<Result>, cancellation: Cancellation): Promise<Result> {
  return new Promise((resolve, reject) => {
    cancellation.tell(reject)
    work.then(resolve, reject)
  })
}

/** Waits for some milliseconds, or until cancelled; leaves no timer behind. */
export function pause(milliseconds: number, cancellation: Cancellation): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => {
        forget()
        resolve()
      },
      Math.min(milliseconds, longestWait),
    )
    const forget = cancellation.onCancel((reason) => {
      clearTimeout(timer)
      reject(reason)
    })
  })
}
