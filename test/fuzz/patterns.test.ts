import { createContext, Script } from 'node:vm'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { isLinear } from '../../runtime/patterns/is-linear.ts'
import { linearMatcher } from '../../runtime/patterns/linear-matcher.ts'
import type { Matcher } from '../../runtime/patterns/matcher.ts'
import { often } from '../runs.ts'
import { fuzz } from './campaign.ts'
import { patternSource, patternText } from './pattern-source.ts'

const seen = { matched: 0, refused: 0, linear: 0, found: 0 }

const run = new Script('new RegExp(source, "u").test(text)')
const given = createContext({ source: '', text: '' })

/** What a regular expression says; undefined where it has not in some milliseconds. */
function found(source: string, text: string, timeout: number): boolean | undefined {
  Object.assign(given, { source, text })
  try {
    return run.runInContext(given, { timeout })
  } catch {
    return undefined
  }
}

fuzz(
  'CALL-11a any pattern: our matcher finds what a regular expression finds, and what is called fast ends soon',
  1500,
  fc.tuple(patternSource, fc.array(patternText, { minLength: 8, maxLength: 8 })),
  ([source, texts]) => {
    try {
      new RegExp(source, 'u')
    } catch {
      return
    }
    const matcher = linearMatcher(source)
    // As where a text leads to more states than may be remembered.
    const forgetful = linearMatcher(source, 3000)
    if (matcher) seen.matched++
    else seen.refused++
    for (const text of matcher ? texts : []) {
      const want = found(source, text, 1000)
      if (want === undefined) continue
      expect(matcher?.test(text), JSON.stringify({ source, text })).toBe(want)
      expect(forgetful?.test(text), JSON.stringify({ source, text })).toBe(want)
      if (want) seen.found++
    }
    if (!isLinear(source)) return
    seen.linear++
    for (const text of texts) {
      // What takes time by the square takes tens of seconds here.
      const long = `${text.repeat(Math.ceil(60_000 / (text.length + 1)))}\u0002`
      expect(found(source, long, 3000), JSON.stringify({ source, text })).toBeDefined()
    }
  },
)

/** How often a matcher follows all paths over one character, for a text of 20,000 that repeats another one. */
function followedOver(matcher: Matcher, text: string): number {
  const cleared = vi.spyOn(Uint8Array.prototype, 'fill')
  matcher.test(`${text.repeat(Math.ceil(20_000 / (text.length + 1)))}\u0002`)
  const count = cleared.mock.calls.length
  cleared.mockRestore()
  return count
}

fuzz(
  'CALL-11a repeated lookarounds: a text that repeats itself is followed once, not for each time that a lookaround may be repeated',
  150,
  fc.tuple(
    fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'),
    patternSource,
    patternSource,
    fc.integer({ min: 1, max: 300 }),
    patternText,
  ),
  ([look, looked, read, most, text]) => {
    const source = `(?:${look}${looked})(?:${read})){1,${most}}\\x03`
    try {
      new RegExp(source, 'u')
    } catch {
      return
    }
    const matcher = linearMatcher(source)
    if (matcher) expect(followedOver(matcher, `a${text}`), source).toBeLessThan(10_000)
  },
)

const several = fc.constantFrom('a', '[a-z]', '[^x]', '\\w', '1', '[^a]', '.')
const counted = (min: number, max: number): fc.Arbitrary<string> =>
  fc.tuple(several, fc.integer({ min, max })).map(([part, most]) => `${part}{1,${most}}`)

fuzz(
  'CALL-11a counted repetitions within lookarounds and after each other: what is called fast ends soon',
  300,
  fc.tuple(
    fc.constantFrom('', '^', '^[a-z]*', '^[^1]*', 'a'),
    fc.constantFrom('(?=', '(?!', '(?<=', '(?:'),
    fc.tuple(counted(1, 900), counted(50, 100)),
    fc.constantFrom('', '$', 'x', '\\b', '1'),
    fc.constantFrom('', 'z', '$'),
    fc.constantFrom('a', 'ab', 'a1', '1', 'a-'),
  ),
  ([before, look, parts, last, after, text]) => {
    const source = `${before}${look}${parts.join('')}${last})${after}`
    if (!isLinear(source)) return
    expect(found(source, text.repeat(20_000 / text.length), 3000), source).toBeDefined()
  },
)

/** Every text of up to four characters of three, of which one takes two code units. */
const smallTexts = Array.from({ length: 5 }, (_, length) => length).flatMap((length) =>
  Array.from({ length: 3 ** length }, (_, number) =>
    Array.from({ length }, (_, place) => ['a', ' ', '😀'][Math.floor(number / 3 ** place) % 3]).join(''),
  ),
)

const { smallPattern } = fc.letrec<{ smallPattern: string }>((tie) => {
  const inner = tie('smallPattern')
  const group = fc.constantFrom('(?:', '(', '(?=', '(?!', '(?<=', '(?<!')
  return {
    smallPattern: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fc.constantFrom('a', ' ', '😀', '.', '\\s', '\\S', '[^a]', '^', '$', '\\b', '\\B'),
      fc.tuple(inner, inner).map((parts) => parts.join('')),
      fc.tuple(inner, inner).map((parts) => `(?:${parts.join('|')})`),
      fc.tuple(group, inner).map((parts) => `${parts.join('')})`),
      fc
        .tuple(
          inner,
          fc.constantFrom(
            '*',
            '+',
            '?',
            '{0}',
            '{1}',
            '{2}',
            '{1,}',
            '{2,}',
            '{0,1}',
            '{1,2}',
            '{2,3}',
            '*?',
          ),
        )
        .map(([part, times]) => `(?:${part})${times}`),
    ),
  }
})

fuzz(
  'CALL-11a small patterns: our matcher finds what a regular expression finds, in every small text',
  800,
  fc.tuple(smallPattern, fc.constantFrom('', '^'), fc.constantFrom('', '$')),
  ([pattern, start, end]) => {
    const source = `${start}(?:${pattern})${end}`
    const expression = new RegExp(source, 'uy')
    // From each of its characters: V8 alone begins within one of two code units as well, where nothing is to be matched.
    const isFound = (text: string): boolean => {
      const places = [...text].map((_, place, all) => all.slice(0, place).join('').length)
      return [...places, text.length].some((place) => {
        expression.lastIndex = place
        return expression.test(text)
      })
    }
    const [matcher, forgetful] = [linearMatcher(source), linearMatcher(source, 3000)]
    for (const text of smallTexts) {
      const want = isFound(text)
      expect(matcher?.test(text), JSON.stringify({ source, text })).toBe(want)
      expect(forgetful?.test(text), JSON.stringify({ source, text })).toBe(want)
    }
  },
)

test('the patterns above are of every kind', () => {
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(often(5))
})
