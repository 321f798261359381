import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { Agent } from 'callsheet/agent'
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
