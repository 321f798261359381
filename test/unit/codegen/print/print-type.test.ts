import { describe, expect, it } from 'vitest'
import type { Schema } from '../../../../runtime/schema/schema.ts'
import { conditional } from './conditional.ts'
import { printType } from './print-type.ts'

type Case = [what: string, schema: Schema, type: string]

const text = { type: 'string' }
const number = { type: 'number' }

const groups: Record<string, Case[]> = {
  scalars: [
    ['a string', text, 'string'],
    ['an integer', { type: 'integer', minimum: 1 }, 'number'],
    ['a list of types', { type: ['string', 'null'] }, 'string | null'],
    ['nullable, as Ajv reads it', { type: 'string', nullable: true }, 'string | null'],
    [
      'every type but one',
      { not: { type: 'null' } },
      'string | number | boolean | unknown[] | { [key: string]: unknown }',
    ],
    ['every type by name', { type: ['array', 'boolean', 'null', 'number', 'object', 'string'] }, 'unknown'],
    ['anything', {}, 'unknown'],
    ['true', true, 'unknown'],
    ['false', false, 'never'],
    ['a constraint without a type accepts everything else', { minimum: 3 }, 'unknown'],
    ['properties without a type, too', { properties: { a: text }, required: ['a'] }, 'unknown'],
  ],
  'const and enum': [
    ['a string', { const: 'a' }, "'a'"],
    ['a string with quotes', { const: "it's" }, '"it\'s"'],
    ['both quotes and a backslash', { const: `"'\\` }, `'"\\'\\\\'`],
    ['line breaks and marks that reorder', { const: 'a\nb\u2028\u202e' }, "'a\\nb\\u2028\\u202e'"],
    ['half a surrogate pair', { const: '\ud800' }, "'\\ud800'"],
    ['a dagger', { const: '†state' }, "'†state'"],
    ['numbers', { enum: [1, -2.5, 1e21] }, '1 | -2.5 | 1e+21'],
    ['mixed', { enum: ['a', 1, null, true] }, "'a' | 1 | null | true"],
    ['both booleans', { enum: [true, 'x', false] }, "boolean | 'x'"],
    ['a list', { const: [1, ['a'], {}] }, "[1, ['a'], { [key: string]: never }]"],
    ['an object', { const: { a: { b: null } } }, '{\n  a: {\n    b: null\n  }\n}'],
    ['what type refuses is left out', { type: 'integer', enum: ['a', 1, 1.5] }, '1'],
    ['nothing is left', { type: 'string', const: 1 }, 'never'],
    ['repeats', { enum: ['a', 'a'] }, "'a'"],
  ],
  objects: [
    ['without properties', { type: 'object' }, '{ [key: string]: unknown }'],
    ['closed and empty', { type: 'object', additionalProperties: false }, '{ [key: string]: never }'],
    [
      'optional and required',
      { type: 'object', properties: { a: text, b: number }, required: ['b'] },
      '{\n  a?: string\n  b: number\n}',
    ],
    [
      'open by word',
      { type: 'object', properties: { a: text }, additionalProperties: true },
      '{\n  a?: string\n  [key: string]: unknown\n}',
    ],
    ['required but not declared', { type: 'object', required: ['a'] }, '{\n  a: unknown\n}'],
    [
      'required, not declared, of a known type',
      { type: 'object', required: ['a'], additionalProperties: number },
      '{\n  a: number\n  [key: string]: number\n}',
    ],
    [
      'required, not declared, closed',
      { type: 'object', required: ['a'], additionalProperties: false },
      'never',
    ],
    [
      'a property that cannot be',
      { type: 'object', properties: { a: false, b: text } },
      '{\n  a?: never\n  b?: string\n}',
    ],
    [
      'a required property that cannot be',
      { type: 'object', properties: { a: false }, required: ['a'] },
      'never',
    ],
    [
      'names that need quotes',
      { type: 'object', properties: { 'a-b': text, "it's": text, '': text, '1': text } },
      "{\n  '1'?: string\n  'a-b'?: string\n  \"it's\"?: string\n  ''?: string\n}",
    ],
    [
      'hostile names',
      {
        type: 'object',
        properties: JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"number"}}'),
        required: ['toString'],
      },
      "{\n  __proto__?: string\n  constructor?: number | {}['constructor']\n  toString: unknown\n}",
    ],
    [
      'descriptions',
      {
        type: 'object',
        properties: { a: { type: 'integer', description: 'How many.', minimum: 1, default: 2 } },
      },
      '{\n  /** How many. @integer @minimum 1 @default 2 */\n  a?: number\n}',
    ],
    [
      'nested',
      { type: 'object', properties: { a: { type: 'object', properties: { b: text } } } },
      '{\n  a?: {\n    b?: string\n  }\n}',
    ],
  ],
  records: [
    ['additionalProperties', { type: 'object', additionalProperties: number }, '{ [key: string]: number }'],
    [
      'patternProperties',
      { type: 'object', patternProperties: { '^a': text, '^b': number }, additionalProperties: false },
      '{ [key: string]: string | number }',
    ],
    [
      'patternProperties of an open object',
      { type: 'object', patternProperties: { '^a': text } },
      '{ [key: string]: unknown }',
    ],
    [
      'beside a required property',
      { type: 'object', properties: { a: text }, required: ['a'], additionalProperties: number },
      '{\n  a: string\n  [key: string]: number | string\n}',
    ],
    [
      'beside an optional property',
      { type: 'object', properties: { a: text }, additionalProperties: number },
      '{\n  a?: string\n  [key: string]: number | string | undefined\n}',
    ],
    [
      'of records',
      { type: 'object', additionalProperties: { type: 'object', additionalProperties: number } },
      '{ [key: string]: { [key: string]: number } }',
    ],
  ],
  'arrays and tuples': [
    ['a list', { type: 'array', items: { enum: ['a', 'b'] } }, "('a' | 'b')[]"],
    ['a list of anything', { type: 'array' }, 'unknown[]'],
    [
      'length bounds stay with the validator',
      { type: 'array', items: text, minItems: 1, maxItems: 3 },
      'string[]',
    ],
    ['an empty list', { type: 'array', items: false }, '[]'],
    ['bounds that nothing meets', { type: 'array', minItems: 2, maxItems: 1 }, 'never'],
    [
      'a closed tuple',
      { type: 'array', prefixItems: [text, number], minItems: 2, items: false },
      '[string, number]',
    ],
    [
      'optional elements',
      { type: 'array', prefixItems: [text, { enum: [1, 2] }], minItems: 1, items: false },
      '[string, (1 | 2)?]',
    ],
    ['no element is required', { type: 'array', prefixItems: [text], items: false }, '[string?]'],
    [
      'a rest',
      { type: 'array', prefixItems: [text], minItems: 1, items: { type: ['number', 'null'] } },
      '[string, ...(number | null)[]]',
    ],
    ['an open tuple', { type: 'array', prefixItems: [text], minItems: 3 }, '[string, ...unknown[]]'],
    ['cut by maxItems', { type: 'array', prefixItems: [text, number], maxItems: 1 }, '[string?]'],
    ['an element that cannot be', { type: 'array', prefixItems: [text, false, number] }, '[string?]'],
    ['too short for minItems', { type: 'array', prefixItems: [text], items: false, minItems: 2 }, 'never'],
  ],
  'unions and intersections': [
    ['anyOf', { anyOf: [text, number] }, 'string | number'],
    ['oneOf', { oneOf: [{ const: 'a' }, { type: 'array', items: text }] }, "'a' | string[]"],
    [
      'a wider alternative takes in a narrower',
      { anyOf: [{ const: 'a' }, text, { const: 1 }] },
      'string | 1',
    ],
    ['an alternative that accepts all', { anyOf: [text, {}] }, 'unknown'],
    ['beside a type', { type: 'string', anyOf: [{ minLength: 2 }, { pattern: 'a' }] }, 'string'],
    ['narrowed by type', { type: 'string', anyOf: [{ const: 1 }, { const: 'a' }] }, "'a'"],
    [
      'allOf of objects is one object',
      {
        allOf: [
          { type: 'object', properties: { a: text } },
          { type: 'object', properties: { a: { const: 'x' }, b: number }, required: ['a'] },
        ],
      },
      "{\n  a: 'x'\n  b?: number\n}",
    ],
    ['allOf of scalars', { allOf: [{ enum: ['a', 'b', 1] }, text] }, "'a' | 'b'"],
    ['allOf that nothing meets', { allOf: [text, number] }, 'never'],
    [
      'allOf whose members clash',
      {
        allOf: [{ type: 'object', properties: { a: text }, required: ['a'] }, { properties: { a: number } }],
      },
      'never',
    ],
    [
      'allOf with an index signature',
      {
        allOf: [
          { type: 'object', additionalProperties: text },
          { type: 'object', properties: { a: { const: 'x' } } },
        ],
      },
      "{ [key: string]: string } & {\n  a?: 'x'\n}",
    ],
    [
      'either of two must be there',
      { type: 'object', properties: { a: text, b: text }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      '{\n  a?: string\n  b?: string\n} & ({\n  a: unknown\n} | {\n  b: unknown\n})',
    ],
    [
      'a long union',
      { enum: Array.from({ length: 3 }, (_, at) => `${at}`.repeat(40)) },
      `\n  | '${'0'.repeat(40)}'\n  | '${'1'.repeat(40)}'\n  | '${'2'.repeat(40)}'`,
    ],
  ],
  'what types can only come near to': [
    ['not of something fine is left to the validator', { type: 'string', not: { const: 'a' } }, 'string'],
    ['not of a type', { type: ['string', 'null'], not: { type: 'null' } }, 'string'],
    ['not of an integer leaves numbers', { type: 'number', not: { type: 'integer' } }, 'number'],
    ['not of everything', { not: {} }, 'never'],
    [
      'if with then and else',
      conditional({ type: 'string' }, { const: 'a' }, { type: 'number' }),
      "'a' | number",
    ],
    ['if without else', { type: 'string', allOf: [conditional({ const: 'a' }, { minLength: 1 })] }, 'string'],
    [
      'contains, uniqueItems',
      { type: 'array', items: text, contains: { const: 'a' }, uniqueItems: true },
      'string[]',
    ],
    [
      'dependent keywords',
      { type: 'object', properties: { a: text }, dependentRequired: { a: ['b'] } },
      '{\n  a?: string\n}',
    ],
  ],
}

