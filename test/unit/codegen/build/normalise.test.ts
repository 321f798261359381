import { Type } from 'typebox'
import { Settings } from 'typebox/system'
import { describe, expect, test } from 'vitest'
import { buildModel } from '../../../../codegen/build/build-model.ts'
import { tool } from '../../../../runtime/schema/tool.ts'
import { buildParameter, define } from './define.ts'

const node = Type.Object({ v: Type.String(), next: Type.Array(Type.Ref('Node')) })

const both = { type: 'string', nullable: true }

describe('TOOL-1 GEN-11 what is registered is plain JSON Schema 2020-12', () => {
  const cases: { given: string; schema: object; want: unknown; definitions?: unknown }[] = [
    {
      given: 'a closed tuple of draft-07',
      schema: Type.Tuple([Type.String(), Type.Number()]),
      want: {
        type: 'array',
        prefixItems: [{ type: 'string' }, { type: 'number' }],
        items: false,
        minItems: 2,
      },
    },
    { given: 'the empty tuple', schema: Type.Tuple([]), want: { type: 'array', items: false, minItems: 0 } },
    {
      given: 'an open tuple of draft-07, and a rest',
      schema: { anyOf: [{ items: [{}] }, { items: [{}], additionalItems: { type: 'null' } }] },
      want: { anyOf: [{ prefixItems: [{}] }, { prefixItems: [{}], items: { type: 'null' } }] },
    },
    {
      given: 'additionalItems without a tuple, which means nothing',
      schema: { type: 'array', items: { type: 'string' }, additionalItems: false },
      want: { type: 'array', items: { type: 'string' } },
    },
    {
      given: 'a regular expression object as pattern',
      schema: Type.String({ pattern: /^a\/b+$/u as unknown as string }),
      want: { type: 'string', pattern: '^a\\/b+$' },
    },
    {
      given: 'an object that is a schema and a value',
      schema: { anyOf: [both, { const: both }], default: both },
      want: { anyOf: [{ type: ['string', 'null'] }, { const: both }], default: both },
    },
    {
      given: "OpenAPI's nullable",
      schema: { type: 'string', nullable: true },
      want: { type: ['string', 'null'] },
    },
    {
      given: 'dependencies of draft-07',
      schema: { type: 'object', dependencies: { a: ['b'], c: { required: ['d'] } } },
      want: {
        type: 'object',
        dependentRequired: { a: ['b'] },
        dependentSchemas: { c: { required: ['d'] } },
      },
    },
    {
      given: 'undefined options, a dialect, and keywords whose text other tools copy into code',
      schema: { $schema: 'x', type: 'string', description: undefined, tsType: 'evil()', tsEnumNames: ['A'] },
      want: { type: 'string' },
    },
    {
      given: 'optional, read-only and annotated clones',
      schema: Type.Optional(Type.Readonly(Type.With(Type.String(), { title: 'T' }))),
      want: { type: 'string', title: 'T' },
    },
    {
      given: 'data that looks like a schema stays data',
      schema: Type.Unsafe({ const: { $ref: 'Nowhere', '~kind': 'x', items: [1] } }),
      want: { const: { $ref: 'Nowhere', '~kind': 'x', items: [1] } },
    },
    {
      given: 'a recursive type',
      schema: Type.Cyclic({ Node: node }, 'Node'),
      want: { $ref: '#/$defs/TestNode' },
      definitions: {
        TestNode: {
          type: 'object',
          properties: {
            v: { type: 'string' },
            next: { type: 'array', items: { $ref: '#/$defs/TestNode' } },
          },
          required: ['v', 'next'],
        },
      },
    },
    {
      given: 'definitions of draft-07, by pointer; a title beside the reference stays',
      schema: {
        definitions: { 'a b': { type: 'string' } },
        $ref: '#/properties/value/definitions/a%20b',
        title: 'T',
      },
      want: { title: 'T', $ref: '#/$defs/TestAB' },
      definitions: { TestAB: { type: 'string' } },
    },
    {
      given: 'an anchor',
      schema: { anyOf: [{ $anchor: 'one', type: 'string' }, { $ref: '#one' }] },
      want: { anyOf: [{ $ref: '#/$defs/TestOne' }, { $ref: '#/$defs/TestOne' }] },
      definitions: { TestOne: { type: 'string' } },
    },
    {
      given: 'a pointer into properties',
      schema: {
        type: 'object',
        properties: { a: { type: 'string' }, b: { $ref: '#/properties/value/properties/a' } },
      },
      want: { type: 'object', properties: { a: { $ref: '#/$defs/TestA' }, b: { $ref: '#/$defs/TestA' } } },
      definitions: { TestA: { type: 'string' } },
    },
    {
      given: 'references relative to an $id that is a URL, which are looked up and never fetched',
      schema: {
        $id: 'https://example.com/root.json',
        $defs: { x: { $id: 'address.json', type: 'string' } },
        anyOf: [{ $ref: 'address.json' }],
      },
      want: { $ref: '#/$defs/Root' },
      definitions: { Root: { anyOf: [{ $ref: '#/$defs/Address' }] }, Address: { type: 'string' } },
    },
    {
      given: 'what TypeBox 0.34 makes of a recursive type: a numbered $id',
      schema: { $id: 'T0', type: 'object', properties: { next: { $ref: 'T0' } } },
      want: { $ref: '#/$defs/Value' },
      definitions: { Value: { type: 'object', properties: { next: { $ref: '#/$defs/Value' } } } },
    },
  ]
  test.each(cases)('$given', ({ schema, want, definitions = {} }) => {
    const built = buildParameter(schema)
    expect(built.findings).toEqual([])
    expect({ schema: built.schema, definitions: built.definitions }).toEqual({ schema: want, definitions })
  })

  test('marks are dropped also where TypeBox was told to show them', () => {
    Settings.Set({ enumerableKind: true })
    const shown = Type.Object({ '~kind': Type.Optional(Type.String()) })
    Settings.Reset()
    expect(Object.keys(shown)).toContain('~kind')
    expect(buildParameter(shown).schema).toEqual({
      type: 'object',
      properties: { '~kind': { type: 'string' } },
    })
  })

  test('definitions are not changed', () => {
    const schema = {
      type: 'object',
      properties: { a: { items: [{ type: 'string' }], nullable: true, type: 'array' } },
    }
    const before = structuredClone(schema)
    buildParameter(schema)
    expect(schema).toEqual(before)
  })
})

