import type { Message } from 'callsheet'
import {
  Agent,
  type AgentOptions,
  type AgentResult,
  type LoopError,
  Request,
  type SearchOptions,
  withSearch,
} from 'callsheet/agent'
import { type ModelRequest, type ScriptedTurn, scriptedModel } from 'callsheet/testing'
import { describe, expect, test } from 'vitest'
import { registryOfMany } from './many-tools.ts'

const output = { type: 'string' } as const
const done = { output: 'done' }
const find = (query: string) => ({ _tool: 'Tools.find', query })
const call = (name: string, id = '7') => ({ _tool: name, id })

/** For tests that change nothing of it: registering 1,000 Tools takes longer than most of these runs. */
const many = registryOfMany()

async function run(turns: readonly ScriptedTurn[], options: Partial<AgentOptions> = {}) {
  const { Tool, ran } = many
  ran.length = 0
  const model = scriptedModel(turns)
  const result = await Agent<string>({
    model: 'm',
    client: model,
    tools: Tool,
    output,
    search: {},
    ...options,
  }).catch((error: unknown) => error)
  return { result, ran: [...ran], requests: model.requests }
}

/** The names of what a request offers, in their order. */
function offeredIn({ api, body }: ModelRequest): string[] {
  const tools = body.tools as { name: string; type?: string; function?: { name: string } }[] | undefined
  if (tools) return tools.map((tool) => tool.function?.name ?? tool.name ?? tool.type)
  const format = {
    chat: (body.response_format as { json_schema: { schema: object } } | undefined)?.json_schema,
    responses: (body.text as { format: { schema: object } } | undefined)?.format,
    messages: (body.output_config as { format: { schema: object } } | undefined)?.format,
  }[api]
  const text = JSON.stringify(format?.schema)
  return Array.from(
    text.matchAll(/"_tool":\{[^}]*?"(?:const":|enum":\[)"([^"]+)"/g),
    ([, name]) => name as string,
  )
}

const safe = (name: string) => name.replaceAll('.', '__')
const apis = ['chat', 'responses', 'messages'] as const
const modes = ['composed', 'native'] as const
const ways = apis.flatMap((api) =>
  modes.flatMap((mode) => [true, false].map((stream) => ({ api, mode, stream }))),
)

/** Characters that one request with all Tools would take. */
async function sizeOfAll(options: Pick<AgentOptions, 'api' | 'mode'>): Promise<number> {
  const { Tool } = many
  const model = scriptedModel([done])
  await Request({ model: 'm', client: model, tools: Tool, output, ...options })
  return JSON.stringify(model.requests[0]?.body).length
}

describe.each(ways)('FIND-2 over $api, $mode, streamed: $stream', (way) => {
  test('finds what it needs among 1,000 Tools, in 5 % of their size', async () => {
    const { result, ran, requests } = await run(
      [
        { calls: [find('approve a refund')] },
        { calls: [call('refund.approve'), find('schedule a train ride')] },
        { calls: [call('train.schedule'), call('invoice.read')] },
        done,
      ],
      { ...way, search: { pinned: ['invoice.read'] } },
    )
    expect(result).toMatchObject({ output: 'done' })
    // A `read` starts while the answer is still coming.
    expect(ran.toSorted()).toEqual(['invoice.read 7', 'refund.approve 7', 'train.schedule 7'])
    const lists = requests.map(offeredIn)
    const named = way.mode === 'native' ? safe : (name: string) => name
    expect(lists[0]).toEqual(['Tools.find', 'invoice.read'].map(named))
    expect(lists[1]).toContain(named('refund.approve'))
    for (const [index, list] of lists.entries()) {
      // Appended only: what was offered before stands where it stood.
      expect(list.slice(0, lists[index - 1]?.length ?? 0)).toEqual(lists[index - 1] ?? [])
      expect(list.length).toBeLessThanOrEqual(12)
    }
    const all = await sizeOfAll(way)
    const sizes = requests.map(({ body }) => JSON.stringify(body).length)
    expect(Math.max(...sizes) / all).toBeLessThan(0.05)
  })

  test('a Tool that was not found yet costs its Call alone, and the model is told to search', async () => {
    const { result, ran, requests } = await run(
      [{ calls: [call('taxi.assign'), call('invoice.read')] }, done],
      { ...way, search: { pinned: ['invoice.read'] } },
    )
    expect(result).toMatchObject({ output: 'done' })
    expect(ran).toEqual(['invoice.read 7'])
    expect(JSON.stringify(requests[1]?.body)).toMatch(/Look for it with .{1,4}Tools\.find.{1,4} first/)
  })
})

describe('FIND-2 what was offered keeps its bytes', () => {
  test.each(apis)('over %s', async (api) => {
    const searches = ['approve a refund', 'print a contract', 'tag a photo', 'rate a song', 'split a taxi']
    const { requests } = await run([...searches.map((query) => ({ calls: [find(query)] })), done], {
      api,
      mode: 'native',
    })
    const bodies = requests.map(({ body }) => JSON.stringify(body.tools).slice(0, -1))
    for (const [index, body] of bodies.entries()) expect(body.startsWith(bodies[index - 1] ?? '')).toBe(true)
    expect(((requests.at(-1) as ModelRequest).body.tools as unknown[]).length).toBeGreaterThan(20)
  })
})

describe('FIND-2 the search', () => {
  test('starts while the answer is still coming', async () => {
    const { Tool } = registryOfMany()
    const events: string[] = []
    const finding = {
      ...{ composable: Tool.composable, composeOptions: Tool.composeOptions, get: Tool.get, run: Tool.run },
      find: (question: string, options?: object) => {
        events.push('searched')
        return Tool.find(question, options)
      },
    }
    const model = scriptedModel([{ calls: [find('approve a refund'), find('rate a song')] }, done])
    let sent = 0
    const server = await model.listen({
      beforePiece: async (_text, request, { type }) => {
        if (request !== 0 || type !== 'content_block_start' || ++sent !== 2) return
        while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
        events.push('second block')
      },
    })
    try {
      const options = { api: 'messages', stream: true, baseURL: server.baseURL, apiKey: 'x' } as const
      const result = await Agent({ model: 'm', tools: finding, output, search: {}, ...options })
      expect(result.output).toBe('done')
      expect(events).toEqual(['searched', 'second block', 'searched'])
    } finally {
      await server.close()
    }
  })

  test('knows `only`, `without` and what is off', async () => {
    const { Tool, ran } = registryOfMany()
    const { refund } = { refund: Tool.get('refund.approve') as object }
    Tool.register('refund.approve', { ...refund, enabled: false })
    const turns = [{ calls: [find('approve a refund')] }, done]
    const model = scriptedModel([...turns, ...turns])
    const options = { model: 'm', client: model, tools: Tool, output, search: { limit: 3 } }
    await Agent({ ...options, only: ['refund.*'], without: ['refund.reject'] })
    const found = offeredIn(model.requests[1] as ModelRequest).slice(1)
    expect(found).toHaveLength(3)
    expect(found.filter((name) => !name.startsWith('refund.'))).toEqual([])
    expect(found).not.toContain('refund.approve')
    expect(found).not.toContain('refund.reject')
    expect(ran).toEqual([])
  })

  test('says so when nothing fits, and refuses a question that is none', async () => {
    const { result, requests } = await run([
      { calls: [find('zzzzqqqq xkcd'), { _tool: 'Tools.find', query: '' }] },
      done,
    ])
    expect(result).toMatchObject({ output: 'done' })
    const text = JSON.stringify(requests[1]?.body)
    expect(text).toMatch(/No tool fits these words/)
    expect(text).toMatch(/invalid_call/)
  })

  test('is not asked for approval, and what it found is kept over one', async () => {
    const { Tool, ran } = registryOfMany()
    const model = scriptedModel([
      { calls: [find('approve a refund')] },
      { calls: [call('refund.approve')] },
      { calls: [call('refund.approve', '8')] },
      done,
    ])
    const asked: string[] = []
    const options: AgentOptions = {
      model: 'm',
      client: model,
      api: 'messages',
      tools: Tool,
      output,
      search: {},
      confirm: ({ _tool }) => {
        asked.push(_tool)
        return asked.length > 1 ? true : 'pending'
      },
    }
    const stopped = (await Agent(options).catch((error: unknown) => error)) as LoopError
    expect(stopped).toMatchObject({ code: 'approval_pending' })
    const resume = JSON.parse(JSON.stringify(stopped.result.suspended))
    const [{ id, hash }] = resume.approvals
    const result = await Agent({ ...options, resume, decisions: [{ approval: id, hash, approve: true }] })
    expect(result.output).toBe('done')
    expect(ran).toEqual(['refund.approve 7', 'refund.approve 8'])
    expect(asked).toEqual(['refund.approve', 'refund.approve'])
    const [, second, third] = model.requests.map(offeredIn)
    expect(third).toEqual(second)
  })

  test('finds nothing twice, and offers no more than the dialect takes', async () => {
    const questions = ['invoice', 'ticket', 'customer', 'order', 'shipment', 'invoice', 'payment', 'menu']
    const { result, requests } = await run([...questions.map((query) => ({ calls: [find(query)] })), done], {
      mode: 'native',
      search: { limit: 25 },
    })
    expect(result).toMatchObject({ output: 'done' })
    const counts = requests.map((request) => offeredIn(request).length)
    expect(counts).toEqual([1, 26, 51, 76, 101, 126, 126, 128, 128])
    const text = JSON.stringify(requests.at(-1)?.body)
    expect(text).toMatch(/There is no room for payment.assign, payment.copy, payment.create and 20 more: /)
    expect(text).toContain('There is no room for menu')
  })

  test('several searches of one answer find together what fits, and say what has no room', async () => {
    const questions = ['invoice', 'ticket', 'customer', 'order', 'shipment', 'payment']
    const turns = [{ calls: questions.map(find) }, { calls: [call('payment.create')] }, done]
    const { result, requests, ran } = await run(turns, { mode: 'native', search: { limit: 25 } })
    expect(result).toMatchObject({ output: 'done' })
    const { outcomes } = result as AgentResult
    const outputs = outcomes.slice(0, 6).map((each) => each.output as { found: string[]; note?: string })
    const found = outputs.flatMap((each) => each.found)
    expect(offeredIn(requests[1] as ModelRequest)).toEqual(['Tools.find', ...found].map(safe))
    expect(found).toHaveLength(127)
    expect(outputs.map(({ note }) => note?.includes('There is no room for') ?? false)).toEqual([
      ...Array(5).fill(false),
      true,
    ])
    expect(ran).toEqual([])
    expect(outcomes.at(-1)?.error?.message).toContain('Look for it with "Tools.find"')
  })

  test('what searches in different processes found, beyond what fits, has no room when it is called', async () => {
    const questions = ['invoice', 'ticket', 'customer', 'order', 'shipment', 'payment']
    const context = await Promise.all(
      questions.map(async (query): Promise<Message> => {
        const { result } = await run([{ calls: [find(query)] }, done], { search: { limit: 25 } })
        const { outcomes } = result as AgentResult
        return { type: 'data', kind: 'result', data: outcomes[0]?.output, _call: find(query) }
      }),
    )
    const turns = [{ calls: [call('payment.create'), call('song.read')] }, done]
    const { result, requests, ran } = await run(turns, { mode: 'native', search: { limit: 25 }, context })
    expect(result).toMatchObject({ output: 'done' })
    expect(offeredIn(requests[0] as ModelRequest)).toHaveLength(128)
    expect(ran).toEqual([])
    const { outcomes } = result as AgentResult
    const told = outcomes.flatMap(({ error }) => error?.message ?? [])
    expect(told).toEqual([
      expect.stringContaining('There is no room for payment.create'),
      expect.stringContaining('Look for it with "Tools.find"'),
    ])
  })

  test('goes on in a next run that begins with the context of the last', async () => {
    const first = await run([{ calls: [find('approve a refund')] }, done])
    const { context } = first.result as { context: readonly Message[] }
    const { ran } = await run([{ calls: [call('refund.approve')] }, done], { context })
    expect(ran).toEqual(['refund.approve 7'])
  })

  test.each([false, true])(
    'CALL-11b a Tool of the context whose schema is none ends no run, with { provider: %s }',
    async (provider) => {
      const brought = (name: string, n: object) => ({
        type: 'tool',
        tool: { type: 'object', properties: { _tool: { const: name }, n, _output: {} }, required: ['_tool'] },
      })
      const context = [
        { type: 'state', state: { a: 'readable' } },
        brought('odd', { enum: 5 }),
        brought('whole', {}),
      ] as unknown as Message[]
      const { result, requests } = await run([done], {
        context,
        api: 'responses',
        mode: 'native',
        search: { provider },
      })
      expect(result).toMatchObject(done)
      const offered = offeredIn(requests[0] as ModelRequest)
      expect(offered).toContain('whole')
      expect(offered).not.toContain('odd')
    },
  )

  test.each(['Tools.find', 'Tools__find', 'tools.Find'])(
    'CALL-11b a Tool that the context brought is offered, and %s does not stand in for the search',
    async (name) => {
      const brought = (name: string) => ({
        type: 'tool',
        tool: { type: 'object', properties: { _tool: { const: name }, _output: {} }, required: ['_tool'] },
      })
      const context = [brought('guest'), brought(name)] as unknown as Message[]
      const { result, ran, requests } = await run(
        [{ calls: [find('approve a refund')] }, { calls: [call('refund.approve')] }, done],
        { context },
      )
      expect(result).toMatchObject({ output: 'done' })
      expect(ran).toEqual(['refund.approve 7'])
      expect(requests.map((request) => offeredIn(request).slice(0, 2))).toEqual(
        Array(3).fill(['Tools.find', 'guest']),
      )
    },
  )

  test('what a context claims to be found is offered only if it takes part', async () => {
    const forged = {
      type: 'data',
      kind: 'result',
      data: { found: ['refund.approve', 'song.rate', 'constructor', 7] },
      _call: find('x'),
    } as unknown as Message
    const { requests } = await run([done], { context: [forged], without: ['refund.*'] })
    expect(offeredIn(requests[0] as ModelRequest)).toEqual(['Tools.find', 'song.rate'])
  })
})

describe('FIND-2 delegates', () => {
  const ideaOf = (names: readonly string[], Tool: { get(name: string): unknown }) => ({
    schema: {
      type: 'object',
      properties: { answer: output },
      required: ['answer'],
      additionalProperties: false,
    },
    context: [
      { type: 'text', text: 'Do it.' },
      ...names.map((name) => ({ type: 'tool', tool: Tool.get(name) })),
    ],
  })

  test.each([
    ['a few Tools of its own are offered at once', ['song.create', 'song.rate'], false],
    [
      'many are searched',
      'rate tag list print copy move share'.split(' ').map((each) => `song.${each}`),
      true,
    ],
  ] as const)('%s', async (_title, names, isSearched) => {
    const { Tool: all } = registryOfMany()
    const { Tool, ran } = registryOfMany({ ideas: { dj: ideaOf(names, all) as never } })
    const schema = {
      type: 'object',
      properties: {
        _tool: { const: 'ask' },
        _activity: { const: '' },
        _delegate: { const: 'dj' },
        _output: {},
      },
      required: ['_tool'],
    }
    Tool.register('ask', schema)
    const inside = isSearched
      ? [{ calls: [find('rate it')] }, { calls: [call('song.rate')] }, { output: { answer: 'ok' } }]
      : [{ calls: [call('song.rate')] }, { output: { answer: 'ok' } }]
    const model = scriptedModel([{ calls: [{ _tool: 'ask' }] }, ...inside, done])
    const result = await Agent({
      model: 'm',
      client: model,
      tools: Tool,
      output,
      search: { pinned: ['ask'] },
    })
    expect(result.outcomes.map(({ status, error }) => error ?? status)).toEqual(['succeeded'])
    expect(ran).toEqual(['song.rate 7'])
    const [, first] = model.requests.map(offeredIn)
    expect(first).toEqual(isSearched ? ['Tools.find'] : names.toSorted())
  })
})

describe('FIND-2 Requests', () => {
  test('withSearch runs its Calls', async () => {
    const { Tool, ran } = registryOfMany()
    const tools = withSearch(Tool, { limit: 2, only: ['song.*'] })
    const model = scriptedModel([{ calls: [find('rate a song')] }, { calls: [call('song.rate')] }])
    const context: Message[] = []
    for (const _turn of [1, 2]) {
      const { solution, vessel } = await Request({ model: 'm', client: model, tools, context })
      expect(JSON.parse(JSON.stringify(vessel)).solution.calls).toHaveLength(1)
      for (const each of solution.calls) {
        const { output: data } = await tools.run(each, { context })
        context.push({ type: 'data', kind: 'result', data: data as never, _call: each })
      }
    }
    expect(ran).toEqual(['song.rate 7'])
    expect(offeredIn(model.requests[1] as ModelRequest)).toHaveLength(3)
  })

  test('options that cannot be used are told, all at once', async () => {
    const { Tool } = registryOfMany()
    const wrong = { pinned: 'x', limit: 0, provider: 1, name: 'a b', more: 1 } as unknown as SearchOptions
    for (const asked of [
      Request({ model: 'm', tools: Tool, search: wrong }),
      Agent({ model: 'm', tools: Tool, search: wrong }),
    ]) {
      await expect(asked).rejects.toThrow(/pinned.*limit.*provider.*name.*more: no such property/s)
    }
    const refused = (search: SearchOptions, options: object = {}) =>
      expect(Agent({ model: 'm', client: scriptedModel([]), tools: Tool, output, search, ...options }))
        .rejects
    await refused({ pinned: ['song.rat'] }).toThrow(/no Tool is called so. Did you mean "song.rate"/)
    await refused({ pinned: ['sing.*'] }).toThrow(/"sing.\*", and no Tool is called so/)
    await refused({ provider: true }, { api: 'chat' }).toThrow(/chat completions have no search/)
    await refused({ provider: true }, { api: 'responses', mode: 'composed' }).toThrow(/mode: "composed"/)
    await refused({ name: 'song.rate' }).toThrow(/A Tool of yours is called "song.rate" too/)
    await refused({}, { tools: { composable: () => [], run() {}, get() {} } }).toThrow(
      /takes the Tool of a registry/,
    )
  })
})

describe('FIND-2 the search of providers', () => {
  const turns = [
    { calls: [call('refund.approve')] },
    { calls: [call('refund.approve', '8'), call('song.rate')] },
    done,
  ]

  test.each([true, false])('OpenAI: tool_search and defer_loading, streamed: %s', async (stream) => {
    const search = { provider: true, pinned: ['invoice.read'] }
    const { result, ran, requests } = await run(turns, { api: 'responses', stream, search })
    expect(result).toMatchObject({ output: 'done' })
    expect(ran).toEqual(['refund.approve 7', 'refund.approve 8', 'song.rate 7'])
    for (const { body } of requests) {
      const tools = body.tools as { name?: string; type: string; defer_loading?: boolean }[]
      expect(tools).toHaveLength(1001)
      expect(tools[0]).toMatchObject({ name: 'invoice__read' })
      expect(
        tools.filter(({ defer_loading }) => !defer_loading).map(({ name, type }) => name ?? type),
      ).toEqual(['invoice__read', 'tool_search'])
      expect(body.tools).toEqual(requests[0]?.body.tools)
    }
    const items = requests[2]?.body.input as { type?: string; tools?: { name: string }[] }[]
    const outputs = items.filter(({ type }) => type === 'tool_search_output')
    expect(outputs.flatMap(({ tools = [] }) => tools.map(({ name }) => name))).toEqual([
      'refund__approve',
      'song__rate',
    ])
  })

  test.each([true, false])('Anthropic: our search gives tool references, streamed: %s', async (stream) => {
    const search = { provider: true, limit: 2 }
    const { result, ran, requests } = await run(
      [{ calls: [find('approve a refund'), find('zzzqqq')] }, { calls: [call('refund.approve')] }, done],
      { api: 'messages', stream, search },
    )
    expect(result).toMatchObject({ output: 'done' })
    expect(ran).toEqual(['refund.approve 7'])
    const [first, second] = requests
    const tools = first?.body.tools as { name: string; defer_loading?: boolean }[]
    expect(tools.filter(({ defer_loading }) => !defer_loading).map(({ name }) => name)).toEqual([
      'Tools__find',
    ])
    expect(second?.body.tools).toEqual(tools)
    const messages = second?.body.messages as { content: { type: string; content?: unknown }[] }[]
    const results = messages.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_result'))
    expect(results).toMatchObject([
      {
        content: [
          { type: 'tool_reference', tool_name: 'refund__approve' },
          { type: 'tool_reference', tool_name: expect.any(String) },
        ],
      },
      { content: expect.stringContaining('No tool fits') },
    ])
  })

  test('Anthropic: what an earlier run found is listed, since no reference shows it', async () => {
    const search = { provider: true, limit: 1 }
    const first = await run([{ calls: [find('approve a refund')] }, done], { api: 'messages', search })
    const { context } = first.result as { context: readonly Message[] }
    const { requests } = await run([done], { api: 'messages', search, context })
    const tools = requests[0]?.body.tools as { name: string; defer_loading?: boolean }[]
    expect(tools.filter(({ defer_loading }) => !defer_loading).map(({ name }) => name)).toEqual([
      'Tools__find',
      'refund__approve',
    ])
  })

  test('a server refuses what the provider would: an unknown reference, a list in which all is kept back', async () => {
    const model = scriptedModel([done, done, done])
    const server = await model.listen()
    const tool = { name: 'a', input_schema: {}, defer_loading: true }
    const post = async (path: string, body: object) =>
      (await fetch(`${server.baseURL}/${path}`, { method: 'POST', body: JSON.stringify(body) })).status
    const reference = { type: 'tool_result', content: [{ type: 'tool_reference', tool_name: 'b' }] }
    try {
      expect(await post('messages', { tools: [tool], messages: [] })).toBe(400)
      const messages = [{ role: 'user', content: [reference] }]
      expect(await post('messages', { tools: [tool, { name: 'c', input_schema: {} }], messages })).toBe(400)
      expect(await post('responses', { tools: [{ type: 'function', ...tool }], input: [] })).toBe(400)
    } finally {
      await server.close()
    }
  })
})
