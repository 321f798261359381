import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { jsonAnswer } from '../../../../runtime/server/exchange.ts'
import { limitsOf } from '../../../../runtime/server/limits.ts'
import { sendAnswer } from '../../../../runtime/server/send-answer.ts'
import { open, request, untilClosed } from './raw-socket.ts'

test('SERVE-6 an answer counts as sent once the system has all of it, so that a closing server cuts none off', async () => {
  const text = 'x'.repeat(60_000)
  const outgoing: ServerResponse[] = []
  const sent: (Promise<void> | undefined)[] = []
  const server = createServer((_, response) => {
    outgoing.push(response)
    sent.push(sendAnswer(jsonAnswer(text), response, limitsOf()))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = open(`http://127.0.0.1:${port}`).pause()
  // Until nothing more fits into what is between the two.
  while ((outgoing.at(-1)?.socket?.writableLength ?? 0) === 0) {
    const asked = new Promise((resolve) => void server.once('request', resolve))
    client.write(request('GET /', ['host: localhost']))
    await asked
  }
  const reading = untilClosed(client.resume())
  await sent.at(-1)
  server.closeAllConnections()
  server.close()
  const { said } = await reading
  expect(said.split('x').length - 1).toBe(outgoing.length * text.length)
})
