import { memoryStore, toolServer } from 'callsheet/server'
import { describe, expect, test, vi } from 'vitest'
import { json, open, request } from './raw-socket.ts'
import { doors, jsonRequest, post, serveWorkshop, until, workshop } from './serving.ts'

describe('SERVE-6 who may ask, and faults on the way', () => {
  test('beyond loopback nothing answers without credentials', async () => {
    const { Tool } = workshop()
    expect(() => toolServer(Tool, { hosts: ['tools.example'] })).toThrow(/needs the option "authorize"/)
    const server = toolServer(Tool, {
      hosts: ['tools.example'],
      authorize: (request) =>
        request.headers.get('authorization') === 'Bearer right' ? { id: 'anna' } : undefined,
    })
    const ask = (headers: Record<string, string>) =>
      server(new Request('https://tools.example/tools', { headers }))
    const refused = await ask({})
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
    expect((await ask({ authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await ask({ authorization: 'Bearer right' })).status).toBe(200)
    expect((await server(new Request('http://localhost/tools'))).status).toBe(401)
    await server.close()
  })

  test.each(doors)(
    'by %s: an `authorize` that leaves nobody a body is told of as what it is',
    async (door) => {
      const faults: unknown[] = []
      const { url } = await serveWorkshop(
        {
          authorize: async (request) => ({ id: await request.text() }),
          onError: (error) => faults.push((error as Error).message),
        },
        door,
      )
      const { status, body } = await post(`${url}/tools/add`, { left: 1, right: 2 })
      expect(status).toBe(500)
      expect(body.detail).toContain('"authorize" and middleware read that of request.clone().')
      expect(faults).toEqual([body.detail])
    },
  )

  test.each(doors)('by %s: a header counts as `authorize` has left it', async (door) => {
    const authorize = ({ headers }: Request) => {
      headers.set('content-type', headers.get('x-type') ?? '')
      return { id: 'anna' }
    }
    const { url } = await serveWorkshop({ authorize }, door)
    const body = JSON.stringify({ left: 1, right: 2 })
    const headers = { 'content-type': 'text/plain', 'x-type': 'application/json' }
    expect((await fetch(`${url}/tools/add`, { method: 'POST', body, headers })).status).toBe(200)
  })

  test('a body that breaks off while `authorize` reads it is no fault of the server', async () => {
    const faults: unknown[] = []
    const read = { begun: 0, ended: 0 }
    const authorize = async (request: Request) => {
      read.begun += 1
      await request
        .clone()
        .text()
        .finally(() => {
          read.ended += 1
        })
      return { id: 'anna' }
    }
    const { url } = await serveWorkshop({ authorize, onError: (error) => faults.push(error) })
    const client = open(url)
    client.write(request('POST /calls', ['host: localhost', json, 'content-length: 100'], '{'))
    await until(() => read.begun === 1)
    client.destroy()
    await until(() => read.ended === 1)
    expect((await post(`${url}/tools/add`, { left: 1, right: 2 })).body).toBe(3)
    expect(faults).toEqual([])
  })

  test('a fault while authorising lets nobody in, and says nothing outside', async () => {
    const faults: unknown[] = []
    const { url } = await serveWorkshop({
      authorize: () => {
        throw new Error('the key is hunter2')
      },
      onError: (error) => faults.push(error),
    })
    const response = await fetch(`${url}/tools`)
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('hunter2')
    expect(faults).toHaveLength(1)
  })

  test.each(doors)('an `authorize` that never answers holds no request for ever: %s', async (door) => {
    const faults: unknown[] = []
    const { url } = await serveWorkshop(
      {
        authorize: () => new Promise(() => undefined),
        limits: { hookTime: 30, drainTime: 500 },
        onError: (error) => faults.push(error),
      },
      door,
    )
    const response = await fetch(`${url}/tools`)
    expect(response.status).toBe(504)
    expect(await response.json()).toMatchObject({
      code: 'timeout',
      detail: expect.stringContaining('"authorize" said nothing for 30 ms (limits.hookTime)'),
    })
    expect(faults).toHaveLength(1)
  })

  test.each(doors)(
    '`onError` that fails itself takes neither the answer nor the server: %s',
    async (door) => {
      const console = vi.spyOn(globalThis.console, 'error').mockImplementation(() => undefined)
      const failures = [
        () => {
          throw new Error('the log is full')
        },
        () => Promise.reject(new Error('the log is elsewhere')),
      ]
      for (const onError of failures) {
        const { url } = await serveWorkshop(
          {
            authorize: () => {
              throw new Error('the users are gone')
            },
            onError,
          },
          door,
        )
        expect((await fetch(`${url}/tools`)).status).toBe(500)
        expect((await fetch(`${url}/tools`)).status).toBe(500)
      }
      expect(console.mock.calls.map(([said]) => said)).toEqual(Array(4).fill('callsheet: `onError` threw.'))
      console.mockRestore()
    },
  )

  test('a fault in the middle of a stream is told of, as one of any other answer', async () => {
    const faults: unknown[] = []
    const store = { ...memoryStore(), claim: () => Promise.reject(new Error('the store is down')) }
    const { url, deeds } = await serveWorkshop({ store, onError: (error) => faults.push(error) })
    const response = await fetch(
      jsonRequest(
        `${url}/calls`,
        { call: { _tool: 'pay', amount: 5 }, id: 'order-1' },
        { headers: { accept: 'text/event-stream' } },
      ),
    )
    expect(await response.text()).toMatch(/^event: problem\ndata: .*"code":"internal"/)
    expect(faults).toEqual([new Error('the store is down')])
    expect(deeds.paid).toBe(0)
  })
})
