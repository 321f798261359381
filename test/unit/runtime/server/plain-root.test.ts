import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../../../runtime/schema/schema.ts'
import { withPlainRoot } from '../../../../runtime/server/plain-root.ts'

const text = { type: 'string' }

describe('SERVE-2 a Tool with parts at its root is listed with all that it takes', () => {
  test.each<[string, JsonSchema, JsonSchema]>([
    [
      'a property that one of the parts refuses',
      { oneOf: [{ properties: { b: false }, required: ['a'] }, { properties: { b: text } }] },
      { properties: { a: text, b: text } },
    ],
    [
      'a property that one of the parts refuses, and no other names',
      { anyOf: [{ properties: { b: false } }, { required: ['b'] }] },
      { properties: { a: text } },
    ],
    [
      'names for which a part has a pattern',
      { anyOf: [{ patternProperties: { '^b': text } }], unevaluatedProperties: false },
      { properties: { a: text } },
    ],
    [
      'no names but those of the parts',
      { anyOf: [{ properties: { b: text } }], unevaluatedProperties: false },
      { properties: { a: text, b: text }, unevaluatedProperties: false },
    ],
  ])('%s', (_, parts, want) => {
    const listed = withPlainRoot({ type: 'object', properties: { a: text }, ...parts })
    const { type, required, description, ...taken } = listed
    expect(taken).toEqual(want)
  })
})
