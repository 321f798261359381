import { describe, expect, test } from 'vitest'
import { interpretCheck } from '../../../../runtime/check-tree/interpret.ts'
import type { Problem } from '../../../../runtime/errors.ts'
import type { JsonSchema, Schema } from '../../../../runtime/schema/schema.ts'
import { compiled } from '../../codegen/validators/evaluate.ts'

const self: Schema = { $ref: '#/$defs/Self' }
const shape = (properties: Record<string, Schema>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
})
const recursive = (definition: Schema, more: Record<string, Schema> = {}): JsonSchema => ({
  ...self,
  $defs: { Self: definition, ...more },
})
const operators = ['add', 'sub', 'mul', 'div']
const number: Schema = { type: 'number' }

/** A value that nests `depth` times, with a leaf inside. */
function nested(depth: number, leaf: unknown, around: (inner: unknown) => unknown): unknown {
  let value = leaf
  for (let level = 0; level < depth; level++) value = around(value)
  return value
}

const binary = (inner: unknown) => ({ left: inner, right: 1, op: 'div' })
const tagFirst = operators.map((op) => shape({ op: { const: op }, left: self, right: self }))
const tagLast = operators.map((op) => shape({ left: self, right: self, op: { const: op } }))
const tagged = { add: tagFirst, last: tagLast }

/** [what it shows, schema, what stands around a value, a right leaf, a wrong leaf] */
const table: [string, JsonSchema, (inner: unknown) => unknown, unknown, unknown][] = [
  ['a tag that is declared first', recursive({ anyOf: [...tagged.add, number] }), binary, 1, 'x'],
  ['a tag that is declared last', recursive({ anyOf: [...tagged.last, number] }), binary, 1, 'x'],
  ['a tagged oneOf', recursive({ oneOf: [...tagged.last, number] }), binary, 1, 'x'],
  [
    'a tag with several values for a shape',
    recursive({
      anyOf: [
        shape({ args: { type: 'array', items: self }, op: { enum: ['and', 'or'] } }),
        shape({ args: { type: 'array', items: self }, op: { const: 'not' } }),
        number,
      ],
    }),
    (inner) => ({ op: 'or', args: [1, inner] }),
    1,
    'x',
  ],
  [
    'shapes without a tag',
    recursive({
      anyOf: [
        shape({ a: self }),
        shape({ a: self, b: self }, ['a']),
        shape({ a: self, c: self }, ['a']),
        number,
      ],
    }),
    (inner) => ({ a: inner }),
    1,
    'x',
  ],
  [
    'a oneOf without a tag',
    recursive({ oneOf: [shape({ a: self, c: { const: 1 } }), shape({ a: self }, ['a']), number] }),
    (inner) => ({ a: inner }),
    1,
    'x',
  ],
  [
    'allOf twice',
    recursive({
      allOf: [{ properties: { a: self } }, { properties: { a: self } }],
      type: ['object', 'number'],
    }),
    (inner) => ({ a: inner }),
    1,
    'x',
  ],
  [
    'not of not',
    recursive({ not: { not: { anyOf: [shape({ a: self }), shape({ a: self, b: number }), number] } } }),
    (inner) => ({ a: inner }),
    1,
    'x',
  ],
  [
    'if, then and else',
    recursive(
      Object.fromEntries([
        ['if', { properties: { a: self } }],
        ['then', { anyOf: [shape({ a: self }), number] }],
        ['else', { properties: { a: self } }],
      ]),
    ),
    (inner) => ({ a: inner }),
    1,
    'x',
  ],
  [
    'dependentSchemas',
    recursive({
      type: ['object', 'number'],
      properties: { a: self },
      dependentSchemas: { a: { properties: { a: self } } },
    }),
    (inner) => ({ a: inner }),
    1,
    'x',
  ],
  [
    'patternProperties',
    recursive({ type: ['object', 'number'], properties: { a: self }, patternProperties: { '^a': self } }),
    (inner) => ({ a: inner }),
    1,
    'x',
  ],
  [
    'contains beside items',
    recursive({ type: ['array', 'number'], items: self, contains: self }),
    (inner) => [inner],
    1,
    'x',
  ],
  [
    'unevaluatedProperties',
    recursive({
      type: ['object', 'number'],
      anyOf: [number, shape({ a: self }, []), shape({ b: self })],
      unevaluatedProperties: false,
    }),
    (inner) => ({ a: inner }),
    1,
    'x',
  ],
  [
    'two definitions that refer to each other',
    recursive(
      { anyOf: [shape({ a: { $ref: '#/$defs/Other' } }), shape({ a: self })] },
      { Other: { anyOf: [shape({ a: self }), shape({ a: self, b: self }), number] } },
    ),
    (inner) => ({ a: { a: inner } }),
    { a: 1 },
    'x',
  ],
]

