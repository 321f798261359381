import { CallsheetError } from 'callsheet'
import { memoryStore, toolServer } from 'callsheet/server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { json, posting, request, send, statusOf } from './raw-socket.ts'
import { add, doors, jsonRequest, post, serve, serveWorkshop, until, workshop } from './serving.ts'

describe.each(doors)('SERVE-6 hosts, by %s', (door) => {
  test.each([
    'evil.example@localhost',
    'localhost/evil',
    'localhost#evil',
    'localhost?evil',
    'localhost evil',
    'localhost.',
    'localhost, evil.example',
    '127.0.0.1.evil.example',
    '[::ffff:127.0.0.1]',
    '',
  ])('%j is no name of this machine', async (host) => {
    const server = toolServer(workshop().Tool)
    // As an adapter passes it on: a Request refuses the header otherwise.
    const asked = new Request('http://localhost/health')
    const headers = new Headers(asked.headers)
    vi.spyOn(headers, 'get').mockImplementation((name) => (name === 'host' ? host : null))
    vi.spyOn(asked, 'headers', 'get').mockReturnValue(headers)
    expect((await server(asked)).status).toBe(403)
    await server.close()
  })

  test.each([
    ['two', ['host: localhost', 'host: evil.example']],
    ['two, the other way', ['host: evil.example', 'host: localhost']],
    ['a name with a user', ['host: evil.example@localhost']],
    ['none', ['x: y']],
  ])('%s, on a socket', async (_, headers) => {
    const { url } = await serveWorkshop({}, door)
    const status = statusOf(await send(url, request('GET /health', headers)))
    expect([400, 403]).toContain(status)
  })

  test('a target that is a whole URL does not stand for the header', async () => {
    const { url } = await serveWorkshop({}, door)
    const answer = await send(url, request('GET http://localhost/health', ['host: evil.example']))
    expect(statusOf(answer)).toBe(403)
  })
})

describe('SERVE-6 hosts, by a target that is a whole URL', () => {
  test.each([
    ['http://evil.example', 'localhost', 403],
    ['http://evil.example:80', '127.0.0.1', 403],
    ['http://localhost@evil.example', 'localhost', 403],
    ['HTTPS://EVIL.EXAMPLE', 'localhost', 403],
    ['http://127.0.0.1:4000', 'localhost', 200],
    ['ftp://localhost', 'localhost', 400],
  ])('%s with the header %s', async (target, host, status) => {
    const { url } = await serveWorkshop({}, 'serveHttp')
    const answer = await send(url, request(`GET ${target}/health`, [`host: ${host}`]))
    expect(statusOf(answer)).toBe(status)
  })
})

describe('SERVE-6 origins', () => {
  test.each([
    'null',
    'tauri://localhost',
    'capacitor://localhost',
    'file://localhost',
    'ftp://localhost',
    'ws://localhost',
    'http://localhost.',
    'http://localhost.evil.example',
    'http://evil.example@localhost',
    'http://localhost@evil.example',
    'http://localhost/evil',
    'http://localhost, http://evil.example',
    'http://127.0.0.1.nip.io',
    'http://[::ffff:7f00:1]',
    'localhost',
    'http://',
  ])('a page of %j may not call', async (origin) => {
    const server = toolServer(workshop().Tool)
    const asked = (from: string) =>
      server(new Request('http://localhost/health', { headers: { origin: from } }))
    const answer = await asked(origin)
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null])
    for (const own of ['http://localhost:5173', 'https://127.0.0.1', 'http://[::1]:3000']) {
      const { status, headers } = await asked(own)
      expect([status, headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([
        200,
        own,
        'origin',
      ])
      expect(headers.get('access-control-expose-headers')).toContain('retry-after')
    }
    const plain = await server(new Request('http://localhost/health'))
    expect([plain.status, plain.headers.get('access-control-allow-origin')]).toEqual([200, null])
    await server.close()
  })
})

