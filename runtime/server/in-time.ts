import { CallsheetError } from '../errors.ts'

/**
 * Waits for a callback of the server's owner, with a time limit, since it may never settle.
 *
 * @throws CallsheetError `timeout`.
 */
export function inTime<Said>(
  said: Said | PromiseLike<Said>,
  time: number,
  who: string,
): Said | Promise<Said> {
  if (!(said instanceof Object && 'then' in said)) return said
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new CallsheetError('timeout', `${who} said nothing for ${time} ms (limits.hookTime).`)),
      time,
    )
    Promise.resolve(said)
      .finally(() => clearTimeout(timer))
      .then(resolve, reject)
  })
}

/** Waits until it is woken, or the time is over. */
export function atMost(time: number, wait: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, time)
    wait(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
