import { describe, expect, test } from 'vitest'
import { closeParameters } from '../../../../codegen/import/close-parameters.ts'
import type { JsonSchema } from '../../../../runtime/schema/schema.ts'

const text = { type: 'string' }
const open: JsonSchema = { type: 'object', properties: { a: text } }
const closed: JsonSchema = { ...open, additionalProperties: false }
const root = (property: JsonSchema): JsonSchema => ({ type: 'object', properties: { p: property } })
const closedRoot = (property: JsonSchema): JsonSchema => ({ ...root(property), additionalProperties: false })

const more: JsonSchema = { properties: { b: text }, required: ['b'] }
const thenMore: JsonSchema = Object.fromEntries([['then', root(more)]])

const anyName = (other: JsonSchema): JsonSchema => root({ additionalProperties: open, allOf: [other] })
const byPattern = (other: JsonSchema): JsonSchema =>
  root({ patternProperties: { '^x': open }, allOf: [other] })

const cases: { name: string; given: JsonSchema; want: JsonSchema }[] = [
  { name: 'the root', given: open, want: closed },
  { name: 'no parameters', given: { type: 'object' }, want: { type: 'object', additionalProperties: false } },
  {
    name: 'what requires what it declares',
    given: { ...open, required: ['a'], dependentRequired: { a: ['a'] }, minProperties: 1 },
    want: { ...closed, required: ['a'], dependentRequired: { a: ['a'] }, minProperties: 1 },
  },
  { name: 'a nested object', given: root(open), want: closedRoot(closed) },
  {
    name: 'objects in lists and in the branches of a union',
    given: root({ anyOf: [{ type: 'array', items: open }, open, { type: 'null' }] }),
    want: closedRoot({ anyOf: [{ type: 'array', items: closed }, closed, { type: 'null' }] }),
  },
  {
    name: 'objects under any name',
    given: root({ type: 'object', additionalProperties: open }),
    want: closedRoot({ type: 'object', additionalProperties: closed }),
  },
  {
    name: 'objects under names by pattern',
    given: root({ type: 'object', patternProperties: { '^x': open } }),
    want: closedRoot({ type: 'object', patternProperties: { '^x': closed } }),
  },
  ...(
    [
      ['what says that more may come', { ...open, additionalProperties: true }],
      ['what says which more may come', { ...open, patternProperties: { '^x': text } }],
      ['a nested object without properties', root({ type: 'object' })],
      ['parts of one object', { allOf: [open, { type: 'object', properties: { b: text } }] }],
      [
        'alternatives of which exactly one holds',
        { oneOf: [open, { type: 'object', properties: { b: text } }] },
      ],
      [
        'an object that another schema looks at too',
        { ...open, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      ],
      ['what must not be', { not: open }],
      ['an object that is one of a list', { ...open, enum: [{ a: 'x' }, { a: 'x', b: 'x' }] }],
      ['a union beside a list', root({ anyOf: [open, { type: 'null' }], enum: [null, { a: 'x', b: 'x' }] })],
      ['an object in one of a list', root({ ...root(open), enum: [{ p: { a: 'x', b: 'x' } }] })],
      ['a required property that is not declared', { ...open, required: ['b'] }],
      ['more properties than are declared', { ...open, minProperties: 2 }],
      ['a property that another one asks for', { ...open, dependentRequired: { a: ['b'] } }],
      ['an object of which a condition asks for more', { ...root(open), if: {}, ...thenMore }],
      [
        'an object that two patterns may look at',
        { type: 'object', patternProperties: { '^x': open, y$: more } },
      ],
      ['an object that a pattern looks at too', { ...root(open), patternProperties: { '^p': more } }],
      ...['additionalProperties', 'unevaluatedProperties'].flatMap((keyword): [string, JsonSchema][] => [
        [`an object of which ${keyword} asks for more`, { ...root(open), allOf: [{ [keyword]: more }] }],
        [`objects under any name, of which ${keyword} asks for more`, anyName({ [keyword]: more })],
        [`objects by pattern, of which ${keyword} asks for more`, byPattern({ [keyword]: more })],
      ]),
      ['objects under any name, one of which is asked for more', anyName(root(more))],
      ['objects by pattern, one of which is asked for more', byPattern(root(more))],
      [
        'an object that a branch within a part asks more of',
        { ...root(open), allOf: [{ anyOf: [root(more)] }] },
      ],
      ...[
        { minProperties: 2 },
        { dependentRequired: { a: ['b'] } },
        { patternProperties: { '^b': text } },
      ].map((beside): [string, JsonSchema] => [
        `a union beside ${Object.keys(beside)}`,
        root({ anyOf: [open, { type: 'null' }], ...beside }),
      ]),
      [
        'lists in a union beside which more is required of their items',
        root({ anyOf: [{ type: 'array', items: open }, { type: 'null' }], items: more }),
      ],
      ['a union beside which more is required', root({ anyOf: [open, { type: 'null' }], required: ['b'] })],
      [
        'a union beside which more is declared',
        root({ anyOf: [open, { type: 'null' }], properties: { b: text } }),
      ],
      ['a union beside a part', root({ anyOf: [open, { type: 'null' }], allOf: [{ required: ['b'] }] })],
      ['objects under any name, beside a reference', anyName({ $ref: '#/$defs/Other' })],
      [
        'items of which a schema beside asks for more',
        root({ type: 'array', items: open, allOf: [{ unevaluatedItems: more }] }),
      ],
      ['items of which one is asked for more', root({ type: 'array', items: open, contains: more })],
      [
        'items of a tuple of which one is asked for more',
        root({ type: 'array', prefixItems: [open], contains: more }),
      ],
      [
        'items of a tuple that another schema looks at',
        root({ type: 'array', prefixItems: [open], allOf: [{ items: more }] }),
      ],
    ] as [string, JsonSchema][]
  ).map(([name, given]) => ({
    name: `stays open: ${name}`,
    given,
    want:
      Object.keys(given).length === 2 && given.properties?.p
        ? { ...given, additionalProperties: false }
        : given,
  })),
]

describe('GEN-10 closing parameters', () => {
  test.each(cases)('$name', ({ given, want }) => {
    expect(closeParameters(given, {}, []).input).toEqual(want)
  })

  test('a definition is closed where each of its uses may be, and no output shares it', () => {
    const input = root({ type: 'array', items: { $ref: '#/$defs/Open' } })
    expect(closeParameters(input, { Open: open }, []).definitions).toEqual({ Open: closed })
    expect(closeParameters(input, { Open: open }, ['Open']).definitions).toEqual({ Open: open })
    const extended = root({ allOf: [{ $ref: '#/$defs/Open' }, { required: ['b'] }] })
    expect(closeParameters(extended, { Open: open }, []).definitions).toEqual({ Open: open })
    const indirect = root({ allOf: [{ $ref: '#/$defs/Name' }, { required: ['b'] }] })
    const definitions = { Name: { $ref: '#/$defs/Open' }, Open: open }
    expect(closeParameters(indirect, definitions, []).definitions).toEqual(definitions)
    const below = { Outer: root({ $ref: '#/$defs/Open' }), Open: open }
    for (const keyword of ['not', 'then']) {
      const used = Object.fromEntries([[keyword, { $ref: '#/$defs/Outer' }]])
      expect(closeParameters(used, below, []).definitions, keyword).toEqual(below)
    }
    const part = root({ allOf: [{ $ref: '#/$defs/Outer' }, root(more)] })
    expect(closeParameters(part, below, []).definitions).toEqual(below)
  })
})