describe.each(doors)('SERVE-6 requests that are odd, by %s', (door) => {
  const local = 'host: localhost'
  const chunk = '15\r\n{"left":1, "right":2}\r\n0\r\n\r\n'
  test.each([
    ['TRACE', request('TRACE /health', [local]), 405],
    [
      'an upgrade, which nobody takes up',
      request('GET /health', [local, 'connection: upgrade', 'upgrade: h2c']),
      200,
    ],
    ['a target that is a star', request('OPTIONS *', [local]), 400],
    ['a target of another scheme', request('GET ftp://localhost/health', [local]), 400],
    ['dots that are encoded', request('GET /tools/%2e%2e/health', [local]), 200],
    ['a name of every object', posting('/tools/constructor', '{}'), 404],
    ['another one, encoded', posting('/tools/%5f_proto__', '{}'), 404],
    ['a name with a zero', posting('/tools/%00', '{}'), 404],
    ['a host that others resolve to this machine', request('GET /health', ['host: 127.0.0.1.nip.io']), 403],
    ['a head of 17 KB', request('GET /health', [local, `x: ${'x'.repeat(17_000)}`]), 431],
    ['two content types', posting('/tools/add', '{"left":1,"right":2}', ['content-type: text/plain']), 415],
    ['another charset', posting('/tools/add', '{}', []).replace('/json', '/json; charset=utf-16'), 415],
    ['a body that is compressed', posting('/tools/add', '{}', ['content-encoding: gzip']), 415],
    [
      'a body that says it is not',
      posting('/tools/add', '{"left":1,"right":2}', ['content-encoding: identity']),
      200,
    ],
    ['a body that begins with a mark of its order', posting('/tools/add', '\ufeff{"left":1,"right":2}'), 200],
    ['two bodies in one', posting('/tools/add', '{"left":1,"right":2}{}'), 400],
    [
      'a length beyond all numbers',
      request('POST /calls', [local, json, 'content-length: 9000000000000000']),
      413,
    ],
    [
      'a chunk beyond all numbers',
      request('POST /calls', [local, json, 'transfer-encoding: chunked'], `${'F'.repeat(17)}\r\n`),
      400,
    ],
    [
      'a coding that is not ours',
      request('POST /tools/add', [local, json, 'transfer-encoding: gzip, chunked'], chunk),
      501,
    ],
    [
      'our coding in capitals',
      request('POST /tools/add', [local, json, 'transfer-encoding: Chunked'], chunk),
      200,
    ],
  ])('%s', async (_, text, status) => {
    const { url } = await serveWorkshop({}, door)
    expect(statusOf(await send(url, text))).toBe(status)
  })

  test('bodies that wait are not more than the server has, and make room again', async () => {
    const limits = { heldBytes: 30_000, bodyBytes: 20_000, drainTime: 100 }
    const { url, deeds } = await serveWorkshop({ limits }, door)
    const large = { _tool: 'wait', time: 200, more: 'x'.repeat(19_000) }
    const first = post(`${url}/calls`, large)
    await until(() => deeds.started === 1)
    expect(await post(`${url}/calls`, large)).toMatchObject({
      status: 429,
      body: {
        code: 'busy',
        detail: 'The bodies of all requests come to more than 30000 bytes. Try again later.',
      },
    })
    expect((await post(`${url}/tools/add`, { left: 1, right: 2 })).status).toBe(200)
    expect((await first).status).toBe(200)
    const streamed = await fetch(
      jsonRequest(`${url}/calls`, { ...large, time: 1 }, { headers: { accept: 'text/event-stream' } }),
    )
    expect(await streamed.text()).toContain('event: result')
    expect((await post(`${url}/calls`, { ...large, time: 1 })).status).toBe(200)
  })
})

