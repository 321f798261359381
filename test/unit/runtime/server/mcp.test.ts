import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Ajv } from 'ajv'
import { createRegistry, message } from 'callsheet'
import { toolServer } from 'callsheet/server'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../../../runtime/schema/schema.ts'
import { doors, jsonRequest, post, send, serve, serveWorkshop, until, workshop } from './serving.ts'

async function connect(url: string, modes: object = {}, headers: Record<string, string> = {}) {
  const client = new Client({ name: 'test', version: '1.0.0' }, modes)
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  return client
}

describe.each([
  ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
  ['the revision before it', {}],
])('SERVE-2 MCP over HTTP, %s', (_, modes) => {
  test('lists Tools with schemas, titles and annotations, in the same order each time', async () => {
    const { url } = await serveWorkshop()
    const client = await connect(url, modes)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['Files__tree', 'add', 'fail', 'pay', 'wait'])
    const [, add, fail, pay] = tools
    expect(add).toMatchObject({
      title: 'Add',
      description: 'Adds two numbers.',
      inputSchema: { type: 'object', required: ['left', 'right'] },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    })
    expect(add?.inputSchema.properties).not.toHaveProperty('_tool')
    expect(pay?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true })
    expect(fail?.annotations).toBeUndefined()
    await client.close()
  })

  test('tells what the server says of its Tools together, if it does', async () => {
    for (const options of [{ instructions: 'List the folder first.' }, {}, { instructions: '' }]) {
      const client = await connect((await serveWorkshop(options)).url, modes)
      expect(client.getInstructions()).toBe(options.instructions || undefined)
      await client.close()
    }
  })

  test('tells whether Tools reach the open world, if the server says so', async () => {
    for (const [openWorld, want] of [
      [undefined, [undefined, undefined, undefined]],
      [false, [false, false, false]],
      [
        ['pay', 'Files.tree'],
        [true, false, true],
      ],
    ] as const) {
      const client = await connect((await serveWorkshop({ openWorld })).url, modes)
      const { tools } = await client.listTools()
      const hints = new Map(tools.map(({ name, annotations }) => [name, annotations?.openWorldHint]))
      expect(['Files__tree', 'fail', 'pay'].map((name) => hints.get(name))).toEqual(want)
      await client.close()
    }
    await expect(serveWorkshop({ openWorld: ['pya', 'gone'] })).rejects.toThrow('Did you mean "pay"?')
  })

  test('calls them: structured content, text beside it', async () => {
    const { url } = await serveWorkshop()
    const client = await connect(url, modes)
    const tree = await client.callTool({
      name: 'Files__tree',
      arguments: { folder: { name: 'a', folders: [{ name: 'b' }] } },
    })
    expect(tree.structuredContent).toEqual({ name: 'a', folders: [{ name: 'b' }] })
    for (const _tool of ['Files.tree', 'Files__tree']) {
      const folder = { name: 'a' }
      for (const name of ['Files.tree', 'Files__tree']) {
        const named = await client.callTool({ name, arguments: { folder, _tool } })
        expect(named.structuredContent).toEqual(folder)
      }
    }
    const sum = await client.callTool({ name: 'add', arguments: { left: 1, right: 2 } })
    expect(sum.isError).toBeFalsy()
    expect(sum.structuredContent).toEqual('versionNegotiation' in modes ? 3 : { result: 3 })
    expect(sum.content).toContainEqual({ type: 'text', text: '3' })
    await client.close()
  })

  test('tells the model everything that is wrong, as a tool error', async () => {
    const { url } = await serveWorkshop()
    const client = await connect(url, modes)
    const refused = await client.callTool({ name: 'add', arguments: { left: 'x', rihgt: 2 } })
    expect(refused.isError).toBe(true)
    const [first] = refused.content as { text: string }[]
    expect(first?.text).toMatch(/\/left/)
    expect(first?.text).toMatch(/right/)
    expect(first?.text).toMatch(/rihgt/)
    const failed = await client.callTool({ name: 'fail', arguments: {} })
    expect(JSON.stringify(failed)).not.toContain('secret')
    await client.close()
  })

  test('reads arguments that a client quotes as what they mean, and a text as a text', async () => {
    const { url } = await serveWorkshop()
    const client = await connect(url, modes)
    const folder = '{"name":"5","folders":"[]"}'
    const tree = await client.callTool({ name: 'Files.tree', arguments: { folder } })
    expect(tree.structuredContent).toEqual({ name: '5', folders: [] })
    const sum = await client.callTool({ name: 'add', arguments: { left: '1', right: 2 } })
    expect(sum.content).toContainEqual({ type: 'text', text: '3' })
    await client.close()
  })

  test.each<[string, unknown, object, string]>([
    ['a Message', message({ type: 'data', data: { noted: 7 } }), {}, 'noted.*7'],
    [
      'ACT-7 what `onInvalidOutput` lets pass',
      { paid: 5 },
      { run: { onInvalidOutput: 'report' } },
      'paid.*5',
    ],
  ])(
    '%s in place of an output of its schema is told the model as text, since clients refuse it, and that the tool has run',
    async (_what, returned, options, told) => {
      const { Tool, Activity } = createRegistry()
      const properties = { _tool: { const: 'note' }, _output: { type: 'object', required: ['id'] } }
      Tool.register('note', { type: 'object', properties, required: ['_tool'] })
      Activity.register('note', () => returned)
      const client = await connect((await serve(Tool, options)).url, modes)
      await client.listTools()
      const result = await client.callTool({ name: 'note', arguments: {} })
      expect(result.structuredContent).toBeUndefined()
      expect(result).toMatchObject({ isError: true })
      expect(JSON.stringify(result.content)).toMatch(
        new RegExp(`has run and succeeded.*not call it again.*${told}`),
      )
      await client.close()
    },
  )

  test.each([
    ['text', message({ type: 'text', text: 'It rains.' }), 'It rains.'],
    ['data', message({ type: 'data', data: { noted: 7 } }), '{"noted":7}'],
  ])(
    'a Message with %s, of a Tool without an output, is what the model is told',
    async (_kind, said, text) => {
      const { Tool, Activity } = createRegistry()
      Tool.register('note', { type: 'object', properties: { _tool: { const: 'note' } }, required: ['_tool'] })
      Activity.register('note', () => said)
      const client = await connect((await serve(Tool)).url, modes)
      const result = await client.callTool({ name: 'note', arguments: {} })
      expect(result).toMatchObject({ content: [{ type: 'text', text }] })
      expect(result.isError).toBeFalsy()
      await client.close()
    },
  )

  test.each([[{ x: 1 }], [{ x: 1, _instance: 'a' }]])(
    'INST-3 a Tool of instances says where it is called: %j',
    async (given) => {
      const { Tool, Activity } = createRegistry()
      const properties = { _tool: { const: 'note' }, _instance: { type: 'string' }, x: { type: 'number' } }
      Tool.register('note', { type: 'object', properties, required: ['_tool', '_instance', 'x'] })
      Activity.register('note', () => undefined)
      const { url } = await serve(Tool)
      const hint = /no context here, and so no instances: a server takes both at POST \/calls/
      expect(await post(`${url}/tools/note`, given)).toMatchObject({
        status: 422,
        body: { detail: expect.stringMatching(hint) },
      })
      const client = await connect(url, modes)
      const result = await client.callTool({ name: 'note', arguments: given })
      expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(hint) }] })
      await client.close()
    },
  )

  test('arguments that name another tool run neither', async () => {
    const { url, deeds } = await serveWorkshop()
    const client = await connect(url, modes)
    const refused = await client.callTool({ name: 'pay', arguments: { _tool: 'add', amount: 5 } })
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('name the tool "add", and "pay" was called') }],
    })
    expect(deeds.paid).toBe(0)
    await client.close()
  })

  test('a Tool of any output that returns nothing was called all the same', async () => {
    const { Tool, Activity } = createRegistry()
    Tool.register('note', { type: 'object', properties: { _output: {} } })
    Activity.register('note', () => undefined)
    const { url } = await serve(Tool)
    const client = await connect(url, modes)
    await client.listTools()
    const noted = await client.callTool({ name: 'note', arguments: {} })
    expect(noted).toMatchObject({ content: [{ type: 'text', text: 'Done.' }] })
    expect(noted.structuredContent).toEqual('versionNegotiation' in modes ? null : { result: null })
    await client.close()
  })

  test('an output with a tuple has a schema that clients of either draft read', async () => {
    const { Tool, Activity } = createRegistry()
    const pair = { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false }
    Tool.register('pair', { type: 'object', properties: { _output: pair } })
    Activity.register('pair', () => ['a', 1])
    const { url } = await serve(Tool)
    const client = await connect(url, modes)
    const [listed] = (await client.listTools()).tools
    const { structuredContent } = await client.callTool({ name: 'pair', arguments: {} })
    const schema: object = listed?.outputSchema ?? {}
    expect(new Ajv({ strict: false }).validate(schema, structuredContent)).toBe(true)
    await client.close()
  })

  test.each(['anyOf', 'oneOf', 'allOf'])(
    'a Tool with %s at its root, which models refuse, is listed without, and checked with it',
    async (keyword) => {
      const { Tool, Activity } = createRegistry()
      const text = { type: 'string' }
      const parts = [
        { properties: { b: text }, required: ['b'] },
        { properties: { b: text, c: text }, required: ['c'] },
      ]
      Tool.register('either', {
        type: 'object',
        description: 'Says it.',
        properties: { a: text, _output: text },
        [keyword]: keyword === 'allOf' ? parts.slice(1) : parts,
      })
      Activity.register('either', ({ a, c }) => `${a ?? c}`)
      const { url } = await serve(Tool)
      const client = await connect(url, modes)
      const [listed] = (await client.listTools()).tools
      expect(listed?.inputSchema).toEqual({
        type: 'object',
        description: expect.stringContaining('"c"'),
        properties: { a: text, b: text, c: text },
        required: keyword === 'allOf' ? ['c'] : [],
      })
      const called = await client.callTool({ name: 'either', arguments: { c: 'x' } })
      expect(called.content).toContainEqual({ type: 'text', text: 'x' })
      const refused = await client.callTool({ name: 'either', arguments: { a: 'x' } })
      expect(refused.isError).toBe(true)
      await client.close()
    },
  )

  test('a Tool with `not` at its root is listed without, and checked with it', async () => {
    const { Tool, Activity } = createRegistry()
    const properties = { a: { type: 'string' }, b: { $ref: '#/$defs/B' } }
    const $defs = { B: { type: 'string' }, Part: { properties: { c: { $ref: '#/$defs/B' } } } }
    const allOf = [{ $ref: '#/$defs/Part' }]
    Tool.register('one', { type: 'object', properties, not: { required: ['a', 'b'] }, allOf, $defs })
    Activity.register('one', () => undefined)
    const { url } = await serve(Tool)
    const client = await connect(url, modes)
    const [listed] = (await client.listTools()).tools
    expect(listed?.inputSchema).toMatchObject({
      description: expect.stringContaining('Must not match {"required":["a","b"]}.'),
      properties: { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string' } },
    })
    for (const keyword of ['not', 'allOf']) expect(listed?.inputSchema).not.toHaveProperty(keyword)
    expect((await client.callTool({ name: 'one', arguments: { a: 'x', c: 'y' } })).isError).toBeFalsy()
    expect((await client.callTool({ name: 'one', arguments: { a: 'x', b: 'y' } })).isError).toBe(true)
    await client.close()
  })

  test('a Tool whose parts have parts of their own is listed with the properties of all of them', async () => {
    const { Tool, Activity } = createRegistry()
    const text = { type: 'string' }
    const has = (name: string) => ({ properties: { [name]: text }, required: [name] })
    const $defs = { Base: { allOf: [has('a'), has('b')] } }
    const anyOf = [{ $ref: '#/$defs/Base' }, { oneOf: [has('c'), has('d')] }, { allOf: [has('e')] }]
    Tool.register('parts', { type: 'object', anyOf, $defs })
    Activity.register('parts', () => undefined)
    const { url } = await serve(Tool)
    const client = await connect(url, modes)
    const [listed] = (await client.listTools()).tools
    expect(Object.keys(listed?.inputSchema.properties ?? {})).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(listed?.inputSchema.required).toEqual([])
    expect((await client.callTool({ name: 'parts', arguments: { c: '' } })).isError).toBeFalsy()
    await client.close()
  })

  test('a parameter is called by the name under which it is listed, or by its own', async () => {
    const { Tool, Activity } = createRegistry()
    const properties = { 'filter[id]': { type: 'integer' }, _output: { type: 'integer' } }
    Tool.register('list', {
      type: 'object',
      properties,
      required: ['filter[id]'],
      additionalProperties: false,
    })
    Activity.register('list', (call) => call['filter[id]'])
    const { url } = await serve(Tool)
    const client = await connect(url, modes)
    const [listed] = (await client.listTools()).tools
    expect(Object.keys(listed?.inputSchema.properties ?? {})).toEqual(['filter_id_'])
    for (const name of ['filter_id_', 'filter[id]']) {
      for (const value of [7, '7']) {
        const { content } = await client.callTool({ name: 'list', arguments: { [name]: value } })
        expect(content).toContainEqual({ type: 'text', text: '7' })
      }
    }
    await client.close()
  })

  test.each<[string, JsonSchema, unknown]>([
    ['a definition', { $ref: '#/$defs/Name' }, { name: 'a' }],
    ['a definition of a definition', { $ref: '#/$defs/Alias' }, { name: 'a' }],
    ['a definition with more', { $ref: '#/$defs/Name', required: ['name'] }, { name: 'a' }],
    [
      'one of two definitions',
      { anyOf: [{ $ref: '#/$defs/Name' }, { $ref: '#/$defs/Alias' }] },
      { name: 'a' },
    ],
    ['a text behind a definition', { $ref: '#/$defs/Text' }, 'a'],
    ['what contains itself', { $ref: '#/$defs/Tree' }, { of: { of: {} } }],
  ])('clients take an output that is %s', async (_what, _output, output) => {
    const $defs = {
      Name: { type: 'object', properties: { name: { type: 'string' } } },
      Alias: { $ref: '#/$defs/Name' },
      Text: { type: 'string' },
      Tree: { type: 'object', properties: { of: { $ref: '#/$defs/Tree' } }, additionalProperties: false },
    }
    const { Tool, Activity } = createRegistry()
    Tool.register('get', { type: 'object', properties: { _output }, $defs })
    Activity.register('get', () => output)
    const { url } = await serve(Tool)
    const client = await connect(url, modes)
    // It checks the output by the schema that it has listed.
    await client.listTools()
    const { structuredContent, isError } = await client.callTool({ name: 'get', arguments: {} })
    expect(isError).toBeFalsy()
    expect([output, { result: output }]).toContainEqual(structuredContent)
    await client.close()
  })

  test('an output is listed with its definitions in place, and without its draft', async () => {
    const { Tool, Activity } = createRegistry()
    const $schema = 'http://json-schema.org/draft-07/schema#'
    const text = { type: 'string' }
    const referring = { type: 'object', properties: { of: { $ref: '#/$defs/Text' } } }
    const draft = { $schema, type: 'object', properties: { of: { $schema, ...text } } }
    for (const [name, _output] of Object.entries({ referring, draft })) {
      Tool.register(name, { type: 'object', properties: { _output }, $defs: { Text: text } })
      Activity.register(name, () => ({}))
    }
    const { url } = await serve(Tool)
    const client = await connect(url, modes)
    const { tools } = await client.listTools()
    const plain = { type: 'object', properties: { of: text } }
    expect(tools.map(({ outputSchema }) => outputSchema)).toEqual([plain, plain])
    await client.close()
  })

  test('a tool that is not there is an error of the protocol', async () => {
    const { url } = await serveWorkshop()
    const client = await connect(url, modes)
    await expect(client.callTool({ name: 'constructor', arguments: {} })).rejects.toThrow(
      /There is no tool "constructor"/,
    )
    await client.close()
  })

  test('reports progress and can be cancelled', async () => {
    const { url, deeds } = await serveWorkshop()
    const client = await connect(url, modes)
    const steps: unknown[] = []
    await client.callTool(
      { name: 'wait', arguments: { time: 20 } },
      { onprogress: (step) => steps.push(step) },
    )
    expect(steps).toMatchObject([{ progress: 1, message: '{"step":1}' }])
    const controller = new AbortController()
    const cancelled = client.callTool(
      { name: 'wait', arguments: { time: 60_000 } },
      { signal: controller.signal },
    )
    setTimeout(() => controller.abort(), 100)
    await expect(cancelled).rejects.toThrow()
    await until(() => deeds.aborted === 1)
    await client.close()
  })

  test('what a caller may not see is not there', async () => {
    const { url } = await serveWorkshop({
      authorize: (request) => (request.headers.get('authorization') === 'right' ? { id: 'anna' } : undefined),
    })
    await expect(connect(url, modes)).rejects.toThrow()
    const client = await connect(url, modes, { authorization: 'right' })
    expect((await client.listTools()).tools).toHaveLength(5)
    await client.close()
  })
})

