import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { buildModel } from '../../../../codegen/build/build-model.ts'
import { createRegistry } from '../../../../runtime/create-registry.ts'
import { tool } from '../../../../runtime/schema/tool.ts'
import { buildParameter, define } from './define.ts'

/** What `z.toJSONSchema` and its like give: documents of their own, whose references begin at themselves. */
const $schema = 'https://json-schema.org/draft/2020-12/schema'
const tree = (name: string) => ({
  $schema,
  type: 'object',
  properties: { [name]: { type: 'string' }, kids: { type: 'array', items: { $ref: '#' } } },
  required: [name, 'kids'],
})
const named = (type: string, ref = '#/$defs/N') => ({
  type: 'object',
  properties: { n: { $ref: ref } },
  $defs: { N: { type } },
})

describe('TOOL-7 the output of another library as a part of a Tool', () => {
  test('a schema that refers to itself means itself and not the Tool', () => {
    const { schema, definitions, findings } = buildParameter(Type.Unsafe(tree('a')))
    expect(findings).toEqual([])
    expect(schema).toEqual({ $ref: '#/$defs/Value' })
    expect(definitions).toEqual({
      Value: {
        type: 'object',
        properties: { a: { type: 'string' }, kids: { type: 'array', items: { $ref: '#/$defs/Value' } } },
        required: ['a', 'kids'],
      },
    })
  })

  test('one that lost its $schema means the Tool, which a warning says', () => {
    const { $schema, ...part } = tree('a')
    const { findings } = buildParameter(Type.Unsafe(part))
    expect(findings).toMatchObject([
      { rule: 'whole-tool', severity: 'warning', pointer: '/properties/value/properties/kids/items' },
    ])
    const byId = tool('t', { kids: Type.Array(Type.Ref('T')) }, { $id: 'T' })
    const { model, findings: none } = buildModel([define('t', byId)])
    expect(none).toEqual([])
    expect(model.tools[0]?.schema.properties?.kids).toEqual({ type: 'array', items: { $ref: '#/$defs/T' } })
  })

  test('two of them in one Tool, optional and in a list, stay apart', () => {
    const { model, findings } = buildModel([
      define(
        't',
        tool('t', { a: Type.Optional(Type.Unsafe(tree('a'))), b: Type.Array(Type.Unsafe(tree('b'))) }),
      ),
    ])
    expect(findings).toEqual([])
    const kids = Object.entries(model.definitions).map(([name, definition]) => [
      name,
      typeof definition === 'object' && definition.required?.[0],
      JSON.stringify(definition).includes(`"items":{"$ref":"#/$defs/${name}"}`),
    ])
    expect(kids).toEqual([
      ['A', 'a', true],
      ['Shared', 'b', true],
    ])
  })

  test('its own $defs count, with $schema before those of the Tool, without where the Tool has none of that name', () => {
    const { definitions, findings } = buildParameter(Type.Unsafe(named('boolean')))
    expect(findings).toEqual([])
    expect(definitions).toEqual({ TestN: { type: 'boolean' } })

    const root = (value: object) => ({
      type: 'object',
      properties: { _tool: { const: 't' }, value },
      $defs: { N: { type: 'string' } },
    })
    const typeOf = (value: object) => {
      const { model, findings } = buildModel([define('t', root(value))])
      expect(findings).toEqual([])
      return JSON.stringify([model.tools[0]?.schema.properties?.value, model.definitions])
    }
    expect(typeOf(named('boolean'))).toContain('"type":"string"')
    expect(typeOf({ $schema, ...named('boolean') })).toContain('"type":"boolean"')
    expect(typeOf({ $schema, ...named('boolean') })).not.toContain('"type":"string"')
  })

  test('registered at run time it means the same', async () => {
    const value = { $schema, ...named('boolean') }
    const { Tool, Activity } = createRegistry({ tools: { t: tool('t', { value, tree: tree('a') }) } })
    Activity.register('t', () => undefined)
    const problemsOf = async (parameters: object) =>
      (await Tool.run({ _tool: 't', ...parameters })).error?.message.replace(/^.*: (?=\/)/, '')
    const leaf = { a: 'x', kids: [] }
    expect(await problemsOf({ value: { n: true }, tree: { a: 'x', kids: [leaf] } })).toBe(undefined)
    expect(await problemsOf({ value: { n: true }, tree: { a: 'x', kids: [{ ...leaf, a: 1 }] } })).toBe(
      '/tree/kids/0/a: expected a string, got 1.',
    )
    expect(await problemsOf({ value: { n: 1 }, tree: leaf })).toBe('/value/n: expected true or false, got 1.')
  })

  test('one that is a reference to its own $defs, nested ones too, needs no $schema for that', async () => {
    for (const inner of [
      { type: 'boolean' },
      { $ref: '#/$defs/N/$defs/M', $defs: { M: { type: 'boolean' } } },
    ]) {
      const value = { $ref: '#/$defs/N', $defs: { N: inner } }
      const definition = tool('t', { value, _output: value })
      expect(buildModel([define('t', definition)]).findings).toEqual([])
      const { Tool, Activity } = createRegistry({ tools: { t: definition } })
      Activity.register('t', ({ value }) => value)
      expect((await Tool.run({ _tool: 't', value: true })).output).toBe(true)
      expect((await Tool.run({ _tool: 't', value: 1 })).error?.code).toBe('invalid_call')
    }
  })

  test('two Tools with different schemas of one name', () => {
    const { model, findings } = buildModel([
      define('s', tool('s', { value: Type.Unsafe({ $schema, ...named('boolean') }) })),
      define('t', tool('t', { value: Type.Unsafe({ $schema, ...named('string') }) })),
    ])
    expect(findings).toEqual([])
    expect(model.tools.map(({ schema }) => JSON.stringify(schema.properties?.value))).toEqual([
      expect.stringMatching(/boolean|SN/),
      expect.stringMatching(/string|TN/),
    ])
  })
})
