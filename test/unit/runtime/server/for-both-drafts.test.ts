import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { forBothDrafts } from '../../../../runtime/server/for-both-drafts.ts'
import { isReadByPython } from '../../../../runtime/server/read-by-python.ts'

const text = { type: 'string' }
const number = { type: 'number' }

describe('SERVE-2 a schema for clients of either draft', () => {
  test.each([
    ['a tuple', { prefixItems: [text, number], items: false }, [['a', 1], ['a']], [['a', 1, 2], [1]]],
    [
      'a tuple with a limit of its own',
      { prefixItems: [text, number], items: false, maxItems: 1 },
      [['a']],
      [['a', 1]],
    ],
    ['a tuple with a rest', { prefixItems: [text], items: number }, [['a'], ['a', 1, 2]], [['a', 'b']]],
    ['an optional match', { contains: { const: 1 }, minContains: 0 }, [[2], [], [1, 1]], []],
    ['a limited match', { contains: { const: 1 }, minContains: 0, maxContains: 1 }, [[2], [1]], []],
    [
      'one of two tuples',
      { oneOf: [{ prefixItems: [text, text] }, { prefixItems: [number, number] }] },
      [['a', 'b']],
      [],
    ],
    ['all but a tuple', { not: { prefixItems: [text] } }, [[1]], []],
    ['a list', { items: number }, [[1, 2]], [['a']]],
    [
      'one below',
      { type: 'object', properties: { t: { prefixItems: [text], items: false } } },
      [{ t: ['a'] }],
      [{ t: ['a', 'b'] }],
    ],
    [
      'one in a definition',
      { $ref: '#/$defs/T', $defs: { T: { prefixItems: [text], items: false } } },
      [['a']],
      [['a', 'b']],
    ],
  ])('%s', (_, schema, taken, refused) => {
    const spelt = forBothDrafts(schema)
    for (const judge of [new Ajv({ strict: false }), new Ajv2020({ strict: false })])
      for (const value of taken) expect(judge.validate(spelt, value)).toBe(true)
    for (const value of refused) expect(new Ajv2020({ strict: false }).validate(spelt, value)).toBe(false)
  })

  test('data that looks like a schema stays as it is', () => {
    const schema = { const: { prefixItems: [], items: false }, enum: [{ minContains: 0, contains: 1 }] }
    expect(forBothDrafts(schema)).toEqual(schema)
  })
})

describe('SERVE-2 a schema for clients in Python, which compile its patterns', () => {
  const letters = '^\\p{L}+$'
  test.each([
    ['the pattern of a text', { type: 'string', pattern: letters }, { type: 'string' }],
    [
      'a pattern of names',
      { patternProperties: { [letters]: text, '^x': number }, additionalProperties: false },
      { patternProperties: { '^x': number }, additionalProperties: true },
    ],
    ['one that is negated', { not: { items: { pattern: letters } } }, {}],
    ['one in a condition', { if: { patternProperties: { [letters]: text } }, else: text }, {}],
    ['one of several', { oneOf: [{ pattern: letters }, number] }, { anyOf: [{}, number] }],
    ['one that is counted', { contains: { pattern: letters }, maxContains: 2 }, { contains: {} }],
    ['one that every client reads', { pattern: '^(?!a)[\\w\\-.]+\\/$' }, { pattern: '^(?!a)[\\w\\-.]+\\/$' }],
  ])('%s', (_, schema, want) => {
    expect(forBothDrafts(schema, isReadByPython)).toEqual(want)
  })

  test.each([
    ['\\p{Lu}', false],
    ['\\P{L}', false],
    ['\\\\p{L}', true],
    ['(?<year>\\d{4})', false],
    ['(?<=a+)b', false],
    ['\\(?<', true],
    ['\\u{1F600}', false],
    ['\\uD83D\\uDE00', false],
    ['\\u00e4', true],
    ['\\cA', false],
    ['a[^]b', false],
    ['[^\\]]', true],
    ['^(?=.*\\d)(?:a|b){2}\\1$', true],
    ['^\\W', false],
    ['\\D', false],
    ['[^\\s\\w]', false],
    ['a\\b', false],
    ['[^a-z]\\w\\d\\\\W', true],
  ])('%s: %s', (pattern, isRead) => {
    expect(isReadByPython(pattern)).toBe(isRead)
  })
})
