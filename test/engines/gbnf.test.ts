import { assert, integer, option, property } from 'fast-check'
import { expect, test } from 'vitest'
import { toGbnf } from './gbnf.ts'
import { integers } from './gbnf-integers.ts'

const bound = option(integer({ min: -2500, max: 2500 }), { nil: undefined })

test('integers: the grammar of a range takes exactly the numbers in it', () => {
  assert(
    property(bound, bound, integer({ min: -3000, max: 3000 }), (low, high, value) => {
      if (low !== undefined && high !== undefined && low > high) return
      // Of GBNF, only quotes and spaces are not written as in a regular expression.
      const pattern = new RegExp(`^(?:${integers(low, high).replaceAll(/["\s]/g, '')})$`)
      for (const tried of [value, low, high, (low ?? 0) - 1, (high ?? 0) + 1, -9, 9, 10, 99, 100]) {
        if (tried === undefined) continue
        const isWithin = tried >= (low ?? tried) && tried <= (high ?? tried)
        expect(pattern.test(String(tried)), `${tried} in ${low}..${high}`).toBe(isWithin)
      }
      expect(pattern.test('-0') || pattern.test('007') || pattern.test('')).toBe(false)
    }),
    { numRuns: 400 },
  )
})

test('integers: a range without numbers is refused', () => {
  expect(() => integers(5, 4)).toThrow('no whole number lies between 5 and 4')
})

test.each([
  [
    'a property that may be left out has its comma with it',
    { a: true, b: false },
    '"{" "\\"a\\":" value ("," "\\"b\\":" value)? "}"',
  ],
  ['the first property that is there has none', { a: false }, '"{}" | "{" "\\"a\\":" value  "}"'],
])('objects: %s', (_title, members, rule) => {
  const grammar = toGbnf({
    type: 'object',
    properties: Object.fromEntries(Object.keys(members).map((name) => [name, {}])),
    required: Object.entries(members).flatMap(([name, isRequired]) => (isRequired ? [name] : [])),
    additionalProperties: false,
  })
  expect(grammar).toContain(`r0 ::= ${rule}\n`)
})

test.each([
  [{ type: 'array', prefixItems: [{}] }, 'tuples go as objects'],
  [{ type: 'string', format: 'email' }, 'no grammar for the format email'],
  [{ $ref: '#/$defs/Gone' }, '#/$defs/Gone leads nowhere'],
])('%j, which lowering never leaves in, is refused rather than read wrongly', (schema, message) => {
  expect(() => toGbnf(schema)).toThrow(message)
})
