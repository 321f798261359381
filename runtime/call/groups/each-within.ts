/**
 * Does work for each item, in order, for a limited number at a time; all at once where no number is given.
 *
 * @param start Starts the work for one item, and calls back with its result: later, never before it returns; or
 * with why there is none.
 * @returns The results in the order of the items. One that is missing rejects all of it.
 */
export function eachWithin<Item, Result>(
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
