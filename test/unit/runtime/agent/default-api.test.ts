import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { Agent, type ModelOptions, Request, type RequestOptions } from 'callsheet/agent'
import { OpenAI } from 'openai'
import { afterEach, expect, test, vi } from 'vitest'
import { registryWithTools } from './tools.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

/** Returns the URL that a Request sends to, with any answer of the provider's own kinds. */
async function sentTo(options: Partial<ModelOptions>, given: { baseURL?: string } = {}): Promise<string> {
  const urls: string[] = []
  const answer = async (url: string | URL | globalThis.Request): Promise<Response> => {
    urls.push(url instanceof globalThis.Request ? url.url : String(url))
    return Response.json({ error: { message: 'no' } }, { status: 400 })
  }
  vi.stubGlobal('fetch', answer)
  const client = given.baseURL ? new OpenAI({ apiKey: 'x', maxRetries: 0, ...given }) : undefined
  const request = Request({ model: 'm', apiKey: 'x', client, output: { type: 'string' }, ...options })
  await expect(request).rejects.toMatchObject({ code: 'bad_request' })
  expect(urls).toHaveLength(1)
  return urls[0] ?? ''
}

const openAI = 'https://api.openai.com/v1'

test.each<[string, Partial<ModelOptions>, { baseURL?: string }, string]>([
  ['nothing said', {}, {}, `${openAI}/responses`],
  ['OpenAI by name', { provider: 'openai' }, {}, `${openAI}/responses`],
  ['its URL', { baseURL: `${openAI}/` }, {}, `${openAI}/responses`],
  ['a region', { baseURL: 'https://eu.api.openai.com/v1' }, {}, 'https://eu.api.openai.com/v1/responses'],
  ['a client of its own', {}, { baseURL: openAI }, `${openAI}/responses`],
  ['chat, by the option', { api: 'chat' }, {}, `${openAI}/chat/completions`],
  [
    'another server',
    { baseURL: 'https://api.mistral.ai/v1' },
    {},
    'https://api.mistral.ai/v1/chat/completions',
  ],
  ['a client for one', {}, { baseURL: 'http://127.0.0.1:1/v1' }, 'http://127.0.0.1:1/v1/chat/completions'],
  [
    'a similar name',
    { baseURL: 'https://api.openai.com.evil.dev' },
    {},
    'https://api.openai.com.evil.dev/chat/completions',
  ],
  ['Anthropic', { provider: 'anthropic' }, {}, 'https://api.anthropic.com/v1/messages'],
])('REQ-6a the API is that of the server: %s', async (_what, options, given, expected) => {
  vi.stubEnv('OPENAI_BASE_URL', '')
  vi.stubEnv('ANTHROPIC_BASE_URL', '')
  expect(await sentTo(options, given)).toBe(expected)
})

test('REQ-6a a server of the environment gets chat completions, unless it is OpenAI’s', async () => {
  vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:1/v1')
  expect(await sentTo({})).toBe('http://127.0.0.1:1/v1/chat/completions')
  vi.stubEnv('OPENAI_BASE_URL', openAI)
  expect(await sentTo({})).toBe(`${openAI}/responses`)
})

/** Returns the body of a Request with native tools and an output. */
async function sentBody(options: Partial<RequestOptions>): Promise<Record<string, unknown>> {
  const bodies: Record<string, unknown>[] = []
  vi.stubGlobal('fetch', async (_url: string, { body }: { readonly body: string }) => {
    bodies.push(JSON.parse(body))
    return Response.json({ error: { message: 'no' } }, { status: 400 })
  })
  const { Tool: tools } = registryWithTools()
  const request = { model: 'm', apiKey: 'x', tools, mode: 'native', output: { type: 'string' } } as const
  await expect(Request({ ...request, ...options })).rejects.toMatchObject({ code: 'bad_request' })
  return bodies[0] ?? {}
}

test.each<[string, Partial<RequestOptions>, boolean]>([
  ['OpenAI', {}, true],
  ['OpenAI, by chat', { api: 'chat' }, true],
  ['Azure', { baseURL: 'https://mine.openai.azure.com/openai/v1' }, true],
  ['Anthropic', { provider: 'anthropic' }, true],
  ['Groq', { baseURL: 'https://api.groq.com/openai/v1' }, false],
  ['a local server', { baseURL: 'http://127.0.0.1:11434/v1' }, false],
  ['its responses', { baseURL: 'http://127.0.0.1:11434/v1', api: 'responses' }, false],
  ['by the option', { baseURL: 'http://127.0.0.1:11434/v1', responseFormat: 'json_schema' }, true],
  ['without tools', { baseURL: 'http://127.0.0.1:11434/v1', mode: 'composed' }, true],
])(
  'REQ-6 a schema of the answer goes beside tools where the server takes both: %s',
  async (_what, options, isSent) => {
    vi.stubEnv('OPENAI_BASE_URL', '')
    vi.stubEnv('ANTHROPIC_BASE_URL', '')
    const { response_format, text, output_config, tools, ...rest } = await sentBody(options)
    expect(tools === undefined).toBe(options.mode === 'composed')
    expect((response_format ?? text ?? output_config) !== undefined).toBe(isSent)
    expect(JSON.stringify(rest).includes('follows this JSON Schema')).toBe(!isSent)
  },
)

test('REQ-8 a local server whose grammar leaves no way to call a tool: the model calls it, and invents nothing', async () => {
  const bodies: Record<string, unknown>[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await readText(request))
    const isFree = body.response_format === undefined
    const call = { id: 'c', type: 'function', function: { name: 'add', arguments: '{"left":2,"right":3}' } }
    const message =
      bodies.push(body) === 1 && isFree
        ? { role: 'assistant', content: null, tool_calls: [call] }
        : { role: 'assistant', content: JSON.stringify({ output: isFree ? 5 : 42 }) }
    response.end(JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', message }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { Tool, ran } = registryWithTools()
  const asked = { model: 'm', apiKey: 'x', baseURL: `http://127.0.0.1:${port}/v1`, tools: Tool } as const
  try {
    const { output } = await Agent({ ...asked, mode: 'native', output: { type: 'number' } })
    expect(output).toBe(5)
    expect(ran).toEqual([['add', 2, 3]])
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
