import { byCodeUnit } from '../json/json.ts'

/** Longer names are not compared: the work grows with the product of the lengths, and names can come from a model. */
const longestName = 100

/** How many candidates of a fitting length are measured at most, so that a huge registry costs a bounded time. */
const mostCandidates = 2000

/**
 * The candidates that a misspelt name most likely meant, best first.
 *
 * Case and separators do not count (`weather_check` is `weatherCheck`); beyond that about one letter in three may be
 * wrong, missing, extra or swapped with its neighbour.
 *
 * @example nearest('serch', ['fetch', 'search']) // ['search']
 */
export function nearest(name: string, candidates: Iterable<string>, max: number = 3): string[] {
  if (name.length > longestName) return []
  const wanted = fold(name)
  const found: { candidate: string; distance: number }[] = []
  let measured = 0
  for (const candidate of candidates) {
    if (measured === mostCandidates) break
    const allowed = Math.max(1, Math.floor(Math.max(wanted.length, 3) / 3))
    const folded = fold(candidate)
    if (candidate.length > longestName || Math.abs(folded.length - wanted.length) > allowed) continue
    measured += 1
    const distance = editDistance(wanted, folded, allowed)
    if (distance <= allowed && distance < wanted.length) found.push({ candidate, distance })
  }
  found.sort((left, right) => left.distance - right.distance || byCodeUnit(left.candidate, right.candidate))
  return found.slice(0, max).map(({ candidate }) => candidate)
}

function fold(name: string): string {
  const folded = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  return folded === '' ? name : folded
}

/**
 * Letters to change, add, drop or swap with their neighbour (optimal string alignment). Gives up with infinity where more
 * than `most` are certain.
 */
function editDistance(left: string, right: string, most: number): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1]
      let least = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      )
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (row > 1 && column > 1 && swapped) least = Math.min(least, at(beforeLast, column - 2) + 1)
      current.push(least)
    }
    if (Math.min(...current) > most && Math.min(...last) > most) return Number.POSITIVE_INFINITY
    beforeLast = last
    last = current
  }
  return at(last, right.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
