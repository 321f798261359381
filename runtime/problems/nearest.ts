import { byCodeUnit } from '../json/json.ts'

/**
 * Longest name that is compared, in characters: the work grows with the product of both lengths, and names can come
 * from a model.
 */
const longestName = 100

/** Most candidates of a similar length that are compared, which bounds the time for a huge registry. */
const mostCandidates = 2000

/**
 * Returns the candidates that a misspelt name most likely meant, best first.
 *
 * Case and separators are ignored (`weather_check` is `weatherCheck`). Apart from that about one letter in three may be
 * wrong, missing, extra or swapped with its neighbour; or one name is the other's plural in `-ies`.
 *
 * @example nearest('serch', ['fetch', 'search']) // ['search']
 */
export function nearest(name: string, candidates: Iterable<string>, max: number = 3): string[] {
  if (name.length > longestName) return []
  const wanted = fold(name)
  const plural = otherNumber(wanted)
  const most = Math.min(Math.max(1, Math.floor(Math.max(wanted.length, 3) / 3)), wanted.length - 1)
  const found: Guess[] = []
  let measured = 0
  for (const candidate of candidates) {
    if (measured === mostCandidates) break
    // Once `max` candidates are found, only closer ones matter, and most names are ruled out after a few letters.
    const last = found.length === max ? found.at(-1) : undefined
    const allowed = last ? last.distance - (byCodeUnit(candidate, last.candidate) < 0 ? 0 : 1) : most
    const folded = fold(candidate)
    const isFar = folded !== plural && Math.abs(folded.length - wanted.length) > allowed
    if (candidate.length > longestName || isFar) continue
    measured += 1
    const distance = folded === plural ? 1 : editDistance(wanted, folded, allowed)
    if (distance > allowed) continue
    if (last) found.pop()
    found.push({ candidate, distance })
    found.sort((left, right) => left.distance - right.distance || byCodeUnit(left.candidate, right.candidate))
  }
  return found.map(({ candidate }) => candidate)
}

/** Swaps `-y` and `-ies` (`retry`, `retries`), which differ by more letters than short names may. */
function otherNumber(name: string): string | undefined {
  if (name.endsWith('ies')) return `${name.slice(0, -'ies'.length)}y`
  return name.endsWith('y') ? `${name.slice(0, -'y'.length)}ies` : undefined
}

interface Guess {
  readonly candidate: string
  readonly distance: number
}

/**
 * Creates a {@link nearest} that guesses for the first `most` names only: a model's answer can be wrong in thousands of places,
 * and its reader corrects the first few.
 */
export function firstNearest(most: number = 20): typeof nearest {
  let asked = 0
  return (name, candidates, max) => (asked++ < most ? nearest(name, candidates, max) : [])
}

/** Most names are letters and digits only; this quick test spares them the costly replacement below. */
const plain = /^[a-z0-9]+$/i

function fold(name: string): string {
  if (plain.test(name)) return name.toLowerCase()
  const folded = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  return folded === '' ? name : folded
}

/** Rows of the edit-distance table, reused by every call since only one runs at a time. */
const rows = [0, 1, 2].map(() => new Uint16Array(longestName * 4 + 1)) as [Row, Row, Row]
type Row = Uint16Array

/**
 * Counts the letters to change, add, drop or swap with their neighbour (optimal string alignment). Returns infinity as soon
 * as more than `most` are certain; only the cells within `most` of the table's diagonal are computed.
 */
function editDistance(name: string, other: string, most: number): number {
  const [left, right] = withoutSameEnds(name, other)
  let [beforeLast, last, current] = rows
  for (let column = 0; column <= right.length; column++) last[column] = column
  let leastOfLast = 0
  for (let row = 1; row <= left.length; row++) {
    const from = Math.max(1, row - most)
    const to = Math.min(right.length, row + most)
    // Cells outside this band are further away than `most`.
    current[from - 1] = from === 1 ? row : most + 1
    if (to === row + most) last[to] = most + 1
    let leastOfRow = at(current, from - 1)
    const letter = left.charCodeAt(row - 1)
    for (let column = from; column <= to; column++) {
      const facing = right.charCodeAt(column - 1)
      let least = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (letter === facing ? 0 : 1),
      )
      if (
        row > 1 &&
        column > 1 &&
        letter === right.charCodeAt(column - 2) &&
        left.charCodeAt(row - 2) === facing
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

/** Drops the common beginning and end of two names, which do not change the distance; names of one registry often share them. */
function withoutSameEnds(left: string, right: string): [left: string, right: string] {
  const shorter = Math.min(left.length, right.length)
  let start = 0
  while (start < shorter && left.charCodeAt(start) === right.charCodeAt(start)) start++
  let end = 0
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end++
  return [left.slice(start, left.length - end), right.slice(start, right.length - end)]
}

function at(row: Row, column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
