import { createRegistry } from 'callsheet'
import { memoryStore, type ToolServerOptions, toolServer } from 'callsheet/server'
import { describe, expect, test, vi } from 'vitest'
import { add, post, schemas, send, serve, serveWorkshop, workshop } from './serving.ts'

describe('SERVE-3 HTTP', () => {
  test('a server is made where nothing may be aborted, timed or drawn by lot, as in the global scope of a worker', async () => {
    const { Tool } = workshop()
    const forbidden = () => {
      throw new Error('Disallowed operation called within global scope.')
    }
    vi.stubGlobal('AbortController', forbidden)
    vi.stubGlobal('setTimeout', forbidden)
    vi.stubGlobal('setInterval', forbidden)
    vi.stubGlobal('crypto', { randomUUID: forbidden, getRandomValues: forbidden })
    let server: ReturnType<typeof toolServer>
    try {
      server = toolServer(Tool, { store: memoryStore({ keeps: 1000 }), limits: { concurrency: 2 } })
    } finally {
      vi.unstubAllGlobals()
    }
    expect((await server.fetch(new Request('http://localhost/health'))).status).toBe(200)
    await server.close()
  })

  test('a Call gives its Outcome; a failed one too, without stack and cause', async () => {
    const { url } = await serveWorkshop()
    expect(await post(`${url}/calls`, add(1, 2))).toMatchObject({
      status: 200,
      body: { tool: 'add', status: 'succeeded', output: 3 },
    })
    const invalid = await post(`${url}/calls`, add('x', null))
    expect(invalid).toMatchObject({
      status: 200,
      body: { status: 'failed', error: { code: 'invalid_call' } },
    })
    expect(invalid.body.error.problems).toHaveLength(2)
    const failed = await post(`${url}/calls`, { _tool: 'fail' })
    expect(failed.body.error).toMatchObject({ code: 'activity_failed' })
    expect(JSON.stringify(failed.body)).not.toMatch(/secret|stack|\.ts:/)
  })

  test.each([
    ['/health', 200],
    ['/tools', 200],
    ['/openapi.json', 200],
    ['/calls', 405],
    ['/nowhere', 404],
  ])('HEAD %s is the head of what GET gives', async (path, status) => {
    const { url } = await serveWorkshop()
    const asked = await fetch(`${url}${path}`, { method: 'HEAD' })
    expect(asked.status).toBe(status)
    expect(await asked.text()).toBe('')
    const { Tool } = workshop()
    const server = toolServer(Tool)
    const answered = await server(new Request(`http://localhost${path}`, { method: 'HEAD' }))
    expect([answered.status, answered.body]).toEqual([status, null])
    await server.close()
  })

  test('a group: each for itself, or as all, any and race; outcomes in the order of the Calls', async () => {
    const { url } = await serveWorkshop()
    const calls = [add(1, 2), add('x', 2), add(3, 4)]
    const each = await post(`${url}/calls`, { calls })
    expect(each.body.outcomes.map(({ status }: { status: string }) => status)).toEqual([
      'succeeded',
      'failed',
      'succeeded',
    ])
    const all = await post(`${url}/calls`, { calls: [add(1, 2), add(3, 4)], strategy: 'all' })
    expect(all.body).toMatchObject({ strategy: 'all', outcomes: [{ output: 3 }, { output: 7 }] })
    const refused = await post(`${url}/calls`, { calls, strategy: 'all' })
    expect(refused.body).toMatchObject({ error: { code: 'invalid_call' } })
    const race = await post(`${url}/calls`, {
      calls: [{ _tool: 'pay', amount: 1 }, add(1, 2)],
      strategy: 'race',
    })
    expect(race.body).toMatchObject({ error: { code: 'unsafe_strategy' }, outcomes: [] })
    const none = await post(`${url}/calls`, { calls: [], strategy: 'any' })
    expect(none.body).toMatchObject({ error: { message: 'None of 0 Calls succeeded.' }, outcomes: [] })
  })

  test.each([
    ['before', { before: (call) => ({ ...call, left: Number(call.left) + 10 }) }, [13, 17]],
    ['confirm', { confirm: (call) => ({ replace: { ...call, left: Number(call.left) + 10 } }) }, [13, 17]],
    ['after', { after: (outcome) => ({ ...outcome, call: { _tool: 'add' } }) }, [3, 7]],
  ] satisfies [string, ToolServerOptions['run'], number[]][])(
    'a group keeps each Outcome in its place, whatever `%s` does to its Call',
    async (_, run, outputs) => {
      const { url } = await serveWorkshop({ run })
      const { body } = await post(`${url}/calls`, { calls: [add(1, 2), add(3, 4)], strategy: 'all' })
      expect(body.outcomes.map(({ output }: { output: unknown }) => output)).toEqual(outputs)
    },
  )

  test('CALL-7 the time that the registry gives a Call is no longer for being served', async () => {
    const { Tool, Activity } = createRegistry({ tools: { add: schemas.add }, timeout: 20 })
    Activity.register('add', () => new Promise(() => {}))
    const { url } = await serve(Tool)
    for (const strategy of ['each', 'all']) {
      const { body } = await post(`${url}/calls`, { calls: [add(1, 2)], strategy })
      expect(body.outcomes).toMatchObject([{ error: { code: 'timeout' } }])
    }
  })

  test('CALL-10 what the registry does after each Call it does after those of a group as well', async () => {
    const { Tool, Activity } = createRegistry({
      tools: { add: schemas.add },
      after: (outcome) => ({ ...outcome, output: 'hidden' }),
    })
    Activity.register('add', ({ left, right }) => left + right)
    const { url } = await serve(Tool)
    for (const strategy of ['each', 'all', 'any', 'race']) {
      const { body } = await post(`${url}/calls`, { calls: [add(1, 2)], strategy })
      expect(body.outcomes).toMatchObject([{ output: 'hidden' }])
    }
  })

  test('events are not to be held back by what compresses or buffers them', async () => {
    const { url } = await serveWorkshop()
    const { headers, body } = await send(
      `${url}/calls`,
      { _tool: 'add', left: 1, right: 2 },
      { headers: { accept: 'text/event-stream' } },
    )
    await body?.cancel()
    expect([headers.get('cache-control'), headers.get('x-accel-buffering')]).toEqual([
      'no-store, no-transform',
      'no',
    ])
  })

  test.each(['each', 'all', 'any', 'race'])(
    'SERVE-3 events as they come, of a group with the strategy %s',
    async (strategy) => {
      const before = vi.fn(() => undefined)
      const { Tool, Activity } = createRegistry({ tools: schemas, before })
      Activity.register('wait', (_call, _tool, _context, run) => {
        run.emit({ step: 1 })
        return 'done'
      })
      const { url } = await serve(Tool)
      const calls = [{ _tool: 'wait' }, { _tool: 'wait' }]
      const headers = { accept: 'text/event-stream' }
      const response = await send(`${url}/calls`, { calls, strategy }, { headers })
      const text = await response.text()
      const events = [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(
        ([, name, data = '']): [string | undefined, { id: string }] => [name, JSON.parse(data)],
      )
      const idsOf = (kind: string): string[] =>
        events.flatMap(([name, { id }]) => (name === kind ? id : [])).sort()
      expect(idsOf('outcome')).toHaveLength(2)
      expect(idsOf('progress')).toEqual(idsOf('outcome'))
      expect(events.at(-1)?.[0]).toBe('result')
      expect(before).toHaveBeenCalledTimes(2)
    },
  )

  test.each([
    ['text/event-stream', true],
    ['Text/Event-Stream; q=0.5', true],
    ['application/json, text/event-stream', true],
    ['application/json;q=0.2, text/event-stream;q=0.3', true],
    ['text/event-stream;q=0', false],
    ['text/event-stream;q=0, application/json', false],
    ['application/json, text/event-stream; q=0.000', false],
    ['application/json, text/event-stream;q=0.9', false],
    ['text/event-streams', false],
    ['*/*', false],
  ])('`accept: %s` is answered with events: %s', async (accept, isStream) => {
    const { url } = await serveWorkshop()
    const response = await send(`${url}/calls`, add(1, 1), { headers: { accept } })
    expect(response.headers.get('content-type')).toBe(isStream ? 'text/event-stream' : 'application/json')
    await response.text()
  })

  test('GET /tools lists what there is, with contracts; the order is the same each time', async () => {
    const { url } = await serveWorkshop()
    const listed = await (await fetch(`${url}/tools`)).json()
    expect(listed).toMatchObject({ contract: expect.stringMatching(/^[\da-f]{16}$/) })
    expect((listed as { tools: { name: string }[] }).tools.map(({ name }) => name)).toEqual([
      'Files.tree',
      'add',
      'fail',
      'pay',
      'wait',
    ])
    expect(JSON.stringify(listed)).not.toContain('"_tool"')
  })

  test('GET /tools gives each half of a Tool the definitions that it needs, and those alone', async () => {
    const definitions = {
      Line: { type: 'object', properties: { price: { $ref: '#/$defs/Money' } } },
      Money: { type: 'number' },
      Order: { type: 'object', properties: { lines: { type: 'array', items: { $ref: '#/$defs/Line' } } } },
    }
    const schema = (name: string, order: object) => ({
      type: 'object' as const,
      properties: { _tool: { const: name }, limit: { $ref: '#/$defs/Money' }, _output: order },
      $defs: definitions,
    })
    const { Tool } = createRegistry({
      tools: {
        find: schema('find', { type: 'array', items: { $ref: '#/$defs/Order' } }),
        odd: schema('odd', { $ref: '#/$defs/Order/properties/lines' }),
      },
    })
    const { url } = await serve(Tool)
    const { tools } = (await (await fetch(`${url}/tools`)).json()) as {
      tools: { inputSchema: { $defs: object }; outputSchema: { $defs: object } }[]
    }
    expect(
      tools.map(({ inputSchema, outputSchema }) => [inputSchema.$defs, outputSchema.$defs].map(Object.keys)),
    ).toEqual([
      [['Money'], ['Line', 'Money', 'Order']],
      // A reference to a place inside a definition was replaced by what is there.
      [['Money'], ['Line', 'Money']],
    ])
  })

  test('POST /tools/{name} takes parameters and gives the output, or a problem', async () => {
    const { url } = await serveWorkshop()
    expect(await post(`${url}/tools/add`, { left: 2, right: 3 })).toMatchObject({ status: 200, body: 5 })
    expect(await post(`${url}/tools/add`, { left: 2 })).toMatchObject({
      status: 422,
      body: {
        type: 'urn:callsheet:invalid_call',
        title: 'Invalid call',
        status: 422,
        code: 'invalid_call',
        problems: [{ path: '/right' }],
      },
    })
    expect(await post(`${url}/tools/ad`, {})).toMatchObject({
      status: 404,
      body: { code: 'unknown_tool', suggestions: ['add'] },
    })
    const parameters = { left: 2, right: 3 }
    expect((await post(`${url}/tools/add`, { _tool: 'add', ...parameters })).status).toBe(200)
    expect(await post(`${url}/tools/add`, { _tool: 'fail', ...parameters })).toMatchObject({
      status: 400,
      body: { code: 'bad_request', detail: expect.stringContaining('names the Tool "fail"') },
    })
    expect((await post(`${url}/tools/fail`, {})).status).toBe(502)
    const { headers } = await post(`${url}/tools/ad`, {})
    expect(headers.get('content-type')).toBe('application/problem+json')
  })

  test('health says how much is going on', async () => {
    const { url } = await serveWorkshop()
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'ok', running: 0, waiting: 0 })
  })

  test('text that looks like a Reference is text in parameters by name', async () => {
    const { url } = await serveWorkshop()
    const tree = { name: '†state.secret' }
    expect(await post(`${url}/tools/Files.tree`, { folder: tree })).toMatchObject({ status: 200, body: tree })
  })
})
