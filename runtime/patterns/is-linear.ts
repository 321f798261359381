import { type Pattern, parsePattern } from './parse-pattern.ts'

/** Longest fixed-length match, in characters, that may be tried at every position of a text. */
const longestFixed = 100

/** Largest pattern with its repetitions written out, in characters: engines refuse much larger ones. */
const largest = 10_000

/**
 * True for a pattern that JavaScript certainly matches in time linear in the length of the text: at each choice the next
 * character decides, so the engine never backtracks. False if that is not evident: such a pattern may still be fast, or take
 * longer than anybody can wait.
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
  // A match may begin at every character, so a failing one must fail soon: only the last part may repeat without limit.
  return (
    isDecidedSequence(partsOf(pattern), nothing, true) && size(withoutLastCharacters(pattern)) <= longestFixed
  )
}

/** Replaces the repeated last character of a pattern by its least count: the pattern is found as soon as that is reached. */
function withoutLastCharacters(pattern: Pattern): Pattern {
  const last = partsOf(pattern).at(-1)
  if (last?.op !== 'repeat' || last.part.op !== 'character') return pattern
  return { op: 'sequence', parts: [...partsOf(pattern).slice(0, -1), { ...last, most: last.least }] }
}

/**
 * Sets of what may come next, as bits: the ASCII characters, all others together, the end of the text, and `doubt` for what can
 * fail without reading a character: `\\b`, a lookaround, the empty class.
 */
const nothing = 0n
const others = 1n << 128n
const end = 1n << 129n
const doubt = 1n << 130n
const characters = doubt - 1n

/** A lookaround of unbounded length runs at each position where the part before it can end; this many are acceptable. */
const fewPlaces = 100

/** Drops the lookarounds that run at few positions of a text and never backtrack themselves, whatever their length. */
function withoutEarlyLooks(parts: readonly Pattern[]): readonly Pattern[] {
  let before = 0
  return parts.filter((part) => {
    before += longest(part)
    return before > fewPlaces || part.op !== 'look' || !isDecidedSequence(partsOf(part.part), nothing, false)
  })
}

/**
 * True if the next character decides every choice in a pattern.
 *
 * @param next The set of what may follow the pattern.
 * @param isSearched True if matches may begin at any position.
 */
function isDecided(pattern: Pattern, next: bigint, isSearched: boolean): boolean {
  switch (pattern.op) {
    case 'character':
    case 'assertion':
      return true
    case 'unknown':
      return false
    case 'look':
      // It may run at every position of the text, as a pattern that is searched for does.
      return longest(pattern.part) <= longestFixed && isDecidedSequence(partsOf(pattern.part), nothing, true)
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

/** One repeated character may overlap a short rest of the pattern: then the rest is tried once at each position. */
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

/** Returns the set of what a match may begin with. */
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

/** True for a pattern that can match the empty string. The end of the text counts as a character here. */
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

/** Returns the length of the longest match, in characters. */
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

/** Returns the size of a pattern in characters, with repetitions written out. */
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
    // Whether it matches non-ASCII characters is not computed: an escape, a negation or such a character means that it may.
    set = /[^ -~]|\\[^dw\-./\\[\]^$*+?(){}|]|^\.$|\[\^/u.test(source) ? others : nothing
    for (let code = 0; code < 128; code++) {
      if (expression.test(String.fromCharCode(code))) set |= 1n << BigInt(code)
    }
    // A class that matches no character always fails.
    if (set === nothing) set = doubt
    if (known.size < 1000) known.set(source, set)
  }
  return set
}
