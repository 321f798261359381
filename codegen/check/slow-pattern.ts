import { isPattern } from '../../runtime/check-tree/keyword-rules.ts'
import { hangsByTrial } from './backtracking.ts'

const unbounded = /^(?:[*+]|\{\d+,\})/
const optional = /^(?:[*?]|\{0,\d*\})/
const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/

/** The part of one alternative of a group that was read so far. */
interface Alternative {
  /** Number of mandatory atoms. */
  needed: number
  /** Whether one of them repeats without an upper bound. */
  repeats: boolean
}

interface Group {
  readonly start: number
  /** Whether an earlier alternative is a lone repetition. */
  isLoose: boolean
  present: Alternative
}

/**
 * Finds the part of a regular expression that can hang on a text that nearly matches: a group that repeats a repetition, or
 * the whole pattern if a trial shows that its time doubles every few characters. Another rule reports invalid patterns.
 */
export function slowGroup(pattern: string): string | undefined {
  if (!isPattern(pattern)) return undefined
  return loneRepetition(pattern) ?? (hangsByTrial(pattern) ? pattern : undefined)
}

/**
 * Finds an unbounded repetition of a group in which an alternative is only an unbounded repetition itself: `(a+)+`,
 * `(?:\w+\s?)*`, `(x|[a-z]+)*`. On a text that nearly matches, the number of attempts doubles with each character. Every
 * pattern that this finds is slow; other slow patterns exist.
 *
 * @returns The group; undefined if there is none, or the pattern is invalid.
 */
function loneRepetition(pattern: string): string | undefined {
  // Another check refuses longer ones.
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

/** Returns the length of a character, an escape or a class. */
function atomLength(pattern: string, at: number): number {
  const rest = pattern.slice(at)
  const [atom = ''] =
    /^(?:\\(?:u\{[^}]*\}|[pP]\{[^}]*\}|k<[^>]*>|.)|\[(?:\\.|[^\]\\])*\]|.)/su.exec(rest) ?? []
  return Math.max(1, atom.length)
}
