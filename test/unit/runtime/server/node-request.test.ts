import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { limitsOf } from '../../../../runtime/server/limits.ts'
import { NodeRequest } from '../../../../runtime/server/node-request.ts'
import { json, open, request } from './raw-socket.ts'

test.each<[string, (request: Request) => unknown]>([
  ['nobody has read', () => undefined],
  ['`authorize` has read in part', (asked) => asked.clone().body?.getReader().read()],
])(
  'SERVE-6 the rest of a body that %s flows on after the answer, for clients that send all of it first',
  async (_, read) => {
    const server = createServer()
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const client = open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    client.write(request('POST /', ['host: localhost', json, 'content-length: 2'], '1'))
    const ended = await new Promise((resolve) => {
      server.once('request', async (incoming, outgoing) => {
        const asked = new NodeRequest(incoming, outgoing)
        await read(asked.webRequest(limitsOf()))
        incoming.once('end', () => resolve(true)).once('close', () => resolve(false))
        asked.finish()
        client.write('2')
      })
    })
    client.destroy()
    server.close()
    expect(ended).toBe(true)
  },
)
