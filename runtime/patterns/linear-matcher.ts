import { size } from './is-linear.ts'
import type { Matcher } from './matcher.ts'
import { type Pattern, parsePattern } from './parse-pattern.ts'

/** Most states of a pattern's machine, which is the work per character; larger patterns are refused. */
const mostStates = 2000

type CharacterTest = (character: string) => boolean

/** A state of the matching machine (an NFA). */
export type State =
  | { readonly op: 'character'; readonly test: CharacterTest; readonly next: number }
  | { readonly op: 'assertion'; readonly kind: '^' | '$' | '\\b' | '\\B'; readonly next: number }
  /** `look` is an index into the machine's `looks`. */
  | { readonly op: 'look'; readonly look: number; readonly next: number }
  /** Continues at both. In a loop, `other` is the repetition. */
  | { readonly op: 'split'; readonly next: number; other: number }
  | { readonly op: 'found' }

/**
 * Creates a matcher that follows all alternatives of a pattern at once (an NFA simulation), so that its time is linear in the
 * length of the text, whatever the pattern. It is slower than a `RegExp` for patterns without catastrophic backtracking.
 *
 * @returns undefined for a pattern that has back-references or flags, or is too large.
 */
export function linearMatcher(source: string): Matcher | undefined {
  const machine = compilePattern(source)
  return machine && { test: (text) => isFound(text, machine) }
}

/** A compiled pattern. */
export interface Machine {
  readonly states: readonly State[]
  readonly start: number
  /** The lookarounds, inner ones before those that contain them. */
  readonly looks: readonly Look[]
}

/**
 * A lookaround. It is evaluated for all positions of a text at once: a lookbehind is matched forwards from every position where
 * it may begin, a lookahead is matched backwards from every position where it may end.
 */
interface Look {
  readonly start: number
  readonly isBehind: boolean
  readonly isNegative: boolean
}

/** Compiles a pattern; undefined for one that {@link linearMatcher} cannot match. */
export function compilePattern(source: string): Machine | undefined {
  const pattern = parsePattern(source)
  if (!isKnown(pattern) || size(pattern) > mostStates) return undefined
  const compiler = new Compiler()
  const start = compiler.add(pattern, 0, false)
  return { states: compiler.states, start, looks: compiler.looks }
}

function isKnown(pattern: Pattern): boolean {
  if (pattern.op === 'repeat' || pattern.op === 'look') return isKnown(pattern.part)
  return 'parts' in pattern ? pattern.parts.every(isKnown) : pattern.op !== 'unknown'
}

class Compiler {
  readonly states: State[] = [{ op: 'found' }]
  readonly looks: Look[] = []
  readonly #tests: Record<string, CharacterTest> = {}

  /**
   * Adds the states of a pattern that continues at state `next`.
   *
   * @param isBackwards True to match the pattern from its end to its beginning.
   * @returns The index of its first state.
   */
  add(pattern: Pattern, next: number, isBackwards: boolean): number {
    switch (pattern.op) {
      case 'character':
        // One for all states of these characters: a repetition has hundreds, which test one character in turn.
        this.#tests[pattern.source] ??= testOf(pattern.source)
        return this.#state({ op: 'character', test: this.#tests[pattern.source] as CharacterTest, next })
      case 'assertion':
        return this.#state({ op: 'assertion', kind: pattern.kind, next })
      case 'look': {
        const { part, isBehind, isNegative } = pattern
        const start = this.add(part, 0, !isBehind)
        return this.#state({ op: 'look', look: this.looks.push({ start, isBehind, isNegative }) - 1, next })
      }
      case 'sequence': {
        const parts = isBackwards ? pattern.parts.toReversed() : pattern.parts
        return parts.reduceRight((after, part) => this.add(part, after, isBackwards), next)
      }
      case 'choice':
        return pattern.parts
          .map((part) => this.add(part, next, isBackwards))
          .reduceRight((other, first) => this.#state({ op: 'split', next: first, other }))
      case 'repeat':
        return this.#repeat(pattern, next, isBackwards)
      default:
        throw new TypeError('unknown pattern')
    }
  }

  #repeat({ part, least, most }: Pattern & { op: 'repeat' }, next: number, isBackwards: boolean): number {
    let start = next
    if (most === Number.POSITIVE_INFINITY) {
      const loop: State = { op: 'split', next, other: next }
      start = this.#state(loop)
      loop.other = this.add(part, start, isBackwards)
    } else {
      for (let count = least; count < most; count++) {
        start = this.#state({ op: 'split', next, other: this.add(part, start, isBackwards) })
      }
    }
    for (let count = 0; count < least; count++) start = this.add(part, start, isBackwards)
    return start
  }

  #state(state: State): number {
    return this.states.push(state) - 1
  }
}

function testOf(source: string): CharacterTest {
  const expression = new RegExp(`^${source}$`, 'u')
  let last = ''
  let isIn = false
  return (character) => {
    if (character !== last) isIn = expression.test(character)
    last = character
    return isIn
  }
}

/** For each lookaround, by its index: the positions of the text at which it holds, in code units. */
type Held = Uint8Array[]

function isFound(text: string, machine: Machine): boolean {
  const held: Held = []
  for (const { start, isBehind, isNegative } of machine.looks) {
    const places = new Uint8Array(text.length + 1).fill(isNegative ? 1 : 0)
    follow({ text, states: machine.states, start, held, isBackwards: !isBehind }, (place) => {
      places[place] = isNegative ? 0 : 1
      return false
    })
    held.push(places)
  }
  const { states, start } = machine
  return follow({ text, states, start, held, isBackwards: false }, () => true)
}

/** The input of {@link follow}: the text, the machine, the results of its lookarounds, and the direction. */
interface Search {
  readonly text: string
  readonly states: readonly State[]
  readonly start: number
  readonly held: Held
  readonly isBackwards: boolean
}

/**
 * Follows all paths through the states, starting anew at every position of the text.
 *
 * @param onFound Called with each position at which the pattern is found; returns true to stop.
 * @returns True if `onFound` stopped it.
 */
function follow(
  { text, states, start, held, isBackwards }: Search,
  onFound: (place: number) => boolean,
): boolean {
  const seen = new Int32Array(states.length).fill(-1)
  let current: number[] = []
  for (let place = isBackwards ? text.length : 0; ; ) {
    const waiting: (State & { op: 'character' })[] = []
    const pending = [start, ...current]
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      const state = states[index]
      if (!state || seen[index] === place) continue
      seen[index] = place
      if (state.op === 'character') waiting.push(state)
      else if (state.op === 'split') pending.push(state.next, state.other)
      else if (state.op === 'found') {
        if (onFound(place)) return true
      } else if (state.op === 'look' ? held[state.look]?.[place] : holds(state.kind, text, place)) {
        pending.push(state.next)
      }
    }
    const character = isBackwards ? characterBefore(text, place) : characterAfter(text, place)
    if (character === undefined) return false
    current = waiting.filter(({ test }) => test(character)).map(({ next }) => next)
    place += isBackwards ? -character.length : character.length
  }
}

function characterAfter(text: string, place: number): string | undefined {
  return [...text.slice(place, place + 2)][0]
}

function characterBefore(text: string, place: number): string | undefined {
  return [...text.slice(Math.max(0, place - 2), place)].at(-1)
}

function holds(kind: '^' | '$' | '\\b' | '\\B', text: string, place: number): boolean {
  if (kind === '^') return place === 0
  if (kind === '$') return place === text.length
  return (/^\w$/.test(text.charAt(place - 1)) !== /^\w$/.test(text.charAt(place))) === (kind === '\\b')
}
