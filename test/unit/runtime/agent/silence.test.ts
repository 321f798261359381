import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Anthropic } from '@anthropic-ai/sdk'
import { limitedFetch, Request, type RequestOptions } from 'callsheet/agent'
import { OpenAI } from 'openai'
import { describe, expect, test } from 'vitest'

const output = { type: 'string' } as const
const text = '{"calls":[],"output":"done"}'

/** The events of a whole answer. */
const answers: Record<'chat' | 'responses' | 'messages', readonly object[]> = {
  chat: [{ choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] }],
  responses: [
    {
      type: 'response.completed',
      response: { output: [{ type: 'message', content: [{ type: 'output_text', text }] }] },
    },
  ],
  messages: [
    { type: 'message_start', message: {} },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ],
}
const comment = ': still there\n\n'
const ping = 'event: ping\ndata: {"type":"ping"}\n\n'

type Api = keyof typeof answers

const silence = 500

/** Asks a server that pings for some time before it answers, or forever. */
async function ask(
  api: Api,
  {
    sign,
    pings,
    isOwn,
    onAnswered,
    ...options
  }: Partial<RequestOptions> & { sign: string; pings: number; isOwn?: boolean; onAnswered?: () => void },
) {
  const timers = new Set<ReturnType<typeof setInterval>>()
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let count = 0
    const timer = setInterval(() => {
      response.write(sign)
      if (++count !== pings) return
      answer(api, response)
      onAnswered?.()
    }, 50)
    timers.add(timer)
    response.once('close', () => clearInterval(timer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const to = { baseURL: `http://127.0.0.1:${port}${api === 'messages' ? '' : '/v1'}`, apiKey: 'x' }
  const Client = api === 'messages' ? Anthropic : OpenAI
  const connection = isOwn ? { client: new Client({ ...to, fetch: limitedFetch() }) } : to
  const provider = api === 'messages' ? 'anthropic' : 'openai'
  try {
    const given = {
      model: 'm',
      api,
      provider,
      output,
      stream: true,
      silence,
      retry: { attempts: 1 },
    } as const
    return await Request({ ...given, ...connection, ...options }).catch((error: unknown) => error)
  } finally {
    for (const timer of timers) clearInterval(timer)
    server.closeAllConnections()
    server.close()
  }
}

function answer(api: Api, response: ServerResponse): void {
  for (const event of answers[api]) {
    const name = 'type' in event ? `event: ${event.type}\n` : ''
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`)
  }
  response.end('data: [DONE]\n\n')
}

describe('REQ-8b a server that shows that it is alive is not silent', () => {
  test.each([
    { api: 'chat', sign: comment, isOwn: false },
    { api: 'chat', sign: comment, isOwn: true },
    { api: 'responses', sign: comment, isOwn: false },
    { api: 'messages', sign: comment, isOwn: false },
    { api: 'messages', sign: ping, isOwn: false },
    { api: 'messages', sign: ping, isOwn: true },
  ] as const)('it thinks for longer than `silence`, and pings: %j', async ({ api, ...rest }) => {
    expect(await ask(api, { ...rest, pings: 25 })).toMatchObject({ solution: { output: 'done' } })
  })

  test.each(['chat', 'responses', 'messages'] as const)(
    'it answers while the process is busy: %s',
    async (api) => {
      const onAnswered = (): void => {
        const end = performance.now() + 1.5 * silence
        while (performance.now() < end);
      }
      const answered = await ask(api, { sign: comment, pings: 2, onAnswered })
      expect(answered).toMatchObject({ solution: { output: 'done' } })
    },
  )

  test.each([
    { api: 'chat', sign: comment },
    { api: 'messages', sign: ping },
  ] as const)('it pings forever: the attempt is over after `attemptTimeout`: %j', async ({ api, sign }) => {
    const options = { sign, pings: Number.POSITIVE_INFINITY, attemptTimeout: 1_200 }
    expect(await ask(api, options)).toMatchObject({
      code: 'connection_failed',
      message: expect.stringContaining('1200 ms'),
    })
  })
})
