import { describe, expect, test } from 'vitest'
import { interpretCheck } from '../../../../runtime/check-tree/interpret.ts'
import { lowerTools, type NativeApi } from '../../../../runtime/native/native-tools.ts'
import type { JsonSchema } from '../../../../runtime/schema/schema.ts'
import { tool } from '../../../../runtime/schema/tool.ts'

const text = { type: 'string' }
const search = tool(
  'search',
  {
    query: text,
    limit: { type: 'number' },
    pair: { type: 'array', prefixItems: [text, text], items: false },
  },
  {
    required: ['query'],
    examples: [
      { query: 'tide', limit: 3 },
      { _tool: 'search', query: 'moon', pair: ['a', 'b'] },
      { query: '†state.query', limit: '†state.limit' },
      { _tool: 'other', query: 'x' },
      'search("tide")',
      { query: 4 },
    ],
  },
)
const examplesOf = (api: NativeApi, options = {}): unknown =>
  (lowerTools([search], api, options).tools[0] as Record<string, unknown>).input_examples

describe('REQ-16 examples as native tools take them', () => {
  test('Anthropic: those that its schema admits, in its own words', () => {
    const { tools } = lowerTools([search], 'anthropic')
    const [{ input_schema, input_examples }] = tools as unknown as [
      { input_schema: JsonSchema; input_examples: object[] },
    ]
    expect(input_examples).toHaveLength(2)
    expect(input_examples[0]).toEqual({ _reasoningForCall: '…', query: 'tide', limit: 3 })
    for (const example of input_examples) expect(interpretCheck(input_schema)(example)).toBe(true)
  })

  test('what comes back from an example is the Call', () => {
    const native = lowerTools([search], 'anthropic')
    const [, second] = examplesOf('anthropic') as object[]
    const [found] = native.callsFromAnswer({
      content: [{ type: 'tool_use', id: 'a', name: 'search', input: second }],
    })
    expect(found?.call).toEqual({ _tool: 'search', _reasoningForCall: '…', query: 'moon', pair: ['a', 'b'] })
  })

  test('with References where they are offered', () => {
    const context = [{ type: 'state', state: { query: 'x', limit: 2 } }]
    expect(examplesOf('anthropic', { context })).toContainEqual({
      _reasoningForCall: '…',
      query: '†state.query',
      limit: '†state.limit',
    })
  })

  test('nowhere else, and not where they were switched off', () => {
    for (const api of ['openai-chat', 'openai-responses', 'gemini', 'mcp'] as const) {
      expect(JSON.stringify(lowerTools([search], api).tools)).not.toContain('tide')
    }
    expect(examplesOf('anthropic', { examples: 'omit' })).toBeUndefined()
  })
})
