import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { createContext } from '../../../../../runtime/context/context.ts'
import {
  formatPath,
  parseExpression,
  parseOutputPath,
  parseReference,
} from '../../../../../runtime/context/reference.ts'
import { parseScopes } from '../../../../../runtime/context/scope-list.ts'
import { type GrammarCase, grammar } from './grammar.ts'

const cases: readonly GrammarCase[] = grammar

/** Other tests of this process have parsed as well. */
async function parserWithNothingKept(): Promise<typeof parseExpression> {
  vi.resetModules()
  return (await import('../../../../../runtime/context/reference.ts')).parseExpression
}

describe('parseExpression', () => {
  test.each(cases)('OUT-8 $shows: $text', ({ text, want, outputOnly }) => {
    const expression = parseExpression(text)
    const found = expression?.alternatives.map((paths) =>
      paths.map(({ kind, segments }) => [kind, ...segments]),
    )
    expect(found ?? null).toEqual(want)
    if (expression) expect(expression.daggers).toBe(!outputOnly)
  })

  test('a text is parsed once', () => {
    expect(parseExpression('†state.cached')).toBe(parseExpression('†state.cached'))
  })

  test('the paths of a plan of ten thousand Calls are kept', async () => {
    const parseExpression = await parserWithNothingKept()
    const first = parseExpression('†state.first')
    for (let index = 0; index < 10_000; index++) parseExpression(`†state.step${index}`)
    expect(parseExpression('†state.first')).toBe(first)
  })

  test.each([
    { what: 'short texts', most: 30_000, textOf: (index: number) => `†state.other${index}` },
    { what: 'long texts', most: 600, textOf: (index: number) => `†state.${String(index).padEnd(990, 'x')}` },
    { what: 'texts that are no paths', most: 800, textOf: (index: number) => `${index} `.repeat(200) },
  ])('what is kept of them is bounded by their length: $what', async ({ most, textOf }) => {
    const parseExpression = await parserWithNothingKept()
    const first = parseExpression('†state.kept')
    for (let index = 0; index < most; index++) parseExpression(textOf(index))
    const again = parseExpression('†state.kept')
    expect(again).toEqual(first)
    expect(again).not.toBe(first)
  })

  test('OUT-8 a reserved name is told of only where there is one', () => {
    expect(Object.keys(parseExpression('†state.a') ?? {})).toEqual(['alternatives', 'daggers'])
    expect(parseExpression('†state.a.__proto__')).toMatchObject({ reserved: '__proto__' })
  })

  test('OUT-8 an error shows a path of 80 characters whole, and of a longer one the beginning', () => {
    const text = `a b${'x'.repeat(77)}`
    expect(() => parseOutputPath(text)).toThrow(`"${text}"`)
    expect(() => parseOutputPath(`${text}x`)).toThrow(`"${text.slice(0, 79)}…"`)
  })

  test.each<[string, (text: string) => unknown]>([
    ['an output path', parseOutputPath],
    ['a Reference that is read', (text) => createContext().read(text)],
    ['a scope', (text) => parseScopes([text])],
  ])('OUT-8 the error of what is only too long says so: %s', (_what, parse) => {
    expect(() => parse(`†state.${'a'.repeat(994)}`)).toThrow(
      expect.objectContaining({
        code: 'invalid_path',
        message: expect.stringMatching(/Expected at most 1000 characters, got 1001\.$/),
      }),
    )
    expect(() => parse(`†state.${'a'.repeat(993)}`)).not.toThrow()
  })

  test('what a model may send is bounded, in length and in depth', () => {
    expect(parseExpression(`†state${'.a'.repeat(63)}`)).not.toBeNull()
    expect(parseExpression(`†state${'.a'.repeat(64)}`)).toBeNull()
    expect(parseExpression(`†${'a'.repeat(999)}`)).not.toBeNull()
    expect(parseExpression(`†${'a'.repeat(1000)}`)).toBeNull()
  })

  test('OUT-8 formatPath spells every path so that it parses back', () => {
    const name = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 6 }),
      fc.constantFrom("'", "''", 'a.b', '0', '†'),
    )
    fc.assert(
      fc.property(name, fc.array(name, { maxLength: 4 }), (kind, segments) => {
        const parsed = parseExpression(formatPath({ kind, segments }))
        expect(parsed?.alternatives).toEqual([[{ kind, segments }]])
      }),
      { numRuns: 200 },
    )
  })

  test('any text at all is parsed or refused, in little time', () => {
    const hostile = [
      "'".repeat(999),
      `†state.${"''".repeat(490)}x`,
      '†a||'.repeat(249),
      '†a'.padEnd(999, ' '),
    ]
    for (const text of hostile) expect(() => parseExpression(text)).not.toThrow()
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('†', '.', "'", '|', '&', ' ', 'a') }), (text) => {
        parseExpression(text)
      }),
      { numRuns: 200 },
    )
  })
})

describe('parseReference', () => {
  test('REF-1 a path without † is text', () => {
    expect(parseReference('state.x')).toBeNull()
    expect(parseReference('†a || b')).toBeNull()
  })

  test.each(['†state.__proto__.x', '†constructor', "†state.'prototype'", '†a || †b.constructor'])(
    'OUT-8 %s is refused',
    (text) => {
      expect(() => parseReference(text)).toThrow(expect.objectContaining({ code: 'invalid_path' }))
    },
  )

  test.each(['†state.toString', '†then.hasOwnProperty'])('OUT-8 %s is a path like any other', (text) => {
    expect(parseReference(text)).not.toBeNull()
  })
})

describe('parseOutputPath', () => {
  test('OUT-2 a path without † goes to the state', () => {
    expect(parseOutputPath('user.name').alternatives).toEqual([
      [{ kind: 'state', segments: ['user', 'name'] }],
    ])
  })

  test.each(['', '† total', 'a..b', '__proto__.x', '†state.constructor'])('OUT-8 %j is refused', (text) => {
    expect(() => parseOutputPath(text)).toThrow(
      expect.objectContaining({ code: 'invalid_path', name: 'CallError' }),
    )
  })

  test('the error says what was got and what was expected', () => {
    expect(() => parseOutputPath('† total')).toThrow(/"† total".*†state\.user\.name/)
  })
})
