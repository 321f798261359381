import { assert, constantFrom, property, stringMatching } from 'fast-check'
import { expect, test } from 'vitest'
import { lower } from '../../../../runtime/lower/lower.ts'
import { isOfKind } from '../../../../runtime/lower/pattern-kind.ts'
import type { JsonSchema } from '../../../../runtime/schema/schema.ts'

const plain = [
  '^[a-z]+$',
  '^[A-Z]{2}-[0-9]{3,6}$',
  '^#[0-9a-f]{6}$',
  '^(?:ab|cd)*?x{2,}$',
  '^(a|b)$',
  '^[\\w.+-]+@x$',
  '^\\d{4}-\\d{2}$',
  '^\\$\\.$',
  '^é(?:ü|†)+$',
  '^[a\\]^$.]$',
]
/** llama.cpp refuses every request with these, or repeats more than they say. */
const badEscapes = [
  '^a\\-b$',
  '^a\\/b$',
  '^[a-z0-9\\-]+$',
  '^[a-z\\.]+$',
  '^v\\.?[0-9]+$',
  '^\\({2}$',
  '^\\d+$',
  '^[\\w]+$',
]
/** Engines of the kind `plain` read a class byte by byte. */
const beyondAscii = ['^é[à-ü]$', '^[一-龥]+$', '^[a-zé]+$', '^[†a]$']
const notPlain = [
  'abc',
  '^a|b$',
  '^.*$',
  '^a"b$',
  '^a\\"b$',
  '^a\\\\b$',
  '^[^a]$',
  '^[!-~]$',
  '^[Z-a]$',
  '^[A-\\]]$',
  '^[a"]$',
  '^[\\\\]$',
  '^\\s$',
  '^\\S\\W\\D$',
  '^[\\s]$',
  '^\\n$',
  '^\\x22$',
  '^\\u0022$',
  '^\\p{L}+$',
  '^a(?=b)b$',
  '^(?<n>a)$',
  '^\\bword\\b$',
  '^(a)\\1$',
  '^[]$',
  '^a^b$',
  '^a$b$',
  '^[ab$',
  '^\t$',
]

test.each(plain)('%s can only match what JSON text does not escape', (pattern) => {
  expect(isOfKind('plain', pattern)).toBe(true)
  expect(isOfKind('literal', pattern)).toBe(!/\\[dw]/.test(pattern))
})

test.each(badEscapes)('%s goes to no engine whose grammars have few escapes', (pattern) => {
  expect(isOfKind('plain', pattern)).toBe(true)
  expect(isOfKind('literal', pattern)).toBe(false)
})

test.each(beyondAscii)('%s goes to engines that read characters and no bytes', (pattern) => {
  expect(isOfKind('plain', pattern)).toBe(false)
  expect(isOfKind('literal', pattern)).toBe(true)
})

test.each(notPlain)('%s is not sent to engines that hold JSON text to it', (pattern) => {
  expect(isOfKind('plain', pattern)).toBe(false)
  expect(isOfKind('literal', pattern)).toBe(false)
})

const object = (value: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { value },
  required: ['value'],
  additionalProperties: false,
})

/** Python has no `\\p`, Rust reads `[` in a class as another class, and neither OpenAI nor Anthropic takes what looks around. */
const irregular = [
  ...['^(?!\\.)(?!.*\\.\\.)[a-z.]*@x$', '(?=a)', 'a(?<!b)', '(?<=a)b', '(?<year>\\d{4})', '(?i:a)', '(a)\\1'],
  ...[
    '\\bword\\b',
    '\\B',
    '^\\p{L}+$',
    '^\\P{Lu}$',
    '\\u{1F600}',
    '\\ud83d\\ude00',
    '\\cJ',
    '\\0',
    '[[\\]{}]',
    '[^a[]',
  ],
  ...['[]', '[^]', '[a&&b]', '[+--]', '\\\\\\p{L}'],
]
const regular = [
  ...[
    '^[a-zA-Z0-9._%+-]+@[a-z0-9.-]+\\.[a-z]{2,}$',
    '^\\[[^\\]]+\\]$',
    '^(?:ab|(cd))*?x{2,}$',
    '^\\/x\\(\\?=$',
  ],
  ...[
    '^[\\[\\]{}|&-]*$',
    '^[^\\u0000-\\u001f]+$',
    '^\\d{4}-\\w+\\s\\S$',
    '^\\\\\\\\p$',
    '^†|a--b$',
    '^[a]--[b]&&$',
    '^\\x41$',
  ],
]

