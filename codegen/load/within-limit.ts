/** Milliseconds that one definition file may take. Declaring schemas takes a few; fetching some from a service, seconds. */
export const definitionLimit = 60_000

/** The result of a file's code, or that it did not end in time. */
export type Ended<Result> = { readonly result: Result } | 'did not end'

/**
 * Waits for a file's code for a limited time. The timer does not keep the process alive: if nothing else is pending, it ends at
 * once.
 */
export async function withinLimit<Result>(
  work: Promise<Result>,
  milliseconds: number,
): Promise<Ended<Result>> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'did not end'>((resolve) => {
    timer = setTimeout(() => resolve('did not end'), milliseconds).unref()
  })
  try {
    return await Promise.race([work.then((result) => ({ result })), late])
  } finally {
    clearTimeout(timer)
  }
}
