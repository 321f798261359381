import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { Agent, Request } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { expect, test } from 'vitest'
import { registryWithTools } from './tools.ts'

const codes = ['tool_use_failed', 'json_validate_failed', 'output_parse_failed']
const written = '<function=pay>{"amount": "three"}'

test.each(codes.flatMap((code) => [true, false].map((stream) => ({ code, stream }))))(
  'REQ-6a an answer that its own server refuses as a wrong request is asked for again: %j',
  async ({ code, stream }) => {
    const said = 'tool call validation failed: /amount: expected a number'
    const error = { message: said, type: 'invalid_request_error', code, failed_generation: written }
    const message = { role: 'assistant', content: '{"output":"done"}' }
    const done = { choices: [{ index: 0, finish_reason: 'stop', message, delta: message }] }
    const bodies: string[] = []
    const server = createServer(async (request, response) => {
      const isRefused = bodies.push(await readText(request)) === 1
      const answer = JSON.stringify(isRefused ? { error } : done)
      response.writeHead(isRefused && !stream ? 400 : 200, {
        'content-type': stream ? 'text/event-stream' : 'application/json',
      })
      response.end(stream ? `${isRefused ? 'event: error\n' : ''}data: ${answer}\n\n` : answer)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    try {
      const { Tool } = registryWithTools()
      const { output } = await Agent({
        ...{ model: 'm', baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'x', mode: 'native', stream },
        ...{ tools: Tool, output: { type: 'string' } },
      })
      expect(output).toBe('done')
    } finally {
      server.closeAllConnections()
      server.close()
    }
    expect(bodies).toHaveLength(2)
    expect(JSON.parse(bodies[1] ?? '').messages.slice(-2)).toEqual([
      { role: 'assistant', content: written },
      {
        role: 'user',
        content: `The server could not read the model's answer: ${said}. Answer again, in full.`,
      },
    ])
  },
)

test.each([
  [{ code: 'tool_use_failed', message: { toString: 1 } }, 'answer_invalid'],
  [{ code: 'tool_use_failed', failed_generation: { a: 1 } }, 'answer_invalid'],
  [{ code: { toString: 1 }, message: 'no' }, 'server_error'],
])('REQ-6a an error whose members are of another type is still an error: %j', async (error, code) => {
  const refuse = (): never => {
    throw Object.assign(new Error('refused'), { error })
  }
  const client = scriptedModel([refuse, refuse])
  const asked = Request({
    model: 'm',
    client,
    output: { type: 'string' },
    retry: { attempts: 2, backoff: 0 },
  })
  await expect(asked).rejects.toMatchObject({ name: 'RequestError', code })
  expect(client.requests).toHaveLength(2)
})

test('REQ-6a of an answer without end that a server could not read, only the beginning is sent back', async () => {
  const client = scriptedModel([
    () => {
      const error = { code: 'json_validate_failed', failed_generation: 'x'.repeat(1_000_000) }
      throw Object.assign(new Error('refused'), { status: 400, error })
    },
    { output: 'done' },
  ])
  await Request({ model: 'm', client, output: { type: 'string' } })
  expect(JSON.stringify(client.requests[1]?.body).length).toBeLessThan(110_000)
})

test('REQ-6a an error that a server sends in place of an answer is asked for again too', async () => {
  const error = { code: 'tool_use_failed', message: 'It is no JSON.', failed_generation: written }
  const message = { role: 'assistant', content: '{"calls":[],"output":"done"}' }
  const answers = [{ error }, { choices: [{ finish_reason: 'stop', message }] }]
  const bodies: { messages: unknown[] }[] = []
  const create = async (body: { messages: unknown[] }) => answers[bodies.push(body) - 1]
  const client = { chat: { completions: { create } } }
  const { Tool } = registryWithTools()
  const { solution } = await Request({ model: 'm', client, tools: Tool, output: { type: 'string' } })
  expect(solution.output).toBe('done')
  expect(bodies[1]?.messages.at(-2)).toEqual({ role: 'assistant', content: written })
})

test.each([{}, { code: 400 }])(
  'REQ-6a of a failure in place of an answer, a person reads the beginning: %j',
  async (given) => {
    const error = { ...given, message: 'strict '.repeat(100_000) }
    const client = { chat: { completions: { create: async () => ({ error }) } } }
    const asked = Request({ model: 'm', client, output: { type: 'string' }, retry: { attempts: 1 } })
    const { message } = (await asked.catch((thrown: unknown) => thrown)) as Error
    expect(message.length).toBeLessThan(700)
  },
)
