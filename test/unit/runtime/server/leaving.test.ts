import { toolServer } from 'callsheet/server'
import { describe, expect, test } from 'vitest'
import { add, jsonRequest, post, send, serveWorkshop, until, workshop } from './serving.ts'

interface Health {
  readonly waiting: number
}

describe('SERVE-5, SERVE-6 clients that leave, servers that close', () => {
  test('a client that goes away aborts its Call, unless the Tool writes', async () => {
    const { url, deeds } = await serveWorkshop()
    const leave = async (call: object): Promise<void> => {
      const controller = new AbortController()
      const gone = send(`${url}/calls`, call, { signal: controller.signal }).catch(() => undefined)
      const before = deeds.started
      await until(() => deeds.started > before)
      controller.abort()
      await gone
    }
    const [wait, pay] = [
      { _tool: 'wait', time: 60_000 },
      { _tool: 'pay', amount: 5 },
    ]
    const group = (...calls: object[]) => ({ calls, strategy: 'all' })
    for (const [at, call] of [wait, group(wait), group(wait, add(1, 2))].entries()) {
      await leave(call)
      await until(() => deeds.aborted === at + 1)
      expect(deeds.aborted).toBe(at + 1)
    }
    for (const [at, call] of [pay, group(pay), group(pay, add(1, 2))].entries()) {
      await leave(call)
      await until(() => deeds.paid === 5 * (at + 1))
      expect(deeds.paid).toBe(5 * (at + 1))
    }
  })

  test('a Call that waits for its turn is not begun once its caller has gone, though its Tool writes', async () => {
    const { url, deeds, endWaits } = await serveWorkshop({ limits: { concurrency: 1, drainTime: 500 } })
    const running = post(`${url}/calls`, { _tool: 'wait', time: 60_000 })
    await until(() => deeds.started === 1)
    const leaving = new AbortController()
    const waiting = send(`${url}/calls`, { _tool: 'pay', amount: 5 }, { signal: leaving.signal }).catch(
      () => 'gone',
    )
    const health = async () => (await (await fetch(`${url}/health`)).json()) as Health
    await until(async () => (await health()).waiting === 1)
    leaving.abort()
    expect(await waiting).toBe('gone')
    await until(async () => (await health()).waiting === 0)
    endWaits()
    expect((await running).status).toBe(200)
    expect((await post(`${url}/calls`, add(1, 2))).body.output).toBe(3)
    expect(deeds).toMatchObject({ started: 1, paid: 0 })
  })

  test('closing refuses what waits for its turn, all of it, and none of it begins', async () => {
    const { Tool, deeds, endWaits } = workshop()
    const server = toolServer(Tool, { limits: { concurrency: 1, queue: 3, drainTime: 30_000 } })
    const ask = (call: object) => server(jsonRequest('http://localhost/calls', call))
    const running = ask({ _tool: 'wait', time: 60_000 })
    await until(() => deeds.started === 1)
    const waiting = [1, 2, 3].map((amount) => ask({ _tool: 'pay', amount }))
    const health = async () => (await (await server(new Request('http://localhost/health'))).json()) as Health
    await until(async () => (await health()).waiting === 3)
    const closed = server.close()
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([503, 503, 503])
    endWaits()
    expect((await running).status).toBe(200)
    await closed
    expect([deeds.started, deeds.paid]).toEqual([1, 0])
  })

  test('closing waits for what runs, and takes no more', async () => {
    const limits = { drainTime: 30_000 }
    const { url, server, deeds, endWaits } = await serveWorkshop({ limits }, 'an adapter')
    const running = post(`${url}/calls`, { _tool: 'wait', time: 60_000 })
    await until(() => deeds.started === 1)
    const closed = server.close()
    expect(await post(`${url}/calls`, add(1, 2))).toMatchObject({ status: 503, body: { code: 'closing' } })
    endWaits()
    expect((await running).body.output).toBe('done')
    await closed
  })
})
