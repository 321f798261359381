import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { interpretCheck } from '../../../../runtime/check-tree/interpret.ts'
import { isLinear } from '../../../../runtime/patterns/is-linear.ts'
import { linearMatcher } from '../../../../runtime/patterns/linear-matcher.ts'
import { compiled } from '../../codegen/validators/evaluate.ts'

const leaf = fc.constantFrom('a', 'b', '.', '\\w', '[ab]', '[^a]', '\\d', '\\b', '😀', '^', '$', '\\u0061')
const pattern: fc.Arbitrary<string> = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => left + right),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => `(${left}|${right})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,1}?', '*?', '{2,}'))
      .map(([part, times]) => `(?:${part})${times}`),
  ),
})).pattern
const text = fc
  .array(fc.constantFrom('a', 'b', '1', ' ', '😀', '\n'), { maxLength: 7 })
  .map((characters) => characters.join(''))

describe('CALL-11a no pattern can stop the process', () => {
  test('the matcher finds what a regular expression finds', () => {
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 3, maxLength: 6 }), (source, texts) => {
        const expression = new RegExp(source, 'u')
        const matcher = linearMatcher(source)
        for (const each of texts) expect(matcher?.test(each), each).toBe(matcher && expression.test(each))
      }),
      { numRuns: 1000 },
    )
  })

  test('a regular expression that is taken for linear answers long texts at once', () => {
    const long = ['a', 'ab', 'b', '1a'].map((part) => `${part.repeat(20_000)}!\n`)
    fc.assert(
      fc.property(pattern, (source) => {
        if (!isLinear(source)) return
        const expression = new RegExp(source, 'u')
        const start = performance.now()
        for (const each of long) expression.test(each)
        expect(performance.now() - start, source).toBeLessThan(2000)
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    '^[a-z]+$',
    '^[a-z][a-z0-9_]*$',
    '^.*\\.json$',
    '^(?=.*[A-Z])(?=.*\\d).{8,}$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '_id$',
    '^(.*)$',
    '^https?://.*$',
  ])('%s is run as it is', (source) => {
    expect(isLinear(source)).toBe(true)
  })

  test.each([
    '(a+)+$',
    '(a|aa)+$',
    '^(a|a)*$',
    '(.*a){25}$',
    '^(\\w|\\d)*$',
    '\\s+$',
    '^(a|b|ab)*c$',
    '^(a*)*$',
  ])('%s ends on a text of 5,000 characters, compiled and interpreted', (source) => {
    const names = { type: 'object', patternProperties: { [source]: false } }
    for (const make of [compiled, interpretCheck]) {
      const check = make({ type: 'string', pattern: source })
      for (const part of ['a', ' ', '1']) {
        expect(check(`${part.repeat(5000)}!`)).toBe(false)
        expect(make(names)({ [`${part.repeat(5000)}!`]: 1 })).toBe(true)
      }
    }
  })

  test('what looks around and could hang is refused', () => {
    expect(() => interpretCheck({ pattern: '(?<=(a+)+)b' })).toThrow(/can hang on a hostile text/)
    expect(() => interpretCheck({ pattern: '(a+)+\\1$' })).toThrow(/can hang on a hostile text/)
  })

  test.each(['(?i:a)b', '^(?i:a|A)*$', '(?-i:x)', '(?ims-:(?i:a))'])(
    '%s sets flags, which Node 20 does not know: refused everywhere',
    (source) => {
      expect([isLinear(source), linearMatcher(source)]).toEqual([false, undefined])
      expect(() => compiled({ type: 'string', pattern: source })).toThrow('refused: pattern')
    },
  )

  test.each(['[a-z]+\\b', 'a+(?=b)', '^a*(?=.*b)c', '^(?:a*(?=.*b))c', '.+[]', 'a+\\B', 'a+^', 'a+(?!a*c)b'])(
    '%s fails only after it has tried each end from each place: not run as it is',
    (source) => expect(isLinear(source)).toBe(false),
  )

  test.each([
    '^[a-z]+\\b',
    '\\bword\\b',
    '^(?!.*--)[a-z-]+$',
    '^a(?=.*b)(?=.*c)',
    'a(?=b)',
    '^[a-z]*(?=.{0,20}b)',
  ])('%s looks around at few places and is run as it is', (source) => expect(isLinear(source)).toBe(true))
})
