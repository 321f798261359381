import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { interpretCheck } from '../../../../runtime/check-tree/interpret.ts'
import { guardPattern, isSafe } from '../../../../runtime/checks/guard-pattern.ts'
import { regularExpression } from '../../../../runtime/checks/scalars.ts'
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

  test('what was followed once is remembered: a repetition of hundreds of states, in a text of any length', () => {
    const matcher = linearMatcher('[a-z]{2,500}x[a-z]{2,500}y')
    // Once for each step that is followed.
    const cleared = vi.spyOn(Uint8Array.prototype, 'fill')
    const isFound = matcher?.test('x'.repeat(200_000))
    const count = cleared.mock.calls.length
    cleared.mockRestore()
    expect(isFound).toBe(false)
    expect(count).toBeGreaterThan(0)
    expect(count).toBeLessThan(2000)
  })

  test.each([
    '^(?:(?!--)[a-z0-9-]){1,255}$',
    '(?:(?<!-)[a-z-]){1,255}(?=$)',
    '(?:(?=(?:(?![A-Z])[a-z-]){1,9}$)[a-z-]){1,40}1',
  ])(
    '%s reads a text once for each lookaround that it has, not for each that its repetition comes to',
    (source) => {
      const matcher = linearMatcher(source)
      const cleared = vi.spyOn(Uint8Array.prototype, 'fill')
      matcher?.test('ab-'.repeat(7000))
      const count = cleared.mock.calls.length
      cleared.mockRestore()
      expect(count).toBeGreaterThan(0)
      expect(count).toBeLessThan(2000)
    },
  )

  test('more lookarounds than are remembered for each step are refused', () => {
    const looking = (count: number) => `(?=a)`.repeat(count)
    expect(isSafe(`${looking(27)}a+b+$`)).toBe(true)
    expect(isSafe(`${looking(28)}a+b+$`)).toBe(false)
    expect(isSafe(`^${looking(28)}a+b+$`)).toBe(true)
  })

  test('what is remembered is bounded, where hardly a character leads to states that were reached before', () => {
    let number = 1
    const text = Array.from({ length: 20_000 }, () => {
      number = (number * 48_271) % 2_147_483_647
      return number & 64 ? 'a' : 'b'
    }).join('')
    const sizes: number[] = []
    const set = Map.prototype.set
    const remembering = vi.spyOn(Map.prototype, 'set').mockImplementation(function (
      this: Map<unknown, unknown>,
      key: unknown,
      value: unknown,
    ) {
      sizes.push(this.size)
      return Reflect.apply(set, this, [key, value])
    })
    const isFound = linearMatcher('(a|b)*a(a|b){500}c', 1_000_000)?.test(text)
    remembering.mockRestore()
    expect(isFound).toBe(false)
    // Each state and each step.
    expect(sizes.length).toBeGreaterThan(20_000)
    expect(Math.max(...sizes)).toBeLessThan(2000)
  })

  test('groups that may be left out, one within the other, do not multiply what is followed', () => {
    const nested = `${'(?:'.repeat(500)}(?:a|a)*${')?'.repeat(500)}`
    expect(isSafe(`^(?:${nested}){900}$`)).toBe(false)
    expect(isSafe(`^(?:${nested})$`)).toBe(true)
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

  // What each of the rules comes to, on either side of it.
  const decided: { fast: string; other: string; why: string }[] = [
    { fast: '^a+b', other: 'a+b', why: 'a repetition without end, of what may begin anywhere' },
    { fast: '^a+b', other: '\\ba+b', why: 'an assertion that is no beginning' },
    { fast: '^a+b', other: '$a+b', why: 'the end as a beginning' },
    { fast: 'ba+', other: 'ba+c', why: 'what follows a repetition at the end' },
    { fast: 'x{2,}', other: 'x{2,}y', why: 'what follows a counted repetition at the end' },
    { fast: '(?:ab){30}', other: '(?:ab){60}', why: 'length, of what may begin anywhere' },
    { fast: 'a{98}b*', other: 'a{101}b*', why: 'length before a repetition at the end' },
    { fast: '^(?:ab){3000}$', other: '^(?:ab){4000}$', why: 'size' },
    { fast: '^(?:a|b)c$', other: '^(?:a|ab)c$', why: 'alternatives that begin alike' },
    { fast: '^(?:a|c?)b$', other: '^(?:a|b?)b$', why: 'an alternative that what follows may stand for' },
    { fast: '^(?:b|c?)a$', other: '^(?:a?|b)a$', why: 'the same, the other way round' },
    { fast: '^(?:ab|ba)+$', other: '^(?:ab|a?b)+$', why: 'what alternatives begin with' },
    { fast: '^(?:(?:a|d)b|c)$', other: '^(?:(?:a|a)b|c)$', why: 'a first alternative' },
    { fast: '^(?:c|(?:a|d)b)$', other: '^(?:c|(?:a|a)b)$', why: 'a last alternative' },
    { fast: '^(?:a{2,3}b)*$', other: '^(?:aa?)*$', why: 'a repetition that ends as it begins' },
    { fast: '^(?:a{1,2}b)*$', other: '^(?:a{1,2}){2}$', why: 'a repetition that is followed by itself' },
    { fast: '^(?:ab)*c$', other: '^(?:ab)*a$', why: 'a repetition that what follows may begin' },
    { fast: '^(?:ab)*c$', other: '^(?:ab?)*b$', why: 'an end that may be left out' },
    { fast: '^a*$', other: '^(?:a?)*$', why: 'a repetition of what may be nothing' },
    { fast: '^(?:a)*$', other: '^(?:(?=a)a)*$', why: 'a repetition of a look' },
    { fast: '^[ab]*a$', other: '^[ab]*[bc]*c$', why: 'two repetitions that share characters' },
    { fast: '^[ab]*[cd]*$', other: '^a*a*a*$', why: 'three repetitions of the same' },
    { fast: '^[ab]{0,300}a{90}b', other: '[ab]{0,300}a{90}b', why: 'the same, of what may begin anywhere' },
    { fast: '^.*a{99}$', other: '^.*a{102}$', why: 'a long end that a repetition may take' },
    { fast: '^a{1,9}b$', other: `^${'a{0,10}'.repeat(10)}b$`, why: 'many repetitions that share characters' },
    { fast: '^.*x$', other: '^.*x.*y$', why: 'two repetitions of anything' },
    { fast: '^a{0,90}(?=.*b)c', other: '^a{0,150}(?=.*b)c', why: 'a look of any length at many places' },
    { fast: '^(?=(?:ab)+$).*$', other: '^(?=(?:a+)+$).*$', why: 'what a look looks for' },
    { fast: '^(?!(?:a|c)*b)a*$', other: '^(?!(?:a|a)*b)a*$', why: 'what a look must not find' },
    { fast: '(?=a{90})a', other: '(?=a{101})a', why: 'the length of a look' },
    { fast: 'x(?=(?:a|c){25}b)', other: 'x(?=(?:a|a){25}b)', why: 'what a look of fixed length looks for' },
    { fast: '^a*(?=.)b', other: '^a*(?=.)a*(?=.)a*$', why: 'what comes after a look' },
    { fast: '(?<=a{5})b', other: '(?<=a+)b', why: 'the length of a look behind' },
    { fast: '^(?:a+b)+$', other: '^(?:a+b?)+$', why: 'a repetition within a repetition' },
    { fast: '^(a)$', other: '^(a)\\1$', why: 'what refers back' },
    { fast: '^é*$', other: '^é*ß*é*$', why: 'characters beyond ASCII, which all count as alike' },
    { fast: '^\\w*\\W*$', other: '^\\w*\\W*\\w*\\W*$', why: 'classes by escape' },
  ]
  test.each(decided)('$fast is run as it is, $other is not: $why', ({ fast, other }) => {
    expect([isLinear(fast), isLinear(other)]).toEqual([true, false])
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

  const mended: { wrong: string; right: string }[] = [
    { wrong: '^\\d+\\-\\_\\@\\"$', right: '^\\d+-_@"$' },
    { wrong: '^[\\w-.]+$', right: '^[\\w\\-.]+$' },
    { wrong: '^{.*}$', right: '^\\{.*\\}$' },
    { wrong: '(?i)abc', right: '[aA][bB][cC]' },
    { wrong: '\\A\\d+\\Z', right: '^\\d+$' },
    { wrong: '(?P<year>\\d+)', right: '(?<year>\\d+)' },
  ]
  test.each(mended)('$wrong is refused with what to do, and $right does it', ({ wrong, right }) => {
    expect(() => interpretCheck({ pattern: wrong })).toThrow(/as JavaScript reads it with that flag/)
    expect(interpretCheck({ pattern: right })).toBeTypeOf('function')
  })

  test('what refers back and could hang is refused, also within more groups than the stack holds', () => {
    for (const depth of [0, 4990]) {
      const pattern = `${'('.repeat(depth)}(a+)+\\1$${')'.repeat(depth)}`
      expect(() => interpretCheck({ pattern })).toThrow(/can hang on a hostile text/)
    }
  })

  // As Zod, pydantic and cloud providers write them.
  const inUse: { what: string; source: string; good: string[]; bad: string[] }[] = [
    {
      what: 'an email address',
      source:
        "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
      good: ['a@b.co', 'first.last+tag@mail.example.org'],
      bad: ['.a@b.co', 'a..b@c.de', 'a@b', `${'a'.repeat(20_000)}@`],
    },
    {
      what: 'a host name',
      source:
        '^(?=.{1,253}\\.?$)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[-0-9a-zA-Z]{0,61}[0-9a-zA-Z])?)*\\.?$',
      good: ['a', 'example.org', 'example.org.'],
      bad: ['', '-a', 'a-.b', `${'a.'.repeat(127)}b`],
    },
    {
      what: 'a duration',
      source:
        '^P(?:(\\d+W)|(?!.*W)(?=\\d|T\\d)(\\d+Y)?(\\d+M)?(\\d+D)?(T(?=\\d)(\\d+H)?(\\d+M)?(\\d+([.,]\\d+)?S)?)?)$',
      good: ['P1W', 'P1Y2M', 'PT5M', 'P1DT0.5S'],
      bad: ['P', 'PT', 'P1DT', 'P1D1W'],
    },
    {
      what: 'a decimal',
      source: '^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$',
      good: ['1', '-0.5', '.5'],
      bad: ['', '-', '.', '1e5'],
    },
    {
      what: 'a bucket',
      source: '(?!(^xn--|.+-s3alias$))^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$',
      good: ['my-bucket'],
      bad: ['xn--ab', 'my-s3alias'],
    },
    {
      what: 'an image',
      source: '^(?![._-])[a-z0-9._-]*(?<![._-])(?:/(?![._-])[a-z0-9._-]*(?<![._-]))*$',
      good: ['a/b.c'],
      bad: ['a/-b', 'a-/b'],
    },
    { what: 'a long text', source: '^[a-z]{1,5000}$', good: ['a'], bad: ['', 'a'.repeat(5001)] },
    { what: 'a text of any length', source: '[\\s\\S]{1,2048}', good: ['a', 'a'.repeat(3000)], bad: [''] },
  ]
  test.each(inUse)('$what is found, however it is looked for: $source', ({ source, good, bad }) => {
    expect(isSafe(source)).toBe(true)
    for (const make of [compiled, interpretCheck]) {
      const check = make({ type: 'string', pattern: source })
      expect(good.filter((text) => !check(text))).toEqual([])
      expect(bad.filter((text) => check(text))).toEqual([])
    }
    const matcher = linearMatcher(source)
    for (const text of matcher ? [...good, ...bad] : []) expect(matcher?.test(text)).toBe(good.includes(text))
  })

  test.each(['(?i:a)b', '^(?i:a|A)*$', '(?-i:x)', '(?ims-:(?i:a))'])(
    '%s sets flags, which Node 20 does not know: refused everywhere',
    (source) => {
      expect([isLinear(source), linearMatcher(source)]).toEqual([false, undefined])
      expect(() => compiled({ type: 'string', pattern: source })).toThrow('refused: pattern')
    },
  )

  test.each([
    ...['[a-z]+\\b', 'a+(?=b)', '^a*(?=.*b)c', '^(?:a*(?=.*b))c', '.+[]', 'a+\\B', 'a+^', 'a+(?!a*c)b'],
    ...['(?=[^x]{1,890}a{1,100}$)z?', '^[a-z]*(?=[^x]{1,890}a{1,100}$)z', '^[a-z]*(?=.{0,20}b)'],
  ])('%s fails only after it has tried each end from each place: not run as it is', (source) => {
    expect([isLinear(source), isSafe(source)]).toEqual([false, true])
  })

  test.each([
    '^[a-z]+\\b',
    '\\bword\\b',
    '^(?!.*--)[a-z-]+$',
    '^a(?=.*b)(?=.*c)',
    'a(?=b)',
    '^[a-z]*(?=[^b]{0,20}b)',
    '^(?=.{0,20}b)a',
  ])('%s looks around at few places and is run as it is', (source) => expect(isLinear(source)).toBe(true))
})

test('patterns of Tools that come and go are forgotten, and never those that could hang', () => {
  const vulnerable = '^(?:a|a)*$'
  guardPattern(vulnerable)
  const [first, matcher] = [regularExpression('^first$'), regularExpression(vulnerable)]
  expect(regularExpression('^first$')).toBe(first)
  for (let n = 0; n < 10_001; n++) regularExpression(`^${n}$`)
  expect(regularExpression('^first$')).not.toBe(first)
  expect(regularExpression(vulnerable)).toBe(matcher)
  expect(matcher).not.toBeInstanceOf(RegExp)
})
