import { createRegistry } from 'callsheet'
import { serveHttp, toolServer } from 'callsheet/server'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isJsonObject } from '../../runtime/json/json.ts'
import { often } from '../runs.ts'
import { fuzz } from './campaign.ts'
import { hostileJson } from './hostile-json.ts'

/** How often a write with a number ran. */
const ran = new Map<number, number>()
const faults: unknown[] = []
const seen = { ran: 0 }

const tool = (name: string, effects: string, output: object) => ({
  type: 'object',
  effects,
  properties: { _tool: { const: name }, number: { type: 'integer' }, ...output },
  required: ['_tool', 'number'],
  additionalProperties: false,
})
const { Tool, Activity } = createRegistry({
  tools: {
    count: tool('count', 'write', { _output: { type: 'integer' } }),
    'Slow.look': tool('Slow.look', 'read', {}),
  },
})
Activity.register('count', ({ number }) => {
  ran.set(number as number, (ran.get(number as number) ?? 0) + 1)
  return number
})
Activity.register('Slow.look', async (_call, _tool, _context, run) => {
  for (let step = 0; step < 4; step++) {
    run.emit({ step })
    await new Promise(setImmediate)
    run.signal.throwIfAborted()
  }
})

const options = { onError: (error: unknown) => faults.push(error) }
const web = toolServer(Tool, options)
let server: Awaited<ReturnType<typeof serveHttp>>
beforeAll(async () => {
  server = await serveHttp(Tool, { ...options, port: 0 })
})
afterAll(async () => {
  await Promise.all([server.close(), web.close()])
})

const ofRevision = (revision: unknown, more: object = {}) => ({
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
  ...more,
})

/** Mostly the first kind, so that most messages get far. */
function mostly<Value>(usual: readonly Value[], odd: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 6, arbitrary: fc.constantFrom<unknown>(...usual) }, odd)
}

