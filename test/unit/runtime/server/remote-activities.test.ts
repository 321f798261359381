import {
  type ActivityContext,
  ActivityError,
  type AnyActivity,
  createRegistry,
  type Message,
  message,
  type ToolSchema,
} from 'callsheet'
import { memoryStore, type OutcomeStore, remoteActivities, toolServer } from 'callsheet/server'
import { describe, expect, test } from 'vitest'
import { describe as describeTool } from '../../../../runtime/server/served-tools.ts'
import { endlessBody } from './endless-body.ts'
import { add, listen, post, schemas, serve, serveWorkshop, until, workshop } from './serving.ts'

async function agentOf(url: string, tools: Record<string, object> = schemas) {
  const { Tool, Activity } = createRegistry({ tools })
  remoteActivities(url, { Tool, Activity })
  return Tool
}

function headersOf(contract: string): Record<string, string> {
  return { 'callsheet-contract': contract }
}

/** A `fetch` whose connection fails. */
function broken(code: string): () => Promise<never> {
  const cause = Object.assign(new Error(code), { code })
  return () => Promise.reject(new TypeError('fetch failed', { cause }))
}

function asJson(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'application/json' } })
}

function problem(details: object, status: number): Response {
  return Response.json(details, { status, headers: { 'content-type': 'application/problem+json' } })
}

/** An answer of events. */
function events(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
}

