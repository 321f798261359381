/** Milliseconds that one definition file may take. Reading schemas takes a few; asking a service for some, seconds. */
export const definitionLimit = 60_000

/** What a file gave, or that it did not end in time. */
export type Ended<Result> = { readonly result: Result } | 'did not end'

/**
 * Waits for a file's code for a limited time. The timer keeps no process alive: one in which nothing can happen any more
 * ends at once.
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