const message = fc.record({
  id: mostly([1, 2, '1', 'a', 0], fc.constantFrom<unknown>(undefined, null, '', -1, 1.5, {}, [], 1e300)),
  method: mostly(
    ['tools/call', 'tools/call', 'tools/call', 'tools/list'],
    fc.constantFrom<unknown>(
      ...['initialize', 'ping', 'server/discover', 'subscriptions/listen', 'logging/setLevel'],
      ...['notifications/initialized', 'notifications/cancelled', 'notifications/progress', 'resources/read'],
      ...['completion/complete', 'tasks/get', 'tasks/cancel', 'sampling/createMessage', 'elicitation/create'],
      ...['', null, 5, '__proto__', 'toString'],
    ),
  ),
  name: mostly(
    ['count', 'count', 'Slow.look'],
    fc.constantFrom<unknown>(
      'Count',
      'Slow__look',
      '__proto__',
      'constructor',
      '',
      null,
      5,
      'x'.repeat(5_000),
    ),
  ),
  /** `number` stands for a number of its own. */
  given: mostly(
    ['number'],
    fc.oneof(
      hostileJson,
      fc.constantFrom<unknown>(
        {},
        { number: 'x' },
        { number: 1, _tool: 'count' },
        { number: 1, _instance: 'a' },
      ),
    ),
  ),
  meta: mostly(
    [undefined, { progressToken: 'p' }],
    fc.oneof(
      hostileJson,
      fc.constantFrom<unknown>(
        ofRevision('2026-07-28'),
        ofRevision('2099-01-01'),
        ofRevision('2026-07-28', { progressToken: {} }),
        ofRevision('2026-07-28', { 'io.modelcontextprotocol/clientCapabilities': 5 }),
      ),
    ),
  ),
  more: mostly(
    [{}],
    fc.constantFrom<unknown>(
      ...[{ cursor: 'forged' }, { cursor: 5 }, { requestId: 1 }, { task: { ttl: 5 } }, { task: 'x' }],
      ...[
        { notifications: { toolsListChanged: true } },
        { inputResponses: { a: {} }, requestState: 'forged' },
      ],
      { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      { protocolVersion: '__proto__', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    ),
  ),
  form: mostly(['request'], fc.constantFrom('result', 'error', 'no version', 'list of parameters', 'none')),
  junk: hostileJson,
})

const headers = fc.record(
  {
    'mcp-protocol-version': mostly(
      ['2025-11-25', '2025-06-18'],
      fc.constantFrom('1999-01-01', '__proto__', ''),
    ),
    'mcp-method': fc.constantFrom('tools/call', 'x'),
    'mcp-name': fc.constantFrom('count', '=?base64?Y291bnQ=?=', 'x'),
    'mcp-session-id': fc.constantFrom('a', '', 'stolen'),
    'last-event-id': fc.constantFrom('0', 'x_1', ''),
    accept: mostly(['application/json, text/event-stream'], fc.constantFrom('*/*', 'text/html')),
  },
  { requiredKeys: ['accept'] },
)

type Message = typeof message extends fc.Arbitrary<infer Given> ? Given : never

let numbers = 0

/** What is sent for a message, with a number of its own where it has one. */
function written({ id, method, name, given, meta, more, form, junk }: Message, number: number): unknown {
  const parameters = given === 'number' ? { number } : given
  const params = {
    name,
    arguments: parameters,
    ...(more as object),
    ...(meta !== undefined && { _meta: meta }),
  }
  const own = id === undefined ? {} : { id }
  if (form === 'result') return { jsonrpc: '2.0', ...own, result: params }
  if (form === 'error') return { jsonrpc: '2.0', ...own, error: { code: 1, message: 'x' } }
  if (form === 'no version') return { ...own, method, params }
  if (form === 'list of parameters') return { jsonrpc: '2.0', ...own, method, params: [params] }
  return form === 'none' ? junk : { jsonrpc: '2.0', ...own, method, params }
}

/** The headers that the revision of 2026-07-28 asks for. */
function headersOf(body: unknown): Record<string, string> {
  const { method, params } = isJsonObject(body) ? body : {}
  if (typeof method !== 'string' || !isJsonObject(params)) return {}
  const { name } = params
  const called =
    method === 'tools/call' && typeof name === 'string' && name !== '' ? { 'mcp-name': name } : {}
  return { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...called }
}

fuzz(
  'SERVE-2 whatever comes over MCP is answered, runs once and is told of, and is no fault of the server',
  500,
  fc.record({
    messages: fc.array(message, { minLength: 1, maxLength: 4 }),
    isBatch: fc.nat(3).map((number) => number === 0),
    headers,
    /** A request of the revision of 2026-07-28, with the headers that it asks for. */
    isModern: fc.boolean(),
    isWeb: fc.boolean(),
  }),
  async ({ messages, isBatch, headers: given, isModern, isWeb }) => {
    const first = numbers + 1
    const bodies = messages.map((each) =>
      written(isModern ? { ...each, meta: ofRevision('2026-07-28') } : each, ++numbers),
    )
    const body = isBatch ? bodies : bodies[0]
    const sent = { 'content-type': 'application/json', ...given, ...(isModern && headersOf(body)) }
    const ask = isWeb ? web : fetch
    const response = await ask(
      new Request(`${isWeb ? 'http://localhost' : server.url}/mcp`, {
        method: 'POST',
        headers: sent as Record<string, string>,
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(20_000),
      }),
    )
    const text = await response.text()
    const told = JSON.stringify({ body, sent, status: response.status, text })
    expect(faults.splice(0), told).toEqual([])
    expect([200, 202, 400, 404, 406], told).toContain(response.status)
    for (let number = first; number <= numbers; number++) {
      const times = ran.get(number) ?? 0
      expect(times, told).toBeLessThanOrEqual(1)
      expect(text.includes(`"text":"${number}"`), told).toBe(times === 1)
      seen.ran += times
    }
    ran.clear()
    expect(text).not.toMatch(/\bat .*\.m?[jt]s:|node_modules|TypeError/)
  },
)

test('writes ran', () => {
  expect(seen.ran).toBeGreaterThan(often(30))
})
