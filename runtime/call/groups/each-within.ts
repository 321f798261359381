/**
 * Does work for each item, in order, for a limited number at a time; all at once where no number is given.
 *
 * @returns The results in the order of the items. Work that rejects rejects all of it.
 */
export async function eachWithin<Item, Result>(
  most: number | undefined,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  if (most === undefined || most >= items.length) return Promise.all(items.map(work))
  const results: Result[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++
      results[index] = await work(items[index] as Item, index)
    }
  }
  await Promise.all(Array.from({ length: most }, worker))
  return results
}