test('SERVE-2 a request is cancelled in its own session alone, and by its own caller', async () => {
  const authorize = (request: Request) => ({ id: request.headers.get('authorization') ?? 'nobody' })
  const { url, deeds } = await serveWorkshop({ authorize })
  const ask = (body: object, headers: Record<string, string> = {}) => {
    const accept = { accept: 'application/json, text/event-stream' }
    return send(`${url}/mcp`, { jsonrpc: '2.0', ...body }, { headers: { ...accept, ...headers } })
  }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
  const begun = await Promise.all([1, 2].map(() => ask({ id: 0, method: 'initialize', params })))
  const [mine = '', other = ''] = begun.map(({ headers }) => headers.get('mcp-session-id') ?? '')
  expect([mine === other, mine.length]).toEqual([false, 36])
  const own = { 'mcp-session-id': mine, authorization: 'ada' }
  const call = { id: 1, method: 'tools/call', params: { name: 'wait', arguments: { time: 60_000 } } }
  const answering = ask(call, own)
  await until(() => deeds.started === 1)
  const cancel = (requestId: unknown, headers: Record<string, string>) =>
    ask({ method: 'notifications/cancelled', params: { requestId } }, headers)
  for (const headers of [
    { authorization: 'ada' },
    { ...own, 'mcp-session-id': other },
    { ...own, authorization: 'eve' },
  ])
    expect((await cancel(1, headers)).status).toBe(202)
  expect((await cancel('1', own)).status).toBe(202)
  expect(deeds.aborted).toBe(0)
  await cancel(1, own)
  expect(await (await answering).text()).toBe('')
  expect(deeds.aborted).toBe(1)
  // In a batch the others are answered, which is the end of all of them.
  const batch = [
    call,
    { id: 2, method: 'tools/call', params: { name: 'add', arguments: { left: 1, right: 2 } } },
  ]
  const all = send(
    `${url}/mcp`,
    batch.map((each) => ({ jsonrpc: '2.0', ...each })),
    { headers: { accept: 'application/json, text/event-stream', ...own } },
  )
  await until(() => deeds.started === 2)
  await cancel(1, own)
  const answers = await (await all).text()
  for (const told of ['"result":3', 'The client cancelled the request']) expect(answers).toContain(told)
})

