import type { Cancellation } from './cancellation.ts'
import { longestWait } from './start-timer.ts'

/** Waits for some milliseconds; rejects when cancelled. Leaves no timer behind. */
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
