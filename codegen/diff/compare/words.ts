/** Splits a name into lower-case words: `searchPlace` has two. */
export function wordsOf(name: string): Set<string> {
  return new Set((name.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []).map((word) => word.toLowerCase()))
}

/** Returns the share of common words, from 0 to 1. */
export function overlap(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0
  for (const word of left) if (right.has(word)) shared++
  return shared / Math.max(1, left.size + right.size - shared)
}