describe('SERVE-6 two of one header, on sockets of our own', () => {
  test('both count: no proxy in front takes another one than the server', async () => {
    const seen: unknown[] = []
    const { url } = await serveWorkshop({
      authorize: ({ headers }) => void seen.push(headers.get('authorization')),
    })
    const two = ['authorization: Bearer good', 'authorization: Bearer bad']
    expect(statusOf(await send(url, request('GET /tools', ['host: localhost', ...two])))).toBe(401)
    expect(seen).toEqual(['Bearer good, Bearer bad'])
  })

  test('a tunnel to elsewhere is refused', async () => {
    const { url } = await serveWorkshop()
    expect(statusOf(await send(url, request('CONNECT evil.example:80', ['host: localhost'])))).toBe(405)
  })
})

describe('SERVE-6 paths', () => {
  test.each(['/weatherman/health', '/weather', '/weatherhealth', '/health', '//weather/health'])(
    'a server at /weather does not answer at %s',
    async (path) => {
      const server = toolServer(workshop().Tool, { basePath: '/weather' })
      expect((await server(new Request(`http://localhost${path}`))).status).toBe(404)
      expect((await server(new Request('http://localhost/weather/health'))).status).toBe(200)
      await server.close()
    },
  )
})

describe.each(doors)('SERVE-6 requests within requests, by %s', (door) => {
  const body = '{"_tool":"pay","amount":1}'
  test.each([
    ['a length and chunks', ['content-length: 5', 'transfer-encoding: chunked'], `0\r\n\r\n${body}`],
    ['two lengths', ['content-length: 5', `content-length: ${body.length}`], body],
    ['a length with a sign', [`content-length: +${body.length}`], body],
    ['a length that is no number', ['content-length: 0x1a'], body],
    ['a coding that is almost one', ['transfer-encoding: xchunked'], body],
    ['chunks that are none', ['transfer-encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a folded header', ['x: a\r\n b', `content-length: ${body.length}`, 'bad header: 1'], body],
  ])('%s', async (_, headers, text) => {
    const { url, deeds } = await serveWorkshop({}, door)
    const answer = await send(url, request('POST /calls', ['host: localhost', json, ...headers], text))
    expect(statusOf(answer)).toBe(400)
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
    expect(deeds.started).toBe(0)
  })
})

describe.each(doors)('SERVE-6 bodies, by %s', (door) => {
  test.each(['/calls', '/tools/add', '/mcp'])('one that never ends is refused at %s', async (path) => {
    const { url } = await serveWorkshop({ limits: { bodyTime: 200, drainTime: 100 } }, door)
    const accept = 'accept: application/json, text/event-stream'
    const head = request(`POST ${path}`, ['host: localhost', json, accept, 'transfer-encoding: chunked'])
    const answer = await send(url, head, '5\r\n{"a":\r\n')
    expect(statusOf(answer)).toBe(400)
    expect(answer).toContain('The body did not arrive within 200 ms.')
  })

  test.each(['transfer-encoding: chunked', 'content-length: 100000000'])(
    'of one without end, by %s, `authorize` reads no more than the server would',
    async (length) => {
      const read: unknown[] = []
      const authorize = async (asked: Request): Promise<undefined> => {
        read.push(await asked.clone().text())
      }
      const { url } = await serveWorkshop({ limits: { bodyBytes: 1_000, drainTime: 100 }, authorize }, door)
      const head = request('POST /calls', ['host: localhost', json, length])
      const piece = 'a'.repeat(5_000)
      const answer = await send(url, head, length.includes('chunked') ? `1388\r\n${piece}\r\n` : piece)
      expect([statusOf(answer), read]).toEqual([413, []])
    },
  )

  test.each([
    ['bytes that are no text', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 400],
    ['a text in Latin-1', Buffer.from('{"_tool":"add","left":1,"right":1,"note":"\xe9"}', 'latin1'), 400],
    ['text in UTF-16', Buffer.from('{"_tool":"add"}', 'utf16le'), 400],
    ['a string of half a letter', Buffer.from('{"_tool":"add","left":"\\ud800","right":1}'), 200],
    ['a number beyond all', Buffer.from('{"_tool":"add","left":1e999,"right":1}'), 200],
    ['a prototype', Buffer.from('{"_tool":"add","__proto__":{"left":1,"right":2}}'), 200],
    ['a bomb of brackets', Buffer.from('['.repeat(1_000_000)), 400],
    [
      'nested objects',
      Buffer.from(`{"_tool":"add","left":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`),
      400,
    ],
    ['nothing', Buffer.alloc(0), 400],
  ])('%s never reaches an Activity', async (_, bytes, status) => {
    const { url } = await serveWorkshop({}, door)
    const response = await fetch(`${url}/calls`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: bytes,
    })
    expect(response.status).toBe(status)
    const answer = (await response.json()) as { status: unknown; error?: { code: string } }
    expect(answer).toMatchObject(
      status === 400
        ? { status: 400, code: 'bad_request' }
        : { status: 'failed', error: { code: 'invalid_call' } },
    )
  })

  test.each([
    ['', 'empty'],
    ['k'.repeat(501), 'long'],
  ])('an id in the header that is %j… is refused', async (key) => {
    const { url } = await serveWorkshop({}, door)
    const headers = { 'idempotency-key': key }
    for (const path of ['/calls', '/tools/add']) {
      const body = { ...(path === '/calls' && { _tool: 'add' }), left: 1, right: 2 }
      expect(await post(`${url}${path}`, body, headers)).toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining('idempotency-key takes 1 to 500 characters') },
      })
    }
  })
})