test.each(['[', '[a', '\\.', '[a]', '[\\]a', '(?:', '-', '[-'])(
  'the time grows with a pattern of %s and no faster',
  (part) => {
    for (const kind of ['regular', 'plain', 'literal'] as const) {
      const pattern = `^[${part.repeat(100_000)}]$`
      const start = performance.now()
      isOfKind(kind, pattern)
      isOfKind(kind, `^${part.repeat(100_000)}$`)
      expect(performance.now() - start).toBeLessThan(2000)
    }
  },
)

test.each(irregular)('REQ-5 a hosted engine may refuse %s', (pattern) => {
  expect(isOfKind('regular', pattern)).toBe(false)
  for (const dialect of ['openai', 'mistral', 'anthropic'] as const) {
    const { schema, losses } = lower(object({ type: 'string', pattern }), dialect)
    expect(schema.properties?.value).toEqual({ type: 'string', description: `Matches ${pattern}.` })
    expect(losses).toMatchObject([{ keyword: 'pattern', action: 'described', enforcedBy: 'validator' }])
  }
})

test.each(regular)('REQ-5 hosted engines agree on %s', (pattern) => {
  expect(isOfKind('regular', pattern)).toBe(true)
  expect(lower(object({ type: 'string', pattern }), 'openai').schema.properties?.value).toMatchObject({
    pattern,
  })
})

test('whatever a plain pattern matches, JSON text escapes nothing of it', () => {
  const matching = constantFrom(...plain, ...beyondAscii).chain((pattern) =>
    stringMatching(new RegExp(pattern, 'u')),
  )
  assert(
    property(matching, (text) => {
      expect(JSON.stringify(text)).toBe(`"${text}"`)
    }),
    { numRuns: 300 },
  )
})

test.each<[string, JsonSchema, readonly string[]]>([
  ['a lower bound of 3 alone', { type: 'integer', minimum: 3 }, ['minimum']],
  ['a lower bound of 1 alone', { type: 'integer', minimum: 1 }, []],
  ['a negative lower bound alone', { type: 'integer', minimum: -5 }, ['minimum']],
  ['a negative upper bound alone', { type: 'integer', maximum: -9 }, ['maximum']],
  ['bounds at both ends', { type: 'integer', minimum: -5, maximum: 9 }, []],
  ['a fractional bound', { type: 'integer', minimum: 1.5, maximum: 9 }, ['minimum', 'maximum']],
  ['a bound beyond 64 bits', { type: 'integer', minimum: 0, maximum: 1e20 }, ['minimum', 'maximum']],
  ['a text of bounded length', { type: 'string', minLength: 1, maxLength: 9 }, ['minLength', 'maxLength']],
  ['a pattern that lets a bare quote through', { type: 'string', pattern: '^.*$' }, ['pattern']],
  ['a format that lets a bare quote through', { type: 'string', format: 'json-pointer' }, ['format']],
  ['a pattern alone', { type: 'string', pattern: '^[a-z]+$' }, []],
  ['a pattern beside a format', { type: 'string', format: 'date', pattern: '^2026' }, ['pattern']],
])('REQ-5a xgrammar: %s is kept only where the engine holds to it', (_title, schema, lost) => {
  const { losses } = lower(object(schema), 'xgrammar')
  expect(losses.map(({ keyword }) => keyword)).toEqual(lost)
})

test('REQ-5c xgrammar: an object with a name that JSON escapes goes as JSON text and comes back', () => {
  const inner: JsonSchema = {
    type: 'object',
    properties: { 'a"b': { type: 'integer' } },
    required: ['a"b'],
    additionalProperties: false,
  }
  const { schema, lift, toLowered, standIns } = lower(object(inner), 'xgrammar')
  expect(schema.properties?.value).toMatchObject({ type: 'string' })
  expect(standIns).toMatchObject([{ pointer: '/properties/value', kind: 'json' }])
  const value = { value: { 'a"b': 1 } }
  expect(lift(toLowered(value))).toEqual(value)
})

test('REQ-5c xgrammar: a Tool whose own parameter has such a name is refused', () => {
  const branch = {
    type: 'object',
    properties: { _tool: { type: 'string', const: 'odd' }, 'line\nbreak': { type: 'integer' } },
    required: ['_tool'],
    additionalProperties: false,
  }
  const composed: JsonSchema = {
    type: 'object',
    properties: { calls: { type: 'array', items: { anyOf: [branch] } } },
    required: ['calls'],
    additionalProperties: false,
  }
  expect(() => lower(composed, 'xgrammar')).toThrow(/quotes, backslashes and line breaks, got "line\\nbreak"/)
})
