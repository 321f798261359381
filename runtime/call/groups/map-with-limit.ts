/**
 * Maps items to results with limited concurrency. Items are started in order.
 *
 * @param most Maximum number of items in progress. Default: no limit.
 * @param start Starts the work for one item. It must call `onEnd` with the result, or `onDefect` with an exception, and
 * not before it returns.
 * @returns The results in the order of the items. Rejects with the first exception.
 */
export function mapWithLimit<Item, Result>(
  most: number = Number.POSITIVE_INFINITY,
  items: readonly Item[],
  start: (
    item: Item,
    place: number,
    onEnd: (place: number, result: Result) => void,
    onDefect: (thrown: unknown) => void,
  ) => void,
): Promise<Result[]> {
  if (items.length === 0) return Promise.resolve([])
  return new Promise((resolve, reject) => {
    const results: Result[] = []
    let next = 0
    let ended = 0
    function startNext(): void {
      const place = next++
      try {
        start(items[place] as Item, place, end, reject)
      } catch (thrown) {
        reject(thrown)
      }
    }
    function end(place: number, result: Result): void {
      results[place] = result
      ended++
      if (ended === items.length) resolve(results)
      else if (next < items.length) startNext()
    }
    while (next < items.length && next < most) startNext()
  })
}
