import type { Cancellation } from './cancellation.ts'

/**
 * Waits for work or for a cancellation, whichever comes first: a Call settles at once even if the work ignores its
 * signal (CALL-7). What the work does afterwards is dropped on purpose, and a late rejection counts as handled. The
 * listener is not removed: it does nothing once the work is done, and lives no longer than the cancellation.
 */
export function orCancelled<Result>(work: Promise<Result>, cancellation: Cancellation): Promise<Result> {
  return new Promise((resolve, reject) => {
    cancellation.add({ cancel: reject })
    work.then(resolve, reject)
  })
}
