/** The syntax tree of a regular expression, without groups: callers only need to know whether a text matches. */
export type Pattern =
  /** One character, which `source` matches. */
  | { readonly op: 'character'; readonly source: string }
  | { readonly op: 'assertion'; readonly kind: '^' | '$' | '\\b' | '\\B' }
  | { readonly op: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly op: 'choice'; readonly parts: readonly Pattern[] }
  | { readonly op: 'repeat'; readonly part: Pattern; readonly least: number; readonly most: number }
  /** A lookahead or lookbehind, negative or not. */
  | { readonly op: 'look'; readonly part: Pattern; readonly isBehind: boolean; readonly isNegative: boolean }
  /** A back-reference, a group with its own flags, groups nested too deep, or syntax that this parser does not know. */
  | { readonly op: 'unknown' }

/** Parses a pattern; `new RegExp(source, 'u')` must accept it. */
export function parsePattern(source: string): Pattern {
  try {
    return new Parser(source).choice()
  } catch (error) {
    // Groups nested deeper than the stack.
    if (!(error instanceof RangeError)) throw error
    return { op: 'unknown' }
  }
}

const atom =
  /(?:\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u\{[\da-fA-F]+\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[A-Za-z]|\\[pP]\{[^}]*\}|\\[^\dk]|\\0|\[(?:\\.|[^\]\\])*\]|[^\\()|])/suy
const open = /\((?:\?(?:[a-z-]*:|<?[=!]|<[^>=!][^>]*>))?/y
const quantifier = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y

class Parser {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  choice(): Pattern {
    const parts = [this.#sequence()]
    while (this.#source[this.#at] === '|') {
      this.#at += 1
      parts.push(this.#sequence())
    }
    const [only] = parts
    return only && parts.length === 1 ? only : { op: 'choice', parts }
  }

  #sequence(): Pattern {
    const parts: Pattern[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#source.charAt(this.#at))) {
      parts.push(this.#quantified(this.#term()))
    }
    const [only] = parts
    return only && parts.length === 1 ? only : { op: 'sequence', parts }
  }

  #term(): Pattern {
    const char = this.#source.charAt(this.#at)
    if (char === '(') return this.#group()
    if (char === '^' || char === '$') {
      this.#at += 1
      return { op: 'assertion', kind: char }
    }
    const [found] = this.#match(atom) ?? []
    if (found === undefined) {
      this.#match(/\\(?:k<[^>]*>|\d+|.)/suy)
      return { op: 'unknown' }
    }
    return found === '\\b' || found === '\\B'
      ? { op: 'assertion', kind: found }
      : { op: 'character', source: found }
  }

  #group(): Pattern {
    const [opening] = this.#match(open) ?? ['']
    const inner = this.choice()
    // Skip the closing parenthesis.
    this.#at += 1
    // Flags, as in `(?i:a)`, are JavaScript since 2025: newer runtimes accept them, older ones throw.
    if (/[a-z-]:$/.test(opening)) return { op: 'unknown' }
    if (!/[=!]$/.test(opening)) return inner
    return { op: 'look', part: inner, isBehind: opening.includes('<'), isNegative: opening.endsWith('!') }
  }

  #quantified(part: Pattern): Pattern {
    const found = this.#match(quantifier)
    if (!found) return part
    const [text, least, comma, most] = found
    if (least === undefined) {
      return {
        op: 'repeat',
        part,
        least: text.startsWith('+') ? 1 : 0,
        most: text.startsWith('?') ? 1 : Number.POSITIVE_INFINITY,
      }
    }
    const end = comma === '' ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most)
    return { op: 'repeat', part, least: Number(least), most: end }
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#source)
    if (!found) return undefined
    this.#at += found[0].length
    return found
  }
}
