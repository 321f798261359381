import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isToolName, providerSafeName, shortHash } from '../../../../runtime/schema/tool-name.ts'

const long = `${'toolkit.'.repeat(8)}bold`

describe('TOOL-3 a name is segments with dots between', () => {
  const cases: [name: string, legal: boolean][] = [
    ['weatherCheck', true],
    ['resolve-library-id', true],
    ['PhraseEmphasis.bold', true],
    ['_private.a_b-9', true],
    ['a', true],
    ['then', true],
    ['toString', true],
    ['', false],
    ['.', false],
    ['a.', false],
    ['.a', false],
    ['a..b', false],
    ['9lives', false],
    ['a.9', false],
    ['-a', false],
    ['two words', false],
    ['naïve', false],
    ['a\n', false],
    ['__proto__', false],
    ['a.constructor', false],
    ['prototype.b', false],
  ]
  it.each(cases)('%j: %s', (name, legal) => {
    expect(isToolName(name)).toBe(legal)
  })
})

describe('TOOL-3 the provider-safe form', () => {
  const cases: [name: string, safe: string][] = [
    ['weatherCheck', 'weatherCheck'],
    ['PhraseEmphasis.bold', 'PhraseEmphasis__bold'],
    ['a.b.c', 'a__b__c'],
    ['x'.repeat(64), 'x'.repeat(64)],
  ]
  it.each(cases)('%s becomes %s', (name, safe) => {
    expect(providerSafeName(name)).toBe(safe)
  })

  it('cuts what is over 64 characters and ends it in a hash of the whole name', () => {
    const safe = providerSafeName(long)
    expect(safe).toHaveLength(64)
    expect(safe).toBe(`${long.replaceAll('.', '__').slice(0, 57)}_${shortHash(long)}`)
    expect(providerSafeName(`${long}2`)).not.toBe(safe)
  })

  it('counts the two characters that a dot becomes', () => {
    expect(providerSafeName(`${'x'.repeat(31)}.${'y'.repeat(31)}`)).toHaveLength(64)
    expect(providerSafeName(`${'x'.repeat(32)}.${'y'.repeat(31)}`)).toMatch(/^x{32}__y{23}_[a-z0-9]{6}$/)
  })

  it('is taken by every provider, whatever the name', () => {
    const segment = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,20}$/)
    const name = fc.array(segment, { minLength: 1, maxLength: 6 }).map((segments) => segments.join('.'))
    fc.assert(
      fc.property(name, (given) => {
        expect(providerSafeName(given)).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/)
      }),
      { numRuns: 200 },
    )
  })
})

it('GEN-2 a hash depends on the text alone', () => {
  // 32-bit FNV-1a of these, in base 36, without its seventh digit from the right.
  expect(shortHash('')).toBe((0x811c9dc5 % 36 ** 6).toString(36))
  expect(shortHash('a')).toBe((0xe40c292c % 36 ** 6).toString(36))
  expect(shortHash('foobar')).toBe((0xbf9cf968 % 36 ** 6).toString(36))
})
