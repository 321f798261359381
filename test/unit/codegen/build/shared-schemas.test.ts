import { type TSchema, Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { buildModel } from '../../../../codegen/build/build-model.ts'
import type { LoadedDefinition } from '../../../../codegen/model.ts'
import { interpretCheck } from '../../../../runtime/check-tree/interpret.ts'
import { tool } from '../../../../runtime/schema/tool.ts'
import { define } from './define.ts'

const model = (...definitions: LoadedDefinition[]) => {
  const built = buildModel(definitions)
  expect(built.findings).toEqual([])
  return built.model
}

const properties = (built: ReturnType<typeof model>, name: string) => {
  const { _tool, ...rest } = built.tools.find((candidate) => candidate.name === name)?.schema.properties ?? {}
  return rest
}

describe('TOOL-7 shared schemas are emitted once', () => {
  test('what one use says of a shared schema is not said where another use says nothing', () => {
    const address = Type.Object({ street: Type.String() })
    const said = { description: 'Billing.', default: { street: 'x' }, deprecated: true }
    const built = model(
      define('a', tool('a', { billing: Type.With(address, said) })),
      define('b', tool('b', { home: address })),
    )
    expect(properties(built, 'a')).toEqual({ billing: { $ref: '#/$defs/Billing', ...said } })
    expect(properties(built, 'b')).toEqual({ home: { $ref: '#/$defs/Billing' } })
    expect(built.definitions.Billing).not.toHaveProperty('description')
  })

  test('the same object in several Tools, also optional and with a description of its own', () => {
    const address = Type.Object({ street: Type.String() }, { description: 'Where.' })
    const built = model(
      define('a', tool('a', { home: address })),
      define(
        'b',
        tool('b', { work: Type.Optional(address), home: Type.With(address, { description: 'Home.' }) }),
      ),
    )
    expect(properties(built, 'a')).toEqual({ home: { $ref: '#/$defs/Home' } })
    expect(properties(built, 'b')).toEqual({
      work: { $ref: '#/$defs/Home' },
      home: { $ref: '#/$defs/Home', description: 'Home.' },
    })
    expect(built.definitions).toEqual({
      Home: {
        type: 'object',
        properties: { street: { type: 'string' } },
        required: ['street'],
        description: 'Where.',
      },
    })
  })

  test('two recursive types of one key in a Tool mean what each of them says', () => {
    const tree = (properties: Record<string, Type.TSchema>) =>
      Type.Cyclic({ Node: Type.Object({ ...properties, next: Type.Optional(Type.Ref('Node')) }) }, 'Node')
    const built = model(
      define('t', tool('t', { a: tree({ a: Type.Number() }), b: tree({ b: Type.String() }) })),
    )
    const check = interpretCheck({ ...built.tools[0]?.schema, $defs: built.definitions })
    const judge = (a: object, b: object) => check({ _tool: 't', a, b })
    expect(judge({ a: 1, next: { a: 2 } }, { b: 'x', next: { b: 'y' } })).toBe(true)
    expect(judge({ a: 1 }, { a: 1 })).toBe(false)
    expect(judge({ a: 1 }, { b: 'x', next: { a: 1 } })).toBe(false)
  })

  test('an $id of several different schemas means the one around it, and nothing elsewhere', () => {
    const list = (value: object) => ({
      $id: 'T0',
      type: 'object',
      properties: { value, next: { $ref: 'T0' } },
      required: ['value'],
    })
    const [numbers, texts] = [list({ type: 'number' }), list({ type: 'string' })]
    const built = model(define('t', tool('t', { numbers, texts })))
    const check = interpretCheck({ ...built.tools[0]?.schema, $defs: built.definitions })
    expect(check({ _tool: 't', numbers: { value: 1 }, texts: { value: 'x', next: { value: 'y' } } })).toBe(
      true,
    )
    expect(check({ _tool: 't', numbers: { value: 1 }, texts: { value: 'x', next: { value: 1 } } })).toBe(
      false,
    )
    const { findings } = buildModel([define('t', tool('t', { numbers, texts, either: { $ref: 'T0' } }))])
    expect(findings.map(({ rule, pointer }) => [rule, pointer])).toEqual([
      ['ambiguous-reference', '/properties/either'],
    ])
  })

  test('definitions of the same text that refer to different ones stay apart', () => {
    const node = (leaf: TSchema, value = Type.Ref('Leaf')) => ({ Node: Type.Object({ value }), Leaf: leaf })
    const built = model(
      define('t', tool('t', { texts: Type.Cyclic(node(Type.String()), 'Node') })),
      define(
        'u',
        tool('u', {
          numbers: Type.Cyclic(node(Type.Number()), 'Node'),
          texts: Type.Cyclic(node(Type.String()), 'Node'),
        }),
      ),
    )
    const check = interpretCheck({ ...built.tools[1]?.schema, $defs: built.definitions })
    expect(check({ _tool: 'u', numbers: { value: 1 }, texts: { value: 'x' } })).toBe(true)
    expect(check({ _tool: 'u', numbers: { value: 'x' }, texts: { value: 'x' } })).toBe(false)
    expect(check({ _tool: 'u', numbers: { value: 1 }, texts: { value: 1 } })).toBe(false)
  })

  test('a name of several schemas of the same text that refer to different ones means none of them', () => {
    const node = (leaf: TSchema) =>
      Type.Cyclic({ Node: Type.Object({ value: Type.Ref('Leaf') }), Leaf: leaf }, 'Node')
    const rulesOf = (first: TSchema, second: TSchema) =>
      buildModel([
        define('t', tool('t', { first: node(first), second: node(second), either: Type.Ref('Node') })),
      ]).findings.map(({ rule, pointer }) => [rule, pointer])
    expect(rulesOf(Type.String(), Type.String())).toEqual([])
    expect(rulesOf(Type.String(), Type.Number())).toEqual([['ambiguous-reference', '/properties/either']])
  })

  test('one reference object that leads to different schemas of the same text is refused', () => {
    const [toNode, toLeaf] = [Type.Ref('Node'), Type.Ref('Leaf')]
    const node = (leaf: TSchema, value: TSchema) => ({ Node: Type.Object({ value }), Leaf: leaf })
    const rulesOf = (...definitions: LoadedDefinition[]) =>
      buildModel(definitions).findings.map(({ rule }) => rule)
    const whole = (name: string, leaf: TSchema) =>
      define(name, {
        type: 'object',
        properties: { _tool: { const: name }, value: toNode },
        $defs: node(leaf, Type.Ref('Leaf')),
      })
    expect(rulesOf(whole('a', Type.String()), whole('b', Type.Number()))).toEqual(['ambiguous-reference'])
    expect(rulesOf(whole('a', Type.String()), whole('b', Type.String()))).toEqual([])
    const both = (first: TSchema, second: TSchema) =>
      define(
        't',
        tool('t', {
          first: Type.Cyclic(node(first, toLeaf), 'Node'),
          second: Type.Cyclic(node(second, toLeaf), 'Node'),
        }),
      )
    expect(rulesOf(both(Type.String(), Type.Number()))).toEqual(['ambiguous-reference'])
    expect(rulesOf(both(Type.String(), Type.String()))).toEqual([])
  })

  test('an anchor belongs to the schema that its $id or $schema begins', () => {
    const part = (id: string, value: object) => ({
      $id: `https://example.com/${id}`,
      type: 'object',
      properties: { value: { $ref: '#value' } },
      $defs: { Value: { $anchor: 'value', ...value } },
    })
    const [a, b] = [part('a', { type: 'number' }), part('b', { type: 'string' })]
    const built = model(define('t', tool('t', { a, b })))
    const check = interpretCheck({ ...built.tools[0]?.schema, $defs: built.definitions })
    expect(check({ _tool: 't', a: { value: 1 }, b: { value: 'x' } })).toBe(true)
    expect(check({ _tool: 't', a: { value: 'x' }, b: { value: 'x' } })).toBe(false)
    const { findings } = buildModel([define('t', tool('t', { a, b, c: { $ref: '#value' } }))])
    expect(findings.map(({ rule }) => rule)).toEqual(['ambiguous-reference'])
  })

  test('an anchor that several different schemas of a resource have means none of them', () => {
    const value = (type: string) => ({ $anchor: 'value', type })
    const parameters = { a: { $ref: '#value' }, b: { $defs: { Value: value('number') } } }
    const rules = (type: string) =>
      buildModel([define('t', tool('t', { ...parameters, c: value(type) }))]).findings.map(({ rule }) => rule)
    expect(rules('string')).toEqual(['ambiguous-reference'])
    expect(rules('number')).toEqual([])
  })

  test('its parts are not taken out as well', () => {
    const inner = Type.Object({ a: Type.String() })
    const outer = Type.Object({ inner })
    const built = model(
      define('a', tool('a', { outer })),
      define('b', tool('b', { outer: Type.Optional(outer), other: Type.With(outer, { title: 'x' }) })),
    )
    expect(Object.keys(built.definitions)).toEqual(['Other'])
  })

  test('the name: $id, then export, then title, then property', () => {
    const tools = (schema: object) => [
      define('a', tool('a', { p: schema })),
      define('b', tool('b', { p: schema })),
    ]
    const make = (options: { $id?: string; title?: string }) => Type.Object({ x: Type.String() }, options)
    const all = make({ $id: 'TheId', title: 'TheTitle' })
    expect(Object.keys(model(...tools(all), define('TheExport', all, 'shared')).definitions)).toEqual([
      'TheId',
    ])
    const exported = make({ title: 'TheTitle' })
    const shared = define('TheExport', exported, 'shared')
    expect(Object.keys(model(...tools(exported), shared).definitions)).toEqual(['TheExport'])
    expect(Object.keys(model(...tools(make({ title: 'The title' }))).definitions)).toEqual(['TheTitle'])
    expect(Object.keys(model(...tools(make({}))).definitions)).toEqual(['P'])
  })

  test('an exported schema has its name in a single Tool too; one that nobody uses is left out', () => {
    const level = Type.Union([Type.Literal('low'), Type.Literal('high')])
    const built = model(
      define('a', tool('a', { level, _output: Type.Array(level) })),
      define('Level', level, 'shared'),
      define('Unused', Type.Object({}), 'shared'),
    )
    expect(properties(built, 'a')).toEqual({
      level: { $ref: '#/$defs/Level' },
      _output: { type: 'array', items: { $ref: '#/$defs/Level' } },
    })
    expect(built.tools[0]?.output).toEqual({ type: 'array', items: { $ref: '#/$defs/Level' } })
    expect(Object.keys(built.definitions)).toEqual(['Level'])
  })

  test('a plain scalar that happens to be one object stays where it is, and what one Tool repeats too', () => {
    const text = Type.String({ minLength: 1 })
    const pair = Type.Object({ x: text })
    const built = model(
      define('a', tool('a', { text, one: pair, two: pair })),
      define('b', tool('b', { text })),
    )
    expect(built.definitions).toEqual({})
  })

  test('references by $id and by the name of an export, from other files', () => {
    const built = model(
      define('a', tool('a', { x: Type.Ref('Address'), y: Type.Ref('urn:other') })),
      define('Address', Type.Object({ zip: Type.Ref('Zip') }), 'shared', 'definitions/address.ts'),
      define('Zip', Type.String(), 'shared', 'definitions/zip.ts'),
      define('Other', Type.Object({}, { $id: 'urn:other' }), 'shared'),
    )
    expect(properties(built, 'a')).toEqual({
      x: { $ref: '#/$defs/Address' },
      y: { $ref: '#/$defs/UrnOther' },
    })
    expect(built.definitions).toMatchObject({
      Address: { properties: { zip: { $ref: '#/$defs/Zip' } } },
      Zip: { type: 'string' },
    })
  })

  test('$defs of one name in several Tools live side by side, under names of their own', () => {
    const local = (type: string) => ({ $defs: { Item: { type } }, $ref: '#/properties/x/$defs/Item' })
    const built = model(
      define('a', tool('a', { x: local('string') })),
      define('b_c', tool('b_c', { x: local('number') })),
    )
    expect(built.definitions).toEqual({ AItem: { type: 'string' }, BCItem: { type: 'number' } })
  })

  test('one recursive type in two Tools, and an exported one under the name of its export', () => {
    const tree = Type.Cyclic({ Node: Type.Object({ next: Type.Array(Type.Ref('Node')) }) }, 'Node')
    const tools = [define('a', tool('a', { tree })), define('b', tool('b', { tree }))]
    expect(Object.keys(model(...tools).definitions)).toEqual(['Node'])
    expect(Object.keys(model(...tools, define('Tree', tree, 'shared')).definitions)).toEqual(['Tree'])
  })

  test('a schema of the same $id that says the same, written twice, is one', () => {
    const make = () => Type.Object({ x: Type.String() }, { $id: 'Twice' })
    const built = model(define('a', tool('a', { p: make() })), define('b', tool('b', { q: make() })))
    expect(Object.keys(built.definitions)).toEqual(['Twice'])
  })

  test('names never collide with what is generated for a Tool, nor with language types', () => {
    const built = model(
      define('a', tool('a', { x: Type.Ref('ACall'), y: Type.Ref('Promise') })),
      define('ACall', Type.Object({}), 'shared'),
      define('Promise', Type.Object({}), 'shared'),
    )
    expect(Object.keys(built.definitions)).toEqual([
      expect.stringMatching(/^ACall_\w{6}$/),
      expect.stringMatching(/^Promise_\w{6}$/),
    ])
  })

  test('two exports of one name and different content both live', () => {
    const one = Type.Object({ x: Type.String() })
    const two = Type.Object({ y: Type.String() })
    const built = model(
      define('a', tool('a', { one, two })),
      define('Same', one, 'shared', 'definitions/one.ts'),
      define('Same', two, 'shared', 'definitions/two.ts'),
    )
    const refs = Object.values(properties(built, 'a')).map((schema) => (schema as { $ref: string }).$ref)
    expect(new Set(refs).size).toBe(2)
    expect(Object.keys(built.definitions)).toHaveLength(2)
  })
})
