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

/**
 * Guesses as {@link nearest} does, for the first names that are asked for: an answer of a model can be wrong in thousands of places,
 * and who reads it mends the first ones.
 */
export function firstNearest(most: number = 20): typeof nearest {
  let asked = 0
  return (name, candidates, max) => (asked++ < most ? nearest(name, candidates, max) : [])
}

/** Most names are letters and digits alone, and the search for anything else costs more than all that is done with them. */
const plain = /^[a-z0-9]+$/

function fold(name: string): string {
  if (plain.test(name)) return name
  const folded = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  return folded === '' ? name : folded
}

/** Rows of the table that distances are computed in; used by one at a time, and again and again. */
const rows = [0, 1, 2].map(() => new Uint16Array(longestName * 4 + 1)) as [Row, Row, Row]
type Row = Uint16Array

/**
 * Letters to change, add, drop or swap with their neighbour (optimal string alignment). Gives up with infinity where more
 * than `most` are certain.
 */
function editDistance(left: string, right: string, most: number): number {
  let [beforeLast, last, current] = rows
  for (let column = 0; column <= right.length; column++) last[column] = column
  let leastOfLast = 0
  for (let row = 1; row <= left.length; row++) {
    current[0] = row
    let leastOfRow = row
    const letter = left.charCodeAt(row - 1)
    for (let column = 1; column <= right.length; column++) {
      const other = right.charCodeAt(column - 1)
      let least = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (letter === other ? 0 : 1),
      )
      if (
        row > 1 &&
        column > 1 &&
        letter === right.charCodeAt(column - 2) &&
        left.charCodeAt(row - 2) === other
      ) {
        least = Math.min(least, at(beforeLast, column - 2) + 1)
      }
      current[column] = least
      if (least < leastOfRow) leastOfRow = least
    }
    if (leastOfRow > most && leastOfLast > most) return Number.POSITIVE_INFINITY
    leastOfLast = leastOfRow
    const spare = beforeLast
    beforeLast = last
    last = current
    current = spare
  }
  return at(last, right.length)
}

function at(row: Row, column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
