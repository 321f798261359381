import type { PatternKind } from '../dialects/dialect.ts'

/** What is not `regular`, where escaped signs have been replaced: groups but `(?:`, escapes of one engine, classes in classes. */
const irregular = /\(\?(?!:)|\\(?:[bckp\d]|u(?:\{|d[89a-f]))|\[\^?\]|\[[^\]]*(?:\[|&&|--|~~)/i

/** True if an engine that supports patterns of a kind interprets this pattern as JSON Schema does. */
export function isOfKind(kind: PatternKind, pattern: string): boolean {
  if (kind === 'regular') return !irregular.test(pattern.replace(/\\[^\w\s]/g, '_'))
  return isAnchored(pattern) && matchesPlainText(pattern.slice(1, -1), kind)
}

function isAnchored(pattern: string): boolean {
  return pattern.startsWith('^') && /(?:^|[^\\])(?:\\\\)*\$$/.test(pattern) && !hasOpenAlternative(pattern)
}

/** True if a `|` is outside of all groups and classes: `^a|b$` anchors each alternative at only one end. */
function hasOpenAlternative(pattern: string): boolean {
  let depth = 0
  let inClass = false
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]
    if (char === '\\') at++
    else if (inClass) inClass = char !== ']'
    else if (char === '[') inClass = true
    else if (char === '(') depth++
    else if (char === ')') depth--
    else if (char === '|' && depth === 0) return true
  }
  return false
}

/** Match an escaped punctuation mark, `\d`, `\w`, or one literal character: outside of a class, and inside one. */
const literal = /^(?:\\[dw]|\\[^\w\s"\\]|[^\\"\p{Cc}.^$()[\]{}*+?|])/u
const members = {
  literal: /^(?:\\[dw]|\\[^\w\s"\\]|[^\\"\p{Cc}])/u,
  // Engines of this kind read a class byte by byte: `[à-ü]` would match nothing.
  plain: /^(?:\\[dw]|\\[!#-/:-@[\]^`{-~]|[ !#-[\]-~])/,
} as const

/**
 * Matches an escape that makes llama.cpp refuse the whole request: of anything but the signs of a pattern, in a class but brackets; or
 * after which it would repeat what stands before it as well.
 */
const badEscape = /\\(?:[^.^$()[\]{}*+?|]|.[*+?{])|\[(?:[^[\]\\]|\\[[\]])*\\[^[\]]/

/**
 * True if a pattern can match only characters that JSON does not escape. Engines apply the pattern to the JSON text between the
 * quotes: `.` would allow an unescaped quote or backslash, and `\\` would require one.
 */
function matchesPlainText(pattern: string, kind: 'plain' | 'literal'): boolean {
  if (kind === 'literal' && badEscape.test(pattern)) return false
  let rest = pattern
  while (rest !== '') {
    const length = rest.startsWith('[') ? classLength(rest, kind) : partLength(rest)
    if (length === 0) return false
    rest = rest.slice(length)
  }
  return true
}

/** Returns the length of the pattern's first element if it is plain; 0 otherwise. llama.cpp refuses to repeat it 2,000 times. */
function partLength(rest: string): number {
  const structure = /^(?:\(\?:|\((?!\?)|[)|]|[*+?]\??|\{\d{1,3}(?:,\d{0,3})?\}\??)/.exec(rest)
  return (structure ?? literal.exec(rest))?.[0].length ?? 0
}

/** Returns the length of a class that lists its characters, all of which the engine interprets correctly; 0 otherwise. */
function classLength(text: string, kind: 'plain' | 'literal'): number {
  const member = members[kind]
  let at = 1
  let low: string | undefined
  if (text[at] === '^' || text[at] === ']') return 0
  while (at < text.length && text[at] !== ']') {
    const found = member.exec(text.slice(at))?.[0]
    if (found === undefined) return 0
    at += found.length
    const isRange = found === '-' && low !== undefined && text[at] !== ']'
    const high = isRange ? member.exec(text.slice(at))?.[0] : undefined
    if (isRange && (high === undefined || !isPlainRange(low ?? '', high))) return 0
    at += high?.length ?? 0
    low = isRange ? undefined : found
  }
  return at < text.length ? at + 1 : 0
}

function isPlainRange(low: string, high: string): boolean {
  const [first, last] = [low, high].map((end) => (end.length > 1 && end[0] === '\\' ? end.slice(1) : end))
  return (
    !/^\\[dw]$/.test(low) &&
    !/^\\[dw]$/.test(high) &&
    !['"', '\\'].some((sign) => first !== undefined && last !== undefined && first <= sign && sign <= last)
  )
}