test.each(doors)('SERVE-6 a Call that the closing server aborts is answered, by %s', async (door) => {
  const { url, server, deeds } = await serveWorkshop({ limits: { drainTime: 20 } }, door)
  const params = { name: 'wait', arguments: { time: 60_000 } }
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const accept = { accept: 'application/json, text/event-stream' }
  const answering = send(`${url}/mcp`, request, { headers: accept })
  await until(() => deeds.started === 1)
  await server.close()
  expect(await (await answering).text()).toContain('aborted: The server is closed.')
  expect(deeds.aborted).toBe(1)
})

test('SERVE-6 a client that left before does not cost another one its answer when the server closes', async () => {
  const { url, server, deeds } = await serveWorkshop({
    limits: { drainTime: 20 },
    // Answers an aborted Call later than the SDK would have been closed.
    run: { after: () => new Promise((resolve) => setTimeout(() => resolve(undefined), 50)) },
  })
  const params = { name: 'wait', arguments: { time: 60_000 } }
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const headers = { accept: 'application/json, text/event-stream' }
  const leaving = new AbortController()
  await send(`${url}/mcp`, request, { headers, signal: leaving.signal })
  await until(() => deeds.started === 1)
  leaving.abort()
  await until(() => deeds.aborted === 1)
  const client = await connect(url, { versionNegotiation: { mode: 'auto' } })
  const answering = client.callTool(params)
  await until(() => deeds.started === 2)
  await server.close()
  const text = 'aborted: The server is closed.'
  expect(await answering).toMatchObject({ content: [{ text }], isError: true })
})

