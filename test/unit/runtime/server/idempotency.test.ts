import { type Call, createRegistry, type Outcome } from 'callsheet'
import { memoryStore, type OutcomeJson, type OutcomeStore, sqliteStore, toolServer } from 'callsheet/server'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  add,
  jsonRequest,
  listen,
  post,
  schemas,
  send,
  serve,
  serveWorkshop,
  until,
  workshop,
} from './serving.ts'

async function health(url: string): Promise<{ running: number; waiting: number }> {
  return (await (await fetch(`${url}/health`)).json()) as { running: number; waiting: number }
}

/** A store in memory that counts how often somebody asked for a key. */
function countingStore() {
  const store = memoryStore()
  const claims = { count: 0 }
  const claim: OutcomeStore['claim'] = (key, fingerprint) => {
    claims.count++
    return store.claim(key, fingerprint)
  }
  return { store: { ...store, claim }, claims }
}

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

  test('a write whose error `after` gives as data does not run again', async () => {
    const error = { code: 'activity_failed', message: 'hidden' } as never
    const run = { after: (outcome: Outcome) => ({ ...outcome, status: 'failed', error }) as const }
    const { url, deeds } = await serveWorkshop({ run })
    for (const _ of ['first', 'again']) {
      const { body } = await post(`${url}/calls`, pay(1, 'order-4'))
      expect(body).toMatchObject({ id: 'order-4', error: { code: 'activity_failed', message: 'hidden' } })
    }
    expect(deeds.paid).toBe(1)
  })

  test('what a hook puts into one Call costs the others of its request no Outcome', async () => {
    const before = (call: Call) => (call._tool === 'add' ? { ...call, left: 5n } : call)
    const { url, deeds } = await serveWorkshop({ run: { before } })
    const { body } = await post(`${url}/calls`, { calls: [pay(1, 'order-5'), add(1, 2)] })
    expect(body).toMatchObject({ outcomes: [{ status: 'succeeded' }, { error: { code: 'invalid_call' } }] })
    expect(deeds.paid).toBe(1)
  })

  test.each(['before', 'confirm'] as const)(
    'a write that `%s` puts in the place of a read does not run again once its client has gone',
    async (hook) => {
      const { Tool, deeds } = workshop()
      const paid = { _tool: 'pay', amount: 5 }
      const hooks = {
        before: () => paid,
        confirm: ({ _tool }: { _tool: string }) => _tool === 'pay' || { replace: paid },
      }
      const { url } = await serve(Tool, { run: { [hook]: hooks[hook] } })
      const asked = { call: { _tool: 'wait', time: 1 }, id: 'order' }
      const leaving = new AbortController()
      const left = send(`${url}/calls`, asked, { signal: leaving.signal }).catch(() => undefined)
      await until(() => deeds.started === 1)
      leaving.abort()
      await left
      await until(async () => (await health(url)).running === 0)
      expect((await post(`${url}/calls`, asked)).body).toMatchObject({ id: 'order', call: paid })
      expect(deeds.started).toBe(1)
    },
  )

  test.each(['claim', 'finish'] as const)(
    'a store that never answers `%s` holds nobody, and a Call that ran is answered',
    async (operation) => {
      const faults: unknown[] = []
      const silent = { ...memoryStore(), [operation]: () => new Promise<never>(() => undefined) }
      const { Tool, deeds } = workshop()
      const { url } = await serve(Tool, {
        store: silent,
        limits: { hookTime: 20 },
        onError: (error) => faults.push(error),
      })
      const answers = [
        await post(`${url}/calls`, pay(5, 'order')),
        await post(`${url}/calls`, pay(5, 'order')),
      ]
      const isAsked = operation === 'claim'
      for (const { status, body } of answers) {
        if (isAsked) expect([status, body.code]).toEqual([504, 'timeout'])
        else expect([status, body.status]).toEqual([200, 'succeeded'])
      }
      expect(deeds.paid).toBe(isAsked ? 0 : 5)
      expect(faults.length).toBeGreaterThan(0)
    },
  )

  test('a server that is closed twice waits both times until what runs has ended, and no longer', async () => {
    const { Tool, deeds } = workshop()
    let closings = 0
    const store = { ...memoryStore(), close: () => void closings++ }
    const server = toolServer(Tool, { store, limits: { drainTime: 30_000 } })
    const paid = server(jsonRequest('http://localhost/calls', { _tool: 'pay', amount: 5 }))
    await until(() => deeds.started === 1)
    const startedAt = Date.now()
    await Promise.all([server.close(), server.close()])
    await server.close()
    expect([deeds.paid, (await paid).status, closings]).toEqual([5, 200, 1])
    expect(Date.now() - startedAt).toBeLessThan(10_000)
  })

  test('a store that never closes does not keep its server open', async () => {
    const store = { ...memoryStore(), close: () => new Promise<void>(() => undefined) }
    const server = toolServer(workshop().Tool, { store, limits: { hookTime: 20 } })
    await expect(server.close()).rejects.toThrow('The store said nothing for 20 ms')
  })

  test('a key that the store gives too late is given back, so that who asks again is served', async () => {
    const store = memoryStore()
    const waits = [60]
    const claim: OutcomeStore['claim'] = async (key, fingerprint) => {
      const claimed = await store.claim(key, fingerprint)
      await new Promise((resolve) => setTimeout(resolve, waits.shift() ?? 0))
      return claimed
    }
    const { url, deeds } = await serveWorkshop({
      store: { ...store, claim },
      limits: { hookTime: 20, drainTime: 500 },
      onError: () => undefined,
    })
    expect((await post(`${url}/calls`, pay(5, 'order'))).status).toBe(504)
    expect(await post(`${url}/calls`, pay(5, 'order'))).toMatchObject({ body: { status: 'succeeded' } })
    expect(deeds).toMatchObject({ started: 1, paid: 5 })
  })

  test('so many wait for one id, and the others are told to ask again; none of it runs twice', async () => {
    const { Tool, Activity } = workshop()
    let started = 0
    let finish: () => void = () => undefined
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    Activity.register(
      'wait',
      async () => {
        started += 1
        await finished
        return 'done'
      },
      { replace: true },
    )
    const { url } = await serve(Tool, { limits: { waiters: 3 } })
    const call = { call: { _tool: 'wait' }, id: 'popular' }
    const first = post(`${url}/calls`, call)
    await until(() => started === 1)
    const refused: Awaited<ReturnType<typeof post>>[] = []
    const others = Array.from({ length: 10 }, async () => {
      const answer = await post(`${url}/calls`, call)
      if (answer.status === 429) refused.push(answer)
      return answer
    })
    await until(() => refused.length === 7)
    finish()
    const waited = (await Promise.all(others)).filter(({ status }) => status === 200)
    expect([waited.length, refused.length]).toEqual([3, 7])
    expect(refused[0]?.body).toMatchObject({
      code: 'busy',
      detail: 'The Call of this id runs, and 3 requests wait for it. Ask again when it has ended.',
    })
    expect(refused[0]?.headers.get('retry-after')).toBe('1')
    for (const { body } of waited) expect(body).toEqual((await first).body)
    // Whoever waited has made room, and what has ended waits for nobody.
    const later = await Promise.all(Array.from({ length: 10 }, () => post(`${url}/calls`, call)))
    expect(later.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(started).toBe(1)
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

  test.each([
    { wrong: 'an invalid one', call: { _tool: 'pay', amount: 'five' }, code: 'invalid_call' },
    { wrong: 'one of an unknown Tool', call: { _tool: 'pays', amount: 5 }, code: 'unknown_tool' },
    { wrong: 'one that nothing implements', call: { _tool: 'later', amount: 5 }, code: 'missing_activity' },
  ])('a Call that never began leaves its id to the corrected one: $wrong', async ({ call, code }) => {
    const { Tool, deeds } = workshop()
    const { properties, ...pays } = schemas.pay
    Tool.register('later', { ...pays, properties: { ...properties, _tool: { const: 'later' } } })
    const { url } = await serve(Tool)
    const first = await post(`${url}/calls`, { call, id: 'order' })
    expect(first.body).toMatchObject({ id: 'order', status: 'failed', attempts: 0, error: { code } })
    expect((await post(`${url}/calls`, { call, id: 'order' })).body.error).toEqual(first.body.error)
    expect((await post(`${url}/calls`, pay(5, 'order'))).body).toMatchObject({ status: 'succeeded' })
    const late = await post(`${url}/calls`, { call, id: 'order' })
    expect(late).toMatchObject({
      status: 409,
      body: {
        detail: 'This id belongs to another Call, which runs or has ended. Give each Call an id of its own.',
      },
    })
    expect(deeds.paid).toBe(5)
  })

  test('a refusal is remembered, and its Call is not put to somebody twice', async () => {
    let asked = 0
    const confirm = () => {
      asked += 1
      return false as const
    }
    const { url, deeds } = await serveWorkshop({ run: { confirm } })
    const first = await post(`${url}/calls`, pay(5, 'order'))
    expect(first.body).toMatchObject({ status: 'refused', attempts: 0 })
    expect((await post(`${url}/calls`, pay(5, 'order'))).body).toEqual(first.body)
    expect([asked, deeds.paid]).toEqual([1, 0])
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
    const { store, claims } = countingStore()
    const { url, deeds } = await serveWorkshop({ store })
    const controller = new AbortController()
    const asked = { call: { _tool: 'wait', time: 1_000 }, id: 'w' }
    const first = send(`${url}/calls`, asked, { signal: controller.signal }).catch(() => 'gone')
    await until(() => deeds.started === 1)
    const second = post(`${url}/calls`, asked)
    await until(() => claims.count === 2)
    controller.abort()
    expect(await first).toBe('gone')
    expect((await second).body).toMatchObject({ status: 'succeeded', output: 'done' })
    expect(deeds).toMatchObject({ started: 1, aborted: 0 })
  })

  test('two callers whose names and ids read the same when joined are two callers', async () => {
    const { url, deeds } = await serveWorkshop({
      authorize: (request) => ({ id: request.headers.get('authorization') ?? 'nobody' }),
    })
    await post(`${url}/calls`, pay(5, 'b/order'), { authorization: 'a' })
    const other = await post(`${url}/calls`, pay(5, 'order'), { authorization: 'a/b' })
    expect(other.body).toMatchObject({ id: 'order', status: 'succeeded' })
    expect(deeds.paid).toBe(10)
  })

  test('no id is the key of a later attempt under another one', async () => {
    const { Tool, Activity, deeds } = workshop()
    let isBroken = true
    Activity.register(
      'pay',
      () => {
        if (isBroken) throw new Error('broken')
        deeds.paid += 5
        return {}
      },
      { replace: true },
    )
    const { url } = await serve(Tool)
    await post(`${url}/calls`, pay(5, 'order'))
    isBroken = false
    await new Promise((resolve) => setTimeout(resolve, 2))
    await post(`${url}/calls`, pay(5, 'order'), { 'callsheet-attempt': '2' })
    await post(`${url}/calls`, pay(5, 'order\n2'))
    expect(deeds.paid).toBe(10)
  })

  test('ids that are the same text in UTF-8 are refused', async () => {
    const { url, deeds } = await serveWorkshop()
    for (const id of ['\ud800', 'a\udc00b']) {
      const problem = { path: '/id', expected: 'a Unicode text of 1 to 500 characters' }
      expect(await post(`${url}/calls`, pay(5, id))).toMatchObject({
        status: 400,
        body: { problems: [problem] },
      })
      const inGroup = await post(`${url}/calls`, { calls: [pay(5, id)] })
      expect(inGroup).toMatchObject({ status: 400, body: { problems: [{ path: '/calls/0/id' }] } })
    }
    expect((await post(`${url}/calls`, pay(5, '\u{1F600}'))).body).toMatchObject({ status: 'succeeded' })
    expect(deeds.paid).toBe(5)
  })

  test('a caller that lost its connection asks again and gets an Outcome, not the end that its leaving made', async () => {
    const { url, deeds } = await serveWorkshop()
    const asked = (time: number) => ({ call: { _tool: 'wait', time }, id: 'again' })
    const controller = new AbortController()
    const lost = send(`${url}/calls`, asked(500), { signal: controller.signal }).catch(() => 'lost')
    await until(() => deeds.started === 1)
    controller.abort()
    expect(await lost).toBe('lost')
    // At once, while the first attempt may still be ending, and later.
    expect((await post(`${url}/calls`, asked(500))).body).toMatchObject({
      status: 'succeeded',
      output: 'done',
    })
    expect((await post(`${url}/calls`, asked(500))).body).toMatchObject({
      status: 'succeeded',
      output: 'done',
    })
    expect(deeds).toMatchObject({ started: 2, aborted: 1 })
  })

  test('a repeat that waits for its turn outlives a first asker who went away', async () => {
    const { store, claims } = countingStore()
    const limits = { concurrency: 1, drainTime: 500 }
    const { url, deeds, endWaits } = await serveWorkshop({ store, limits })
    const busy = post(`${url}/calls`, { _tool: 'wait', time: 60_000 })
    await until(() => deeds.started === 1)
    const controller = new AbortController()
    const first = send(`${url}/calls`, pay(5, 'order-1'), { signal: controller.signal }).catch(() => 'gone')
    await until(async () => (await health(url)).waiting === 1)
    const second = post(`${url}/calls`, pay(5, 'order-1'))
    await until(() => claims.count === 2)
    controller.abort()
    expect(await first).toBe('gone')
    endWaits()
    expect((await second).body).toMatchObject({ status: 'succeeded' })
    expect((await busy).status).toBe(200)
    expect(deeds.paid).toBe(5)
  })

  test('what the store could not keep is given to its caller, does not run again, and is kept later, asked for or not', async () => {
    const kept = memoryStore()
    const faults: unknown[] = []
    let isDown = true
    const store = {
      ...kept,
      finish: (key: string, outcome: OutcomeJson) => {
        if (isDown) throw new Error('the disk is full')
        kept.finish(key, outcome)
      },
    }
    const { url, deeds } = await serveWorkshop({ store, onError: (error) => faults.push(error) })
    const first = await post(`${url}/calls`, pay(5, 'order-1'))
    expect(first.body).toMatchObject({ status: 'succeeded' })
    expect((await post(`${url}/calls`, pay(5, 'order-1'))).body).toEqual(first.body)
    expect(await kept.claim('order-1', '')).toMatchObject({ status: 'running' })
    expect(new Set(faults.map(String))).toEqual(new Set(['Error: the disk is full']))
    isDown = false
    await until(async () => (await kept.claim('order-1', '')).status === 'finished')
    expect((await post(`${url}/calls`, pay(5, 'order-1'))).body).toEqual(first.body)
    expect(deeds.paid).toBe(5)
  })

  test('a server that closes first tells its store what it could not keep, and how the Calls that it aborts end', async () => {
    const kept = memoryStore()
    const told: string[] = []
    const note = (what: string, key: string): void => {
      told.push(`${what} ${key}`)
      if (told.length === 1) throw new Error('the disk is full')
    }
    const store: OutcomeStore = {
      ...kept,
      finish: (key) => note('finish', key),
      release: async (key) => {
        await new Promise((resolve) => setTimeout(resolve, 20))
        note('release', key)
      },
      close: () => note('close', ''),
    }
    const { Tool, deeds } = workshop()
    const server = toolServer(Tool, { store, limits: { drainTime: 20 }, onError: () => undefined })
    await server(jsonRequest('http://localhost/calls', pay(5, 'order')))
    const waiting = { call: { _tool: 'wait', time: 60_000 }, id: 'wait' }
    const aborted = server(jsonRequest('http://localhost/calls', waiting))
    await until(() => deeds.started === 2)
    await server.close()
    expect(told.filter((each) => each !== 'finish order')).toEqual(['release wait', 'close '])
    expect(told.filter((each) => each === 'finish order').length).toBeGreaterThan(1)
    expect(told.at(-1)).toBe('close ')
    await aborted
  })

  test('a key that could be given back only later is not given back again while its Call runs', async () => {
    const kept = memoryStore()
    const released: string[] = []
    const release: OutcomeStore['release'] = (key) => {
      if (released.push(key) === 1) throw new Error('the disk is full')
      return kept.release(key)
    }
    const limits = { concurrency: 1, queue: 0, drainTime: 500 }
    const { url, deeds, endWaits } = await serveWorkshop({
      store: { ...kept, release },
      limits,
      onError: () => {},
    })
    const busy = post(`${url}/calls`, { _tool: 'wait', time: 60_000 })
    await until(() => deeds.started === 1)
    expect((await post(`${url}/calls`, pay(5, 'order-1'))).status).toBe(429)
    endWaits()
    await busy
    const first = post(`${url}/calls`, pay(5, 'order-1'))
    await until(() => deeds.started === 2)
    const [one, other] = await Promise.all([first, post(`${url}/calls`, pay(5, 'order-1'))])
    expect(other.body).toEqual(one.body)
    expect([deeds.paid, released.length]).toEqual([5, 2])
  })

  test('who asks while a key is given back gets it, and nobody finds it taken by nobody', async () => {
    const kept = memoryStore()
    const release: OutcomeStore['release'] = async (key) => {
      await kept.release(key)
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
    const released = vi.fn(release)
    const limits = { concurrency: 1, queue: 0, drainTime: 500 }
    const { url, deeds, endWaits } = await serveWorkshop({ store: { ...kept, release: released }, limits })
    const busy = post(`${url}/calls`, { _tool: 'wait', time: 60_000 })
    await until(() => deeds.started === 1)
    const first = post(`${url}/calls`, pay(5, 'order-1'))
    await until(() => released.mock.calls.length === 1)
    const second = post(`${url}/calls`, pay(5, 'order-1'))
    expect([(await first).status, (await second).status]).toEqual([429, 429])
    endWaits()
    await busy
    expect((await post(`${url}/calls`, pay(5, 'order-1'))).body).toMatchObject({ status: 'succeeded' })
    expect(deeds.paid).toBe(5)
  })

  test('who asks while a Call ends that its first asker has left gets an end of its own', async () => {
    let ends = 0
    const after = async (): Promise<undefined> => {
      if (++ends === 1) await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const { store, claims } = countingStore()
    const { url, deeds } = await serveWorkshop({ store, run: { after } })
    const asked = (time: number) => ({ call: { _tool: 'wait', time }, id: 'look' })
    const controller = new AbortController()
    const first = send(`${url}/calls`, asked(200), { signal: controller.signal }).catch(() => 'gone')
    await until(() => deeds.started === 1)
    controller.abort()
    await until(() => ends === 1)
    const second = post(`${url}/calls`, asked(200))
    expect(await first).toBe('gone')
    expect((await second).body).toMatchObject({ status: 'succeeded' })
    // Asked for by the first, by the second while it ended, and anew.
    expect([claims.count, deeds.started]).toEqual([3, 2])
  })

  test('whoever waits for another process that does not end is told to ask again, whatever the clock says', async () => {
    const store = memoryStore()
    const clock = vi.spyOn(Date, 'now').mockReturnValue(1)
    onTestFinished(() => clock.mockRestore())
    // Who waits is one at a time, however often it asks the store.
    const { url } = await serveWorkshop({ store, limits: { callTime: 300, waiters: 1 } })
    // The fingerprint of the Call, as another process that shares the store has claimed it.
    const claims: string[] = []
    const claim = store.claim
    store.claim = (key, fingerprint) => {
      if (claims.push(fingerprint) === 1) claim(key, fingerprint)
      return claim(key, fingerprint)
    }
    expect(await post(`${url}/calls`, pay(5, 'order-1'))).toMatchObject({
      status: 429,
      body: { code: 'busy', detail: 'The Call of this id runs elsewhere, or has not been told to be over.' },
    })
    expect(claims.length).toBeLessThan(10)
  })

  test('whoever waits for another process while the server closes is told to ask again', async () => {
    const store = memoryStore()
    let claims = 0
    const claim = store.claim
    store.claim = (key, fingerprint) => {
      // As another process that shares the store has claimed it.
      if (++claims === 1) claim(key, fingerprint)
      return claim(key, fingerprint)
    }
    const { url, server } = await serveWorkshop({ store })
    const asked = post(`${url}/calls`, pay(5, 'order-1'))
    await until(() => claims > 0)
    await server.close()
    expect(await asked).toMatchObject({ status: 429, body: { code: 'busy' } })
  })

  test('a write whose process died is told as interrupted, the same to everybody who asks, and stays so in the store', async () => {
    const store = memoryStore()
    const claim = store.claim
    let hasDied = true
    store.claim = async (key, fingerprint) => {
      const found = await claim(key, fingerprint)
      if (!hasDied) return found
      hasDied = false
      return { status: 'abandoned', fingerprint }
    }
    const { url, deeds } = await serveWorkshop({ store })
    const first = await post(`${url}/calls`, pay(5, 'order-1'))
    expect(first.body).toMatchObject({ status: 'failed', error: { code: 'interrupted' } })
    expect((await post(`${url}/calls`, pay(5, 'order-1'))).body).toEqual(first.body)
    expect(await store.claim('order-1', '')).toMatchObject({ status: 'finished', outcome: first.body })
    expect(deeds.paid).toBe(0)
  })

  test.each([
    ['pay', 'failed', 0],
    ['wait', 'succeeded', 1],
  ])('%s, broken off and given too late, is %s for who asks again', async (tool, status, started) => {
    const store = memoryStore()
    const waits = [400]
    const claim: OutcomeStore['claim'] = async (key, fingerprint) => {
      const claimed = await store.claim(key, fingerprint)
      const time = waits.shift()
      await new Promise((resolve) => setTimeout(resolve, time ?? 0))
      return time === undefined ? claimed : { status: 'abandoned', fingerprint }
    }
    const limits = { hookTime: 150, callTime: 1_000, drainTime: 500 }
    const { url, deeds } = await serveWorkshop({ store: { ...store, claim }, limits, onError: () => {} })
    const asked = { call: { _tool: tool, ...(tool === 'pay' ? { amount: 5 } : { time: 1 }) }, id: 'order' }
    expect((await post(`${url}/calls`, asked)).status).toBe(504)
    expect((await post(`${url}/calls`, asked)).body).toMatchObject({ status })
    expect(deeds.started).toBe(started)
  })

  test('a key that is given back late, by a store that does not say so, is not given back while it runs', async () => {
    const store = memoryStore()
    const waits = [400]
    let releases = 0
    const claim: OutcomeStore['claim'] = async (key, fingerprint) => {
      const claimed = await store.claim(key, fingerprint)
      await new Promise((resolve) => setTimeout(resolve, waits.shift() ?? 0))
      return claimed
    }
    const release: OutcomeStore['release'] = async (key) => {
      await store.release(key)
      if (++releases === 1) await new Promise(() => undefined)
    }
    const { url, deeds } = await serveWorkshop({
      store: { ...store, claim, release },
      limits: { hookTime: 150, callTime: 2_000, drainTime: 500 },
      onError: () => {},
    })
    const asked = { call: { _tool: 'wait', time: 200 }, id: 'order' }
    expect((await post(`${url}/calls`, asked)).status).toBe(504)
    await until(() => releases === 1)
    const second = post(`${url}/calls`, asked)
    await new Promise((resolve) => setTimeout(resolve, 60))
    const third = post(`${url}/calls`, asked)
    expect((await second).body).toMatchObject({ status: 'succeeded' })
    expect((await third).body).toEqual((await second).body)
    expect(deeds.started).toBe(1)
  })

  test('a store in SQLite writes nothing in a transaction of somebody else, which could be undone', () => {
    const statement = { run: () => ({ changes: 1 }), get: () => undefined }
    const database = { isTransaction: false, exec: () => undefined, prepare: () => statement }
    const store = sqliteStore(database)
    expect(store.claim('a', 'b')).toEqual({ status: 'claimed' })
    database.isTransaction = true
    const outcome = {} as OutcomeJson
    for (const write of [
      () => store.claim('b', 'b'),
      () => store.finish('a', outcome),
      () => store.release('a'),
    ])
      expect(write).toThrow('in a transaction of somebody else')
    store.close?.()
  })

  test('a Call that reads another context is another Call', async () => {
    const { url } = await serveWorkshop()
    const asked = (name: string) => ({
      call: { _tool: 'Files.tree', folder: { name: '†state.name' } },
      id: 'tree',
      context: [{ type: 'state', state: { name } }],
    })
    expect((await post(`${url}/calls`, asked('a'))).body).toMatchObject({ output: { name: 'a' } })
    expect((await post(`${url}/calls`, asked('a'))).body).toMatchObject({ output: { name: 'a' } })
    expect(await post(`${url}/calls`, asked('b'))).toMatchObject({ status: 409 })
    expect(await post(`${url}/calls`, { ...asked('a'), references: false })).toMatchObject({ status: 409 })
  })

  test('progress has the id that the caller gave', async () => {
    const { url } = await serveWorkshop({ authorize: () => ({ id: 'anna' }) })
    const response = await send(
      `${url}/calls`,
      { call: { _tool: 'wait' }, id: 'w-1' },
      { headers: { accept: 'text/event-stream' } },
    )
    const [, progress = ''] = /^event: progress\ndata: (.*)$/m.exec(await response.text()) ?? []
    expect(JSON.parse(progress)).toEqual({ id: 'w-1', tool: 'wait', data: { step: 1 } })
  })

  test('in a group that stands or falls together no Call has an id: it would not be kept', async () => {
    const { url, deeds } = await serveWorkshop()
    const asked = { calls: [pay(1, 'order-1')], strategy: 'all' }
    expect(await post(`${url}/calls`, asked)).toMatchObject({
      status: 400,
      body: { problems: [{ path: '/calls/0/id' }] },
    })
    const header = { 'idempotency-key': 'order-1' }
    expect(await post(`${url}/calls`, { calls: [{ _tool: 'pay', amount: 1 }] }, header)).toMatchObject({
      status: 400,
      body: { problems: [{ path: '/id' }] },
    })
    expect(deeds.started).toBe(0)
  })

  test('a Call of a group that is refused leaves the others their Outcomes', async () => {
    const { url, deeds } = await serveWorkshop()
    const { status, body } = await post(`${url}/calls`, { calls: [pay(1, 'x'), pay(2, 'x'), pay(3, 'y')] })
    expect(status).toBe(200)
    expect(body.outcomes).toMatchObject([
      { id: 'x', status: 'succeeded' },
      { id: 'x', status: 'refused', error: { code: 'idempotency_conflict' } },
      { id: 'y', status: 'succeeded' },
    ])
    expect(deeds.paid).toBe(4)
    // Where every one is, the request is.
    expect(await post(`${url}/calls`, { calls: [pay(5, 'x'), pay(6, 'y')] })).toMatchObject({ status: 409 })
  })

  test('what the server had no room for may be asked again', async () => {
    const { url, deeds } = await serveWorkshop({ limits: { concurrency: 1, queue: 1, drainTime: 500 } })
    const busy = [1, 2].map(() => post(`${url}/calls`, { _tool: 'wait', time: 1_000 }))
    while ((await health(url)).waiting === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect((await post(`${url}/calls`, pay(5, 'order-1'))).status).toBe(429)
    await Promise.all(busy)
    expect((await post(`${url}/calls`, pay(5, 'order-1'))).body).toMatchObject({ status: 'succeeded' })
    expect(deeds.paid).toBe(5)
  })
})

describe('SERVE-5 a store of somebody’s own', () => {
  test.each([
    undefined,
    null,
    true,
    'claimed',
    {},
    { status: 'done' },
    { status: 'finished', outcome: { status: 'succeeded', output: 'of another Call' } },
    { status: 'running' },
    { status: 'abandoned' },
    { status: 'finished', fingerprint: 'f' },
    { status: 'finished', fingerprint: 'f', outcome: {} },
  ])('that answers %j has not said that the Call may run, nor what came of it', async (answer) => {
    const errors: unknown[] = []
    // Its answer tells of this very Call.
    const claim = (_: string, fingerprint: string) =>
      typeof answer === 'object' && answer && 'fingerprint' in answer ? { ...answer, fingerprint } : answer
    const store = { ...memoryStore(), claim } as unknown as OutcomeStore
    const { url, deeds } = await serveWorkshop({ store, onError: (error) => errors.push(error) })
    const { status } = await post(`${url}/tools/pay`, { amount: 2 }, { 'idempotency-key': 'a' })
    expect([status, deeds.started]).toEqual([500, 0])
    expect(String(errors[0])).toMatch(/`claim` of the store returned .* Expected \{ status \}/)
  })

  test('whose Outcome does not say why it failed does not make a success of it', async () => {
    const outcome = { status: 'failed' } as OutcomeJson
    const claim: OutcomeStore['claim'] = (_, fingerprint) => ({ status: 'finished', fingerprint, outcome })
    const { url } = await serveWorkshop({ store: { ...memoryStore(), claim } })
    const { status, body } = await post(`${url}/tools/pay`, { amount: 2 }, { 'idempotency-key': 'a' })
    expect([status, body.code]).toEqual([500, 'internal'])
  })

  test('a database that fails for a while ends no process', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    let renewals = 0
    const run = (): { changes: number } => {
      if (++renewals === 1) throw new Error('disk I/O error')
      return { changes: 0 }
    }
    const store = sqliteStore(
      { exec: () => {}, prepare: () => ({ run, get: () => undefined }) },
      { lease: 30 },
    )
    vi.advanceTimersByTime(25)
    store.close?.()
    expect(renewals).toBeGreaterThan(1)
    expect(warned.mock.calls.map(String)).toEqual([expect.stringContaining('disk I/O error')])
    warned.mockRestore()
  })

  test.each([
    [3, 'finished'],
    [Number.POSITIVE_INFINITY, 'locked'],
  ])('waits without blocking for a database that another process locks %i times', async (times, end) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    let left = times
    const asked: string[] = []
    const prepare = (sql: string) => ({
      run: () => {
        if (left-- > 0) throw new Error('database is locked')
        asked.push(sql.slice(0, 6))
        return { changes: 1 }
      },
      get: () => undefined,
    })
    const store = sqliteStore({ exec: (sql) => asked.push(sql.slice(0, 40)), prepare }, { lease: 1e9 })
    onTestFinished(() => void store.close?.())
    expect(asked.at(-1)).toBe('PRAGMA busy_timeout = 100')
    const claimed = Promise.resolve(store.claim('a', 'f')).then(
      () => store.finish('a', {} as OutcomeJson),
      (error: Error) => asked.push(error.message),
    )
    await vi.advanceTimersByTimeAsync(6_000)
    await claimed
    expect(asked.slice(-2)).toEqual(
      end === 'locked' ? ['PRAGMA busy_timeout = 100', 'database is locked'] : ['INSERT', 'INSERT'],
    )
  })

  test('where the machine slept, or this process was stuck, others have time to show that they live', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const row = { fingerprint: 'f', outcome: null, owner: 'other', seen: Date.now() }
    const prepare = (sql: string) => {
      const isTaken = sql.includes('owner = ? AND seen = ?')
      return { run: () => ({ changes: isTaken ? 1 : 0 }), get: () => row }
    }
    const store = sqliteStore({ exec: () => {}, prepare })
    onTestFinished(() => void store.close?.())
    vi.setSystemTime(Date.now() + 60_000)
    expect(store.claim('a', 'f')).toMatchObject({ status: 'running' })
    vi.advanceTimersByTime(5_000)
    expect(store.claim('a', 'f')).toMatchObject({ status: 'running' })
    vi.advanceTimersByTime(8_000)
    expect(store.claim('a', 'f')).toMatchObject({ status: 'abandoned' })
  })

  test('where another process locked the database, others that waited for it have time to show that they live', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    onTestFinished(() => warned.mockRestore())
    const row = { fingerprint: 'f', outcome: null, owner: 'other', seen: Date.now() }
    let isLocked = true
    const prepare = (sql: string) => ({
      run: () => {
        if (isLocked) throw new Error('database is locked')
        return { changes: sql.includes('owner = ? AND seen = ?') ? 1 : 0 }
      },
      get: () => row,
    })
    const store = sqliteStore({ exec: () => {}, prepare })
    onTestFinished(() => void store.close?.())
    await vi.advanceTimersByTimeAsync(24_000)
    isLocked = false
    expect(store.claim('a', 'f')).toMatchObject({ status: 'running' })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(store.claim('a', 'f')).toMatchObject({ status: 'running' })
    await vi.advanceTimersByTimeAsync(8_000)
    expect(store.claim('a', 'f')).toMatchObject({ status: 'abandoned' })
  })

  test('a lease longer than timers run does not renew without end', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    let renewals = 0
    const run = (): { changes: number } => ({ changes: ++renewals })
    const database = { exec: () => {}, prepare: () => ({ run, get: () => undefined }) }
    const store = sqliteStore(database, { lease: Number.MAX_SAFE_INTEGER })
    vi.advanceTimersByTime(60_000)
    store.close?.()
    expect(renewals).toBe(0)
  })
})

