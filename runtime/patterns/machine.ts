import { size } from './is-linear.ts'
import { type Pattern, parsePattern } from './parse-pattern.ts'

/** Largest pattern with its repetitions written out, in characters; larger ones are refused. */
const largest = 2000

/** Most states of a pattern's machine: far more than such a pattern has, unless choices nest in each of its repetitions. */
const mostStates = 10_000

/** Most different lookarounds of a pattern: each reads the whole text, and has a bit in the number of a step. */
const mostLooks = 27

/** What a state of the matching machine (an NFA) does before it continues at the next one. */
export const found = 0
export const character = 1
export const assertion = 2
export const look = 3
export const split = 4

/** What may hold at a position of a text, as bits: it is the beginning, the end, a word's beginning or end, or not. */
export const beginning = 1
export const end = 2
export const boundary = 4
export const inside = 8

/** A compiled pattern. Its states are numbers, and their parts are in lists of numbers: they are followed by the million. */
export interface Machine {
  readonly operations: Uint16Array
  readonly next: Uint16Array
  /**
   * Of a character or a lookaround, its index in `tests` or `looks`; of an assertion, what has to hold;
   * of a split, the other state that it continues at, which in a loop is the repetition.
   */
  readonly values: Uint16Array
  readonly start: number
  /** What its assertions want to hold. */
  readonly heeds: number
  /** Each matches the characters of one class of the pattern. */
  readonly tests: readonly RegExp[]
  /** The lookarounds, inner ones before those that contain them. */
  readonly looks: readonly Look[]
  /** Memory for a step: the states that were seen, wait to be followed, and were reached. */
  readonly seen: Uint8Array
  readonly pending: Uint16Array
  readonly reached: Uint16Array
}

/**
 * A lookaround. It is evaluated for all positions of a text at once: a lookbehind is matched forwards from every position where
 * it may begin, a lookahead is matched backwards from every position where it may end.
 */
export interface Look {
  readonly start: number
  readonly isBehind: boolean
  readonly isNegative: boolean
}

/** Compiles a pattern; undefined for one that has back-references or flags, too many lookarounds, or is too large. */
export function compilePattern(source: string): Machine | undefined {
  const pattern = parsePattern(source)
  if (size(pattern) > largest) return undefined
  const compiler = new Compiler()
  try {
    const start = compiler.add(pattern, 0, false)
    return {
      operations: Uint16Array.from(compiler.operations),
      next: Uint16Array.from(compiler.next),
      values: Uint16Array.from(compiler.values),
      start,
      heeds: compiler.heeds,
      tests: [...compiler.tests.keys()].map((each) => new RegExp(`^${each}$`, 'u')),
      looks: compiler.looks,
      seen: new Uint8Array(compiler.next.length),
      // Each state comes once from those that waited, and from up to two others.
      pending: new Uint16Array(3 * compiler.next.length),
      reached: new Uint16Array(compiler.next.length),
    }
  } catch (error) {
    // Parts that it does not know, or too many states or lookarounds.
    if (!(error instanceof RangeError)) throw error
    return undefined
  }
}

const assertions = { '^': beginning, $: end, '\\b': boundary, '\\B': inside }

class Compiler {
  heeds = 0
  readonly operations = [found]
  readonly next = [0]
  readonly values = [0]
  readonly looks: Look[] = []
  /** The sources of the characters, each with its index. */
  readonly tests = new Map<string, number>()
  /** The lookarounds, each with its index: a repetition comes to the same one many times. */
  readonly #known = new Map<Pattern, number>()

  /**
   * Adds the states of a pattern that continues at state `next`.
   *
   * @param isBackwards True to match the pattern from its end to its beginning.
   * @returns The index of its first state.
   */
  add(pattern: Pattern, next: number, isBackwards: boolean): number {
    switch (pattern.op) {
      case 'character': {
        const test = this.tests.get(pattern.source) ?? this.tests.size
        this.tests.set(pattern.source, test)
        return this.#state(character, next, test)
      }
      case 'assertion':
        this.heeds |= assertions[pattern.kind]
        return this.#state(assertion, next, assertions[pattern.kind])
      case 'look': {
        const index = this.#known.get(pattern) ?? this.#look(pattern)
        return this.#state(look, next, index)
      }
      case 'sequence': {
        const parts = isBackwards ? pattern.parts.toReversed() : pattern.parts
        return parts.reduceRight((after, part) => this.add(part, after, isBackwards), next)
      }
      case 'choice':
        return pattern.parts
          .map((part) => this.add(part, next, isBackwards))
          .reduceRight((other, first) => this.#state(split, first, other))
      case 'repeat':
        return this.#repeat(pattern, next, isBackwards)
      default:
        throw new RangeError()
    }
  }

  #look(pattern: Pattern & { op: 'look' }): number {
    const { part, isBehind, isNegative } = pattern
    const start = this.add(part, 0, !isBehind)
    if (this.looks.length === mostLooks) throw new RangeError()
    const index = this.looks.push({ start, isBehind, isNegative }) - 1
    this.#known.set(pattern, index)
    return index
  }

  #repeat({ part, least, most }: Pattern & { op: 'repeat' }, next: number, isBackwards: boolean): number {
    let start = next
    if (most === Number.POSITIVE_INFINITY) {
      start = this.#state(split, next, next)
      this.values[start] = this.add(part, start, isBackwards)
    } else {
      for (let count = least; count < most; count++) {
        start = this.#state(split, next, this.add(part, start, isBackwards))
      }
    }
    for (let count = 0; count < least; count++) start = this.add(part, start, isBackwards)
    return start
  }

  #state(does: number, next: number, value: number): number {
    if (this.next.length === mostStates) throw new RangeError()
    this.operations.push(does)
    this.values.push(value)
    return this.next.push(next) - 1
  }
}