test('SERVE-6 what comes after the server has closed is refused as such, and is no fault of it', async () => {
  const faults: unknown[] = []
  const server = toolServer(workshop().Tool, { onError: (error) => faults.push(error) })
  const headers = { accept: 'application/json, text/event-stream' }
  const ping = () =>
    server(jsonRequest('http://localhost/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, { headers }))
  expect(await (await ping()).text()).toContain('"result":{}')
  await server.close()
  expect((await ping()).status).toBe(503)
  expect((await server(new Request('http://localhost/mcp'))).status).toBe(503)
  expect(faults).toEqual([])
})

test('SERVE-6 who waits for a write of a server that closes is told that it goes on, by every way in', async () => {
  const { Tool, Activity } = workshop()
  let begun = 0
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const pay = async () => {
    begun += 1
    await ended
    return {}
  }
  Activity.register('pay', pay, { replace: true })
  const server = await serve(Tool, { limits: { drainTime: 20 } })
  const call = { _tool: 'pay', amount: 5 }
  const params = { name: 'pay', arguments: { amount: 5 } }
  const accept = { accept: 'application/json, text/event-stream' }
  const requests: [path: string, body: object, headers: Record<string, string>][] = [
    ['/calls', call, {}],
    ['/calls', { call, id: 'a' }, {}],
    ['/calls', { call }, { accept: 'text/event-stream' }],
    ['/calls', { calls: [call, { ...call, amount: 6 }] }, {}],
    ['/calls', { calls: [call, { ...call, amount: 6 }], strategy: 'all' }, {}],
    ['/tools/pay', { amount: 5 }, {}],
    ['/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, accept],
  ]
  const answering = requests.map(async ([path, body, headers]) => {
    const response = await send(server.url + path, body, { headers })
    return response.text()
  })
  await until(() => begun === 9)
  await server.close()
  const goesOn = 'The server is closed. The Call goes on. Whether it did its work is not known'
  for (const text of await Promise.all(answering)) {
    expect(text).toContain(goesOn)
    expect(text).toContain('interrupted')
    expect(text).not.toContain('null')
  }
  end()
})

test.each([
  { text: { type: 'strin' }, why: 'type must be the name of a JSON type' },
  // As draft 3 wrote it, and as models write it.
  { text: { type: 'string', required: true }, why: 'required must be a list of different property names' },
])(
  'SERVE-2 a Tool with a malformed schema is not listed, and a Call of it says why: $why',
  async ({ text, why }) => {
    const { Tool } = createRegistry()
    Tool.register('sound', { type: 'object', properties: { _tool: { const: 'sound' } } })
    Tool.register('broken', { type: 'object', properties: { text } } as object)
    const { url } = await serve(Tool)
    const client = await connect(url)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['sound'])
    expect(await (await fetch(`${url}/openapi.json`)).json()).toMatchObject({ openapi: expect.anything() })
    const { content } = await client.callTool({ name: 'broken', arguments: { text: 'x' } })
    expect(content).toEqual([{ type: 'text', text: expect.stringContaining(why) }])
  },
)

test('SERVE-6 whoever asks is told of the Tools that are there for them, and a † that they send is text', async () => {
  const text = { type: 'string' }
  const { Tool, Activity } = createRegistry()
  const schema = { type: 'object', properties: { text, _output: text }, required: ['text'] }
  Tool.register('echo', schema, { enabled: (_, who) => (who as { id: string }).id === 'ada' })
  Activity.register('echo', ({ text }) => text)
  const { url } = await serve(Tool, { authorize: (request) => ({ id: request.headers.get('x-user') ?? '' }) })
  const ada = await connect(url, {}, { 'x-user': 'ada' })
  expect((await ada.listTools()).tools).toMatchObject([{ name: 'echo' }])
  const echoed = await ada.callTool({ name: 'echo', arguments: { text: '†state.secret' } })
  expect(echoed.content).toMatchObject([{ text: '†state.secret' }])
  const eve = await connect(url, {}, { 'x-user': 'eve' })
  expect((await eve.listTools()).tools).toEqual([])
  await Promise.all([ada.close(), eve.close()])
})
