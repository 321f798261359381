import { createServer, request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { createRegistry } from 'callsheet'
import { memoryStore, type ToolServerOptions, toolServer } from 'callsheet/server'
import { describe, expect, test, vi } from 'vitest'
import { doors, post, schemas, serve, serveWorkshop, until, workshop } from './serving.ts'

const add = (left: unknown, right: unknown) => ({ _tool: 'add', left, right })

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
    const { headers, body } = await fetch(`${url}/calls`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ _tool: 'add', left: 1, right: 2 }),
    })
    await body?.cancel()
    expect([headers.get('cache-control'), headers.get('x-accel-buffering')]).toEqual([
      'no-store, no-transform',
      'no',
    ])
  })

  test('events as they come', async () => {
    const { url } = await serveWorkshop()
    const response = await fetch(`${url}/calls`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ calls: [{ _tool: 'wait', time: 20 }, add(1, 1)] }),
    })
    const text = await response.text()
    const events = [...text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name)
    expect(events).toContain('progress')
    expect(events.filter((name) => name === 'outcome')).toHaveLength(2)
    expect(events.at(-1)).toBe('result')
  })

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
    const response = await fetch(`${url}/calls`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify(add(1, 1)),
    })
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
      // What refers to a place inside keeps them all: only names of definitions are followed.
      [['Money'], ['Line', 'Money', 'Order']],
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
    const [response] = [await post(`${url}/tools/ad`, {})]
    expect(response.headers.get('content-type')).toBe('application/problem+json')
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

