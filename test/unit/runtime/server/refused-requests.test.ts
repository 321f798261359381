import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { toolServer } from 'callsheet/server'
import { describe, expect, test } from 'vitest'
import { add, post, serve, serveWorkshop, workshop } from './serving.ts'

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

  test.each([
    ['a misspelt id of one in a group', { calls: [{ call: add(1, 2), idd: 'k' }] }, ['/calls/0/idd']],
    [
      'references of one in a group',
      { calls: [{ call: add(1, 2), references: false }] },
      ['/calls/0/references'],
    ],
    ['a strategy of one Call', { call: add(1, 2), strategy: 'all' }, ['/strategy']],
    ['an id that is none', { call: add(1, 2), id: 5 }, ['/id']],
    ['calls that are no list', { calls: 5 }, ['/calls']],
    ['a Call that is none', { call: 5 }, ['/call']],
  ])('%s, at its place', async (_, body, paths) => {
    const { url } = await serveWorkshop()
    const got = await post(`${url}/calls`, body)
    expect(got).toMatchObject({ status: 400, body: { problems: paths.map((path) => ({ path })) } })
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
    ['a Call that is none', { call: 5 }, ['/call']],
    ['Calls that are no list', { calls: add(1, 2) }, ['/calls']],
    [
      'what is misspelt, by a strategy that is none',
      { call: add(1, 2), cal: 1, strategy: 'some' },
      ['/cal', '/strategy'],
    ],
    ['one id for a group', { calls: [add(1, 2)], id: 'a' }, ['/id']],
    ['one key for a group', { calls: [add(1, 2)] }, ['/id'], { 'idempotency-key': 'a' }],
    [
      'another id than its header (SERVE-5)',
      { call: add(1, 2), id: 'a' },
      ['/id'],
      { 'idempotency-key': 'b' },
    ],
    ['an id that says nothing', { call: add(1, 2), id: '' }, ['/id']],
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

  test.each(['/tools/add', '/mcp'])(
    'a body for %s that a parser read before an adapter for Node could is told of as what it is',
    async (path) => {
      const faults: unknown[] = []
      const tools = toolServer(workshop().Tool, { onError: (error) => faults.push((error as Error).message) })
      const answer = getRequestListener(tools.fetch)
      const server = createServer(async (request, response) => {
        for await (const _chunk of request);
        await answer(request, response)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      const { status, body } = await post(`http://127.0.0.1:${port}${path}`, { left: 1, right: 2 })
      server.close()
      await tools.close()
      expect(status).toBe(500)
      expect(body.detail).toContain('Put the server before body parsers')
      expect(faults).toEqual([body.detail])
    },
  )

  test.each<[string, (request: Request) => unknown, string]>([
    ['a route of SvelteKit or Astro', (request) => ({ request, params: {} }), 'Pass its "request".'],
    ['Node', () => ({ method: 'GET', headers: {} }), 'listen with serveHttp'],
    ['nothing', () => undefined, 'listen with serveHttp'],
  ])('what %s passes is told what to pass', async (_what, passed, said) => {
    const server = toolServer(workshop().Tool)
    const given = passed(new Request('http://localhost/health')) as Request
    await expect(async () => server(given)).rejects.toThrow(said)
    await server.close()
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
})
