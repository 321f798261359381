import { expect, test } from 'vitest'
import { interpretCheck } from '../../../../runtime/check-tree/interpret.ts'
import type { JsonSchema } from '../../../../runtime/schema/schema.ts'

/** `levels` of them, each in an alternative of the one before, for the same object. */
function nested(levels: number): JsonSchema {
  let schema: JsonSchema = {
    type: 'object',
    properties: { x: { type: 'number' } },
    unevaluatedProperties: false,
  }
  for (let level = 1; level < levels; level++) {
    schema = {
      type: 'object',
      properties: { [`p${level}`]: { type: 'string' } },
      anyOf: [schema, { required: ['z'] }],
      unevaluatedProperties: false,
    }
  }
  return schema
}

test('CALL-11a, CALL-12 unevaluatedProperties in one another: three are checked, more are refused at once', () => {
  const check = interpretCheck(nested(3))
  expect(check({ x: 1 })).toBe(true)
  expect(check({ x: 1, y: 2 })).toBe(false)
  expect(() => interpretCheck(nested(4))).toThrow(/4 unevaluatedProperties stand in one another/)
  expect(() => interpretCheck(nested(200))).toThrow(/\d unevaluatedProperties stand in one another/)
})

/** Definitions that each refer twice to the next, or to the first, and allow nothing that it has not looked at. */
function closedReferences(levels: number, isRecursive: boolean): JsonSchema {
  const $defs: Record<string, JsonSchema> = { [`D${levels}`]: { type: 'string' } }
  for (let level = 0; level < levels; level++) {
    const next = isRecursive ? 0 : level + 1
    const closed = { $ref: `#/$defs/D${next}`, unevaluatedProperties: false }
    $defs[`D${level}`] = { anyOf: [{ properties: { a: closed, b: closed } }, { required: ['c'] }] }
  }
  return { $ref: '#/$defs/D0', $defs }
}

test('CALL-11a, CALL-12 unevaluatedProperties beside references: built while that has an end, else refused', () => {
  const check = interpretCheck(closedReferences(3, false))
  expect(check({ a: { b: { a: 'x' } } })).toBe(true)
  expect(check({ a: { b: { a: 'x' }, z: 1 } })).toBe(false)
  const refusal = /asks alternatives that ask others in turn, in more than 10000 parts or without an end/
  expect(() => interpretCheck(closedReferences(40, false))).toThrow(refusal)
  expect(() => interpretCheck(closedReferences(1, true))).toThrow(refusal)
})

test('CALL-11a unevaluatedProperties beside alternatives of thousands of properties is built', () => {
  const properties = Object.fromEntries(Array.from({ length: 12_000 }, (_, index) => [`p${index}`, true]))
  const check = interpretCheck({ anyOf: [{ properties }], unevaluatedProperties: false })
  expect([check({ p1: 1 }), check({ q: 1 })]).toEqual([true, false])
})

test('CALL-11a unevaluatedItems follows references that two others share once', () => {
  const $defs: Record<string, JsonSchema> = { D60: { prefixItems: [true, true] } }
  for (let level = 0; level < 60; level++) {
    const next = { $ref: `#/$defs/D${level + 1}` }
    $defs[`D${level}`] = { allOf: [next, next] }
  }
  const check = interpretCheck({ $ref: '#/$defs/D0', unevaluatedItems: false, $defs })
  expect([check([1, 2]), check([1, 2, 3])]).toEqual([true, false])
})
