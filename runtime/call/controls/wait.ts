import type { Cancellation } from './cancellation.ts'

/**
 * Waits for work, or for the cancellation, whichever comes first: a Call settles at once even when its Activity does
 * not listen (CALL-7). What the work does afterwards is dropped on purpose, and a rejection of it counts as handled. The
 * listener stays: it does nothing once the work is done, and goes with the cancellation of the Call or its group.
 */
export function orCancelled<Result>(work: Promise<Result>, cancellation: Cancellation): Promise<Result> {
  return new Promise((resolve, reject) => {
    cancellation.tell({ cancel: reject })
    work.then(resolve, reject)
  })
}
