import { memoryStore, toolServer } from 'callsheet/server'
import { describe, expect, test } from 'vitest'
import { listen, post, serveWorkshop, until, workshop } from './serving.ts'

const pay = (amount: number, id: string) => ({ call: { _tool: 'pay', amount }, id })

describe('SERVE-5 a Call that is asked for twice runs once', () => {
  test('one after the other, and at the same time: the same Outcome', async () => {
    const { url, deeds } = await serveWorkshop()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(`${url}/calls`, pay(5, 'order-1'))),
    )
    const later = await post(`${url}/calls`, pay(5, 'order-1'))
    expect(deeds).toMatchObject({ paid: 5, started: 1 })
    for (const { body } of [...answers, later]) expect(body).toEqual(later.body)
    expect(later.body).toMatchObject({ id: 'order-1', status: 'succeeded' })
  })

  test('by the header too, and in a group', async () => {
    const { url, deeds } = await serveWorkshop()
    const headers = { 'idempotency-key': 'order-2' }
    await post(`${url}/calls`, { _tool: 'pay', amount: 1 }, headers)
    await post(`${url}/calls`, { calls: [pay(1, 'order-2'), pay(2, 'order-3')] })
    await post(`${url}/tools/pay`, { amount: 2 }, { 'idempotency-key': 'order-3' })
    expect(deeds.paid).toBe(3)
  })

  test('another Call under the same id is refused', async () => {
    const { url, deeds } = await serveWorkshop()
    await post(`${url}/calls`, pay(5, 'order-1'))
    expect(await post(`${url}/calls`, pay(500, 'order-1'))).toMatchObject({
      status: 409,
      body: { code: 'idempotency_conflict' },
    })
    expect(deeds.paid).toBe(5)
  })

  test('a failed Call is remembered as well', async () => {
    const { url } = await serveWorkshop()
    const first = await post(`${url}/calls`, { call: { _tool: 'fail' }, id: 'f' })
    const second = await post(`${url}/calls`, { call: { _tool: 'fail' }, id: 'f' })
    expect(second.body).toEqual(first.body)
  })

  test('one caller never sees what another one did under the same id', async () => {
    const { url, deeds } = await serveWorkshop({
      authorize: (request) => ({ id: request.headers.get('authorization') ?? 'nobody' }),
    })
    await post(`${url}/calls`, pay(5, 'order-1'), { authorization: 'anna' })
    await post(`${url}/calls`, pay(7, 'order-1'), { authorization: 'berta' })
    expect(deeds.paid).toBe(12)
  })

  test('a repeat outlives a first asker who went away', async () => {
    const { url, deeds } = await serveWorkshop()
    const controller = new AbortController()
    const asked = { call: { _tool: 'wait', time: 200 }, id: 'w' }
    const first = fetch(`${url}/calls`, {
      method: 'POST',
      signal: controller.signal,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    }).catch(() => 'gone')
    await until(() => deeds.started === 1)
    const second = post(`${url}/calls`, asked)
    await new Promise((resolve) => setTimeout(resolve, 50))
    controller.abort()
    expect(await first).toBe('gone')
    expect((await second).body).toMatchObject({ status: 'succeeded', output: 'done' })
    expect(deeds).toMatchObject({ started: 1, aborted: 0 })
  })

  test('what the server had no room for may be asked again', async () => {
    const { url, deeds } = await serveWorkshop({ limits: { concurrency: 1, queue: 1, drainTime: 500 } })
    const busy = [1, 2].map(() => post(`${url}/calls`, { _tool: 'wait', time: 100 }))
    await until(() => deeds.started === 1)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect((await post(`${url}/calls`, pay(5, 'order-1'))).status).toBe(429)
    await Promise.all(busy)
    expect((await post(`${url}/calls`, pay(5, 'order-1'))).body).toMatchObject({ status: 'succeeded' })
    expect(deeds.paid).toBe(5)
  })
})

describe('the store in memory', () => {
  test('forgets after its time, and the oldest first when it is full', async () => {
    const outcome = { id: 'a' } as never
    const store = memoryStore({ keeps: 20, most: 2 })
    for (const key of ['a', 'b', 'c']) {
      store.claim(key, 'f')
      store.finish(key, outcome)
    }
    expect(store.claim('a', 'f')).toEqual({ status: 'claimed' })
    expect(store.claim('c', 'f')).toMatchObject({ status: 'finished', fingerprint: 'f' })
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(store.claim('c', 'f')).toEqual({ status: 'claimed' })
  })

  test('2,000 Calls at the same time: none lost, none doubled', async () => {
    const { Tool, deeds } = workshop()
    const url = await listen(toolServer(Tool, { limits: { drainTime: 500 } }))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, request) =>
        post(`${url}/calls`, {
          calls: Array.from({ length: 100 }, (_each, index) =>
            pay(1, `order-${(request * 100 + index) % 1_000}`),
          ),
        }),
      ),
    )
    const outcomes = answers.flatMap(({ body }) => body.outcomes as { status: string }[])
    expect(outcomes.filter(({ status }) => status === 'succeeded')).toHaveLength(2_000)
    expect(deeds).toMatchObject({ paid: 1_000, started: 1_000 })
  })
})
