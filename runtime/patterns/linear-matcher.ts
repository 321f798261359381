import { compilePattern } from './machine.ts'
import type { Matcher } from './matcher.ts'
import { Search } from './search.ts'

/**
 * Creates a matcher that follows all alternatives of a pattern at once, so that its time is linear in the length of the text,
 * whatever the pattern. It is slower than a `RegExp` for patterns without catastrophic backtracking.
 *
 * @param mostBytes What it may remember while it reads a text.
 * @returns undefined for a pattern that has back-references or flags, too many lookarounds, or is too large.
 */
export function linearMatcher(source: string, mostBytes = 8_000_000): Matcher | undefined {
  const machine = compilePattern(source)
  if (!machine) return undefined
  const search = new Search(machine, machine.start, false, mostBytes)
  const looks = machine.looks.map(({ start, isBehind, isNegative }) => ({
    search: new Search(machine, start, !isBehind, mostBytes),
    isNegative,
  }))
  return {
    test(text) {
      const held: Uint8Array[] = []
      for (const { search, isNegative } of looks) {
        const places = new Uint8Array(text.length + 1).fill(isNegative ? 1 : 0)
        search.find(text, held, (place) => {
          places[place] = isNegative ? 0 : 1
          return false
        })
        held.push(places)
      }
      return search.find(text, held, () => true)
    },
  }
}
