import { type Pattern, parsePattern } from './parse-pattern.ts'

/** Longer texts of fixed length cost too much where each character of a text may begin one. */
const longestFixed = 1000

/** What a regular expression may come to with its repetitions written out: engines refuse those that are much larger. */
const largest = 10_000

/**
 * True for a pattern that JavaScript certainly matches in time that grows with the text and no faster: at each choice the
 * next character decides, so nothing is ever tried twice. False where that is not evident: such a pattern may be fast all
 * the same, or take longer than the universe has.
 *
 * @example isLinear('^[a-z]+$') // true
 * @example isLinear('(a+)+$') // false
 */
export function isLinear(source: string): boolean {
  const pattern = parsePattern(source)
  const [first] = partsOf(pattern)
  const isAnchored = first?.op === 'assertion' && first.kind === '^'
  if (isAnchored) {
    return isDecidedSequence(withoutEarlyLooks(partsOf(pattern)), nothing, false) && size(pattern) <= largest
  }
  // Each character may begin a match, so one that fails must fail soon: only the end may repeat without end.
  return (
    isDecidedSequence(partsOf(pattern), nothing, true) && size(withoutLastCharacters(pattern)) <= longestFixed
  )
}

/** A pattern that ends in a repeated character is found as soon as that has been repeated often enough. */
function withoutLastCharacters(pattern: Pattern): Pattern {
  const last = partsOf(pattern).at(-1)
  if (last?.op !== 'repeat' || last.part.op !== 'character') return pattern
  return { op: 'sequence', parts: [...partsOf(pattern).slice(0, -1), { ...last, most: last.least }] }
}

/**
 * Sets of what may come next, as bits: ASCII characters, all others together, the end of the text, and what can fail without
 * a look at one character: `\\b`, a lookaround, the empty class.
 */
const nothing = 0n
const others = 1n << 128n
const end = 1n << 129n
const doubt = 1n << 130n
const characters = doubt - 1n

/** A lookaround of any length is evaluated at each place that what stands before it can end at; so many are few. */
const fewPlaces = 100

/** The parts without the lookarounds, of any length, that are evaluated at few places of a text at most and are decided themselves. */
function withoutEarlyLooks(parts: readonly Pattern[]): readonly Pattern[] {
  let before = 0
  return parts.filter((part) => {
    before += longest(part)
    return before > fewPlaces || part.op !== 'look' || !isDecidedSequence(partsOf(part.part), nothing, false)
  })
}

/**
 * True when the next character decides at every choice in a pattern.
 *
 * @param next What may come after it.
 * @param isSearched True where matches may begin anywhere.
 */
function isDecided(pattern: Pattern, next: bigint, isSearched: boolean): boolean {
  switch (pattern.op) {
    case 'character':
    case 'assertion':
      return true
    case 'unknown':
      return false
    case 'look':
      return longest(pattern.part) <= longestFixed && isDecidedSequence(partsOf(pattern.part), nothing, false)
    case 'choice':
      return (
        areDisjoint(pattern.parts.map((part) => first(part) | (isNullable(part) ? next : nothing))) &&
        pattern.parts.every((part) => isDecided(part, next, isSearched))
      )
    case 'repeat': {
      const { part, least, most } = pattern
      if (isNullable(part) || hasLook(part)) return false
      const starts = first(part)
      if (least !== most && (starts & next & characters) !== nothing) return false
      if (most === Number.POSITIVE_INFINITY && isSearched && next !== nothing) return false
      return isDecided(part, most > 1 ? starts | next : next, isSearched)
    }
    case 'sequence':
      return isDecidedSequence(pattern.parts, next, isSearched)
  }
}

