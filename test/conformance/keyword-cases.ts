import type { Schema } from '../../runtime/schema/schema.ts'
import { conditional } from '../unit/codegen/print/conditional.ts'

/** What a schema takes and what it refuses, by JSON Schema 2020-12 with formats asserted (GEN-11). */
export interface KeywordCase {
  readonly name: string
  readonly schema: Schema
  readonly valid: readonly unknown[]
  readonly invalid: readonly unknown[]
}

const at = (path: string): Schema => ({ $ref: path })

export const keywordCases: readonly KeywordCase[] = [
  // Types
  ...(
    [
      ['integer', [1, -1, 0, 1.0, 1e21], [1.5, '1', null, [], {}, true]],
      ['number', [1, 1.5, -0], ['1', null, [], {}, true]],
      ['string', ['', 'x', '1'], [1, null, [], {}, true]],
      ['object', [{}, { a: 1 }], [[], 'x', null, 1, true]],
      ['array', [[], [1]], [{}, 'x', null, 1, true]],
      ['boolean', [true, false], [0, 1, '', 'true', null, [], {}]],
      ['null', [null], [0, '', false, [], {}]],
    ] as const
  ).map(([type, valid, invalid]) => ({ name: `type ${type}`, schema: { type }, valid, invalid })),
  {
    name: 'type as a list',
    schema: { type: ['integer', 'string', 'null'] },
    valid: [1, 'x', null],
    invalid: [1.5, true, [], {}],
  },
  { name: 'the schema true', schema: true, valid: [0, '', null, [], {}], invalid: [] },
  { name: 'the schema false', schema: false, valid: [], invalid: [0, '', null, [], {}] },
  { name: 'no keyword', schema: {}, valid: [0, null, { a: [] }], invalid: [] },

  // Values
  {
    name: 'const object, in any order',
    schema: { const: { a: 1, b: [2] } },
    valid: [{ b: [2], a: 1 }],
    invalid: [{ a: 1 }, { a: 1, b: [2, 3] }, 1],
  },
  {
    name: 'const tells false from 0',
    schema: { const: false },
    valid: [false],
    invalid: [0, '', null, [false]],
  },
  {
    name: 'const tells 1 from true, and is 1.0',
    schema: { const: 1 },
    valid: [1, 1.0],
    invalid: [true, '1'],
  },
  { name: 'const null', schema: { const: null }, valid: [null], invalid: [0, false, ''] },
  { name: 'const with a NUL', schema: { const: 'a\u0000b' }, valid: ['a\u0000b'], invalid: ['ab'] },
  {
    name: 'enum of many types',
    schema: { enum: [6, 'x', [], true, { foo: 12 }] },
    valid: [6, 'x', [], true, { foo: 12 }],
    invalid: ['6', [0], { foo: false }, { foo: 12, b: 1 }, null],
  },
  {
    name: 'enum with escapes',
    schema: { enum: ['a\nb', "'", '`$x`'] },
    valid: ['a\nb', "'", '`$x`'],
    invalid: ['a\\nb', 'x'],
  },
  {
    name: 'enum tells [false] from [0]',
    schema: { enum: [[false]] },
    valid: [[false]],
    invalid: [[0], false],
  },

  // Numbers
  {
    name: 'minimum and maximum',
    schema: { minimum: -2, maximum: 3.5 },
    valid: [-2, 0, 3.5, 'x', null],
    invalid: [-2.0001, 3.51, 1e308],
  },
  {
    name: 'exclusive bounds',
    schema: { exclusiveMinimum: 1, exclusiveMaximum: 3 },
    valid: [1.0001, 2, 'x'],
    invalid: [1, 3, 0, 4],
  },
  { name: 'multipleOf', schema: { multipleOf: 2 }, valid: [10, 0, -4, 'x'], invalid: [7, 1] },
  { name: 'multipleOf of a fraction', schema: { multipleOf: 0.5 }, valid: [4.5, 0], invalid: [0.75] },
  {
    name: 'multipleOf of a small fraction',
    schema: { multipleOf: 0.0001 },
    valid: [0.0075],
    invalid: [0.00751],
  },

  // Strings
  {
    name: 'lengths count code points',
    schema: { minLength: 2, maxLength: 2 },
    valid: ['ab', '💩💩', 'äö', 7, {}],
    invalid: ['a', '💩', 'abc', '💩💩💩', ''],
  },
  {
    name: 'pattern is not anchored and reads Unicode',
    schema: { pattern: 'a+\\p{L}' },
    valid: ['xaaéy', 1, null],
    invalid: ['a', 'é'],
  },
  {
    name: 'pattern with anchors',
    schema: { pattern: '^a*$' },
    valid: ['aaa', '', true],
    invalid: ['abc', 'b'],
  },
  {
    name: 'pattern of one astral character',
    schema: { pattern: '^.$' },
    valid: ['💩', 'x'],
    invalid: ['', 'xy'],
  },

  // Arrays
  {
    name: 'items',
    schema: { items: { type: 'integer' } },
    valid: [[], [1, 2], {}, 'x'],
    invalid: [['x'], [1, 'x']],
  },
  { name: 'items false', schema: { items: false }, valid: [[], 'x'], invalid: [[1], [null]] },
  {
    name: 'prefixItems',
    schema: { prefixItems: [{ type: 'integer' }, { type: 'string' }] },
    valid: [[], [1], [1, 'x'], [1, 'x', null], {}],
    invalid: [['x'], [1, 2]],
  },
  {
    name: 'items after prefixItems',
    schema: { prefixItems: [{}, {}], items: { type: 'integer' } },
    valid: [['a', 'b', 1], ['a']],
    invalid: [['a', 'b', 'c']],
  },
  {
    name: 'a closed tuple',
    schema: { prefixItems: [{}, {}], items: false, minItems: 2 },
    valid: [[1, 'x']],
    invalid: [[1], [1, 2, 3]],
  },
  {
    name: 'minItems and maxItems',
    schema: { minItems: 1, maxItems: 2 },
    valid: [[1], [1, 2], 'x', {}],
    invalid: [[], [1, 2, 3]],
  },
  {
    name: 'uniqueItems',
    schema: { uniqueItems: true },
    valid: [
      [],
      [1, 2],
      [1, true],
      [0, false],
      ['a', 'b'],
      [[1], [2]],
      [
        { a: 1, b: 2 },
        { a: 2, b: 1 },
      ],
      [1, '1'],
      'x',
    ],
    invalid: [
      [1, 1],
      [1.0, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [[1], [1]],
      [null, null],
      ['a', 'b', 'a'],
    ],
  },
  {
    name: 'contains',
    schema: { contains: { minimum: 5 } },
    valid: [[3, 5], [6], 'x', {}],
    invalid: [[], [1, 2]],
  },
  {
    name: 'minContains and maxContains',
    schema: { contains: { const: 1 }, minContains: 2, maxContains: 3 },
    valid: [
      [1, 1],
      [1, 2, 1, 1],
    ],
    invalid: [[1], [1, 1, 1, 1], []],
  },
  {
    name: 'minContains 0',
    schema: { contains: { const: 1 }, minContains: 0 },
    valid: [[], [2], [1]],
    invalid: [],
  },
  {
    name: 'unevaluatedItems after a tuple',
    schema: { prefixItems: [{ type: 'string' }], unevaluatedItems: false },
    valid: [['x'], []],
    invalid: [['x', 1]],
  },
  {
    name: 'unevaluatedItems sees into allOf',
    schema: { allOf: [{ prefixItems: [true, { type: 'number' }] }], unevaluatedItems: false },
    valid: [['x', 1]],
    invalid: [['x', 1, 2]],
  },

  // Objects
  {
    name: 'properties',
    schema: { properties: { a: { type: 'integer' }, b: false } },
    valid: [{}, { a: 1 }, { c: 'x' }, [], 1],
    invalid: [{ a: 'x' }, { b: 1 }],
  },
  {
    name: 'names that objects inherit',
    schema: {
      properties: {
        toString: { type: 'number' },
        constructor: { type: 'number' },
      },
    },
    valid: [{}, { toString: 1 }, { constructor: 1 }],
    invalid: [{ toString: 'x' }, { constructor: {} }],
  },
  {
    name: 'required asks for own properties',
    schema: { required: ['toString', 'a'] },
    valid: [{ toString: 1, a: null }, [], 'x'],
    invalid: [{}, { a: 1 }, { toString: 1 }],
  },
  {
    name: 'patternProperties',
    schema: { patternProperties: { 'f.*o': { type: 'integer' }, '^b': { minimum: 3 } } },
    valid: [{ foo: 1 }, { b: 3 }, { x: 'y' }, []],
    invalid: [{ foo: 'x' }, { bfoo: 2 }, { b: 2 }],
  },
  {
    name: 'additionalProperties false',
    schema: { properties: { a: {} }, patternProperties: { '^x': {} }, additionalProperties: false },
    valid: [{ a: 1 }, { x1: 1 }, {}, []],
    invalid: [{ b: 1 }, { a: 1, toString: 1 }],
  },
  {
    name: 'additionalProperties as a schema',
    schema: { properties: { a: {} }, additionalProperties: { type: 'boolean' } },
    valid: [{ a: 'x', b: true }],
    invalid: [{ b: 1 }],
  },
  {
    name: 'additionalProperties does not see into allOf',
    schema: { allOf: [{ properties: { a: {} } }], additionalProperties: false },
    valid: [{}],
    invalid: [{ a: 1 }],
  },
  {
    name: 'propertyNames',
    schema: { propertyNames: { maxLength: 3 } },
    valid: [{ f: {}, foo: {} }, {}, []],
    invalid: [{ foobar: 1 }],
  },
  {
    name: 'minProperties and maxProperties',
    schema: { minProperties: 1, maxProperties: 2 },
    valid: [{ a: 1 }, { a: 1, b: 2 }, 'x', []],
    invalid: [{}, { a: 1, b: 2, c: 3 }],
  },
  {
    name: 'dependentRequired',
    schema: { dependentRequired: { a: ['b', 'c'] } },
    valid: [{}, { b: 1 }, { a: 1, b: 1, c: 1 }, []],
    invalid: [{ a: 1 }, { a: 1, b: 1 }],
  },
  {
    name: 'dependentSchemas',
    schema: {
      dependentSchemas: { a: { properties: { b: { type: 'integer' } }, required: ['b'] }, z: false },
    },
    valid: [{}, { a: 1, b: 1 }, 'x'],
    invalid: [{ a: 1 }, { a: 1, b: 'x' }, { z: 1 }],
  },
  {
    name: 'unevaluatedProperties sees into allOf and anyOf',
    schema: {
      properties: { a: {} },
      allOf: [{ properties: { b: {} } }],
      anyOf: [{ properties: { c: { const: 1 } }, required: ['c'] }, true],
      unevaluatedProperties: false,
    },
    valid: [{ a: 1, b: 1 }, { c: 1 }, {}],
    invalid: [{ d: 1 }, { c: 2 }],
  },
  {
    name: 'unevaluatedProperties sees through $ref',
    schema: {
      $ref: '#/$defs/base',
      properties: { b: {} },
      unevaluatedProperties: false,
      $defs: { base: { properties: { a: {} } } },
    },
    valid: [{ a: 1, b: 1 }],
    invalid: [{ a: 1, c: 1 }],
  },
  {
    name: 'unevaluatedProperties as a schema',
    schema: { properties: { a: {} }, unevaluatedProperties: { type: 'number' } },
    valid: [{ a: 'x', b: 1 }],
    invalid: [{ b: 'x' }],
  },

  // Applicators
  { name: 'allOf', schema: { allOf: [{ minimum: 2 }, { maximum: 4 }] }, valid: [2, 3, 'x'], invalid: [1, 5] },
  {
    name: 'anyOf',
    schema: { anyOf: [{ type: 'integer' }, { minimum: 2 }] },
    valid: [1, 2.5, 'x'],
    invalid: [1.5],
  },
  {
    name: 'oneOf',
    schema: { oneOf: [{ type: 'integer' }, { minimum: 2 }] },
    valid: [1, 2.5],
    invalid: [3, 1.5],
  },
  {
    name: 'oneOf with required',
    schema: { type: 'object', oneOf: [{ required: ['a', 'b'] }, { required: ['a', 'c'] }] },
    valid: [
      { a: 1, b: 2 },
      { a: 1, c: 3 },
    ],
    invalid: [{ b: 2 }, { a: 1, b: 2, c: 3 }],
  },
  {
    name: 'not',
    schema: { not: { type: ['integer', 'boolean'] } },
    valid: ['x', 1.5, null],
    invalid: [1, true],
  },
  {
    name: 'not of what is forbidden',
    schema: { properties: { a: { not: {} } } },
    valid: [{ b: 1 }, {}],
    invalid: [{ a: 1 }, { a: null }],
  },
  {
    name: 'if, then and else',
    schema: conditional({ exclusiveMaximum: 0 }, { minimum: -10 }, { multipleOf: 2 }),
    valid: [-1, 4, 0, 'x'],
    invalid: [-100, 3],
  },
  {
    name: 'then without if says nothing',
    schema: Object.fromEntries([['then', { const: 0 }]]),
    valid: [0, 'hello'],
    invalid: [],
  },
  {
    name: 'if without then says nothing',
    schema: { if: { const: 0 } } as Schema,
    valid: [0, 'hello'],
    invalid: [],
  },
  {
    name: 'a union told apart by its tag',
    schema: {
      oneOf: [
        {
          type: 'object',
          properties: { kind: { const: 'a' }, x: { type: 'number' } },
          required: ['kind', 'x'],
        },
        { type: 'object', properties: { kind: { const: 'b' } }, required: ['kind'] },
      ],
    },
    valid: [
      { kind: 'a', x: 1 },
      { kind: 'b', x: 'y' },
    ],
    invalid: [{ kind: 'a' }, { kind: 'c' }, { kind: 'a', x: 'y' }, {}],
  },

  // References
  {
    name: 'definitions',
    schema: { $ref: '#/$defs/a', $defs: { a: { type: 'integer' }, b: at('#/$defs/a') } },
    valid: [5],
    invalid: ['a'],
  },
  {
    name: 'keywords beside $ref count',
    schema: { properties: { a: { $ref: '#/$defs/list', maxItems: 2 } }, $defs: { list: { type: 'array' } } },
    valid: [{ a: [] }, { a: [1, 2] }],
    invalid: [{ a: [1, 2, 3] }, { a: 'x' }],
  },
  {
    name: 'escaped definition names',
    schema: {
      properties: { t: at('#/$defs/a~1b'), p: at('#/$defs/c%25d'), s: at('#/$defs/e~0f') },
      $defs: { 'a/b': { type: 'integer' }, 'c%d': { type: 'integer' }, 'e~f': { type: 'integer' } },
    },
    valid: [{ t: 1, p: 1, s: 1 }],
    invalid: [{ t: 'x' }, { p: 'x' }, { s: 'x' }],
  },
  {
    name: 'recursion through the root',
    schema: { properties: { foo: at('#') }, additionalProperties: false },
    valid: [{ foo: { foo: {} } }, { foo: false }],
    invalid: [{ bar: 1 }, { foo: { bar: 1 } }],
  },
  {
    name: 'recursive definitions',
    schema: {
      $ref: '#/$defs/tree',
      $defs: {
        tree: {
          type: 'object',
          properties: { value: { type: 'number' }, nodes: { type: 'array', items: at('#/$defs/tree') } },
          required: ['value'],
        },
      },
    },
    valid: [{ value: 1, nodes: [{ value: 2, nodes: [{ value: 3 }] }] }],
    invalid: [
      { value: 1, nodes: [{ value: 'x' }] },
      { value: 1, nodes: [{}] },
    ],
  },
  {
    name: 'a property called $ref',
    schema: { properties: { $ref: { type: 'string' } } },
    valid: [{ $ref: 'a' }],
    invalid: [{ $ref: 2 }],
  },

  // Formats, as ajv-formats reads them
  ...(
    [
      ['email', ['joe@example.com', 'a+b@c.example'], ['2962', 'joe@', '@x']],
      ['date', ['2024-02-29', '1963-06-19'], ['2023-02-29', '1963-6-19', '06/19/1963', '2020-13-01']],
      [
        'date-time',
        ['1963-06-19T08:30:06.283185Z', '1990-12-31T15:59:50.123-08:00'],
        ['1990-02-31T15:59:59Z', '2013-350T01:01:01', '1963-06-19'],
      ],
      ['time', ['08:30:06Z', '08:30:06+00:20'], ['08:30:06', '24:00:00Z', '08:60:00Z', '8:3:6Z']],
      ['duration', ['P4DT12H30M5S', 'P4Y', 'PT0S', 'P1M', 'P2W'], ['PT1D', '4DT12H30M5S', 'P', 'P1', 'P1YT']],
      [
        'uri',
        ['http://foo.bar/?baz=qux#quuz', 'urn:oasis:names', 'mailto:a@b.c'],
        ['//foo.bar', '/abc', 'http://a b', 'abc'],
      ],
      [
        'uuid',
        ['2eb8aa08-aa98-11ea-b4aa-73b441d16380', '2EB8AA08-AA98-11EA-B4AA-73B441D16380'],
        ['2eb8aa08-aa98-11ea-b4aa-73b441d1638', '2eb8aa08aa9811eab4aa73b441d16380', 'x'],
      ],
      ['ipv4', ['192.168.0.1', '0.0.0.0'], ['127.0.0.0.1', '256.1.1.1', '127.0', '0x7f000001']],
      [
        'ipv6',
        ['::1', '::abef', '1:2:3:4:5:6:7:8', '::ffff:192.168.0.1'],
        ['12345::', '1:2:3:4:5:6:7', '::laptop', '1::2::3'],
      ],
      ['hostname', ['www.example.com', 'a.b-c'], ['-a.example', 'a_b.example', '']],
      ['json-pointer', ['', '/foo/bar~0/baz~1/%a'], ['a', '/foo/bar~', '/~2']],
      ['regex', ['([abc])+\\s+$'], ['^(abc]']],
    ] as const
  ).map(([format, valid, invalid]) => ({
    name: `format ${format}`,
    schema: { format },
    valid: [...valid, 12, null, {}],
    invalid,
  })),
  {
    name: 'an unknown format says nothing',
    schema: { format: 'shoe-size' },
    valid: ['', 'x', 1],
    invalid: [],
  },
]
