import { describe, expect, test } from 'vitest'
import type { Field } from '../../../../codegen/studio/form/field.ts'
import { formOf } from '../../../../codegen/studio/form/form-of.ts'
import type { JsonSchema } from '../../../../runtime/schema/schema.ts'

const text = { kind: 'text' }
const number = { kind: 'number', isInteger: false }

describe('VIEW-1 a form has what the check asks', () => {
  const table: [name: string, schema: JsonSchema, want: object][] = [
    [
      'limits and patterns of text',
      { type: 'string', minLength: 1, maxLength: 8, pattern: '^a' },
      { kind: 'text', min: 1, max: 8, patterns: ['^a'] },
    ],
    ['a format', { type: 'string', format: 'email' }, { kind: 'text', format: 'email' }],
    [
      'limits of a whole number',
      { type: 'integer', minimum: 1, exclusiveMaximum: 10, multipleOf: 3 },
      { kind: 'number', isInteger: true, min: 1, below: 10, multiple: 3 },
    ],
    ['a flag', { type: 'boolean' }, { kind: 'flag' }],
    ['null', { type: 'null' }, { kind: 'null' }],
    ['one value', { const: 'x' }, { kind: 'choice', values: ['x'] }],
    ['values', { enum: ['a', 1, null] }, { kind: 'choice', values: ['a', 1, null] }],
    ['anything', {}, { kind: 'any' }],
    ['nothing', { type: 'string', enum: [1] }, { kind: 'never' }],
    [
      'a list with limits',
      { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3, uniqueItems: true },
      { kind: 'list', first: [], rest: text, min: 1, max: 3, isUnique: true },
    ],
    [
      'a tuple',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
      { kind: 'list', first: [text, number], rest: { kind: 'any' }, max: 2, isUnique: false },
    ],
    [
      'a tuple as draft-07 spells it',
      { type: 'array', items: [{ type: 'string' }], additionalItems: { type: 'number' } } as JsonSchema,
      { kind: 'list', first: [text], rest: number, isUnique: false },
    ],
    [
      'a record',
      { type: 'object', additionalProperties: { type: 'number' }, maxProperties: 4 },
      { kind: 'object', properties: [], matching: [], others: number, max: 4 },
    ],
    [
      'names that match',
      { type: 'object', patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
      { kind: 'object', properties: [], matching: [{ pattern: '^x-', field: text }] },
    ],
    [
      'properties in the order of the schema, those that ask for nothing included',
      {
        type: 'object',
        properties: { b: { description: 'anything' }, a: { type: 'string' } },
        required: ['a'],
        additionalProperties: false,
      },
      {
        kind: 'object',
        matching: [],
        properties: [
          { name: 'b', isRequired: false, field: { kind: 'any', description: 'anything' } },
          { name: 'a', isRequired: true, field: text },
        ],
      },
    ],
    [
      'several types',
      { type: ['string', 'null'] },
      {
        kind: 'union',
        alternatives: [
          { label: 'text', field: text },
          { label: 'null', field: { kind: 'null' } },
        ],
      },
    ],
    [
      'names of properties that mean something in JavaScript',
      { type: 'object', properties: { constructor: { type: 'string' } }, additionalProperties: false },
      {
        kind: 'object',
        matching: [],
        properties: [{ name: 'constructor', isRequired: false, field: text }],
      },
    ],
  ]

  test.each(table)('%s', (_, schema, want) => {
    expect(formOf(schema).root).toEqual(want)
  })

  test('words come from the schema', () => {
    const words = { title: 'Size', description: 'In metres', deprecated: true, default: 3 }
    expect(formOf({ type: 'number', ...words }).root).toEqual({ ...number, ...words })
  })

  test('a union is named by what tells its alternatives apart', () => {
    const kind = (name: string, properties: object): JsonSchema => ({
      type: 'object',
      properties: { kind: { const: name }, ...properties },
      required: ['kind'],
      additionalProperties: false,
    })
    const { root } = formOf({
      anyOf: [kind('circle', { radius: { type: 'number' } }), kind('square', {}), { type: 'string' }],
    })
    expect(root).toMatchObject({
      kind: 'union',
      tag: { name: 'kind', values: [['circle'], ['square'], null] },
    })
    expect(labels(root)).toEqual(['circle', 'square', 'text'])
  })

  test('alternatives of one name are told apart by their place', () => {
    const object = { type: 'object', properties: { a: { type: 'string' } } } as const
    expect(labels(formOf({ anyOf: [object, { ...object, minProperties: 1 }] }).root)).toEqual([
      'object (1)',
      'object (2)',
    ])
  })

  test('what stands beside a union is part of each alternative', () => {
    const { root } = formOf({
      type: 'object',
      properties: { shared: { type: 'string' } },
      anyOf: [
        { properties: { a: { type: 'number' } }, required: ['a'] },
        { properties: { b: { type: 'number' } }, required: ['b'] },
      ],
    })
    const names = root.kind === 'union' ? root.alternatives.map(({ field }) => namesIn(field)) : []
    expect(names).toEqual([
      ['a', 'shared'],
      ['b', 'shared'],
    ])
  })

  test('parts of allOf are one form', () => {
    const { root } = formOf({
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } } },
        { type: 'object', properties: { b: { type: 'string' } } },
      ],
    })
    expect(namesIn(root)).toEqual(['a', 'b'])
  })

  test('a definition comes round to itself by its name', () => {
    const { root, definitions } = formOf({
      $ref: '#/$defs/Node',
      $defs: {
        Node: {
          type: 'object',
          properties: { next: { $ref: '#/$defs/Node' } },
          additionalProperties: false,
        },
      },
    })
    const [name = ''] = Object.keys(definitions)
    expect(root).toEqual({ kind: 'reference', name })
    expect(definitions[name]).toMatchObject({
      properties: [{ name: 'next', field: { kind: 'reference', name } }],
    })
  })

  test('a definition with something beside it is written out, and ends where it comes round', () => {
    const { root } = formOf({
      $ref: '#/$defs/Node',
      required: ['next'],
      $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } } },
    })
    expect(root).toMatchObject({ kind: 'object', properties: [{ name: 'next', isRequired: true }] })
  })

  test('what no control shows is said', () => {
    const { root } = formOf({ type: 'string', not: { const: 'x' } })
    expect(root.conditions).toEqual(['Some values are excluded.'])
  })
})

describe('hostile schemas', () => {
  test('unions side by side do not multiply without end', () => {
    const either = { anyOf: [{ required: ['a'] }, { required: ['b'] }, { required: ['c'] }] }
    const many: JsonSchema = { type: 'object', allOf: Array.from({ length: 40 }, () => either) }
    const form = formOf(many)
    expect(JSON.stringify(form).length).toBeLessThan(1_000_000)
  })

  test('unions within unions do not multiply without end', () => {
    let schema: JsonSchema = { type: 'string' }
    for (let level = 0; level < 9; level++) {
      const inner = schema
      schema = {
        type: 'object',
        properties: { a: inner, b: inner },
        anyOf: [{ required: ['a'] }, { required: ['b'] }, { required: ['a', 'b'] }],
      }
    }
    const start = performance.now()
    expect(JSON.stringify(formOf(schema)).length).toBeLessThan(20_000_000)
    expect(performance.now() - start).toBeLessThan(20_000)
  })
})

function labels(field: Field): string[] {
  return field.kind === 'union' ? field.alternatives.map(({ label }) => label) : []
}

function namesIn(field: Field): string[] {
  return field.kind === 'object' ? field.properties.map(({ name }) => name) : []
}
