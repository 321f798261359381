import { isPattern } from '../../runtime/check-tree/keyword-rules.ts'
import { hangsByTrial } from './backtracking.ts'

const unbounded = /^(?:[*+]|\{\d+,\})/
const optional = /^(?:[*?]|\{0,\d*\})/
const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/

/** What stands in one alternative of a group, so far. */
interface Alternative {
  /** Atoms that have to be there. */
  needed: number
  /** Whether one of those repeats without end. */
  repeats: boolean
}

interface Group {
  readonly start: number
  /** Whether some alternative before the present one is a lone repetition. */
  isLoose: boolean
  present: Alternative
}

/**
 * Finds what makes a regular expression hang on a text that nearly matches: a group that repeats a repetition, or else the
 * whole pattern, where a trial shows that its time doubles every few characters. Of what is not a pattern another rule tells.
 */
export function slowGroup(pattern: string): string | undefined {
  if (!isPattern(pattern)) return undefined
  return loneRepetition(pattern) ?? (hangsByTrial(pattern) ? pattern : undefined)
}

/**
 * Finds a group that repeats without end and of which an alternative is nothing but a repetition without end: `(a+)+`,
 * `(?:\w+\s?)*`, `(x|[a-z]+)*`. A text that nearly matches is then tried in a number of ways that doubles with each of its
 * characters. Other slow patterns exist; every one that this finds is slow.
 *
 * @returns The group; undefined where there is none, and for a pattern that cannot be read.
 */
function loneRepetition(pattern: string): string | undefined {
  // Longer ones are refused.
  if (pattern.length > 10_000) return undefined
  const groups: Group[] = [groupAt(0)]
  for (let at = 0; at < pattern.length; ) {
    const group = groups.at(-1) as Group
    const char = pattern.charAt(at)
    if (char === '|') {
      group.isLoose ||= isLoose(group.present)
      group.present = { needed: 0, repeats: false }
      at++
    } else if (char === '(') {
      groups.push(groupAt(at))
      at += /^\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/.exec(pattern.slice(at))?.[0].length ?? 1
    } else {
      const isClosing = char === ')' && groups.length > 1
      const end = at + (isClosing ? 1 : atomLength(pattern, at))
      const [found = ''] = quantifier.exec(pattern.slice(end)) ?? []
      if (isClosing) {
        groups.pop()
        const loose = group.isLoose || isLoose(group.present)
        if (loose && unbounded.test(found)) return pattern.slice(group.start, end + found.length)
      }
      count((groups.at(-1) as Group).present, found)
      at = end + found.length
    }
  }
  return undefined
}

function groupAt(start: number): Group {
  return { start, isLoose: false, present: { needed: 0, repeats: false } }
}

function isLoose({ needed, repeats }: Alternative): boolean {
  return needed === 1 && repeats
}

function count(alternative: Alternative, quantity: string): void {
  if (optional.test(quantity) && !unbounded.test(quantity)) return
  alternative.needed++
  alternative.repeats ||= unbounded.test(quantity)
}

/** The length of a character, an escape or a class. */
function atomLength(pattern: string, at: number): number {
  const rest = pattern.slice(at)
  const [atom = ''] =
    /^(?:\\(?:u\{[^}]*\}|[pP]\{[^}]*\}|k<[^>]*>|.)|\[(?:\\.|[^\]\\])*\]|.)/su.exec(rest) ?? []
  return Math.max(1, atom.length)
}