describe('the store in memory', () => {
  test('forgets after its time, and the oldest first when it is full', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const outcome = { id: 'a' } as never
    const store = memoryStore({ keeps: 20, most: 2 })
    for (const key of ['a', 'b', 'c']) {
      store.claim(key, 'f')
      store.finish(key, outcome)
    }
    expect(store.claim('a', 'f')).toEqual({ status: 'claimed' })
    expect(store.claim('c', 'f')).toMatchObject({ status: 'finished', fingerprint: 'f' })
    vi.setSystemTime(Date.now() + 21)
    expect(store.claim('c', 'f')).toEqual({ status: 'claimed' })
  })

  test('holds so many characters, and the Outcome that a caller changes stays as it was', () => {
    const outcome = { id: 'a', output: { text: 'x'.repeat(1_000) } } as never as OutcomeJson
    const store = memoryStore({ mostCharacters: 2_500 })
    for (const key of ['a', 'b', 'c']) {
      store.claim(key, 'f')
      store.finish(key, outcome)
    }
    expect(store.claim('a', 'other')).toEqual({ status: 'running', fingerprint: 'f' })
    expect(store.claim('a', 'f')).toEqual({ status: 'abandoned', fingerprint: 'f' })
    expect(store.claim('a', 'f')).toEqual({ status: 'running', fingerprint: 'f' })
    const kept = store.claim('c', 'f') as { outcome: { output: { text: string } } }
    kept.outcome.output.text = 'changed'
    expect(store.claim('c', 'f')).toMatchObject({ status: 'finished', outcome })
  })

  test('a write whose Outcome is larger than all that is kept runs once, and what may be repeated again', async () => {
    for (const [effects, times] of [
      ['write', 1],
      ['read', 2],
    ] as const) {
      const { Tool, Activity } = createRegistry({
        tools: { dump: { type: 'object', effects, properties: { _tool: { const: 'dump' }, _output: {} } } },
      })
      let ran = 0
      Activity.register('dump', () => 'x'.repeat(1_000 * ++ran))
      const url = await listen(toolServer(Tool, { store: memoryStore({ mostCharacters: 900 }) }))
      const ask = async () => (await post(`${url}/calls`, { call: { _tool: 'dump' }, id: 'a' })).body
      expect(await ask()).toMatchObject({ status: 'succeeded' })
      expect(await ask()).toMatchObject(
        effects === 'write' ? { error: { code: 'interrupted' } } : { status: 'succeeded' },
      )
      expect(ran).toBe(times)
    }
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
