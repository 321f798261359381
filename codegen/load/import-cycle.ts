/**
 * Finds the shortest import cycle of a file or of one that it imports; undefined if there is none.
 *
 * @param imports The files that each file imports.
 * @returns The files in order, the first again at the end.
 */
export function importCycle(
  file: string,
  imports: ReadonlyMap<string, readonly string[]>,
): string[] | undefined {
  const reached = new Set<string>([file])
  for (const from of reached) {
    const cycle = wayBack(from, imports)
    if (cycle) return cycle
    for (const target of imports.get(from) ?? []) reached.add(target)
  }
  return undefined
}

function wayBack(start: string, imports: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const ways: string[][] = [[start]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const target of imports.get(way.at(-1) ?? start) ?? []) {
      if (target === start) return [...way, start]
      if (seen.has(target)) continue
      seen.add(target)
      ways.push([...way, target])
    }
  }
  return undefined
}
