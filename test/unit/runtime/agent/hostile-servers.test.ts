import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Request, type RequestError, type RequestOptions } from 'callsheet/agent'
import { describe, expect, test } from 'vitest'
import { registryWithTools } from './tools.ts'

const { Tool } = registryWithTools()

/** Asks a server of this machine that says what it likes, through the real client. */
async function askServer(answer: (response: ServerResponse) => void, options: Partial<RequestOptions> = {}) {
  const server = createServer((request, response) => void request.resume().on('end', () => answer(response)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const connection = { model: 'm', baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'sk-secret' }
  try {
    const output = { type: 'string' } as const
    return await Request<string>({ ...connection, tools: Tool, output, retry: { attempts: 1 }, ...options })
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

const json =
  (value: unknown, status = 200) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }
const events =
  (...data: readonly object[]) =>
  (response: ServerResponse): void => {
    const lines = data.map((each) => `data: ${JSON.stringify(each)}\n\n`)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(lines.join(''))
  }
const done = '{"calls":[],"output":"done"}'
const choice = (content: unknown, index = 0) => ({ index, message: { content }, finish_reason: 'stop' })
const delta = (content: string, index = 0, finish_reason: string | null = null) => ({
  choices: [{ index, delta: { content }, finish_reason }],
})
const text = (said: string) => [{ type: 'message', content: [{ type: 'output_text', text: said }] }]
const responses = { api: 'responses' } as const
const streamed = { stream: true } as const

describe('REQ-6 servers that are not what they should be', () => {
  test.each<[string, (response: ServerResponse) => void, Partial<RequestOptions>]>([
    ['text in parts', json({ choices: [choice([{ type: 'text', text: done }])] }), {}],
    ['further choices', json({ choices: [choice('{}', 1), choice(done)] }), {}],
    [
      'a stream with further choices in between',
      events(delta(done.slice(0, 9)), delta('EVIL', 1), delta(done.slice(9), 0, 'stop')),
      streamed,
    ],
    ['no status', json({ output: text(done) }), responses],
  ])('%s: read all the same', async (_what, answer, options) => {
    const { solution, usage } = await askServer(answer, options)
    expect(solution).toEqual({ calls: [], output: 'done' })
    expect(usage).toEqual({ in: 0, out: 0, cached: 0 })
  })

  test.each<[string, object, number]>([
    ['seconds', { 'retry-after': '3600' }, 3_600_000],
    ['milliseconds', { 'retry-after-ms': '90000' }, 90_000],
  ])('the wait that a rate limit asks for, in %s, comes through the client', async (_what, headers, wait) => {
    const limit = (response: ServerResponse): void => {
      response.writeHead(429, { ...headers }).end('{"error":{"message":"slower"}}')
    }
    // Longer than a Request waits: it ends at once, and says for how long to leave the server alone.
    await expect(askServer(limit, { retry: { attempts: 3 } })).rejects.toMatchObject({
      code: 'rate_limited',
      status: 429,
      retryAfter: wait,
      attempts: 1,
    })
  })

  test('tokens that are no counts are not counted', async () => {
    const usage = {
      prompt_tokens: -1e12,
      completion_tokens: '7',
      prompt_tokens_details: { cached_tokens: null },
    }
    const result = await askServer(json({ choices: [choice(done)], usage }))
    expect(result.usage).toEqual({ in: 0, out: 0, cached: 0 })
  })

  test.each<[string, (response: ServerResponse) => void, Partial<RequestOptions>, string, RegExp]>([
    ['nothing', (response) => response.end(), {}, 'answer_invalid', /no chat completion/],
    ['another page', json('<html>login</html>'), {}, 'answer_invalid', /no chat completion: "<html>login/],
    [
      'no text',
      json({ choices: [choice(null)] }),
      {},
      'answer_invalid',
      /is empty, where JSON was asked for/,
    ],
    ['an end without a beginning', events(delta('', 0, 'stop')), streamed, 'answer_invalid', /is empty/],
    ['no stream', json({ choices: [choice(done)] }), streamed, 'connection_failed', /ended before the model/],
    [
      'a message without end',
      json({ error: { message: 'x'.repeat(1e6) } }, 400),
      {},
      'bad_request',
      /^.{0,600}$/,
    ],
    [
      'a status without end',
      (response) => response.writeHead(503).end('x'.repeat(1e6)),
      {},
      'server_error',
      /^.{0,600}$/,
    ],
    [
      'a response that is not complete',
      json({ status: 'in_progress', output: text(done) }),
      responses,
      'answer_invalid',
      /in_progress/,
    ],
    [
      'a response without an output',
      json({ status: 'completed' }),
      responses,
      'answer_invalid',
      /no response/,
    ],
    [
      'a response that failed',
      json({ status: 'failed', error: { code: 'rate_limit_exceeded', message: 'later' }, output: [] }),
      responses,
      'rate_limited',
      /later/,
    ],
    [
      'an event that is an error',
      events({ type: 'error', code: 'server_error', message: 'boom' }),
      { ...responses, ...streamed },
      'server_error',
      /boom/,
    ],
    [
      'an end without a response',
      events({ type: 'response.completed', response: null }),
      { ...responses, ...streamed },
      'answer_invalid',
      /no response/,
    ],
  ])('%s: told as it is', async (_what, answer, options, code, message) => {
    const error: RequestError = await askServer(answer, options).then(
      () => expect.unreachable(),
      (thrown) => thrown,
    )
    expect(error).toMatchObject({ name: 'RequestError', code, attempts: 1 })
    expect(error.message).toMatch(message)
    expect(JSON.stringify(error)).not.toContain('sk-secret')
  })
})
