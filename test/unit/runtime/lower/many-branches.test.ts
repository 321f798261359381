import { compose, createRegistry, lower, type Schema, tool } from 'callsheet'
import { describe, expect, test } from 'vitest'

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const indices = [...Array(70).keys()]

function shape(properties: Record<string, Schema>, required: readonly string[]): Exclude<Schema, boolean> {
  return { type: 'object', properties, required: [...required] }
}

function withBody(body: Schema): Schema {
  return { ...shape({ body }, ['body']), additionalProperties: false }
}

/** Parameters that are a union: for OpenAI, each shape is a branch beside those of the other Tools. */
const unions: Readonly<Record<string, readonly Schema[]>> = {
  'with a tag': [
    shape({ by: { const: 'id' }, id: text, exact: flag }, ['by', 'id']),
    shape({ by: { const: 'name' }, name: text, fuzzy: flag }, ['by', 'name']),
  ],
  'without a tag': [shape({ id: text, exact: flag }, ['id']), shape({ name: text, fuzzy: flag }, ['name'])],
  'with as many shapes as there are Tools': indices.map((index) =>
    shape({ by: { const: `b${index}` }, more: text }, ['by']),
  ),
}

describe('CALL-7 however many branches there are, they stay branches and do not become one text', () => {
  test.each(Object.entries(unions))('Tools beside one whose parameters are a union %s', (_, anyOf) => {
    const find = { ...shape({ _tool: { const: 'find' } }, ['_tool']), anyOf }
    const others = indices.map((index) => {
      const name = `t${index}`
      return [name, tool(name, { q: text, limit: { type: 'integer' }, _output: text })] as const
    })
    const { Tool } = createRegistry({ tools: { ...Object.fromEntries(others), find } as never })
    for (const dialect of ['openai', 'mistral', 'gemini'] as const) {
      const { calls } = lower(compose(Tool), dialect).schema.properties as {
        calls: { items: { anyOf?: Schema[] } }
      }
      expect(calls.items.anyOf?.length).toBeGreaterThan(indices.length)
    }
  })

  test('beside a Tool of shapes that cannot be told apart, which is one text by itself', () => {
    const find = { ...shape({ _tool: { const: 'find' } }, ['_tool']), anyOf: [{}, text].map(withBody) }
    const others = indices.map((index) => tool(`t${index}`, { limit: { type: 'integer' }, _output: text }))
    const named = others.map((each, index) => [`t${index}`, each])
    const { Tool } = createRegistry({ tools: { ...Object.fromEntries(named), find } as never })
    const { calls } = lower(compose(Tool), 'openai').schema.properties as {
      calls: { items: { anyOf?: Schema[] } }
    }
    expect(calls.items.anyOf).toHaveLength(others.length + 1)
  })

  test('a union in which one shape has two tags', () => {
    const tags = indices.map((index) => ({ enum: index === 0 ? ['k0', 'more'] : [`k${index}`] }))
    const anyOf = tags.map((kind) => shape({ kind, more: text }, ['kind']))
    const { schema } = lower(
      { type: 'object', properties: { event: { anyOf } }, required: ['event'] },
      'openai',
    )
    expect(schema.properties?.event).toHaveProperty('anyOf.length', anyOf.length)
  })

  test('shapes that share one of their tags are compared all the same', () => {
    const kinds = [{ const: 'a' }, { const: 'b' }, { enum: ['b', 'a'] }]
    const anyOf = kinds.map((kind, index) => shape({ kind, body: index === 0 ? {} : text }, ['kind', 'body']))
    const lowered = lower({ type: 'object', properties: { event: { anyOf } }, required: ['event'] }, 'openai')
    expect(lowered.schema.properties?.event).toMatchObject({ type: 'string' })
  })
})
