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
