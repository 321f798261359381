/** Lines of context around a change, as `diff -u` shows them. */
const context = 3

/** Beyond this many edits the middle is shown as replaced whole: the search costs edits squared in memory. */
const searchLimit = 600

type Edit = { readonly sign: ' ' | '-' | '+'; readonly line: string }

/** The two sides of a diff; an absent side (a file added or removed) is undefined. */
export interface DiffSides {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/**
 * A unified diff that `git apply` and `patch -p1` take; empty when both sides are equal.
 *
 * @example unifiedDiff({ path: 'a.txt', before: 'x\n', after: 'y\n' }) // '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+y\n'
 */
export function unifiedDiff(sides: DiffSides): string {
  if (sides.before === sides.after) return ''
  const edits = editScript(linesOf(sides.before ?? ''), linesOf(sides.after ?? ''))
  const from = sides.before === undefined ? '/dev/null' : `a/${sides.path}`
  const to = sides.after === undefined ? '/dev/null' : `b/${sides.path}`
  return `--- ${from}\n+++ ${to}\n${hunks(edits).join('')}`
}

/** Lines with their ends, so that a missing last newline is a difference. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** The shortest list of edits between two files, deletions before insertions (Myers 1986, greedy). */
function editScript(before: readonly string[], after: readonly string[]): Edit[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  const room = Math.min(before.length, after.length) - start
  while (end < room && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1
  return [
    ...before.slice(0, start).map(kept),
    ...shortestEdits(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(kept),
  ]
}

function shortestEdits(before: readonly string[], after: readonly string[]): Edit[] {
  const trail = searchTrail(before, after)
  if (trail === undefined) return [...before.map(deleted), ...after.map(inserted)]
  const edits: Edit[] = []
  let x = before.length
  let y = after.length
  for (let depth = trail.length - 1; depth >= 0; depth -= 1) {
    const reached = trail[depth] ?? new Map<number, number>()
    const diagonal = x - y
    const down = goesDown(reached, diagonal, depth)
    const previous = down ? diagonal + 1 : diagonal - 1
    const fromX = depth === 0 ? 0 : (reached.get(previous) ?? 0)
    const fromY = depth === 0 ? 0 : fromX - previous
    while (x > fromX && y > fromY) {
      x -= 1
      y -= 1
      edits.push(kept(before[x] ?? ''))
    }
    if (depth === 0) break
    edits.push(down ? inserted(after[fromY] ?? '') : deleted(before[fromX] ?? ''))
    x = fromX
    y = fromY
  }
  return edits.reverse()
}

/** For each number of edits, how far each diagonal had been reached before it; undefined past the limit. */
function searchTrail(before: readonly string[], after: readonly string[]): Map<number, number>[] | undefined {
  const reached = new Map<number, number>([[1, 0]])
  const trail: Map<number, number>[] = []
  for (let depth = 0; depth <= before.length + after.length; depth += 1) {
    if (depth > searchLimit) return undefined
    trail.push(new Map(reached))
    for (let diagonal = -depth; diagonal <= depth; diagonal += 2) {
      let x = goesDown(reached, diagonal, depth)
        ? (reached.get(diagonal + 1) ?? 0)
        : (reached.get(diagonal - 1) ?? 0) + 1
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1
      reached.set(diagonal, x)
      if (x >= before.length && x - diagonal >= after.length) return trail
    }
  }
  return trail
}

function goesDown(reached: ReadonlyMap<number, number>, diagonal: number, depth: number): boolean {
  if (diagonal === -depth) return true
  if (diagonal === depth) return false
  return (reached.get(diagonal - 1) ?? 0) < (reached.get(diagonal + 1) ?? 0)
}

function hunks(edits: readonly Edit[]): string[] {
  const near = edits.map(() => false)
  edits.forEach((edit, index) => {
    if (edit.sign !== ' ') near.fill(true, Math.max(0, index - context), index + context + 1)
  })
  const texts: string[] = []
  let oldLine = 1
  let newLine = 1
  for (let index = 0; index < edits.length; ) {
    const start = index
    while (index < edits.length && near[index] === near[start]) index += 1
    const part = edits.slice(start, index)
    const olds = part.filter((edit) => edit.sign !== '+').length
    const news = part.filter((edit) => edit.sign !== '-').length
    if (near[start]) texts.push(hunk(part, range(oldLine, olds), range(newLine, news)))
    oldLine += olds
    newLine += news
  }
  return texts
}

function hunk(edits: readonly Edit[], before: string, after: string): string {
  const lines = edits.map(({ sign, line }) => {
    return line.endsWith('\n') ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`
  })
  return `@@ -${before} +${after} @@\n${lines.join('')}`
}

/** A count of one is not written; an empty range names the line before it. */
function range(line: number, count: number): string {
  return count === 1 ? `${line}` : `${count === 0 ? line - 1 : line},${count}`
}

const kept = (line: string): Edit => ({ sign: ' ', line })
const deleted = (line: string): Edit => ({ sign: '-', line })
const inserted = (line: string): Edit => ({ sign: '+', line })
