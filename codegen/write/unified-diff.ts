import { createTwoFilesPatch, FILE_HEADERS_ONLY, formatPatch, type StructuredPatch } from 'diff'

/** Beyond this many changed lines a file is shown as replaced: the search takes quadratic time. */
const searchLimit = 1200

/** The two sides of a diff; an absent side (a file added or removed) is undefined. */
export interface DiffSides {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/**
 * Prints a unified diff for `git apply` and `patch -p1`; empty if both sides are equal.
 *
 * @example unifiedDiff({ path: 'a.txt', before: 'x\n', after: 'y\n' }) // '--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-x\n+y\n'
 */
export function unifiedDiff({ path, before, after }: DiffSides): string {
  if (before === after) return ''
  const from = before === undefined ? '/dev/null' : `a/${path}`
  const to = after === undefined ? '/dev/null' : `b/${path}`
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY, maxEditLength: searchLimit }
  return (
    createTwoFilesPatch(from, to, before ?? '', after ?? '', undefined, undefined, options) ??
    formatPatch(replacedWhole(from, to, before ?? '', after ?? ''), FILE_HEADERS_ONLY)
  )
}

function replacedWhole(from: string, to: string, before: string, after: string): StructuredPatch {
  const [olds, news] = [linesOf(before), linesOf(after)]
  return {
    oldFileName: from,
    newFileName: to,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: [
      {
        oldStart: 1,
        oldLines: olds.length,
        newStart: 1,
        newLines: news.length,
        lines: [...olds.map((line) => `-${line}`), ...news.map((line) => `+${line}`)].flatMap(marked),
      },
    ],
  }
}

/** Splits a text into lines with their ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** Prints a line in a hunk: without its end, and with a mark if the file ends without one. */
function marked(line: string): string[] {
  return line.endsWith('\n') ? [line.slice(0, -1)] : [line, '\\ No newline at end of file']
}

/**
 * Prints a readable diff of a generated file: JSON, with lines as long as a Tool's schema, is first formatted to a line per
 * value, and Windows line ends are ignored. The result is not a valid patch.
 */
export function readableDiff(given: DiffSides): string {
  const sides = { ...given, before: given.before?.replaceAll('\r\n', '\n') }
  if (!sides.path.endsWith('.json')) return unifiedDiff(sides)
  const [before, after] = [laidOut(sides.before), laidOut(sides.after)]
  return before === after ? unifiedDiff(sides) : unifiedDiff({ path: sides.path, before, after })
}

/** Formats JSON. Other text, such as a merge conflict, is returned unchanged. */
function laidOut(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  try {
    return `${JSON.stringify(JSON.parse(text), null, 2)}\n`
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
