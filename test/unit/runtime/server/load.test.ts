import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { createRegistry } from 'callsheet'
import { describe, expect, test } from 'vitest'
import { collectGarbage } from '../../../collect-garbage.ts'
import { schemas, serve } from './serving.ts'

const megabyte = 1_048_576
const pause = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time))

/** A Call as each kind of client sends it, on a socket of its own. */
interface Client {
  /** What the client got back: the output, or why there is none. */
  ask(url: string, id: string, amount: number): Promise<unknown>
  /** Whether it stays for its answer. */
  readonly stays: boolean
}

/** Posts a body, all at once or in halves, and reads the answer as JSON. */
function posting(path: string, bodyOf: (id: string, amount: number) => object, between = 0): Client['ask'] {
  return (url, id, amount) =>
    new Promise((resolve, reject) => {
      const text = JSON.stringify(bodyOf(id, amount))
      const sent = httpRequest(
        `${url}${path}`,
        {
          method: 'POST',
          agent: new Agent({ keepAlive: false }),
          headers: {
            'content-type': 'application/json',
            accept: path === '/mcp' ? 'application/json, text/event-stream' : 'application/json',
            'content-length': text.length,
          },
        },
        async (response) => {
          let answer = ''
          for await (const chunk of response) answer += String(chunk)
          resolve(answer)
        },
      )
      sent.on('error', reject)
      if (between === 0) sent.end(text)
      else {
        sent.write(text.slice(0, text.length / 2))
        setTimeout(() => sent.end(text.slice(text.length / 2)), between)
      }
    })
}

const asCall = (id: string, amount: number): object => ({ call: { _tool: 'pay', amount }, id })
const outputOf = (answer: unknown): unknown => (JSON.parse(String(answer)) as { output?: unknown }).output

/** Sends a request and leaves: before it is whole, or before it is answered. */
function leaving(share: number): Client['ask'] {
  return (url, id, amount) =>
    new Promise((resolve) => {
      const text = JSON.stringify(asCall(id, amount))
      const head = `POST /calls HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n`
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
        socket.write(head + text.slice(0, text.length * share), () => {
          setTimeout(() => {
            socket.destroy()
            resolve('left')
          }, 20)
        })
      })
      socket.on('error', () => resolve('left'))
    })
}

const clients: Record<string, Client> = {
  quick: {
    stays: true,
    ask: async (...asked) => outputOf(await posting('/calls', asCall)(...asked)),
  },
  slow: {
    stays: true,
    ask: async (...asked) => outputOf(await posting('/calls', asCall, 300)(...asked)),
  },
  overMcp: {
    stays: true,
    ask: async (...asked) => {
      const bodyOf = (id: string, amount: number): object => ({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'pay', arguments: { amount } },
      })
      const [, event = ''] = /^data: (.*)$/m.exec(String(await posting('/mcp', bodyOf)(...asked))) ?? []
      return (JSON.parse(event) as { result: { structuredContent?: unknown } }).result.structuredContent
    },
  },
  broken: { stays: false, ask: leaving(0.5) },
  gone: { stays: false, ask: leaving(1) },
}

/** Of a hundred clients so many are of this kind. */
const shares: readonly (readonly [kind: string, share: number])[] = [
  ['quick', 60],
  ['slow', 15],
  ['overMcp', 15],
  ['broken', 5],
  ['gone', 5],
]
const kinds = shares.flatMap(([kind, share]) => Array.from({ length: share }, () => kind))

describe('SERVE-5, SERVE-6 2,000 clients at once, each on a socket of its own', () => {
  test('none of their Calls is lost, none is run twice, and what they took is given back', async () => {
    const { Tool, Activity } = createRegistry({ tools: { pay: schemas.pay } })
    /** How often each amount, which only one client pays, was paid. */
    const paid = new Map<number, number>()
    let most = 0
    let running = 0
    Activity.register('pay', async ({ amount }) => {
      running += 1
      most = Math.max(most, running)
      await pause(5)
      running -= 1
      paid.set(amount as number, (paid.get(amount as number) ?? 0) + 1)
      return { amount }
    })
    const { url } = await serve(Tool, { limits: { drainTime: 500 } })
    const heaps: number[] = []
    for (let round = 0; round < 2; round++) {
      const asked = Array.from({ length: 2_000 }, (_, index) => {
        const kind = kinds[index % kinds.length] ?? 'quick'
        return { kind, amount: round * 2_000 + index, client: clients[kind] as Client }
      })
      const answers = await Promise.all(
        asked.map(({ client, amount }) => client.ask(url, `order-${amount}`, amount)),
      )
      while (((await (await fetch(`${url}/health`)).json()) as { running: number }).running > 0)
        await pause(10)
      for (const [index, { client, kind, amount }] of asked.entries()) {
        expect([kind, answers[index]]).toEqual([kind, client.stays ? { amount } : 'left'])
        // Who left before the request was whole asked for nothing; who left later asked for a payment.
        const times = paid.get(amount) ?? 0
        if (kind === 'broken') expect([kind, times]).toEqual([kind, 0])
        else if (kind === 'gone') expect(times).toBeLessThanOrEqual(1)
        else expect([kind, times]).toEqual([kind, 1])
      }
      await pause(100)
      collectGarbage()
      heaps.push(process.memoryUsage().heapUsed)
    }
    expect(most).toBeLessThanOrEqual(64)
    // What stays is the Outcomes under their ids, of which there are 1,600 a round.
    const [first = 0, last = 0] = heaps
    expect((last - first) / megabyte).toBeLessThan(16)
  })
})
