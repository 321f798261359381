import { CallError } from '../errors.ts'
import { shorten } from '../problems/shorten.ts'

/** A path to a value in a context: a kind of data, and the segments within it. */
export interface Path {
  readonly kind: string
  readonly segments: readonly string[]
}

/** A parsed Reference or output path. */
export interface Expression {
  /** The alternatives (separated by `||`), each a list of paths (separated by `&&`). No list is empty. */
  readonly alternatives: readonly (readonly Path[])[]
  /** True if every path begins with `†`, as parameters require. */
  readonly daggers: boolean
  /** A segment that is never data, such as `__proto__` (OUT-8); absent if there is none. */
  readonly reserved?: string
}

/** Longest Reference, in UTF-16 code units: bounds the work that a model's strings can cause. */
export const maximumLength = 1000
export const maximumSegments = 64

/**
 * Size of the cache of parsed texts, in UTF-16 code units plus 20 for each text: some megabytes of expressions, enough for the
 * paths of a plan of ten thousand Calls. When it is full, it is cleared.
 */
const cacheSize = 500_000

// A quote inside a quoted segment is doubled: `'it''s'`. No two alternatives of these patterns begin alike, so
// matching takes linear time.
const segmentPattern = String.raw`(?:[\p{L}\p{M}\p{N}_$-]+|'(?:[^']|'')*')`

let grammar: ReturnType<typeof compileGrammar> | undefined

/** Compiled on first use: the Unicode letter classes took most of the time to load this folder. */
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
 * @returns null if the text does not match the grammar, or is too long.
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
 * Parses a string parameter as a Reference.
 *
 * @returns null if it is plain text.
 * @throws CallError `invalid_path` if a segment is never data: `__proto__`, `constructor` or `prototype`.
 */
export function parseReference(text: string): Expression | null {
  const expression = parseExpression(text)
  return expression?.daggers ? refuseReserved(text, expression) : null
}

/**
 * Parses an `_outputPath`. A path without `†` is in the state: `user.name` means `†state.user.name` (OUT-2).
 *
 * @throws CallError `invalid_path`.
 */
export function parseOutputPath(text: string): Expression {
  const expression = parseExpression(text)
  // A large output is copied for each of its paths.
  if (!expression || expression.alternatives.flat().length > 16)
    throw invalidPath(
      text,
      "up to 16 paths such as †state.user.name or †state.'odd key', with || and && between",
    )
  return refuseReserved(text, expression)
}

function refuseReserved(text: string, expression: Expression): Expression {
  const { reserved } = expression
  if (reserved !== undefined) throw invalidPath(text, `other names than "${reserved}", which is never data`)
  return expression
}

/** Builds the `invalid_path` error of a path that cannot be written or read. */
export function invalidPath(text: string, expected: string): CallError {
  // For a text that is only too long, the grammar would not help.
  const wanted =
    text.length > maximumLength ? `at most ${maximumLength} characters, got ${text.length}` : expected
  return new CallError('invalid_path', `Invalid path "${shorten(text, 80)}". Expected ${wanted}.`)
}

/** Formats a path; the inverse of parsing. */
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