for (const [group, cases] of Object.entries(groups)) {
  describe(`GEN-1 a schema as a type: ${group}`, () => {
    it.each(cases)('%s', (_, schema, type) => {
      expect(printType(schema)).toBe(type)
    })
  })
}

describe('REF-1 the written form: a Reference stands wherever not every string is a value', () => {
  const written: Case[] = [
    ['not for the whole', number, 'number'],
    [
      'for a property',
      { type: 'object', properties: { a: number, b: text } },
      '{\n  a?: number | Reference\n  b?: string\n}',
    ],
    [
      'for each item, and the list',
      { type: 'object', properties: { a: { type: 'array', items: number } } },
      '{\n  a?: readonly (number | Reference)[] | Reference\n}',
    ],
    [
      'for an item of a list of strings there is no need',
      { type: 'array', items: text },
      'readonly string[]',
    ],
    [
      'for tuple elements',
      { type: 'array', prefixItems: [number, text], minItems: 1, items: number },
      'readonly [number | Reference, string?, ...(number | Reference)[]]',
    ],
    [
      'for the values of a record',
      { type: 'object', additionalProperties: number },
      '{ [key: string]: number | Reference }',
    ],
    [
      'in each alternative',
      { anyOf: [{ type: 'object', properties: { a: number } }, text] },
      '{\n  a?: number | Reference\n} | string',
    ],
    [
      'for a choice of strings',
      { type: 'object', properties: { a: { enum: ['x'] } } },
      "{\n  a?: 'x' | Reference\n}",
    ],
    [
      'not where no value may be',
      { type: 'object', properties: { a: false, b: text } },
      '{\n  a?: never\n  b?: string\n}',
    ],
    ['not where anything may be', { type: 'object', properties: { a: true } }, '{\n  a?: unknown\n}'],
    [
      'inside of a constant object',
      { type: 'object', properties: { a: { const: { b: 1 } } } },
      '{\n  a?: {\n    b: 1 | Reference\n  } | Reference\n}',
    ],
  ]
  it.each(written)('%s', (_, schema, type) => {
    expect(printType(schema, { mode: 'written' })).toBe(type)
  })
})