/** One repetition of a single character may overlap what follows, when that is short: then it is tried at each place once. */
function isDecidedSequence(parts: readonly Pattern[], next: bigint, isSearched: boolean): boolean {
  let after = next
  let length = next === nothing ? 0 : Number.POSITIVE_INFINITY
  let overlaps = isSearched ? 0 : 1
  for (const part of parts.toReversed()) {
    const isLone = part.op === 'repeat' && part.part.op === 'character' && length <= 100
    if (!isDecided(part, after, isSearched)) {
      if (!isLone || overlaps === 0) return false
      overlaps -= 1
    }
    after = first(part) | (isNullable(part) ? after : nothing)
    length += longest(part)
  }
  return true
}

function partsOf(pattern: Pattern): readonly Pattern[] {
  return pattern.op === 'sequence' ? pattern.parts : [pattern]
}

function areDisjoint(sets: readonly bigint[]): boolean {
  let seen = nothing
  for (const set of sets) {
    if ((seen & set & characters) !== nothing) return false
    seen |= set
  }
  return true
}

/** What a match may begin with. */
function first(pattern: Pattern): bigint {
  switch (pattern.op) {
    case 'character':
      return charactersOf(pattern.source)
    case 'assertion':
      return pattern.kind === '$' ? end : doubt
    case 'choice':
      return pattern.parts.reduce((set, part) => set | first(part), nothing)
    case 'repeat':
      return first(pattern.part)
    case 'sequence': {
      let set = nothing
      for (const part of pattern.parts) {
        set |= first(part)
        if (!isNullable(part)) break
      }
      return set
    }
    case 'look':
      return doubt
    case 'unknown':
      return characters | doubt
  }
}

/** True for a pattern that can match nothing. The end of a text counts as something. */
function isNullable(pattern: Pattern): boolean {
  switch (pattern.op) {
    case 'character':
      return false
    case 'assertion':
      return pattern.kind !== '$'
    case 'choice':
      return pattern.parts.some(isNullable)
    case 'repeat':
      return pattern.least === 0 || isNullable(pattern.part)
    case 'sequence':
      return pattern.parts.every(isNullable)
    default:
      return true
  }
}

function hasLook(pattern: Pattern): boolean {
  if (pattern.op === 'look') return true
  if (pattern.op === 'repeat') return hasLook(pattern.part)
  return 'parts' in pattern && pattern.parts.some(hasLook)
}

/** The characters of the longest match. */
function longest(pattern: Pattern): number {
  switch (pattern.op) {
    case 'character':
      return 1
    case 'choice':
      return Math.max(...pattern.parts.map(longest))
    case 'sequence':
      return pattern.parts.reduce((sum, part) => sum + longest(part), 0)
    case 'repeat': {
      const once = longest(pattern.part)
      return once === 0 ? 0 : once * pattern.most
    }
    case 'unknown':
      return Number.POSITIVE_INFINITY
    default:
      return 0
  }
}

/** How many characters a pattern has, each repetition written out. */
export function size(pattern: Pattern): number {
  if (pattern.op === 'repeat') {
    const { part, least, most } = pattern
    return size(part) * Math.max(1, most === Number.POSITIVE_INFINITY ? least + 1 : most)
  }
  if (pattern.op === 'look') return size(pattern.part)
  return 'parts' in pattern ? pattern.parts.reduce((sum, part) => sum + size(part), 1) : 1
}

const known = new Map<string, bigint>()

function charactersOf(source: string): bigint {
  let set = known.get(source)
  if (set === undefined) {
    const expression = new RegExp(`^${source}$`, 'u')
    // Whether one matches other characters is not computed: an escape, a negation or such a character says that it may.
    set = /[^ -~]|\\[^dw\-./\\[\]^$*+?(){}|]|^\.$|\[\^/u.test(source) ? others : nothing
    for (let code = 0; code < 128; code++) {
      if (expression.test(String.fromCharCode(code))) set |= 1n << BigInt(code)
    }
    // A class that takes no character can only fail.
    if (set === nothing) set = doubt
    if (known.size < 1000) known.set(source, set)
  }
  return set
}
