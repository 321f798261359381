import fc from 'fast-check'

/** A request as it goes over the wire, a header a line. */
export interface WrittenRequest {
  readonly line: string
  readonly headers: readonly string[]
  readonly body: Buffer
}

const call = { _tool: 'add', left: 1, right: 2 }

const path = fc.oneof(
  fc.constantFrom(
    '/health',
    '/health/',
    '//health',
    '/tools',
    '/tools/',
    '/tools/add',
    '/tools/%61dd',
    '/tools/add/',
    '/tools/add?x=1&y',
    '/tools/add#x',
    '/tools/Files.tree',
    '/tools/Files%2Etree',
    '/tools/%E0%A4%A',
    '/tools/%00',
    '/tools/__proto__',
    '/tools/constructor',
    '/tools/fail',
    '/calls',
    '/calls/',
    '/calls/./',
    '/x/../calls',
    '/%63alls',
    '/calls%2F',
    '/openapi.json',
    '/OpenAPI.json',
    '/',
    '/.',
    '/..;/calls',
    '/tools/pay',
    '/calls?',
    '/toString',
    '/mcp',
    '/mcp/',
    '/\\calls',
  ),
  fc.stringMatching(/^\/[!-"$-~]{0,20}$/),
)

const header = fc.constantFrom(
  'accept: text/event-stream',
  'accept: text/event-stream;q=0',
  'accept: application/json;q=0.1, text/event-stream;q=0.9',
  'accept: ,;,',
  'origin: null',
  'origin: http://localhost:5173',
  'origin: https://evil.example',
  'origin: http://localhost.evil.example',
  'idempotency-key: k',
  `idempotency-key: ${'k'.repeat(300)}`,
  'callsheet-contract: add=0000000000000000',
  'callsheet-contract: nonsense',
  'content-encoding: gzip',
  'content-encoding: identity',
  'accept-encoding: gzip',
  'access-control-request-headers: x-api-key, content-type',
  'access-control-request-method: POST',
  'authorization: Bearer x',
  'x-forwarded-host: evil.example',
  'forwarded: host=evil.example',
  'x-http-method-override: DELETE',
  'mcp-protocol-version: 2025-06-18',
  'accept: application/json, text/event-stream',
  'if-none-match: "x"',
  'range: bytes=0-3',
  'cookie: a=b; a=c',
  `x-long: ${'x'.repeat(4_000)}`,
)

const contentType = fc.constantFrom(
  'content-type: application/json',
  'content-type: application/json; charset=utf-8',
  'content-type: Application/JSON;Charset="UTF8"',
  'content-type: application/vnd.api+json',
  'content-type: application/json; charset=iso-8859-1',
  'content-type: text/json',
  'content-type: text/plain',
  'content-type: application/x-www-form-urlencoded',
  'content-type: application/json, text/plain',
  'content-type:',
)

const host = fc.constantFrom(
  'host: localhost',
  'host: LOCALHOST:80',
  'host: 127.0.0.1:1',
  'host: [::1]',
  'host: localhost.',
  'host: evil.example',
  'host: localhost@evil.example',
  'host: localhost:99999',
  'host: ',
)

const body = fc.oneof(
  fc
    .constantFrom<unknown>(
      { left: 1, right: 2 },
      { left: '1', right: 2, more: true },
      call,
      { call },
      { call, id: 'i', context: [] },
      { call, context: [{ type: 'state', state: { a: 1 } }], references: false },
      { call: { ...call, left: '†state.a' }, context: [{ type: 'state', state: { a: 1 } }] },
      { calls: [call, { _tool: 'fail' }, { _tool: 'nope' }] },
      { calls: [call, call], strategy: 'all' },
      { calls: [{ call, id: 'a' }], strategy: 'any' },
      { calls: [], strategy: 'race' },
      { calls: Array(101).fill(call) },
      { call, calls: [call] },
      [],
      [call],
      null,
      5,
      'x',
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'add', arguments: { left: 1, right: 2 } },
      },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { folder: { name: 'a', folders: [{ name: 5 }] } },
      {},
    )
    .map((value) => Buffer.from(JSON.stringify(value))),
  fc.json({ maxDepth: 4 }).map((text) => Buffer.from(text)),
  fc.constantFrom(
    Buffer.alloc(0),
    Buffer.from('\ufeff{"left":1,"right":2}'),
    Buffer.from('{"left":1,"left":2,"right":2}'),
    Buffer.from('{"__proto__":{"left":1},"right":2}'),
    Buffer.from('{"left":1e999,"right":-0}'),
    Buffer.from('{"left":1,"right":2}\n\n'),
    Buffer.from('{"left":1,"right":2}{}'),
    Buffer.from([0xff, 0xfe, 0x7b]),
    Buffer.from('['.repeat(100) + ']'.repeat(100)),
  ),
)

/** Requests that HTTP allows, and that mostly make no sense to a server of Tools. */
export const writtenRequest: fc.Arbitrary<WrittenRequest> = fc
  .record({
    method: fc.oneof(
      { arbitrary: fc.constant('POST'), weight: 4 },
      { arbitrary: fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'QUERY'), weight: 3 },
    ),
    path,
    host: fc.oneof({ arbitrary: fc.constant('host: localhost'), weight: 6 }, host),
    type: fc.oneof({ arbitrary: fc.constant('content-type: application/json'), weight: 5 }, contentType),
    more: fc.uniqueArray(header, { maxLength: 4, selector: (line) => line.slice(0, line.indexOf(':')) }),
    body,
    isChunked: fc.boolean(),
  })
  .map(({ method, path, host, type, more, body, isChunked }) => {
    const hasBody = method !== 'GET' && method !== 'HEAD'
    const length = isChunked ? 'transfer-encoding: chunked' : `content-length: ${body.length}`
    return {
      line: `${method} ${path} HTTP/1.1`,
      headers: [host, ...(hasBody ? [type, length] : []), ...more, 'connection: close'],
      body: hasBody ? (isChunked ? chunked(body) : body) : Buffer.alloc(0),
    }
  })

function chunked(body: Buffer): Buffer {
  const half = Math.ceil(body.length / 2)
  const pieces = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0)
  return Buffer.concat([
    ...pieces.map((piece) =>
      Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
    ),
    Buffer.from('0\r\n\r\n'),
  ])
}