describe('TOOL-7 shared definitions', () => {
  const definitions: Record<string, Schema> = {
    Level: { enum: ['low', 'high'] },
    Name: { type: 'string', minLength: 1 },
    Person: { type: 'object', properties: { name: { $ref: '#/$defs/Name' } } },
    Tree: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/Tree' } } } },
    Loop: { anyOf: [{ $ref: '#/$defs/Loop' }, text] },
    'a/b ~': number,
  }
  const cases: [what: string, schema: Schema, resolved: string, written: string][] = [
    ['by name', { $ref: '#/$defs/Level' }, 'Level', 'Level'],
    [
      'a choice',
      { type: 'array', items: { $ref: '#/$defs/Level' } },
      'Level[]',
      'readonly (Level | Reference)[]',
    ],
    [
      'both of two, of which one is every string',
      { type: 'array', items: { allOf: [{ $ref: '#/$defs/Level' }, { $ref: '#/$defs/Name' }] } },
      '(Level & Name)[]',
      'readonly ((Level & Name) | Reference)[]',
    ],
    ['every string', { type: 'array', items: { $ref: '#/$defs/Name' } }, 'Name[]', 'readonly Name[]'],
    [
      'an object of strings',
      { type: 'array', items: { $ref: '#/$defs/Person' } },
      'Person[]',
      'readonly (Person | Reference)[]',
    ],
    ['recursive', { $ref: '#/$defs/Tree' }, 'Tree', 'TreeWithReferences'],
    ['with a description beside it', { $ref: '#/$defs/Level', description: 'x' }, 'Level', 'Level'],
    [
      'with a type beside it that says nothing new',
      { type: 'object', $ref: '#/$defs/Tree' },
      'Tree',
      'TreeWithReferences',
    ],
    [
      'narrowed beside it',
      { $ref: '#/$defs/Person', required: ['name'] },
      '{\n  name: unknown\n} & Person',
      '{\n  name: unknown\n} & Person',
    ],
    ['an escaped name', { $ref: '#/$defs/a~1b ~0' }, 'a/b ~', 'a/b ~'],
    ['that meets nothing', { $ref: '#/$defs/Level', type: 'number' }, 'never', 'never'],
  ]
  it.each(cases)('%s', (_, schema, resolved, written) => {
    expect(printType(schema, { definitions })).toBe(resolved)
    expect(printType(schema, { definitions, mode: 'written' })).toBe(written)
  })

  it('one that does not exist is an error that says which do', () => {
    expect(() => printType({ $ref: '#/$defs/Gone' }, { definitions: { Here: true } })).toThrow(
      'Reference to the definition "Gone", which does not exist. Definitions: Here.',
    )
  })

  it('a reference that was not normalised is an error', () => {
    expect(() => printType({ $ref: 'Node' })).toThrow('Reference "Node" is not of the form "#/$defs/Name"')
  })
})

it('GEN-2 reading a schema changes nothing in it', () => {
  const schema = {
    type: 'object',
    properties: { a: { anyOf: [text, { const: [1] }] } },
    required: ['b', 'a'],
  }
  const before = JSON.stringify(schema)
  printType(schema, { mode: 'written' })
  expect(JSON.stringify(schema)).toBe(before)
})
