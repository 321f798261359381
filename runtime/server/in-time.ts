import { CallsheetError, isCallsheetError } from '../errors.ts'

/**
 * Asks a callback of the server's owner, with a time limit, since it may never settle.
 *
 * @throws CallsheetError `timeout`; what the callback throws, which clients do not see.
 */
export function inTime<Said>(
  ask: () => Said | PromiseLike<Said>,
  time: number,
  who: string,
): Said | Promise<Said> {
  let said: Said | PromiseLike<Said>
  try {
    said = ask()
  } catch (error) {
    throw hidden(who, error)
  }
  if (!(said instanceof Object && 'then' in said)) return said
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new CallsheetError('timeout', `${who} said nothing for ${time} ms (limits.hookTime).`)),
      time,
    )
    Promise.resolve(said)
      .finally(() => clearTimeout(timer))
      .then(resolve, (error: unknown) => reject(hidden(who, error)))
  })
}

/**
 * Hides an error of Callsheet, such as that of a Call by which `authorize` looks up who asks: clients see the text of errors that Callsheet
 * throws, and this one is not about their request.
 */
function hidden(who: string, error: unknown): unknown {
  return isCallsheetError(error) ? new Error(`${who} failed: ${error.message}`, { cause: error }) : error
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
