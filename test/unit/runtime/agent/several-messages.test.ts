import { Agent } from 'callsheet/agent'
import { expect, test } from 'vitest'
import { add, registryWithTools } from './tools.ts'

const draft = JSON.stringify({ calls: [add(7, 7)], output: null })
const calls = JSON.stringify({ calls: [add(1, 2)], output: null })
const done = JSON.stringify({ calls: [], output: 'done' })

const responses = (texts: readonly string[]) => ({
  status: 'completed',
  output: texts.map((text) => ({
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text }],
  })),
})
const messages = (texts: readonly string[]) => ({
  type: 'message',
  role: 'assistant',
  stop_reason: 'end_turn',
  content: texts.map((text) => ({ type: 'text', text })),
})

/** The texts of each turn, and what ran. */
const cases: Record<string, readonly [turns: readonly (readonly string[])[], ran: unknown[]]> = {
  'a draft before the answer': [[[draft, calls], [done]], [['add', 1, 2]]],
  'a remark after the answer': [
    [
      [calls, 'I have called the Tool.'],
      ['Now: ', done],
    ],
    [['add', 1, 2]],
  ],
  'JSON of something else after the answer': [[[calls, '{"note":true}'], [done]], [['add', 1, 2]]],
  'an answer in two parts': [[[calls.slice(0, 20), calls.slice(20)], [done]], [['add', 1, 2]]],
}

test.each(
  Object.entries(cases).flatMap(([name, [turns, ran]]) => [
    { name, turns, ran, api: 'responses' as const, answer: responses },
    { name, turns, ran, api: 'messages' as const, answer: messages },
  ]),
)(
  'REQ-6 $name, over $api: read from the last message that is one, without another request',
  async (given) => {
    const { Tool, ran } = registryWithTools()
    const answers: object[] = given.turns.map((texts) => given.answer(texts))
    const create = async () => answers.shift()
    const chat = { completions: { create } }
    const client = { chat, responses: { create }, messages: { create } }
    const { api } = given
    const result = await Agent({
      model: 'm',
      client,
      api,
      mode: 'composed',
      tools: Tool,
      output: { type: 'string' },
    })
    expect([result.output, ran, answers]).toEqual(['done', given.ran, []])
  },
)

test('REQ-7 an answer whose first message has begun to run is read from that message', async () => {
  const { Tool, ran } = registryWithTools()
  const events = (texts: readonly string[]) =>
    (async function* () {
      for (const text of texts) {
        yield { type: 'response.output_text.delta', delta: text }
        await new Promise((resolve) => setImmediate(resolve))
      }
      yield { type: 'response.completed', response: responses(texts) }
    })()
  const answers = [events([calls, JSON.stringify({ calls: [add(3, 4)], output: null })]), events([done])]
  const create = async () => answers.shift()
  const client = { chat: { completions: { create } }, responses: { create } }
  const options = {
    model: 'm',
    client,
    api: 'responses',
    mode: 'composed',
    stream: true,
    early: 'all',
  } as const
  const result = await Agent({ ...options, tools: Tool, output: { type: 'string' } })
  expect([result.output, ran]).toEqual(['done', [['add', 1, 2]]])
})
