/** The words of a name, in small letters: `searchPlace` has two. */
export function wordsOf(name: string): Set<string> {
  return new Set((name.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []).map((word) => word.toLowerCase()))
}

/** From 0 to 1: how many of the words of two names are in both. */
export function overlap(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0
  for (const word of left) if (right.has(word)) shared++
  return shared / Math.max(1, left.size + right.size - shared)
}