describe('SERVE-4 Activities that run elsewhere', () => {
  test('run there, with the same outputs and failures', async () => {
    const { url, deeds } = await serveWorkshop()
    const Tool = await agentOf(url)
    expect(await Tool({ _tool: 'add', left: 1, right: 2 })).toBe(3)
    const [sum, tree] = await Tool.all([
      { _tool: 'add', left: 2, right: 2 },
      { _tool: 'Files.tree', folder: { name: 'a' } },
    ])
    expect([sum, tree]).toEqual([4, { name: 'a' }])
    const failed = await Tool.run({ _tool: 'fail' })
    expect(failed.error).toBeInstanceOf(ActivityError)
    expect(failed.error).toMatchObject({
      name: 'ActivityError',
      code: 'activity_failed',
      message: expect.stringContaining(url),
    })
    expect(await Tool.run({ _tool: 'pay', amount: 5 }, { id: 'once' })).toMatchObject({ status: 'succeeded' })
    expect(await Tool.run({ _tool: 'pay', amount: 5 }, { id: 'once' })).toMatchObject({
      output: { id: expect.any(String) },
    })
    expect(deeds.paid).toBe(5)
  })

  test('OUT-6 what an Activity threw there is written here as if it had been thrown here', async () => {
    const text = { type: 'string' }
    const _outputPath = { const: '†state.done || †state.failed.0' }
    const tools = {
      file: { type: 'object', properties: { how: text, _outputPath, _output: text }, required: ['how'] },
    }
    const there = createRegistry({ tools })
    const thrown: Record<string, unknown> = {
      own: Object.assign(new TypeError('disk full'), { code: 'ENOSPC' }),
      number: Object.assign(new Error('gone'), { code: 410 }),
      text: 'a text',
      nothing: undefined,
    }
    const file: AnyActivity = ({ how }) => Promise.reject(thrown[String(how)])
    there.Activity.register('file', file)
    const here = createRegistry({ tools })
    here.Activity.register('file', file)
    const Tool = await agentOf((await serve(there.Tool)).url, tools)
    for (const how of Object.keys(thrown)) {
      const [sent, own] = await Promise.all([
        Tool.run({ _tool: 'file', how }),
        here.Tool.run({ _tool: 'file', how }),
      ])
      expect(sent.appended).toEqual([{ ...own.appended[0], _date: expect.any(String) }])
    }
  })

  test('OUT-6 a failure of which nothing was written there is written as what is known of it', async () => {
    const text = { type: 'string' }
    const tools = {
      file: { type: 'object', properties: { _outputPath: { const: '†state.a || †state.b' }, _output: text } },
    }
    const answer = {
      status: 'failed',
      error: { code: 'activity_failed', message: 'disk full' },
      appended: [],
    }
    const { Tool, Activity } = createRegistry({ tools })
    remoteActivities('http://127.0.0.1:1', { Tool, Activity, fetch: async () => Response.json(answer) })
    const { appended } = await Tool.run({ _tool: 'file' })
    expect(appended).toMatchObject([
      { data: { b: { code: 'activity_failed', message: expect.stringContaining('disk full') } } },
    ])
  })

  test('credentials that would be left out are refused', async () => {
    const { url } = await serveWorkshop()
    const inHeaders = new Headers({ authorization: 'Bearer x' }) as unknown as Record<string, string>
    const { Tool, Activity } = createRegistry({ tools: schemas })
    for (const headers of [inHeaders, Object.create({ authorization: 'Bearer x' })]) {
      expect(() => remoteActivities(url, { Tool, Activity, headers })).toThrow(
        /\/headers: expected an object of texts/,
      )
    }
    remoteActivities(url, { Tool, Activity, headers: () => inHeaders })
    const { error } = await Tool.run({ _tool: 'add', left: 1, right: 2 })
    expect(error).toMatchObject({
      code: 'activity_failed',
      message: expect.stringContaining('`headers` of remoteActivities: the function answered Headers'),
    })
  })

  test.each([
    [{ 'x token': 's3cret' }, '"x token" is no name of a header'],
    [{ authorization: 'Bearer s3cret €' }, 'the value of "authorization" has characters that headers cannot'],
    [{ authorization: ['s3cret'] }, 'the value of "authorization" is not a text'],
  ])('headers that HTTP cannot carry are told as that, and not what they hold: %j', async (given, reason) => {
    const headers = given as Record<string, string>
    const { Tool, Activity } = createRegistry({ tools: schemas })
    const problem = expect.objectContaining({ message: expect.stringContaining(reason) })
    expect(() => remoteActivities('http://127.0.0.1:9', { Tool, Activity, headers })).toThrow(problem)
    remoteActivities('http://127.0.0.1:9', { Tool, Activity, headers: () => headers })
    const { error } = await Tool.run({ _tool: 'add', left: 1, right: 2 })
    expect(error).toEqual(problem)
    expect(error?.message).not.toContain('s3cret')
  })

  test('headers replace those that are sent anyway, however they are spelt', async () => {
    const { url } = await serveWorkshop()
    const { Tool, Activity } = createRegistry({ tools: schemas })
    remoteActivities(url, { Tool, Activity, headers: { 'Content-Type': 'application/json; charset=utf-8' } })
    expect((await Tool.run({ _tool: 'add', left: 1, right: 2 })).output).toBe(3)
  })

  test('a server that sends its Calls to itself, or to one that sends them back, says so at once', async () => {
    const own = createRegistry({ tools: schemas })
    const { url } = await serve(own.Tool)
    remoteActivities(url, { ...own, names: ['add'] })
    const other = createRegistry({ tools: schemas })
    remoteActivities((await serve(other.Tool)).url, { ...own, names: ['pay'] })
    remoteActivities(url, { ...other, names: ['pay'] })
    for (const call of [
      { _tool: 'add', left: 1, right: 2 },
      { _tool: 'pay', amount: 5 },
    ]) {
      const { body } = await post(`${url}/calls`, { call, id: `once ${call._tool}` })
      expect(body).toMatchObject({
        status: 'failed',
        error: { code: 'connection_failed', message: expect.stringContaining('it has passed already') },
      })
    }
  })

  test('SERVE-5 an id that a server would refuse, such as one that grew on its way, is sent as another one', async () => {
    const { Tool: there, Activity, deeds } = workshop()
    const between = createRegistry({ tools: schemas })
    const authorize = () => ({ id: 'a caller with a name/' })
    remoteActivities((await serve(there, { authorize })).url, between)
    const Tool = await agentOf((await serve(between.Tool, { authorize })).url)
    const ids = ['x'.repeat(500), 'x'.repeat(501), `${'x'.repeat(9_000)}`, 'half \ud800', 'half \ud801']
    for (const id of [...ids, ...ids]) {
      expect(await Tool.run({ _tool: 'pay', amount: 1 }, { id })).toMatchObject({ status: 'succeeded', id })
    }
    expect([deeds.paid, Activity.names.length]).toEqual([ids.length, 5])
  })

  test.each([
    { scopes: [], seen: [] },
    { scopes: ['state'], seen: [{ all: 1 }, { own: 2 }] },
    { scopes: ['input'], seen: [] },
  ])(
    'INST-3 a Call of an instance runs there, whatever its scopes let through: $scopes',
    async ({ scopes, seen }) => {
      const look = {
        type: 'object',
        properties: {
          _tool: { const: 'look' },
          ...(scopes.length > 0 && { _scopes: { type: 'array', const: scopes } }),
          _instance: { type: 'string' },
          _output: {},
        },
        required: ['_tool'],
      }
      const worker = createRegistry({ tools: { look } })
      worker.Activity.register('look', (_call, _tool, context: ActivityContext) =>
        context.map((message) => (message.type === 'state' ? message.state : message)),
      )
      const { url } = await serve(worker.Tool)
      const Tool = await agentOf(url, { look })
      const context: Message[] = [
        { type: 'state', state: { all: 1 } },
        { type: 'state', state: { own: 2 }, _instance: 'i' },
      ]
      expect(await Tool({ _tool: 'look', _instance: 'i' }, { context })).toEqual(seen)
      const { error } = await Tool.run({ _tool: 'look', _instance: 'other' }, { context })
      expect(error).toMatchObject({ code: 'unknown_instance' })
    },
  )

  test.each([
    ['keeps what processes with other clocks ended', 60_000],
    ['keeps nothing', undefined],
  ])('CALL-7 `retry` here runs a Call there again where its store %s', async (_, ahead) => {
    const { Tool: there, Activity } = workshop()
    let attempts = 0
    const flaky: AnyActivity = () => {
      if (++attempts < 3) throw new Error('down')
      return 3
    }
    Activity.register('add', flaky, { replace: true })
    const kept = memoryStore()
    const finish: OutcomeStore['finish'] = (key, outcome) => {
      if (ahead === undefined) throw new Error('the disk is full')
      return kept.finish(key, { ...outcome, endedAt: outcome.endedAt + ahead })
    }
    const { url } = await serve(there, { store: { ...kept, finish }, onError: () => undefined })
    const outcome = await (await agentOf(url)).run(
      { _tool: 'add', left: 1, right: 2 },
      { retry: { attempts: 3 } },
    )
    expect(outcome).toMatchObject({ output: 3, attempts: 3 })
  })

  test('TOOL-9 `retry` here does not repeat a write that a hook there put in the place of a read', async () => {
    const { Tool: there, Activity } = workshop()
    const paid: string[] = []
    const failing: AnyActivity = (_call, _tool, _context, run) => {
      paid.push(run.id)
      throw new Error('down')
    }
    Activity.register('pay', failing, { replace: true })
    const { url } = await serve(there, { run: { before: () => ({ _tool: 'pay', amount: 1 }) } })
    const outcome = await (await agentOf(url)).run(
      { _tool: 'add', left: 1, right: 2 },
      { retry: { attempts: 3 }, id: 'a' },
    )
    expect(outcome).toMatchObject({ status: 'failed' })
    expect(paid).toEqual(['a'])
  })

  test('CALL-7 `retry` here runs a Call there again once it has failed, and not while it runs', async () => {
    const { Tool: there, Activity, ...shop } = workshop()
    const attempts: string[] = []
    const numbers: number[] = []
    const flaky: AnyActivity = (_call, _tool, _context, run) => {
      attempts.push(run.id)
      numbers.push(run.attempt)
      if (attempts.length < 3) throw new Error('down')
      return 3
    }
    Activity.register('add', flaky, { replace: true })
    const { url } = await serve(there)
    const Tool = await agentOf(url)
    const retry = { attempts: 5 }
    const call = { _tool: 'add', left: 1, right: 2 }
    expect(await Tool.run(call, { retry, id: 'a' })).toMatchObject({ status: 'succeeded', attempts: 3 })
    expect(attempts).toEqual(['a', 'a', 'a'])
    expect(numbers).toEqual([1, 2, 3])
    // Somebody who only asks again gets what he got.
    const asked = (headers = {}) => post(`${url}/calls`, { call, id: 'a' }, headers)
    expect((await asked()).body).toMatchObject({ status: 'failed' })
    expect((await asked({ 'callsheet-attempt': '9' })).body).toMatchObject({ status: 'succeeded' })
    expect((await asked({ 'callsheet-attempt': 'x' })).status).toBe(400)
    expect(attempts).toHaveLength(3)
    const slow = { call: { _tool: 'wait', time: 100 }, id: 'b' }
    const [first, second] = await Promise.all([
      post(`${url}/calls`, slow),
      post(`${url}/calls`, slow, { 'callsheet-attempt': '2' }),
    ])
    expect(second.body).toEqual(first.body)
    expect(shop.deeds.started).toBe(1)
  })

  test('CALL-7 where a server on the way retries as well, each of its attempts is one there', async () => {
    const { Tool: there, Activity } = workshop()
    const numbers: number[] = []
    Activity.register('add', (_call, _tool, _context, run) => {
      if (numbers.push(run.attempt) < 6) throw new Error('not yet')
      return 3
    })
    const between = createRegistry({ tools: schemas })
    remoteActivities((await serve(there)).url, between)
    const { url } = await serve(between.Tool, { run: { retry: { attempts: 2 } } })
    const Tool = await agentOf(url)
    const outcome = await Tool.run({ _tool: 'add', left: 1, right: 2 }, { retry: { attempts: 3 } })
    expect([outcome.output, outcome.attempts, numbers]).toEqual([3, 3, [1, 2, 3, 4, 5, 6]])
  })

  test('progress that is too long to be read takes no Outcome along', async () => {
    const there = workshop()
    there.Activity.register(
      'add',
      (call, _tool, _context, run) => {
        for (const step of ['x'.repeat(17_000_000), 'short']) run.emit({ step })
        return (call.left as number) + (call.right as number)
      },
      { replace: true },
    )
    const { url } = await serve(there.Tool)
    const Tool = await agentOf(url)
    const progress: unknown[] = []
    Tool.on('activity:progress', ({ data }) => progress.push(data))
    expect(await Tool(add(1, 2))).toBe(3)
    expect(progress).toEqual([{ step: 'short' }])
  })

  test('progress comes back, aborts go there', async () => {
    const { url, deeds } = await serveWorkshop()
    const Tool = await agentOf(url)
    const progress: unknown[] = []
    Tool.on('activity:progress', ({ data }) => progress.push(data))
    await Tool({ _tool: 'wait', time: 10 })
    expect(progress).toEqual([{ step: 1 }])
    const controller = new AbortController()
    const running = Tool.run({ _tool: 'wait', time: 60_000 }, { signal: controller.signal })
    await until(() => deeds.started === 2)
    controller.abort()
    expect((await running).status).toBe('aborted')
    await until(() => deeds.aborted === 1)
    expect(deeds.aborted).toBe(1)
  })

  test('text that looks like a Reference is not read a second time', async () => {
    const { url } = await serveWorkshop()
    const Tool = await agentOf(url)
    const context = [message({ type: 'state', state: { name: '†state.secret', secret: 's' } })]
    const outcome = await Tool.run({ _tool: 'Files.tree', folder: { name: '†state.name' } }, { context })
    expect(outcome.output).toEqual({ name: '†state.secret' })
  })

  test('what a Tool may see goes along, and nothing else', async () => {
    const tools = {
      peek: {
        type: 'object',
        properties: { _tool: { const: 'peek' }, _scopes: { const: ['†state.open'] }, _output: {} },
        required: ['_tool'],
      },
    }
    const there = createRegistry({ tools })
    there.Activity.register('peek', async (_call, _tool, context: ActivityContext) =>
      context.map((each) => ('data' in each ? each.data : each)),
    )
    const Tool = await agentOf(await listen(toolServer(there.Tool, { limits: { drainTime: 100 } })), tools)
    const context = [message({ type: 'state', state: { open: 1, closed: 2 } })]
    expect((await Tool.run({ _tool: 'peek' }, { context })).output).toEqual([{ open: 1 }])
  })

  test('a server of another contract is contract_mismatch before anything runs; other words are no other contract', async () => {
    const { url, deeds } = await serveWorkshop()
    const reworded = { ...schemas, pay: { ...schemas.pay, description: 'Transfers money.' } }
    expect(await (await agentOf(url, reworded)).run({ _tool: 'pay', amount: 1 })).toMatchObject({
      status: 'succeeded',
    })
    const other = {
      ...schemas,
      pay: { ...schemas.pay, properties: { ...schemas.pay.properties, currency: { type: 'string' } } },
    }
    const outcome = await (await agentOf(url, other)).run({ _tool: 'pay', amount: 1 })
    expect(outcome.error).toMatchObject({
      code: 'contract_mismatch',
      message: expect.stringContaining('pay'),
    })
    const headers = { 'callsheet-contract': 'pay=1,pay=2, pay=1' }
    const twice = await post(`${url}/calls`, { _tool: 'pay', amount: 1 }, headers)
    expect(twice.body.detail).toMatch(/another contract of pay\. /)
    expect(twice.body.problems).toHaveLength(2)
    expect(deeds.paid).toBe(1)
    expect(await (await agentOf(url, other)).run({ _tool: 'add', left: 1, right: 1 })).toMatchObject({
      output: 2,
    })
  })

  test.each([
    ['read', 'write'],
    ['read', undefined],
    ['read', 'idempotent'],
    ['idempotent', 'write'],
  ] as const)(
    'a caller that takes a Tool for %s does not run one that is %s there',
    async (known, declared) => {
      const { pay } = schemas
      const { effects: _, ...undeclared } = pay
      const there = createRegistry({
        tools: { pay: { ...undeclared, ...(declared && { effects: declared }) } },
      })
      const ran: unknown[] = []
      there.Activity.register('pay', ({ amount }) => ({ place: ran.push(amount) }))
      const { contract } = await describeTool('pay', pay)
      const { url } = await serve(there.Tool, { contracts: { pay: [contract, '0123456789abcdef'] } })
      const Tool = await agentOf(url, { pay: { ...pay, effects: known } })
      const { error } = await Tool.run({ _tool: 'pay', amount: 1 })
      expect(error).toMatchObject({ code: 'contract_mismatch', message: expect.stringContaining('pay') })
      const older = await post(
        `${url}/calls`,
        { _tool: 'pay', amount: 1 },
        headersOf(`pay=0123456789abcdef=${known}`),
      )
      expect(older.body.problems).toMatchObject([
        { path: '/pay', expected: `effects ${declared ?? 'write'}`, received: known },
      ])
      expect(ran).toEqual([])
      // Earlier versions do not send them, and nobody minds a caller that is more careful.
      for (const sent of [`pay=${contract}`, `pay=${contract}=write`, `pay=${contract}=later=more`])
        expect((await post(`${url}/calls`, { _tool: 'pay', amount: 2 }, headersOf(sent))).status).toBe(200)
      expect(ran).toEqual([2, 2, 2])
    },
  )

  test('another contract is told of a Tool that is there in a context and for somebody, whatever another Tool does', async () => {
    const ran: unknown[] = []
    const { Tool, Activity } = createRegistry({ tools: schemas })
    const enabled = (context: ActivityContext, principal: unknown) =>
      context.length > 0 && (principal as { id: string }).id === 'ada'
    Tool.register('pay', schemas.pay, { enabled })
    Tool.register('fail', schemas.fail, {
      enabled: () => {
        throw new Error('enabled fails')
      },
    })
    Activity.register('pay', ({ amount }) => ran.push(amount))
    const server = toolServer(Tool, { authorize: (request) => ({ id: request.headers.get('x-user') ?? '' }) })
    const answerTo = async (user: string, contract: string) => {
      const context = [{ type: 'text', text: 'a' }]
      const body = JSON.stringify({ call: { _tool: 'pay', amount: 1 }, context })
      const headers = { 'content-type': 'application/json', 'x-user': user, 'callsheet-contract': contract }
      return server(new Request('http://localhost/calls', { method: 'POST', headers, body }))
    }
    const other = 'pay=0123456789abcdef'
    const { contract } = await describeTool('pay', Tool.get('pay') as ToolSchema)
    expect((await answerTo('ada', `pay=${contract}, add=0123456789abcdef`)).status).toBe(200)
    expect(ran).toEqual([1])
    Tool.unregister('fail')
    expect(await (await answerTo('ada', other)).json()).toMatchObject({ code: 'contract_mismatch' })
    expect(await (await answerTo('eve', other)).json()).toMatchObject({ error: { code: 'unknown_tool' } })
    expect(ran).toEqual([1])
  })

  test('ACT-5 one run sees one variant there, however many Calls it has', async () => {
    const there = createRegistry({ tools: { add: schemas.add } })
    const seen: number[] = []
    for (const variant of [1, 2]) {
      there.Activity.register('add', () => seen.push(variant) && variant, { variant: `v${variant}` })
    }
    const policy = { add: { percentage: { v1: 50, v2: 50 } } }
    const server = toolServer(there.Tool, { run: { policy } })
    const here = createRegistry({ tools: { add: schemas.add } })
    const { Tool, Activity } = here
    remoteActivities('http://localhost', {
      Tool,
      Activity,
      fetch: async (url, init) => server(new Request(url, init)),
    })
    const calls = Array.from({ length: 20 }, () => ({ _tool: 'add', left: 1, right: 2 }))
    const variants: unknown[] = []
    for (const variantKey of ['a', 'b', 'ü/%', '†', 'e', 'f', 'g', 'h', '\ud800']) {
      const outputs = new Set(await Tool.all(calls, { variantKey }))
      expect(outputs.size).toBe(1)
      variants.push(...outputs)
    }
    expect(new Set(variants)).toEqual(new Set([1, 2]))
    const headers = { 'content-type': 'application/json', 'callsheet-variant-key': '%' }
    const broken = new Request('http://localhost/calls', {
      method: 'POST',
      headers,
      body: JSON.stringify(calls[0]),
    })
    expect((await server(broken)).status).toBe(400)
  })

  test('a contract of before is served as well where the server is told of it, that of its Tool alone', async () => {
    const { Tool: before } = workshop()
    const { tools: told } = (await (
      await toolServer(before)(new Request('http://localhost/tools'))
    ).json()) as { tools: { name: string; contract: string }[] }
    const hashes = Object.fromEntries(told.map(({ name, contract }) => [name, [contract]]))
    const memo = { type: 'string' } as const
    const withMemo = (name: 'pay' | 'add'): ToolSchema => ({
      ...schemas[name],
      properties: { ...schemas[name].properties, memo },
    })
    const { Tool, Activity } = createRegistry({
      tools: { ...schemas, pay: withMemo('pay'), add: withMemo('add') },
    })
    Activity.register('pay', () => ({}))
    Activity.register('add', () => 2)
    expect(() => toolServer(Tool, { contracts: { pya: [], gone: [] } })).toThrow('Did you mean "pay"?')
    const url = await listen(toolServer(Tool, { contracts: { pay: hashes.pay ?? [] } }))
    const agent = await agentOf(url)
    expect(await agent.run({ _tool: 'pay', amount: 1 })).toMatchObject({ status: 'succeeded' })
    expect(await agent.run({ _tool: 'add', left: 1, right: 1 })).toMatchObject({
      error: { code: 'contract_mismatch' },
    })
  })

  test('a context that is more than the server takes is told as what it is', async () => {
    const peek = { _tool: { const: 'peek' }, _scopes: { const: ['state'] } }
    const tools = { peek: { type: 'object', properties: peek, required: ['_tool'] } }
    const there = createRegistry({ tools })
    const url = await listen(toolServer(there.Tool, { limits: { bodyBytes: 2_000, drainTime: 100 } }))
    const context = [message({ type: 'state', state: { notes: 'x'.repeat(3_000) } })]
    const { error } = await (await agentOf(url, tools)).run({ _tool: 'peek' }, { context })
    expect(error).toMatchObject({
      code: 'connection_failed',
      message: expect.stringMatching(/takes no request of this size.*`_scopes`.*limits\.bodyBytes/),
    })
  })

  test('a refusal with a code that only servers have names it', async () => {
    const { Tool, Activity } = createRegistry({ tools: schemas })
    const problem = { code: 'idempotency_conflict', detail: 'The id was used for another Call.' }
    const headers = { 'content-type': 'application/problem+json' }
    const fetch = async (): Promise<Response> => Response.json(problem, { status: 409, headers })
    remoteActivities('http://worker.test', { Tool, Activity, fetch })
    const { error } = await Tool.run({ _tool: 'add', left: 1, right: 2 })
    expect(error).toMatchObject({
      code: 'connection_failed',
      message: expect.stringMatching(
        /worker\.test.*: idempotency_conflict: The id was used for another Call/,
      ),
    })
  })

  test.each([
    [503, { 'retry-after': '7' }, /status 503\. It is busy: try again in 7 seconds\.$/],
    [429, { 'retry-after': 'x'.repeat(99) }, /status 429\. It is busy: try again later\.$/],
    [500, { 'retry-after': '7' }, /status 500\.$/],
  ])('status %i of a proxy says when to try again', async (status, headers, text) => {
    const { Tool, Activity } = createRegistry({ tools: schemas })
    const fetch = async (): Promise<Response> => new Response('<p>busy</p>', { status, headers })
    remoteActivities('http://worker.test', { Tool, Activity, fetch })
    const { error } = await Tool.run({ _tool: 'add', left: 1, right: 2 })
    expect(error).toMatchObject({ code: 'connection_failed', message: expect.stringMatching(text) })
  })

  test('a server that is closing says so, and that another attempt is safe', async () => {
    const server = toolServer(workshop().Tool)
    await server.close()
    const { Tool, Activity } = createRegistry({ tools: schemas })
    const fetch: typeof globalThis.fetch = (url, init) => server.fetch(new Request(url, init))
    remoteActivities('http://localhost', { Tool, Activity, fetch })
    const { error } = await Tool.run({ _tool: 'pay', amount: 1 })
    expect(error?.message).toMatch(/closing, and the Call did not run\. Try again in 5 seconds/)
  })

  const circular: object[] = [new Error('lost')]
  for (const _ of [1, 2]) circular.push({ message: '', errors: circular })
  test.each([
    [
      'two addresses that refuse',
      new TypeError('fetch failed', {
        cause: new AggregateError([new Error('no ::1'), new Error('no 127.0.0.1')]),
      }),
      'does not answer: no ::1, no 127.0.0.1.',
    ],
    ['errors that hold themselves', { message: '', errors: circular }, 'does not answer: lost'],
    [
      'a cause',
      new TypeError('fetch failed', { cause: new Error('other side closed') }),
      'other side closed.',
    ],
    ['a text', 'offline', 'does not answer: offline.'],
    ['nothing', undefined, 'does not answer: nothing.'],
  ])('says why a connection failed: %s', async (_kind, thrown, reason) => {
    const { Tool, Activity } = createRegistry({ tools: schemas })
    remoteActivities('http://worker.test', { Tool, Activity, fetch: () => Promise.reject(thrown) })
    const { error } = await Tool.run({ _tool: 'add', left: 1, right: 2 })
    expect(error).toMatchObject({ code: 'connection_failed', message: expect.stringContaining(reason) })
  })

  test.each<[string, () => unknown, string, boolean]>([
    ['a write whose connection breaks', broken('ECONNRESET'), 'pay', true],
    ['a write that never left', broken('ECONNREFUSED'), 'pay', false],
    ['a read whose connection breaks', broken('ECONNRESET'), 'add', false],
    ['a write behind a proxy that gave up', () => new Response('', { status: 504 }), 'pay', true],
    ['a write behind Cloudflare, which gave up', () => new Response('<html>', { status: 524 }), 'pay', true],
    ['a write that is answered with nothing', () => new Response(null, { status: 204 }), 'pay', true],
    ['a write that is refused by a proxy', () => new Response('', { status: 403 }), 'pay', false],
    ['a write whose Outcome is cut off', () => asJson('{"id":'), 'pay', true],
    ['a write whose Outcome is another’s', () => asJson('{"id":"other"}'), 'pay', true],
    ['a write whose event says nothing', () => events('event: result\ndata: null\n\n'), 'pay', true],
    ['a read whose Outcome is cut off', () => asJson('{"id":'), 'add', false],
    ['a write behind Heroku or Envoy, which gave up', () => new Response('', { status: 503 }), 'pay', true],
    [
      'a write that is told when to come again',
      () => new Response('', { status: 503, headers: { 'retry-after': '7' } }),
      'pay',
      false,
    ],
    ['a write whose proxy says why it gave up', () => problem({ title: 'Gateway' }, 504), 'pay', true],
    ['a write that another server refuses', () => problem({ title: 'Bad Request' }, 400), 'pay', false],
    ['a write whose server closes', () => problem({ code: 'closing', detail: 'No.' }, 503), 'pay', false],
    [
      'a write whose server failed',
      () => events('event: problem\ndata: {"code":"internal"}\n\n'),
      'pay',
      true,
    ],
    ['a write whose Outcome is none', () => asJson('{"message":"ok"}'), 'pay', true],
    ['a write whose Outcome says why', () => asJson('{"error":{"code":"refused"}}'), 'pay', false],
    ['a write whose answer breaks off', () => events('event: progress\ndata: {}\n\n'), 'pay', true],
    ['a write whose answer cannot be read', () => events('event: result\ndata: {\n\n'), 'pay', true],
  ])('%s is said to have run perhaps, so that no model repeats it', async (_, answer, name, isUnknown) => {
    const { Tool, Activity } = createRegistry({ tools: schemas })
    remoteActivities('http://worker.test', { Tool, Activity, fetch: answer as typeof fetch })
    const { error } = await Tool.run(name === 'pay' ? { _tool: 'pay', amount: 1 } : add(1, 2))
    expect(error?.code).toMatch(/connection_failed|internal|refused/)
    expect(error?.message.includes('Whether the Call ran is not known')).toBe(isUnknown)
  })

  test('a `fetch` that returns something else is told so', async () => {
    const { Tool, Activity } = createRegistry({ tools: schemas })
    // What a mock without an answer returns.
    const fetch = async () => undefined as unknown as Response
    remoteActivities('http://worker.test', { Tool, Activity, fetch })
    const { error } = await Tool.run({ _tool: 'add', left: 1, right: 2 })
    expect(error?.message).toContain('`fetch` of remoteActivities answered nothing. Expected a Response')
  })

  test('of a failure no more is kept than a model can read', async () => {
    const { Tool, Activity } = createRegistry({ tools: schemas })
    const text = 'x'.repeat(5_000)
    const problem = { path: text, expected: text, received: text, message: text }
    const error = { code: 'activity_failed', message: text.repeat(10), problems: Array(1_000).fill(problem) }
    const fetch = async () =>
      Response.json({ status: 'failed', error: { ...error, suggestions: Array(1_000).fill(text) } })
    remoteActivities('http://worker.test', { Tool, Activity, fetch })
    const outcome = await Tool.run({ _tool: 'add', left: 1, right: 2 })
    expect(outcome.error?.problems).toHaveLength(100)
    expect(JSON.stringify(outcome).length).toBeLessThan(600_000)
  })

  test.each([
    [
      1,
      {
        status: 'failed',
        error: {
          code: 'connection_failed',
          message: expect.stringMatching(/aborted: The server is closed\.$/),
        },
      },
    ],
    [2, { status: 'succeeded', output: 'done', attempts: 2 }],
  ])('what a server aborts because it closes is no abort here: of %i attempts', async (attempts, want) => {
    const [closing, next] = [workshop(), workshop()]
    let server = toolServer(closing.Tool, { limits: { drainTime: 20 } })
    const { Tool, Activity } = createRegistry({ tools: schemas })
    const fetch: typeof globalThis.fetch = (url, init) => server.fetch(new Request(url, init))
    remoteActivities('http://localhost', { Tool, Activity, fetch })
    const ran = Tool.run({ _tool: 'wait', time: 200 }, { retry: { attempts } })
    await until(() => closing.deeds.started === 1)
    const closed = server.close()
    server = toolServer(next.Tool)
    await closed
    expect(await ran).toMatchObject(want)
    expect(closing.deeds.aborted).toBe(1)
  })

  test('the Outcome of another Call is none of this one', async () => {
    const { Tool, Activity } = createRegistry({ tools: schemas })
    const answer = { id: 'another', status: 'succeeded', output: 3 }
    const fetch = async (): Promise<Response> => Response.json(answer)
    remoteActivities('http://worker.test', { Tool, Activity, fetch })
    const { error } = await Tool.run({ _tool: 'add', left: 1, right: 2 }, { id: 'own' })
    expect(error).toMatchObject({
      code: 'connection_failed',
      message: expect.stringContaining('answered with the Outcome of another Call, "another"'),
    })
  })

  test.each<[value: unknown, place: string]>([
    [Number.NaN, '/it'],
    [1n, '/it'],
    [[1, undefined], '/it/1'],
    [{ a: { b: () => 1 } }, '/it/a/b'],
  ])('SERVE-4 a Call of %o would arrive as another one, and is not sent', async (it, place) => {
    const any = {
      type: 'object',
      properties: { _tool: { const: 'any' }, it: {} },
      required: ['_tool'],
    } as const
    const { Tool, Activity } = createRegistry({ tools: { any } })
    const sent: unknown[] = []
    const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
      sent.push(init?.body)
      return new Response(null, { status: 500 })
    }
    remoteActivities('http://worker.test', { Tool, Activity, fetch })
    const { error } = await Tool.run({ _tool: 'any', it })
    expect(error).toMatchObject({ code: 'invalid_call', problems: [{ path: place }] })
    expect(sent).toEqual([])
    // A member that is undefined is not there, which JSON says as well.
    await Tool.run({ _tool: 'any', it: { a: undefined } })
    expect(sent).toHaveLength(1)
  })

  test('a server that does not answer is connection_failed', async () => {
    const Tool = await agentOf('http://127.0.0.1:1')
    expect((await Tool.run({ _tool: 'add', left: 1, right: 2 })).error).toMatchObject({
      code: 'connection_failed',
    })
  })

  test('what the worker makes of it is checked here as well', async () => {
    const { Tool: there, Activity } = workshop()
    Activity.register('add', async () => 3)
    const { Tool } = createRegistry({
      tools: {
        add: { ...schemas.add, properties: { ...schemas.add.properties, _output: { type: 'number' } } },
      },
    })
    const url = await listen(toolServer(there, { limits: { drainTime: 100 } }))
    const agent = await agentOf(url)
    expect(await agent({ _tool: 'add', left: 1, right: 2 })).toBe(3)
    expect(() => remoteActivities(url, { Tool, Activity, names: ['nope', 'add', 'ad'] })).toThrow(
      /There is no Tool "nope".+ There is no Tool "ad" to run at .+ Did you mean "add"\?/,
    )
  })

  test('an answer in small pieces is read in time linear in its length', async () => {
    const cost = async (length: number): Promise<number> => {
      const outcome = { status: 'succeeded', output: { name: 'x'.repeat(length) } }
      const bytes = new TextEncoder().encode(`event: result\ndata: ${JSON.stringify(outcome)}\n\n`)
      let at = 0
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (at >= bytes.length) controller.close()
          else controller.enqueue(bytes.subarray(at, at + 128))
          at += 128
        },
      })
      const { Tool, Activity } = createRegistry({ tools: schemas })
      remoteActivities('http://worker.test', { Tool, Activity, fetch: async () => new Response(body) })
      const before = process.cpuUsage()
      expect(await Tool.run({ _tool: 'Files.tree', folder: { name: 'a' } })).toMatchObject(outcome)
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    await cost(1_000_000)
    // Four times the length; were all that came looked through with each piece, it would be sixteen times.
    expect((await cost(4_000_000)) / (await cost(1_000_000))).toBeLessThan(10)
  })

  test('an event without an end is not read for ever', async () => {
    const { body, bytesRead } = endlessBody()
    const { Tool, Activity } = createRegistry({ tools: schemas })
    remoteActivities('http://worker.test', { Tool, Activity, fetch: async () => new Response(body) })
    const { error } = await Tool.run({ _tool: 'add', left: 1, right: 2 })
    expect(error?.message).toMatch(/cannot be read: An event is longer than \d+ characters\.$/)
    expect(bytesRead()).toBeLessThan(17_000_000)
  })

  test('of a refusal no more is read than a problem may be long', async () => {
    const { body, bytesRead } = endlessBody()
    const { Tool, Activity } = createRegistry({ tools: schemas })
    const headers = { 'content-type': 'application/problem+json' }
    remoteActivities('http://worker.test', {
      Tool,
      Activity,
      fetch: async () => new Response(body, { status: 500, headers }),
    })
    const { error } = await Tool.run({ _tool: 'add', left: 1, right: 2 })
    expect(error).toMatchObject({ code: 'connection_failed', message: expect.stringContaining('status 500') })
    expect(bytesRead()).toBeLessThan(2_000_000)
  })
})