describe('SERVE-6 what is refused', () => {
  test.each([
    ['no JSON', '{', {}, 400, 'bad_request'],
    ['another type', '{}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
    ['a list', '[]', {}, 400, 'bad_request'],
    ['nothing asked', '{}', {}, 400, 'bad_request'],
    ['an unknown field', '{"call":{"_tool":"add"},"stratgy":"all"}', {}, 400, 'bad_request'],
    ['an unknown strategy', '{"calls":[],"strategy":"most"}', {}, 400, 'bad_request'],
    ['nested too deep', `{"call":${'['.repeat(100)}${']'.repeat(100)}}`, {}, 400, 'bad_request'],
    ['too large', `{"call":"${'x'.repeat(2_000_000)}"}`, {}, 413, 'too_large'],
    [
      'too many Calls',
      JSON.stringify({ calls: Array.from({ length: 101 }, () => add(1, 1)) }),
      {},
      413,
      'too_large',
    ],
    ['an origin of elsewhere', '{}', { origin: 'https://evil.example' }, 403, 'forbidden_origin'],
    ['an origin that is none', '{}', { origin: 'null' }, 403, 'forbidden_origin'],
  ])('%s', async (_, body, headers, status, code) => {
    const { url } = await serveWorkshop()
    const got = await post(`${url}/calls`, body, headers as unknown as Record<string, string>)
    expect(got).toMatchObject({ status, body: { status, code, detail: expect.any(String) } })
  })

  test.each([
    ['application/json; charset=utf-8', 200],
    ['application/json;charset="UTF-8"', 200],
    ['Application/JSON', 200],
    ['application/vnd.api+json', 200],
    ['application/json; charset=latin1', 415],
    ['application/jsonx', 415],
    ['text/json', 415],
    ['text/plain; x=application/json', 415],
  ])('JSON is what says that it is: %s is %d', async (type, status) => {
    const { url } = await serveWorkshop()
    const got = await post(`${url}/calls`, { call: add(1, 2) }, { 'content-type': type })
    expect(got.status).toBe(status)
  })

  test('a body may be as deep as the limit, and no deeper', async () => {
    const { url } = await serveWorkshop({ limits: { bodyDepth: 3 } })
    const ask = (folder: unknown) => post(`${url}/tools/Files.tree`, { folder })
    // The body is one level, and the folder another.
    expect(await ask({ name: 'a', folders: [] })).toMatchObject({ status: 200 })
    expect(await ask({ name: 'a', folders: [{ name: 'b' }] })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('deeper than 3 levels') },
    })
  })

  test('every problem of a body at once', async () => {
    const { url } = await serveWorkshop()
    const { body } = await post(`${url}/calls`, {
      calls: [5, { call: 7, id: '' }],
      context: {},
      references: 'no',
    })
    expect(body.problems.map(({ path }: { path: string }) => path).sort()).toEqual([
      '/calls/0',
      '/calls/1/call',
      '/calls/1/id',
      '/context',
      '/references',
    ])
  })

  test.each<[string, unknown, string[], Record<string, string>?]>([
    ['nothing', null, ['']],
    ['a number', 5, ['']],
    ['a Call and Calls', { call: add(1, 2), calls: [add(1, 2)] }, ['']],
    ['a Call that is none', { call: 5 }, ['/call', '/calls/0/call']],
    ['Calls that are no list', { calls: add(1, 2) }, ['/calls', '/calls/0/call']],
    ['one id for a group', { calls: [add(1, 2)], id: 'a' }, ['/id']],
    ['one key for a group', { calls: [add(1, 2)] }, ['/id'], { 'idempotency-key': 'a' }],
    ['an id that says nothing', { call: add(1, 2), id: '' }, ['/calls/0/id', '/id']],
  ])('a body that asks for %s', async (_what, asked, paths, headers = {}) => {
    const { url, deeds } = await serveWorkshop()
    const { status, body } = await post(`${url}/calls`, JSON.stringify(asked), headers)
    expect([status, body.code]).toEqual([400, 'bad_request'])
    expect(body.problems.map(({ path }: { path: string }) => path).sort()).toEqual(paths)
    expect(deeds.started).toBe(0)
  })

  test('REF-1 a Reference in a Call alone is one, though nothing is there', async () => {
    const { url } = await serveWorkshop()
    const { body } = await post(`${url}/calls`, { _tool: 'Files.tree', folder: { name: '†state.secret' } })
    expect(body).toMatchObject({ id: expect.any(String), error: { code: 'unresolved_reference' } })
  })

  test('a Tool that a client brings along is not one of the server: no model answers for it', async () => {
    const { Tool } = workshop()
    let asked = 0
    const answer = async () => {
      asked += 1
      return 'the model says so'
    }
    const { url } = await serve(Tool, { run: { model: { answer } } })
    const tool = {
      type: 'object',
      properties: { _tool: { const: 'mine' }, _output: { type: 'string' } },
      required: ['_tool'],
    }
    const context = [
      { type: 'text', text: 'Say so.' },
      { type: 'tool', tool },
    ]
    for (const request of [{ call: { _tool: 'mine' } }, { calls: [{ _tool: 'mine' }], strategy: 'all' }]) {
      expect(await post(`${url}/calls`, { ...request, context })).toMatchObject({
        status: 400,
        body: { code: 'bad_request', problems: [{ path: '/context/1' }] },
      })
    }
    expect(asked).toBe(0)
  })

  test.each(['evil.example', 'localhost.evil.example', '10.0.0.1'])('the host %j', async (host) => {
    const { url } = await serveWorkshop()
    const status = await new Promise((resolve, reject) => {
      const sent = httpRequest(`${url}/tools`, { headers: { host } }, (response) =>
        resolve(response.statusCode),
      )
      sent.on('error', reject).end()
    })
    expect(status).toBe(403)
  })

  test.each([
    ['GET', '/nowhere', 404],
    ['GET', '/tools/add/more', 404],
    ['GET', '/constructor', 404],
    ['GET', '/__proto__', 404],
    ['POST', '/tools', 405],
    ['GET', '/calls', 405],
    ['GET', '/tools/%E0%A4%A', 405],
    ['POST', '/tools/..%2f..%2fetc', 400],
  ])('%s %s', async (method, path, status) => {
    const { url } = await serveWorkshop()
    const response = await fetch(`${url}${path}`, {
      method,
      ...(method === 'POST' && { body: 'x', headers: { 'content-type': 'application/json' } }),
    })
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
  })

  test.each([
    ['/weather', '/tools/add', 'This server is at /weather, got /tools/add.'],
    ['', '/weather/tools/add', 'A server that is mounted at /weather is told so by its option basePath.'],
    ['', '/a/b/calls', 'A server that is mounted at /a/b is told so'],
    ['', '/weather/nowhere', 'GET /openapi.json says what there is.'],
    ['/weather', '/weather/nowhere', 'GET /weather/openapi.json says what there is.'],
  ])('at %j, %s: the answer says what to do about basePath', async (basePath, path, said) => {
    const server = toolServer(workshop().Tool, { basePath })
    const response = await server(new Request(`http://localhost${path}`, { method: 'POST', body: '{}' }))
    expect(response.status).toBe(404)
    expect(((await response.json()) as { detail: string }).detail).toContain(said)
    await server.close()
  })

  test('a body that a parser read before an adapter for Node could is told of as what it is', async () => {
    const faults: unknown[] = []
    const tools = toolServer(workshop().Tool, { onError: (error) => faults.push((error as Error).message) })
    const answer = getRequestListener(tools.fetch)
    const server = createServer(async (request, response) => {
      for await (const _chunk of request);
      await answer(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { status, body } = await post(`http://127.0.0.1:${port}/tools/add`, { left: 1, right: 2 })
    server.close()
    await tools.close()
    expect(status).toBe(500)
    expect(body.detail).toContain('Put the server before body parsers')
    expect(faults).toEqual([body.detail])
  })

  test('a name that is no UTF-8 is no fault of ours', async () => {
    const { url } = await serveWorkshop()
    expect((await post(`${url}/tools/%E0%A4%A`, {})).status).toBe(400)
  })

  test.each([
    ['hosts', 'tools.example:443'],
    ['hosts', 'https://tools.example'],
    ['hosts', 'tools.example/'],
    ['hosts', '*.tools.example'],
    ['hosts', ''],
    ['origins', 'https://app.example/'],
    ['origins', 'https://app.example:443'],
    ['origins', 'https://App.example'],
    ['origins', 'https://*.app.example'],
    ['origins', 'app.example'],
    ['origins', '*'],
    ['basePath', '/Werkzeuge für alle'],
    ['basePath', '/tools?all'],
    ['basePath', '/a/../b'],
  ])('%s with %j, which no request would ever match, is refused when the server is made', (option, value) => {
    const given = { authorize: () => undefined, [option]: option === 'basePath' ? value : [value] }
    expect(() => toolServer(workshop().Tool, given)).toThrow(`/${option}: expected`)
  })

  test.each([
    ['Tools.Example', 'tools.example:8080'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['fe80::1', '[fe80::1]:3000'],
    ['[FE80::1]', '[fe80::1]'],
    ['10.0.0.7', '10.0.0.7'],
  ])('the host %j answers as %s', async (host, header) => {
    const server = toolServer(workshop().Tool, { hosts: [host], authorize: () => ({ id: 'anna' }) })
    const asked = new Request('http://adapter.made/health', { headers: { host: header } })
    expect((await server(asked)).status).toBe(200)
    await server.close()
  })

  test.each(['https://app.example', 'http://app.example:8080', 'tauri://localhost', 'null'])(
    'pages of the origin %j may call where it is listed',
    async (origin) => {
      const server = toolServer(workshop().Tool, { origins: [origin] })
      const { status, headers } = await server(
        new Request('http://localhost/health', { headers: { origin } }),
      )
      expect([status, headers.get('access-control-allow-origin')]).toEqual([200, origin])
      await server.close()
    },
  )

  test.each([
    ['x-api-key', 'x-api-key'],
    ['content-type,mcp-session-id, last-event-id', 'content-type,mcp-session-id, last-event-id'],
    ['x:*', 'content-type'],
  ])('a page that may call may send the headers %j', async (asked, allowed) => {
    const server = toolServer(workshop().Tool, { origins: ['https://app.example'] })
    const { status, headers } = await server(
      new Request('http://localhost/tools/add', {
        method: 'OPTIONS',
        headers: { origin: 'https://app.example', 'access-control-request-headers': asked },
      }),
    )
    expect([status, headers.get('access-control-allow-headers')]).toEqual([204, allowed])
    await server.close()
  })

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
    const response = await fetch(`${url}/calls`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ call: { _tool: 'pay', amount: 5 }, id: 'order-1' }),
    })
    expect(await response.text()).toMatch(/^event: problem\ndata: .*"code":"internal"/)
    expect(faults).toEqual([new Error('the store is down')])
    expect(deeds.paid).toBe(0)
  })

  test('what is more than the limits is 429, and nothing is lost', async () => {
    const { url, deeds } = await serveWorkshop({ limits: { concurrency: 2, queue: 2, drainTime: 500 } })
    const wait = () => post(`${url}/calls`, { _tool: 'wait', time: 1_000 })
    const running = [wait(), wait()]
    await until(() => deeds.started === 2)
    const answers = await Promise.all([...running, ...Array.from({ length: 6 }, wait)])
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429, 429, 429])
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('1')
    expect(deeds.started).toBe(4)
  })

  test('groups count as many Calls as they run: no more run at a time, and all get their turn', async () => {
    const { url, Activity } = await serveWorkshop({ limits: { concurrency: 3, drainTime: 500 } })
    let running = 0
    let most = 0
    Activity.register(
      'wait',
      async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 20))
        running--
        return 'done'
      },
      { replace: true },
    )
    const wait = { _tool: 'wait' }
    const asked = Array.from({ length: 4 }, () => [
      post(`${url}/calls`, { strategy: 'all', calls: [wait, wait, wait, wait, wait] }),
      post(`${url}/calls`, { strategy: 'all', calls: [wait, wait] }),
      post(`${url}/calls`, wait),
    ])
    const answers = await Promise.all(asked.flat())
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(most).toBe(3)
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'ok', running: 0, waiting: 0 })
  })

  test('CALL-7 and no more than their registry lets, whose listener is told of each', async () => {
    const told: unknown[] = []
    const { Tool, Activity } = createRegistry({
      tools: { add: schemas.add },
      concurrency: 1,
      onOutcome: ({ output }, place) => told.push([place, output]),
    })
    let running = 0
    Activity.register('add', async () => {
      const most = ++running
      await new Promise((resolve) => setTimeout(resolve, 1))
      running--
      return most
    })
    const { url } = await serve(Tool)
    const { body } = await post(`${url}/calls`, { strategy: 'all', calls: [add(1, 2), add(1, 2)] })
    expect(body.outcomes).toMatchObject([{ output: 1 }, { output: 1 }])
    expect(told).toEqual([
      [0, 1],
      [1, 1],
    ])
  })

  test('a Call that takes too long is a timeout', async () => {
    const { url, deeds } = await serveWorkshop({ limits: { callTime: 50, drainTime: 500 } })
    const { body } = await post(`${url}/calls`, { _tool: 'wait', time: 60_000 })
    expect(body).toMatchObject({ status: 'failed', error: { code: 'timeout' } })
    expect(deeds.aborted).toBe(1)
  })

  test('a body that does not come is refused, and its place is free again', async () => {
    const { url } = await serveWorkshop({ limits: { bodyTime: 100, drainTime: 500 } })
    const { port } = new URL(url)
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write(
          `POST /calls HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"call"`,
        ),
      )
      socket.once('data', (data) => {
        resolve(String(data))
        socket.destroy()
      })
      socket.once('error', reject)
    })
    expect(answer).toContain('400 Bad Request')
    expect((await post(`${url}/calls`, add(1, 2))).body.output).toBe(3)
  })

  test.each([
    [{ concurency: 1 }, 'Did you mean "concurrency"?'],
    [{ queue: -1 }, 'positive whole number'],
    [{ bodyBytes: '1' }, 'positive whole number'],
  ])('limits that are none: %j', (limits, text) => {
    expect(() => toolServer(workshop().Tool, { limits: limits as object })).toThrow(text)
  })
})