describe('TOOL-1 the root of a Tool', () => {
  test('TYPE-7 a text that stands for a schema does not compile', () => {
    // @ts-expect-error: only `_activity` may be a text
    const { findings } = buildModel([define('x', tool('x', { a: 'text', _activity: '' }))])
    expect(findings.map(({ rule }) => rule)).toEqual(['malformed-schema'])
  })

  test.each([
    ['tool()', tool('alias', { a: { type: 'string' }, _activity: 'shared' })],
    [
      'JSON',
      {
        properties: { _tool: { const: 'alias' }, a: { type: 'string' }, _activity: 'shared' },
        required: ['a'],
      },
    ],
  ])('ACT-3 a plain text as _activity means a literal of it, in %s too', (_, value) => {
    const { model, findings } = buildModel([define('alias', value)])
    expect(findings).toEqual([])
    expect(model.tools[0]?.schema).toMatchObject({
      properties: { _activity: { type: 'string', const: 'shared' } },
      required: ['_tool', 'a'],
    })
  })

  const root = (name: string, value: object) => {
    const { model, findings } = buildModel([define(name, value)])
    return {
      schema: model.tools[0]?.schema,
      definitions: model.definitions,
      rules: findings.map(({ rule }) => rule),
    }
  }

  test('_tool comes first and is required, whatever was declared', () => {
    expect(root('a', { properties: { x: { type: 'string' } }, required: ['x'] }).schema).toEqual({
      type: 'object',
      properties: { _tool: { type: 'string', const: 'a' }, x: { type: 'string' } },
      required: ['_tool', 'x'],
    })
    const declared = root('b', Type.Object({ x: Type.String(), _tool: Type.Literal('b') })).schema
    expect(Object.keys(declared?.properties ?? {})).toEqual(['_tool', 'x'])
    expect(declared?.required).toEqual(['_tool', 'x'])
    expect(root('c', { properties: { _tool: { enum: ['c'] } } }).schema?.properties).toEqual({
      _tool: { type: 'string', const: 'c' },
    })
  })

  test('another name in _tool than the registered one is an error', () => {
    expect(root('a', { properties: { _tool: { const: 'b' } } }).rules).toEqual(['name-mismatch'])
  })

  test('TOOL-2 _module becomes _delegate, and both together are an error', () => {
    const { schema, rules } = root('a', tool('a', { _module: Type.String() }))
    expect([Object.keys(schema?.properties ?? {}), schema?.required]).toEqual([
      ['_tool', '_delegate'],
      ['_tool', '_delegate'],
    ])
    expect(rules).toEqual([])
    expect(root('a', tool('a', { _module: Type.String(), _delegate: Type.String() })).rules).toEqual([
      'delegate-twice',
    ])
  })

  test('TOOL-7 a recursive Tool keeps its object at the root', () => {
    const plan = Type.Object({ _tool: Type.Literal('plan'), next: Type.Optional(Type.Ref('Plan')) })
    const { schema, definitions, rules } = root('plan', Type.Cyclic({ Plan: plan }, 'Plan'))
    expect(rules).toEqual([])
    expect(schema).toEqual({
      type: 'object',
      properties: { _tool: { type: 'string', const: 'plan' }, next: { $ref: '#/$defs/PlanSchema' } },
      required: ['_tool'],
    })
    expect(definitions).toEqual({ PlanSchema: schema })
  })

  test.each([
    { given: '_tool', beside: {} },
    { given: 'more properties', beside: { properties: { _output: {}, extra: {} }, required: ['extra'] } },
  ])(
    'what refers to the target of the root does not mean the $given that only the Tool has',
    ({ beside }) => {
      const Node = { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } }
      const { schema, definitions, rules } = root('plan', {
        $ref: '#/$defs/Node',
        ...beside,
        $defs: { Node },
      })
      expect(rules).toEqual([])
      expect(schema?.required).toContain('_tool')
      expect(definitions).toEqual({
        PlanNode: { type: 'object', properties: { next: { $ref: '#/$defs/PlanNode' } } },
      })
    },
  )

  test('"#" in a parameter means the whole Tool', () => {
    const { schema, definitions } = root(
      'a',
      tool('a', { inner: Type.Optional(Type.This()) }, { effects: 'read' }),
    )
    const { effects, ...rest } = schema ?? {}
    expect(effects).toBe('read')
    expect(definitions).toEqual({ ASchema: rest })
  })

  test('an intersection is merged where that says the same', () => {
    const one = Type.Object({ _tool: Type.Literal('a'), x: Type.String() })
    const two = Type.Object({ y: Type.Optional(Type.Number()), x: Type.String() })
    expect(root('a', Type.Intersect([one, two], { unevaluatedProperties: false, description: 'D' }))).toEqual(
      {
        schema: {
          type: 'object',
          properties: { _tool: { type: 'string', const: 'a' }, x: { type: 'string' }, y: { type: 'number' } },
          required: ['_tool', 'x'],
          additionalProperties: false,
          description: 'D',
        },
        definitions: {},
        rules: [],
      },
    )
  })

  test.each([
    { given: 'a closed part', parts: [tool('a', {}), Type.Object({ y: Type.Number() })] },
    {
      given: 'a clash',
      parts: [Type.Object({ _tool: Type.Literal('a'), y: Type.String() }), Type.Object({ y: Type.Number() })],
    },
    {
      given: 'references of the same text to different schemas',
      parts: [Type.String(), Type.Number()].map((leaf) => ({
        type: 'object',
        properties: { y: { $ref: 'Leaf' } },
        $defs: { Leaf: Type.With(leaf, { $id: 'Leaf' }) },
      })),
    },
    ...[
      { properties: { y: { type: 'array', items: { $ref: '#/$defs/Leaf' } } } },
      { properties: { y: { anyOf: [{ $ref: '#/$defs/Leaf' }, { type: 'null' }] } } },
      { additionalProperties: { $ref: '#/$defs/Leaf' } },
    ].map((part) => ({
      given: `${Object.keys(part)} that refer to different schemas by the same text`,
      parts: [Type.String(), Type.Number()].map((Leaf) => ({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        ...structuredClone(part),
        $defs: { Leaf },
      })),
    })),
    {
      given: 'keywords that cannot be joined',
      parts: [{ minProperties: 1, properties: { _tool: { const: 'a' } } }, { minProperties: 2 }],
    },
  ])('an intersection with $given is refused', ({ parts }) => {
    expect(root('a', { allOf: parts }).rules).toEqual(['intersection-root'])
  })

  test('_scopes and the like hold no reference, since they are read by name', () => {
    const scopes = Type.Unsafe({ const: ['state'] })
    const { model } = buildModel([
      define('a', tool('a', { _scopes: scopes, _instance: Type.Unsafe({ $ref: 'Who' }) })),
      define('b', tool('b', { _scopes: scopes })),
      define('Who', { $id: 'Who', type: 'string' }, 'shared'),
    ])
    expect(model.tools[0]?.schema.properties).toMatchObject({
      _scopes: { const: ['state'] },
      _instance: { type: 'string' },
    })
    expect(model.definitions).toEqual({})
  })
})
