import { type ToolServerOptions, toolServer } from 'callsheet/server'
import { describe, expect, test, vi } from 'vitest'
import { jsonRequest, workshop } from './serving.ts'

describe('SERVE-6 who asks decides which Tools there are', () => {
  test('nothing else decides it: a principal among the options of Calls is refused', () => {
    const run = { principal: { id: 'anna' } }
    expect(() => toolServer(workshop().Tool, { run: run as object })).toThrow(/principal/)
  })

  test('an `enabled` that throws is logged once, and not for each request', async () => {
    const { Tool } = workshop()
    const schema = { type: 'object', properties: { _output: { type: 'string' } } }
    let failure = 'the database is down'
    for (const name of ['broken', 'dead']) {
      Tool.register(name, schema, {
        enabled: () => {
          throw new Error(failure)
        },
      })
    }
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const server = toolServer(Tool)
    const list = () => server(new Request('http://localhost/tools'))
    for (let time = 0; time < 5; time++) await list()
    expect(logged.mock.calls.map(([said]) => said)).toEqual([
      'callsheet: Tool "broken" is off, since its `enabled` failed.',
      'callsheet: Tool "dead" is off, since its `enabled` failed.',
    ])
    failure = 'the disk is full'
    await list()
    expect(logged).toHaveBeenCalledTimes(4)
    // Errors that differ each time are told in a line each, after the first hundred.
    for (let time = 0; time < 60; time++) {
      failure = `request ${time} failed`
      await list()
    }
    expect(logged.mock.calls.filter(([, error]) => error !== undefined)).toHaveLength(100)
    expect(logged.mock.lastCall).toEqual([expect.stringMatching(/"dead" is off.*request 59 failed$/)])
    logged.mockRestore()
    await server.close()
  })

  test('a Tool that is not there answers as one that nobody has registered, whichever way it is asked for', async () => {
    const { Tool, Activity } = workshop()
    const isFor = (_: unknown, principal: unknown): boolean => (principal as { id: string }).id === 'anna'
    const schema = { type: 'object', properties: { _output: { type: 'string' } }, effects: 'write' }
    Tool.register('hidden', schema, { enabled: isFor })
    Tool.register('broken', schema, {
      enabled: () => {
        throw new Error('the database is down')
      },
    })
    const failures: unknown[] = []
    Tool.on('listener:error', (told) => failures.push(told))
    for (const name of ['hidden', 'broken']) Activity.register(name, () => 'told')
    const server = toolServer(Tool, { authorize: () => ({ id: 'berta' }) })
    const answerOf = async (path: string, body: object, headers: Record<string, string> = {}) => {
      const response = await server(jsonRequest(`http://localhost${path}`, body, { headers }))
      const text = await response.text()
      const plain = text
        .replaceAll(/"id":"[^"]*"|"\w+edAt":\d+/g, '')
        .replaceAll(/hidden|broken|absent/g, 'name')
      return [response.status, plain]
    }
    const ways = (name: string) => [
      answerOf('/calls', { _tool: name }),
      answerOf('/calls', { _tool: name }, { 'callsheet-contract': `${name}=0` }),
      answerOf('/calls', { call: { _tool: name }, id: name }),
      answerOf(`/tools/${name}`, {}),
      ...['each', 'all', 'any', 'race'].map((strategy) =>
        answerOf('/calls', { calls: [{ _tool: name }], strategy }),
      ),
    ]
    const absent = await Promise.all(ways('absent'))
    expect(absent.map(([, text]) => text)).toEqual(Array(8).fill(expect.stringContaining('unknown_tool')))
    for (const name of ['hidden', 'broken']) expect(await Promise.all(ways(name))).toEqual(absent)
    expect(failures).toContainEqual({ event: 'enabled', error: expect.anything() })
  })

  test('what is wrong with a Tool is told without the names of Activities that nobody is offered', async () => {
    const { Tool, Activity } = workshop()
    const properties = { _output: { type: 'string' } }
    Tool.register('guessed', { properties })
    Tool.register('written', { properties, effects: 'write' })
    Tool.register('silent', { properties: {} })
    Tool.register('named', { properties: { ...properties, _activity: { const: 'chargeCards' } } })
    Activity.register('chargeCard', () => 'charged')
    const run = { missingActivity: 'error' } as const
    const server = toolServer(Tool, { authorize: () => ({ id: 'berta' }), run })
    for (const _tool of ['guessed', 'written', 'silent', 'named']) {
      const answer = await server(jsonRequest('http://localhost/calls', { _tool }))
      const { error } = (await answer.json()) as { error: { message: string } }
      expect(error.message).not.toMatch(/"chargeCard"/)
      expect((await Tool.run({ _tool }, run)).error?.message).toMatch(/"chargeCard"/)
    }
  })

  test('no cache keeps what one of them was told', async () => {
    const { Tool } = workshop()
    const cacheControl = async (path: string, options: ToolServerOptions): Promise<string | null> => {
      const response = await toolServer(Tool, options)(new Request(`http://localhost${path}`))
      return response.headers.get('cache-control')
    }
    for (const path of ['/tools', '/openapi.json', '/health', '/nothing']) {
      expect(await cacheControl(path, { authorize: () => ({ id: 'anna' }) })).toBe('private, no-store')
      expect(await cacheControl(path, { authorize: () => undefined })).toBe('private, no-store')
      expect(await cacheControl(path, {})).toBe(null)
    }
  })

  test('`enabled` is asked with the principal: in lists, when a Call runs, over every way in', async () => {
    const { Tool, Activity } = workshop()
    Tool.register(
      'secret',
      { type: 'object', properties: { _output: { type: 'string' } }, effects: 'read' },
      { enabled: (_context, principal) => (principal as { id?: string } | undefined)?.id === 'anna' },
    )
    Activity.register('secret', async () => 'told')
    const server = toolServer(Tool, {
      authorize: (request) => ({ id: request.headers.get('authorization') ?? 'nobody' }),
    })
    const ask = async (path: string, authorization: string, body?: unknown): Promise<Response> => {
      const url = `http://localhost${path}`
      const headers = { authorization }
      return server(body === undefined ? new Request(url, { headers }) : jsonRequest(url, body, { headers }))
    }
    expect(await (await ask('/tools', 'anna')).text()).toContain('secret')
    expect(await (await ask('/tools', 'berta')).text()).not.toContain('secret')
    expect(await (await ask('/openapi.json', 'berta')).text()).not.toContain('secret')
    expect(await (await ask('/tools/secret', 'anna', {})).json()).toBe('told')
    expect((await ask('/tools/secret', 'berta', {})).status).toBe(404)
    expect(await (await ask('/calls', 'berta', { _tool: 'secret' })).json()).toMatchObject({
      error: { code: 'unknown_tool' },
    })
    expect(
      await (await ask('/calls', 'berta', { calls: [{ _tool: 'secret' }], strategy: 'all' })).json(),
    ).toMatchObject({
      error: { code: 'unknown_tool' },
    })
    await server.close()
  })
})
