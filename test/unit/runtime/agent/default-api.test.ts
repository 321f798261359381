import { type ModelOptions, Request } from 'callsheet/agent'
import { OpenAI } from 'openai'
import { afterEach, expect, test, vi } from 'vitest'

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
