import type { RandomSource } from './random-source.ts'

/** Most repetitions for an unbounded quantifier. */
const someMore = 3

/** Printable characters, for negated classes. */
const printable: readonly string[] = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
const digits = printable.filter((char) => /\d/.test(char))
const wordCharacters = printable.filter((char) => /\w/.test(char))
const escapes: Readonly<Record<string, readonly string[]>> = {
  d: digits,
  D: printable.filter((char) => !/\d/.test(char)),
  w: wordCharacters,
  W: printable.filter((char) => !/\w/.test(char)),
  s: [' '],
  S: printable.filter((char) => char !== ' '),
  n: ['\n'],
  t: ['\t'],
  r: ['\r'],
}

/**
 * Generates a text that a regular expression probably matches: supports literals, classes, groups, alternatives and
 * quantifiers. Ignores lookaround and back-references, so the caller must check the result.
 */
export function patternText(pattern: string, random: RandomSource): string {
  return new PatternWriter(pattern, random).write()
}

/** A part of a pattern, repeated according to its quantifier. */
type Part = () => string

class PatternWriter {
  readonly #pattern: string
  readonly #random: RandomSource
  #at = 0

  constructor(pattern: string, random: RandomSource) {
    this.#pattern = pattern
    this.#random = random
  }

  write(): string {
    return this.#alternatives()()
  }

  #alternatives(): Part {
    const branches: Part[] = [this.#sequence()]
    while (this.#take('|')) branches.push(this.#sequence())
    return () => this.#random.pick(branches)()
  }

  #sequence(): Part {
    const parts: Part[] = []
    while (this.#at < this.#pattern.length && !/[|)]/.test(this.#peek()))
      parts.push(this.#quantified(this.#atom()))
    return () => parts.map((part) => part()).join('')
  }

  #atom(): Part {
    if (this.#take('^') || this.#take('$')) return () => ''
    if (this.#take('(')) return this.#group()
    if (this.#take('[')) return this.#oneOf(this.#characterClass())
    if (this.#take('.')) return this.#oneOf(wordCharacters)
    if (this.#take('\\')) return this.#oneOf(this.#escaped())
    const char = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 32)
    this.#at += char.length
    return () => char
  }

  #group(): Part {
    const isLookAround = /^\?(?:[=!]|<[=!])/.test(this.#pattern.slice(this.#at))
    this.#at += /^\?(?::|<?[=!]|<[^>]*>)?/.exec(this.#pattern.slice(this.#at))?.[0].length ?? 0
    const inner = this.#alternatives()
    this.#take(')')
    return isLookAround ? () => '' : inner
  }

  #escaped(): readonly string[] {
    const char = this.#next()
    if (char === 'b' || char === 'B') return ['']
    if (char === 'u' || char === 'x') {
      const hex = new RegExp(char === 'x' ? '^[0-9a-f]{2}' : '^(?:[0-9a-f]{4}|\\{[0-9a-f]+\\})', 'i')
      const found = hex.exec(this.#pattern.slice(this.#at))?.[0] ?? ''
      this.#at += found.length
      return [String.fromCodePoint(Number.parseInt(found.replace(/[{}]/g, '') || '20', 16))]
    }
    if (char === 'p' || char === 'P') {
      this.#at += /^\{[^}]*\}/.exec(this.#pattern.slice(this.#at))?.[0].length ?? 0
      return char === 'p' ? ['a', 'B', 'x'] : ['1', '-']
    }
    return Object.hasOwn(escapes, char) ? (escapes[char] as readonly string[]) : [char]
  }

  #characterClass(): readonly string[] {
    const isNegated = this.#take('^')
    const allowed: string[] = []
    while (this.#at < this.#pattern.length && !this.#take(']')) {
      const from = this.#take('\\') ? this.#escaped() : [this.#next()]
      const isRange = this.#peek() === '-' && this.#pattern.charAt(this.#at + 1) !== ']' && from.length === 1
      if (!isRange) {
        allowed.push(...from)
        continue
      }
      this.#at++
      const to = this.#take('\\') ? this.#escaped() : [this.#next()]
      const [first, last] = [from[0]?.codePointAt(0) ?? 0, to[0]?.codePointAt(0) ?? 0]
      // The beginning of a wide range is enough.
      for (let code = first; code <= Math.min(last, first + 200); code++)
        allowed.push(String.fromCodePoint(code))
    }
    return isNegated ? printable.filter((char) => !allowed.includes(char)) : allowed
  }

  #quantified(part: Part): Part {
    const found = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(this.#pattern.slice(this.#at))?.[0]
    if (found === undefined) return part
    this.#at += found.length
    const [least, most] = bounds(found)
    return () => Array.from({ length: this.#random.between(least, most) }, part).join('')
  }

  #oneOf(characters: readonly string[]): Part {
    return () => (characters.length > 0 ? this.#random.pick(characters) : '')
  }

  #peek(): string {
    return this.#pattern.charAt(this.#at)
  }

  #next(): string {
    return this.#pattern.charAt(this.#at++)
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false
    this.#at++
    return true
  }
}

function bounds(quantifier: string): [least: number, most: number] {
  if (quantifier.startsWith('*')) return [0, someMore]
  if (quantifier.startsWith('+')) return [1, 1 + someMore]
  if (quantifier.startsWith('?')) return [0, 1]
  const [, least = '0', comma, most] = /^\{(\d+)(,)?(\d*)/.exec(quantifier) ?? []
  const first = Number(least)
  if (comma === undefined) return [first, first]
  return [first, most ? Number(most) : first + someMore]
}
