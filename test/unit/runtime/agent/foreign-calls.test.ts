import { Agent } from 'callsheet/agent'
import { expect, test } from 'vitest'
import { registryWithTools } from './tools.ts'

const chat = (message: object) => ({ choices: [{ index: 0, finish_reason: 'stop', message }] })
const response = (...output: object[]) => ({ status: 'completed', output })
const text = JSON.stringify({ output: 'done' })
const chatDone = chat({ role: 'assistant', content: text })
const responseDone = response({ type: 'message', content: [{ type: 'output_text', text }] })

test.each([
  [
    'chat',
    chat({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'add', input: '1 and 2' } }],
    }),
    chatDone,
    'custom "add"',
  ],
  [
    'chat',
    chat({ role: 'assistant', content: null, function_call: { name: 'add', arguments: '{"a":1,"b":2}' } }),
    chatDone,
    'function_call "add"',
  ],
  [
    'responses',
    response({ type: 'custom_tool_call', call_id: 'c1', name: 'add', input: '1 and 2' }),
    responseDone,
    'custom_tool_call "add"',
  ],
] as const)(
  'REQ-6a %s: a call in a kind that was not offered is named to the model',
  async (api, first, last, named) => {
    const bodies: object[] = []
    const create = async (body: object) => {
      bodies.push(structuredClone(body))
      return bodies.length === 1 ? first : last
    }
    const client = { chat: { completions: { create } }, responses: { create } }
    const { Tool, ran } = registryWithTools()
    const result = await Agent({
      model: 'm',
      client,
      api,
      mode: 'native',
      tools: Tool,
      output: { type: 'string' },
    })
    expect(result.output).toBe('done')
    expect(ran).toEqual([])
    expect(bodies).toHaveLength(2)
    const { messages, input = messages } = bodies[1] as { messages?: object[]; input?: object[] }
    expect(input?.at(-1)).toMatchObject({ role: 'user', content: expect.stringContaining(named) })
    expect(JSON.stringify(input)).not.toContain('"c1"')
  },
)

/** The pieces in which a streamed chat completion brings its calls. */
const pieces: Record<string, readonly [deltas: readonly object[], named: string]> = {
  'a custom call': [
    [
      { tool_calls: [{ index: 0, id: 'c1', type: 'custom', custom: { name: 'add', input: '' } }] },
      { tool_calls: [{ index: 0, custom: { input: '1 and' } }] },
      { tool_calls: [{ index: 0, custom: { input: ' 2' } }] },
    ],
    'custom "add"',
  ],
  'a custom call beside a function': [
    [
      { tool_calls: [{ index: 0, id: 'c1', type: 'custom', custom: { name: 'add', input: '{"a":1}' } }] },
      {
        tool_calls: [
          { index: 1, id: 'c2', type: 'function', function: { name: 'pay', arguments: '{"amount":3}' } },
        ],
      },
    ],
    'custom "add"',
  ],
  function_call: [
    [
      { function_call: { name: 'add', arguments: '' } },
      { function_call: { arguments: '{"a":1' } },
      { function_call: { arguments: '}' } },
    ],
    'function_call "add"',
  ],
}

test.each(Object.entries(pieces))(
  'REQ-6a %s in a stream is named to the model',
  async (_, [deltas, named]) => {
    const bodies: object[] = []
    const stream = async function* (all: readonly object[], finish_reason: string) {
      for (const delta of all) yield { choices: [{ index: 0, delta }] }
      yield { choices: [{ index: 0, delta: {}, finish_reason }] }
    }
    const create = async (body: object) => {
      bodies.push(structuredClone(body))
      return bodies.length === 1 ? stream(deltas, 'tool_calls') : stream([{ content: text }], 'stop')
    }
    const { Tool, ran } = registryWithTools()
    const client = { chat: { completions: { create } } }
    const options = { model: 'm', client, api: 'chat', mode: 'native', stream: true } as const
    const result = await Agent({ ...options, tools: Tool, output: { type: 'string' } })
    expect([result.output, ran, bodies.length]).toEqual(['done', [], 2])
    const { messages } = bodies[1] as { messages: object[] }
    expect(messages.at(-1)).toMatchObject({ role: 'user', content: expect.stringContaining(named) })
  },
)
