import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { serveHttp, type ToolServerOptions, toolServer } from 'callsheet/server'
import fc from 'fast-check'
import { afterAll, beforeAll, expect } from 'vitest'
import { workshop } from '../unit/runtime/server/serving.ts'
import { fuzz } from './campaign.ts'
import { type WrittenRequest, writtenRequest } from './http-request.ts'

/** Both ways in, with the same Tools and options behind them. */
interface Doors {
  readonly ports: readonly [socket: number, web: number]
  close(): Promise<void>
}

async function open(more: ToolServerOptions): Promise<Doors> {
  const options = { ...more, onError: (error: unknown) => faults.push(error) }
  const direct = await serveHttp(workshop().Tool, { ...options, port: 0 })
  const handler = toolServer(workshop().Tool, options)
  const adapted = createServer(getRequestListener(handler.fetch))
  await new Promise<void>((resolve) => adapted.listen(0, '127.0.0.1', resolve))
  return {
    ports: [Number(new URL(direct.url).port), (adapted.address() as AddressInfo).port],
    async close() {
      adapted.closeAllConnections()
      adapted.close()
      await Promise.all([direct.close(), handler.close()])
    },
  }
}

/** What the servers took for faults of their own. */
const faults: unknown[] = []

const long = toolServer(workshop().Tool, { onError: (error) => faults.push(error) })

let plain: Doors
let asking: Doors
beforeAll(async () => {
  plain = await open({})
  asking = await open({
    // Whoever asks is let in, by the request as `authorize` has it.
    authorize: (request) => ({
      id: `${new URL(request.url).pathname} ${request.headers.get('authorization')}`,
    }),
  })
})
afterAll(async () => {
  await Promise.all([plain.close(), asking.close(), long.close()])
})

interface Told {
  readonly status: string
  readonly told: readonly string[]
  readonly said: string
}

/** What a server answers, as far as it does not hang on the time or on chance. */
async function answerOf(port: number, { line, headers, body }: WrittenRequest): Promise<Told> {
  const text = await new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1')
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject).on('close', () => resolve(Buffer.concat(chunks).toString()))
    socket.write(Buffer.concat([Buffer.from(`${line}\r\n${headers.join('\r\n')}\r\n\r\n`), body]))
  })
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [status = '', ...fields] = head.toLowerCase().split('\r\n')
  const told = fields.filter((field) =>
    /^(?:content-type|allow|retry-after|www-authenticate|access-control|vary)/.test(field),
  )
  const said = rest
    .join('\r\n\r\n')
    .replaceAll(/\r\n[\da-f]+\r\n|^[\da-f]+\r\n/g, '')
    .replaceAll(/"(?:id|startedAt|endedAt)":(?:"[^"]*"|\d+)/g, '')
  return { status: status.slice(9, 12), told: told.sort(), said }
}

fuzz(
  'SERVE-3 a socket of Node and a web-standard handler answer alike, and never by a fault',
  300,
  fc.record({ request: writtenRequest, isAsked: fc.boolean() }),
  async ({ request, isAsked }) => {
    const { ports } = isAsked ? asking : plain
    const [socket, web] = await Promise.all([answerOf(ports[0], request), answerOf(ports[1], request)])
    expect(faults.splice(0)).toEqual([])
    // 502 is an Activity that failed, not the server.
    expect(socket.status).toMatch(/^(?:[1-4]|502)/)
    // What the adapter refuses by itself never reaches the handler.
    if (web.status !== '400' || web.told.length > 0) expect(socket).toEqual(web)
  },
)

const repeated = [
  ' ',
  '\t',
  ',',
  ' , ',
  ';',
  '; q=',
  '=',
  '=,',
  '.',
  '/',
  '%2F',
  '+',
  '-',
  '"',
  'a',
  'a ',
  '1',
  ':',
  '[',
  '://',
]
const places = [
  'path',
  'accept',
  'access-control-request-headers',
  'authorization',
  'callsheet-contract',
  'callsheet-variant-key',
  'callsheet-via',
  'content-encoding',
  'content-type',
  'host',
  'idempotency-key',
  'origin',
]

fuzz(
  'CALL-11a, SERVE-6 a header or a path that repeats something takes time that grows with its length',
  6,
  fc.record({
    begin: fc.constantFrom('a', 'application/json;', 'add=', 'http://', 'text/event-stream;q='),
    part: fc.stringMatching(/^[ -~]{1,3}$/),
    end: fc.constantFrom('a', 'json', 'b,'),
    place: fc.constantFrom(...places),
  }),
  async ({ begin, part, end, place }) => {
    const each = [
      ...places.flatMap((where) => repeated.map((what) => [where, what] as const)),
      [place, part] as const,
    ]
    for (const [where, what] of each) {
      const text = begin + what.repeat(100_000 / what.length) + end
      const begun = performance.now()
      await long(
        new Request(`http://localhost/calls${where === 'path' ? text : ''}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(where !== 'path' && { [where]: text }) },
          body: '{"call":{"_tool":"add","left":1,"right":2}}',
        }),
      )
      // In quadratic time it takes twenty seconds.
      expect(performance.now() - begun, `${where} ${what}`).toBeLessThan(2_000)
      expect(faults.splice(0)).toEqual([])
    }
  },
)
