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