/** As of a Call by which a server looks up who asks. */
function throwSecret(): never {
  throw new CallsheetError(
    'activity_failed',
    'Activity "whoIs" failed: no connection to postgres://admin:hunter2@db',
  )
}

describe('SERVE-6 who asks', () => {
  test.each([[true], [{}], [{ id: '' }], [{ id: 5 }], [{ id: '\ud800' }]])(
    'an `authorize` that returns %j lets nobody in, and its maker hears of it',
    async (principal) => {
      const faults: unknown[] = []
      const server = toolServer(workshop().Tool, {
        authorize: () => principal as never,
        onError: (error) => faults.push(error),
      })
      const refused = await server(new Request('http://localhost/tools'))
      expect([refused.status, await refused.json()]).toMatchObject([500, { code: 'internal' }])
      expect(String(faults[0])).toContain('without an "id" that is a text')
      await server.close()
    },
  )

  test.each([
    ['authorize', { authorize: () => throwSecret() }],
    ['authorize, later', { authorize: async () => throwSecret() }],
    ['a store', { store: { ...memoryStore(), claim: () => throwSecret() } }],
    [
      'a store that is corrupt',
      { store: { ...memoryStore(), claim: () => ({ secret: 'hunter2' }) as never } },
    ],
    ['a principal', { authorize: () => ({ id: { secret: 'hunter2' } }) as never }],
  ])('errors of Callsheet do not carry what %s says of itself to clients', async (_, options) => {
    const faults: unknown[] = []
    const server = toolServer(workshop().Tool, { ...options, onError: (error) => faults.push(error) })
    const asked = jsonRequest('http://localhost/calls', add(1, 2), { headers: { 'idempotency-key': 'a' } })
    const refused = await server(asked)
    expect(refused.status).toBe(500)
    expect(await refused.text()).not.toContain('hunter2')
    expect(String(faults[0])).toContain('hunter2')
    await server.close()
  })

  test('nothing tells of a Tool that is not there for the caller: no contract, no suggestion, no other word', async () => {
    const { Tool, Activity } = workshop()
    Tool.register(
      'secret',
      { type: 'object', properties: { _output: { type: 'string' } } },
      { enabled: (_context, principal) => (principal as { id?: string } | undefined)?.id === 'anna' },
    )
    Activity.register('secret', async () => 'told')
    const server = toolServer(Tool, { authorize: () => ({ id: 'berta' }) })
    const ask = async (path: string, body: object, headers = {}) => {
      const asked = jsonRequest(`http://localhost${path}`, body, { headers: { ...headers } })
      return (await server(asked)).text()
    }
    const contract = { 'callsheet-contract': 'secret=0' }
    expect(await ask('/tools/secret', {}, contract)).toBe(await ask('/tools/secret', {}))
    expect(await ask('/tools/secrt', {})).not.toContain('secret')
    expect(await ask('/calls', { _tool: 'secret' }, contract)).toContain('unknown_tool')
    const hidden = await ask('/tools/secret', { a: 1 })
    const absent = await ask('/tools/sesame', { a: 1 })
    expect(hidden.replaceAll('secret', 'sesame')).toBe(absent)
    await server.close()
  })
})