describe('SERVE-5, SERVE-6 clients that leave, servers that close', () => {
  test('a client that goes away aborts its Call, unless the Tool writes', async () => {
    const { url, deeds } = await serveWorkshop()
    const leave = async (call: object): Promise<void> => {
      const controller = new AbortController()
      const gone = fetch(`${url}/calls`, {
        method: 'POST',
        signal: controller.signal,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(call),
      }).catch(() => undefined)
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
    const { url, deeds } = await serveWorkshop({ limits: { concurrency: 1, drainTime: 500 } })
    const running = post(`${url}/calls`, { _tool: 'wait', time: 300 })
    await until(() => deeds.started === 1)
    const leaving = new AbortController()
    const waiting = fetch(`${url}/calls`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ _tool: 'pay', amount: 5 }),
      signal: leaving.signal,
    }).catch(() => 'gone')
    const health = async (): Promise<unknown> => (await fetch(`${url}/health`)).json()
    await expect.poll(health).toMatchObject({ running: 1, waiting: 1 })
    leaving.abort()
    expect(await waiting).toBe('gone')
    expect((await running).status).toBe(200)
    expect((await post(`${url}/calls`, add(1, 2))).body.output).toBe(3)
    expect(deeds).toMatchObject({ started: 1, paid: 0 })
  })

  test('closing refuses what waits for its turn, all of it, and none of it begins', async () => {
    const { Tool, deeds } = workshop()
    const server = toolServer(Tool, { limits: { concurrency: 1, queue: 3, drainTime: 30_000 } })
    const ask = (call: object) =>
      server(
        new Request('http://localhost/calls', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(call),
        }),
      )
    const running = ask({ _tool: 'wait', time: 200 })
    await until(() => deeds.started === 1)
    const waiting = [1, 2, 3].map((amount) => ask({ _tool: 'pay', amount }))
    const health = async () => (await (await server(new Request('http://localhost/health'))).json()) as object
    await expect.poll(health).toMatchObject({ running: 1, waiting: 3 })
    const closed = server.close()
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([503, 503, 503])
    expect((await running).status).toBe(200)
    await closed
    expect([deeds.started, deeds.paid]).toEqual([1, 0])
  })

  test('closing waits for what runs, and takes no more', async () => {
    const { url, server, deeds } = await serveWorkshop({}, 'an adapter')
    const running = post(`${url}/calls`, { _tool: 'wait', time: 100 })
    await until(() => deeds.started === 1)
    const closed = server.close()
    expect(await post(`${url}/calls`, add(1, 2))).toMatchObject({ status: 503, body: { code: 'closing' } })
    expect((await running).body.output).toBe('done')
    await closed
  })
})

describe('SERVE-6 who asks decides which Tools there are', () => {
  test('and nothing else does: a principal among the options of Calls is refused', () => {
    const run = { principal: { id: 'anna' } }
    expect(() => toolServer(workshop().Tool, { run: run as object })).toThrow(/principal/)
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
      const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }
      const response = await server(
        new Request(`http://localhost${path}`, { ...init, body: JSON.stringify(body) }),
      )
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
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ _tool })
      const answer = await server(new Request('http://localhost/calls', { method: 'POST', headers, body }))
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
    const ask = async (path: string, authorization: string, body?: unknown): Promise<Response> =>
      server(
        new Request(`http://localhost${path}`, {
          headers: { authorization, 'content-type': 'application/json' },
          ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        }),
      )
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