describe.each([
  ['compiled', compiled],
  ['interpreted', interpretCheck],
])('CALL-11a what a refusal costs: %s', (_kind, make) => {
  test.each(table)(
    '%s: at depth 150 a verdict, and a bounded list of reasons',
    (_title, schema, around, right, wrong) => {
      const check = make(schema)
      expect(check(nested(150, right, around))).toBe(true)
      const problems: Problem[] = []
      expect(check(nested(150, wrong, around), '', problems)).toBe(false)
      expect(problems.length).toBeGreaterThan(0)
      expect(JSON.stringify(problems).length).toBeLessThan(100_000)
    },
  )

  test('definitions that double thirty times over for one value', () => {
    const $defs: Record<string, Schema> = { D30: { type: 'string' } }
    for (let level = 0; level < 30; level++) {
      const next = { $ref: `#/$defs/D${level + 1}` }
      $defs[`D${level}`] = level % 2 === 0 ? { allOf: [next, next] } : { anyOf: [next, next] }
    }
    const check = make({ $ref: '#/$defs/D0', $defs })
    expect(check('x')).toBe(true)
    const problems: Problem[] = []
    expect(check(1, '', problems)).toBe(false)
    expect(problems.map(({ message }) => message)).toEqual(['expected a string, got 1'])
  })

  test('the problem of a tagged union comes from the shape that the tag names, at any depth', () => {
    const check = make(recursive({ anyOf: [...tagged.last, number] }))
    const problems: Problem[] = []
    check(nested(12, 'x', binary), '', problems)
    expect(problems.map(({ path, expected }) => ({ path, expected }))).toEqual([
      { path: '/left'.repeat(12), expected: 'an object or a number' },
    ])
    const misspelt: Problem[] = []
    check({ left: 1, right: 1, op: 'dvi' }, '', misspelt)
    expect(misspelt.map(({ message }) => message)).toEqual([
      '/op: expected "add", "sub", "mul" or "div", got "dvi"',
    ])
  })

  test('200,000 unknown properties: the first are listed, the rest counted', () => {
    const names = Array.from({ length: 200 }, (_, index) => `property${index}`)
    const check = make({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, number])),
      additionalProperties: false,
    })
    const value = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`propertx${index}`, 1]))
    const problems: Problem[] = []
    expect(check(value, '', problems)).toBe(false)
    expect(problems).toHaveLength(101)
    expect(problems.at(-1)?.message).toBe('and 199900 more')
    expect(JSON.stringify(problems).length).toBeLessThan(30_000)
  })

  test('an enum of 80,000 values is looked up, not searched', () => {
    const values = Array.from({ length: 40_000 }, (_, index) => ({ index }))
    const check = make({
      type: 'array',
      items: { enum: [...values, ...values.map(({ index }) => `v${index}`)] },
    })
    expect(check(values.flatMap((value) => [value, `v${value.index}`]))).toBe(true)
    expect(check([{ index: -1 }])).toBe(false)
  })
})