describe.each(doors)('SERVE-6 readers that do not read, by %s', (door) => {
  const flood = 20_000
  afterEach(() => vi.restoreAllMocks())

  test('a stream that nobody reads holds so much and no more; its result comes all the same', async () => {
    const { Tool, Activity } = workshop()
    const text = 'x'.repeat(1_000)
    Activity.register('wait', async (_call, _tool, _context, run) => {
      for (let step = 0; step < flood; step++) {
        run.emit({ step, text })
        if (step % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
      return 'done'
    })
    const server = toolServer(Tool)
    const response = await server(
      jsonRequest('http://localhost/calls', { _tool: 'wait' }, { headers: { accept: 'text/event-stream' } }),
    )
    const running = async () =>
      ((await (await server(new Request('http://localhost/health'))).json()) as { running: number }).running
    while ((await running()) > 0) await new Promise((resolve) => setTimeout(resolve, 10))
    const read = await response.text()
    expect(read.length).toBeLessThan(300_000)
    expect(read).toMatch(/\nevent: result\n.*"done"/)
    await server.close()
  })

  test('100 Calls that wait for one client make no warning of a leak', async () => {
    const warnings: Error[] = []
    const hear = (warning: Error): void => void warnings.push(warning)
    process.on('warning', hear)
    const { url } = await serveWorkshop({ limits: { concurrency: 2, drainTime: 100 } }, door)
    const calls = Array.from({ length: 100 }, (_, index) => ({
      call: { _tool: 'wait', time: 1 },
      id: `w-${index}`,
    }))
    const { body } = await post(`${url}/calls`, { calls })
    expect(body.outcomes).toHaveLength(100)
    await new Promise((resolve) => setTimeout(resolve, 20))
    process.off('warning', hear)
    expect(warnings).toEqual([])
  })
})

describe.each(doors)('SERVE-6 floods over MCP, by %s', (door) => {
  test('a Call that there is no room for is told to the model as a tool error', async () => {
    const { url, deeds } = await serveWorkshop({ limits: { concurrency: 1, queue: 0, drainTime: 100 } }, door)
    const busy = post(`${url}/calls`, { _tool: 'wait', time: 500 })
    await until(() => deeds.started === 1)
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'add', arguments: { left: 1, right: 2 } },
    }
    const response = await fetch(
      jsonRequest(`${url}/mcp`, message, { headers: { accept: 'application/json, text/event-stream' } }),
    )
    const text = await response.text()
    expect(text).toContain('"isError":true')
    expect(text).toContain('busy: 1 Calls run and 0 wait.')
    await busy
  })
})

