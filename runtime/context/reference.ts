import { CallError } from '../errors.ts'
import { shorten } from '../problems/shorten.ts'

/** Where a value stands in a context: a kind of data, and the way into it. */
export interface Path {
  readonly kind: string
  readonly segments: readonly string[]
}

/** A parsed Reference or output path. */
export interface Expression {
  /** What `||` separates, each a list of what `&&` separates. Neither list is empty. */
  readonly alternatives: readonly (readonly Path[])[]
  /** Whether every path begins with `†`, as it must in a parameter. */
  readonly daggers: boolean
  /** A name among the segments that is never data (OUT-8). */
  readonly reserved?: string
}

/** Longer texts are no References: a bound on the work that a model's strings can cause. In UTF-16 code units. */
export const maximumLength = 1000
export const maximumSegments = 64

/**
 * How much parsed text is kept, in UTF-16 code units and 20 more for each text: some megabytes of expressions, and the
 * paths of a plan of ten thousand Calls. Beyond it all of it is forgotten.
 */
const cacheSize = 500_000

// A quote inside a quoted segment is doubled: `'it''s'`. No two alternatives of these patterns begin alike, so
// matching takes linear time.
const segmentPattern = String.raw`(?:[\p{L}\p{M}\p{N}_$-]+|'(?:[^']|'')*')`

let grammar: ReturnType<typeof compileGrammar> | undefined

/** Compiled with the first path: classes of all letters are most of what starting this folder took. */
function compileGrammar() {
  const dotted = String.raw`${segmentPattern}(?:\.${segmentPattern})*`
  return {
    step: new RegExp(String.raw`(†?)(${dotted})(\s*(?:\|\||&&)\s*|$)`, 'uy'),
    segment: new RegExp(segmentPattern, 'gu'),
    bareSegment: new RegExp(`^${segmentPattern}$`, 'u'),
  }
}

const cache = new Map<string, Expression | null>()
let cached = 0

/**
 * Parses a Reference or an output path, with cached results.
 *
 * ```text
 * expression := all ('||' all)*         white space around the operators is free
 * all        := path ('&&' path)*       binds tighter than ||
 * path       := '†' kind ('.' segment)* | segment ('.' segment)*
 * segment    := letters, digits, _ - $ | quoted, a quote inside doubled
 * ```
 *
 * @returns null when the text follows another grammar, or is longer than anybody would write.
 */
export function parseExpression(text: string): Expression | null {
  let expression = cache.get(text)
  if (expression === undefined) {
    expression = text.length > maximumLength ? null : parse(text)
    cached += text.length + 20
    if (cached > cacheSize) {
      cache.clear()
      cached = 0
    }
    cache.set(text, expression)
  }
  return expression
}

function parse(text: string): Expression | null {
  let all: Path[] = []
  const alternatives = [all]
  let daggers = true
  let reserved: string | undefined
  let operator = ''
  grammar ??= compileGrammar()
  const { step, segment } = grammar
  step.lastIndex = 0
  do {
    const match = step.exec(text)
    if (!match) return null
    const [, dagger, dotted = '', found = ''] = match
    const names = (dotted.match(segment) ?? []).map(unquote)
    if (names.length > maximumSegments) return null
    if (!dagger) {
      daggers = false
      names.unshift('state')
    }
    reserved ??= names.find(isReserved)
    const [kind = '', ...segments] = names
    all.push({ kind, segments })
    operator = found.trim()
    if (operator === '||') {
      all = []
      alternatives.push(all)
    }
  } while (operator !== '')
  return { alternatives, daggers, ...(reserved !== undefined && { reserved }) }
}

/**
 * Parses a parameter's text.
 *
 * @returns null when the text is just text.
 * @throws CallError `invalid_path` when it names what is never data: `__proto__`, `constructor` or `prototype`.
 */
export function parseReference(text: string): Expression | null {
  const expression = parseExpression(text)
  return expression?.daggers ? refuseReserved(text, expression) : null
}

/**
 * Parses an `_outputPath`, where a path without `†` goes to the state: `user.name` is `†state.user.name` (OUT-2).
 *
 * @throws CallError `invalid_path`.
 */
export function parseOutputPath(text: string): Expression {
  const expression = parseExpression(text)
  if (!expression)
    throw invalidPath(text, "a path such as †state.user.name or †state.'odd key', with || and && between")
  return refuseReserved(text, expression)
}

function refuseReserved(text: string, expression: Expression): Expression {
  const { reserved } = expression
  if (reserved !== undefined) throw invalidPath(text, `other names than "${reserved}", which is never data`)
  return expression
}

/** The error of a path that cannot be written or read. */
export function invalidPath(text: string, expected: string): CallError {
  // Of what is only too long the grammar says nothing.
  const wanted =
    text.length > maximumLength ? `at most ${maximumLength} characters, got ${text.length}` : expected
  return new CallError('invalid_path', `Invalid path "${shorten(text, 80)}". Expected ${wanted}.`)
}

/** Spells a path so that parsing gives it back. */
export function formatPath(path: Path): string {
  return `†${[path.kind, ...path.segments].map(quote).join('.')}`
}

/** True for names that reach a prototype instead of data. */
function isReserved(name: string): boolean {
  return name === '__proto__' || name === 'constructor' || name === 'prototype'
}

function quote(name: string): string {
  grammar ??= compileGrammar()
  return grammar.bareSegment.test(name) && name[0] !== "'" ? name : `'${name.replaceAll("'", "''")}'`
}

function unquote(name: string): string {
  return name[0] === "'" ? name.slice(1, -1).replaceAll("''", "'") : name
}
