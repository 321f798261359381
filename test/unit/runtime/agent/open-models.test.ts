import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { createRegistry, tool } from 'callsheet'
import { Agent, type AgentOptions } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { expect, test } from 'vitest'

type Body = Readonly<Record<'messages' | 'tools' | 'response_format', unknown>>

const text = { type: 'string' }
const note = tool(
  'note',
  {
    text: { type: 'string', maxLength: 20_000 },
    day: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
    tags: { type: 'array', items: text, maxItems: 5_000 },
    count: { type: 'number' },
    _outputPath: text,
    _output: { type: 'number' },
  },
  { effects: 'read' },
)
const call = {
  _tool: 'note',
  text: 'Hi',
  day: '2026-11-27',
  tags: ['a'],
  count: 1,
  _outputPath: '†state.count',
}

/** What llama-server says of a schema that its grammars of July 2026 cannot take: ggml-org/llama.cpp#25746, #22314. */
function refusedSchema(body: Body): string | undefined {
  const sent = JSON.stringify([body.tools, body.response_format])
  const patterns = Array.from(sent.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g), ([, json]) =>
    JSON.parse(json ?? ''),
  )
  if (patterns.some((pattern) => !/^\^.*\$$/.test(pattern)))
    return "JSON schema conversion failed:\nPattern must start with '^' and end with '$'"
  const isTooMuch = Array.from(sent.matchAll(/"max(?:Length|Items)":(\d+)/g)).some(
    ([, most]) => Number(most) >= 2_000,
  )
  return isTooMuch || patterns.some((pattern) => /\\[dw]/.test(pattern))
    ? 'Failed to initialize samplers: failed to parse grammar'
    : undefined
}

/** What the chat templates of Qwen 3.5, Gemma and Mistral say of messages: vllm-project/vllm#41114. */
function refusedMessages({ messages }: Body): string | undefined {
  const roles = (messages as { role: string }[]).map(({ role }) => role)
  if (roles.lastIndexOf('system') > 0) return 'System message must be at the beginning.'
  const isRepeated = roles.some((role, at) => role === 'user' && roles[at - 1] === 'user')
  if (!/^(?:user|tool)$/.test(roles.at(-1) ?? ''))
    return 'Expected last role User or Tool for serving but got assistant'
  return isRepeated || roles[1] !== 'user'
    ? 'Conversation roles must alternate user/assistant/user/assistant/...'
    : undefined
}

/** Runs an agent against a script behind such a server. */
async function run(options: Partial<AgentOptions>) {
  const { Tool, Activity } = createRegistry({ tools: { note } })
  Activity.register('note', () => 7)
  const model = await scriptedModel([{ calls: [call] }, { output: 'done' }]).listen()
  const server = createServer(async (request, response) => {
    const body = await readText(request)
    const message = refusedSchema(JSON.parse(body)) ?? refusedMessages(JSON.parse(body))
    const answered = message
      ? Response.json({ error: { code: 400, message, type: 'invalid_request_error' } }, { status: 400 })
      : await fetch(`${model.baseURL}/chat/completions`, { method: 'POST', body })
    response.writeHead(answered.status, { 'content-type': 'application/json' }).end(await answered.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    const baseURL = `http://127.0.0.1:${port}/v1`
    return await Agent({ model: 'm', baseURL, apiKey: 'none', tools: Tool, output: text, ...options })
  } finally {
    server.closeAllConnections()
    server.close()
    await model.close()
  }
}

test.each(['composed', 'native'] as const)(
  'REQ-5 llama.cpp takes ordinary Tools in its dialect, %s',
  async (mode) => {
    const { output, outcomes } = await run({ mode, dialect: 'llama.cpp' })
    expect(output).toBe('done')
    expect(outcomes.map(({ output, error }) => error ?? output)).toEqual([7])
  },
)

test.each(['composed', 'native'] as const)(
  'in another dialect its refusal names that one, %s',
  async (mode) => {
    await expect(run({ mode })).rejects.toThrow(
      /must start with '\^'.* Name its engine: \{ dialect: 'llama\.cpp' \}/s,
    )
  },
)

test.each(['composed', 'native'] as const)(
  'REQ-6 texts of the system stand at the beginning, %s',
  async (mode) => {
    const { output } = await run({
      mode,
      dialect: 'llama.cpp',
      context: [
        { type: 'text', text: 'Note it.' },
        { type: 'text', role: 'system', text: 'Be brief.' },
        { type: 'state', state: { a: 1 } },
      ],
    })
    expect(output).toBe('done')
  },
)

const [hello, hi] = [
  { type: 'text', text: 'Hello' } as const,
  { type: 'text', role: 'assistant', text: 'Hi' } as const,
]
test.each([
  ['the model begins', [hi, hello]],
  ['the model has the last word', [hello, hi]],
  ['only the model speaks', [hi]],
  ['nobody speaks', []],
])('a conversation in which %s goes on', async (_what, context) => {
  for (const mode of ['composed', 'native'] as const) {
    const { output } = await run({ mode, dialect: 'llama.cpp', context })
    expect(output).toBe('done')
  }
})
