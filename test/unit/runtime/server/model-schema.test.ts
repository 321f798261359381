import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../../../runtime/schema/schema.ts'
import { modelSchema } from '../../../../runtime/server/model-schema.ts'
import { withItems } from '../../../../runtime/server/with-items.ts'

const text: JsonSchema = { type: 'string' }
const number: JsonSchema = { type: 'number' }

describe('SERVE-2 each list has items', () => {
  test.each<[string, JsonSchema, JsonSchema]>([
    ['none', { type: 'array' }, { items: {} }],
    ['any', { type: 'array', items: true }, { items: {} }],
    ['none allowed', { type: ['array', 'null'], items: false }, { items: {}, maxItems: 0 }],
    ['its own', { type: 'array', items: text }, { items: text }],
    [
      'a closed tuple',
      { prefixItems: [text, number, text], maxItems: 3 },
      { items: { anyOf: [text, number] } },
    ],
    ['a pair of one kind', { type: 'array', prefixItems: [number, number], maxItems: 2 }, { items: number }],
    ['an open tuple', { prefixItems: [text] }, { items: {} }],
    [
      'a tuple with a rest',
      { prefixItems: [text], unevaluatedItems: number },
      { items: { anyOf: [text, number] } },
    ],
    ['a tuple with any place', { prefixItems: [true, text], maxItems: 2 }, { items: {} }],
  ])('%s', (_what, schema, want) => {
    expect(withItems(schema)).toEqual({ ...schema, ...want })
    expect(withItems({ properties: { a: schema } })).toEqual({ properties: { a: { ...schema, ...want } } })
  })

  test('what is no list has none', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { prefixItems: text, type: text },
      anyOf: [number],
    }
    expect(withItems(schema)).toEqual(schema)
  })
})

describe('SERVE-2 what a model API refuses is not listed', () => {
  test('the draft', () => {
    const { schema } = modelSchema({
      $schema: 'http://json-schema.org/draft-07/schema#',
      properties: { a: text },
    })
    expect(schema).toEqual({ properties: { a: text } })
  })

  test('names with other characters, and what refers to them', () => {
    const { schema, sentAs } = modelSchema({
      type: 'object',
      properties: { $top: number, 'filter[id]': text, filter_id_: text, plain: text },
      required: ['$top', 'plain'],
      dependentRequired: { $top: ['filter[id]'] },
      additionalProperties: false,
    })
    expect(schema).toEqual({
      type: 'object',
      properties: {
        _top: { ...number, description: 'Called "$top".' },
        filter_id__2: { ...text, description: 'Called "filter[id]".' },
        filter_id_: text,
        plain: text,
      },
      required: ['_top', 'plain'],
      additionalProperties: false,
    })
    expect([...sentAs]).toEqual([
      ['$top', '_top'],
      ['filter[id]', 'filter_id__2'],
    ])
  })

  test('a tuple behind a reference', () => {
    const $defs = { Point: { type: 'array', prefixItems: [number, number], items: false } }
    const { schema } = modelSchema({ type: 'object', properties: { at: { $ref: '#/$defs/Point' } }, $defs })
    expect(schema).toEqual({
      type: 'object',
      properties: { at: { type: 'array', prefixItems: [number, number], items: number, maxItems: 2 } },
    })
  })
})
