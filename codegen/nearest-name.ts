/**
 * The known name that somebody most likely meant, or undefined when none is near: at most a third of the letters differ
 * (an exchange of neighbours counts once), whatever their case.
 */
export function nearestName(got: string, known: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(got.length / 3))
  let best: { name: string; distance: number } | undefined
  for (const name of known) {
    const distance = editDistance(got.toLowerCase(), name.toLowerCase())
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { name, distance }
  }
  return best?.name
}

/** `Did you mean "output"?`, or nothing when no name is near. */
export function didYouMean(got: string, known: readonly string[]): string {
  const name = nearestName(got, known)
  return name === undefined ? '' : ` Did you mean "${name}"?`
}

function editDistance(left: string, right: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1]
      const exchanged = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        exchanged ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return at(last, right.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