describe.each(doors)('SERVE-6 what is odd over MCP, by %s', (door) => {
  const accept = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  const ask = async (url: string, body: unknown, headers = {}) => {
    const given = { method: 'POST', headers: { ...accept, ...headers }, body: JSON.stringify(body) }
    const response = await fetch(`${url}/mcp`, given)
    return { status: response.status, text: await response.text() }
  }
  const calling = (params: object, more: object = {}) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params,
    ...more,
  })

  const ofRevision = (revision: string) => ({
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  })

  test('what a client does wrong is told to it, and to nobody else', async () => {
    const faults: unknown[] = []
    const { url, deeds } = await serveWorkshop({ onError: (error) => faults.push(error) }, door)
    const wait = calling({ name: 'wait', arguments: {} })
    for (const [body, headers] of [
      [[], {}],
      [null, {}],
      [Array(101).fill({ jsonrpc: '2.0', method: 'notifications/initialized' }), {}],
      // Both would run, and one would be answered.
      [[wait, wait], {}],
      [{ ...wait, id: { a: 1 } }, {}],
      [wait, { 'mcp-protocol-version': '1999-01-01' }],
      [wait, { 'mcp-protocol-version': '__proto__' }],
      [wait, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }],
      [calling({ name: 'wait', arguments: {}, _meta: ofRevision('2099-01-01') }), {}],
    ] as const) {
      expect((await ask(url, body, headers)).status).toBe(400)
    }
    // JSON to us, and none to MCP.
    expect((await ask(url, wait, { 'content-type': 'application/vnd.api+json' })).status).toBe(415)
    for (const name of ['__proto__', 'constructor', 'toString'])
      expect((await ask(url, calling({ name, arguments: {} }))).text).toContain('There is no tool')
    expect((await fetch(`${url}/mcp`, { headers: { ...accept, 'mcp-session-id': 'stolen' } })).status).toBe(
      405,
    )
    const misnamed = await ask(url, calling({ name: 'pay', arguments: { amount: 1, _tool: 'wait' } }))
    expect(misnamed.text).toContain('The arguments name the tool')
    expect(deeds).toMatchObject({ started: 0, paid: 0 })
    expect(faults).toEqual([])
  })

  test('a batch has as many Calls as a request may have, and no more', async () => {
    const { url, deeds } = await serveWorkshop({ limits: { callsPerRequest: 2 } }, door)
    const batch = [1, 2, 3].map((id) => ({ ...calling({ name: 'wait', arguments: {} }), id }))
    const refused = await ask(url, batch)
    expect([refused.status, deeds.started]).toEqual([413, 0])
    expect(refused.text).toContain('A request takes at most 2 Calls, got 3.')
    const list = { jsonrpc: '2.0', id: 4, method: 'tools/list' }
    expect((await ask(url, [...batch.slice(1), list])).status).toBe(200)
    expect(deeds.started).toBe(2)
  })

  test('progress that comes faster than anybody reads is told at a pace', async () => {
    const { Tool, Activity } = workshop()
    Activity.register(
      'wait',
      async (_call, _tool, _context, run) => {
        for (let step = 0; step < 20_000; step++) run.emit({ step, text: 'x'.repeat(1_000) })
        return 'done'
      },
      { replace: true },
    )
    const { url } = await serve(Tool, {}, door)
    const { text } = await ask(url, calling({ name: 'wait', arguments: {}, _meta: { progressToken: 1 } }))
    expect(text.match(/notifications\/progress/g)?.length).toBeGreaterThan(10)
    expect(text.length).toBeLessThan(300_000)
    expect(text).toContain('"text":"done"')
  })
})

test('a request of Node’s own, as Express hands it on, is told what goes between', async () => {
  const server = toolServer(workshop().Tool)
  const refused = server({ url: '/health', method: 'GET', headers: {} } as unknown as Request)
  await expect(refused).rejects.toMatchObject({
    code: 'invalid_options',
    message: expect.stringContaining('serveHttp'),
  })
})

test.each([
  ['limits', new Map([['bodyBytes', 10]])],
  ['limits', Object.create({ bodyBytes: 10 })],
  [
    'limits',
    new (class {
      get bodyBytes() {
        return 10
      }
    })(),
  ],
  ['limits', Promise.resolve({ bodyBytes: 10 })],
  ['run', Object.create({ confirm: () => false })],
  ['contracts', new Map([['pay', ['0123456789abcdef']]])],
])('SERVE-6 %s whose members are not its own are refused, not left out', (name, value) => {
  expect(() => toolServer(workshop().Tool, { [name]: value })).toThrow(
    expect.objectContaining({ code: 'invalid_options' }),
  )
})

test('SERVE-6 options that nobody awaited are refused: `authorize` would be left out', () => {
  const options = Promise.resolve({ authorize: () => undefined })
  expect(() => toolServer(workshop().Tool, options as object)).toThrow(
    'expected an object of options, got Promise',
  )
})
