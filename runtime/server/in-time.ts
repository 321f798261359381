import { CallsheetError } from '../errors.ts'

/**
 * Waits for what the owner of a server says, which may never come: the request would be held for ever.
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

/** Waits until somebody says so, or the time is over. */
export function atMost(time: number, wait: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, time)
    wait(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
