import { Agent, type AgentOptions, LoopError, limitedFetch, Request, RequestError } from 'callsheet/agent'
import {
  type ListenOptions,
  type ModelRequest,
  type ScriptedTurn,
  scriptedModel,
  testModel,
} from 'callsheet/testing'
import { OpenAI } from 'openai'
import { describe, expect, test } from 'vitest'
import { add, pay, registryWithTools } from './tools.ts'

const output = { type: 'string' } as const
const usage = { in: 10, out: 4, cached: 6 }
const done = { output: 'done', usage }

/** Runs an agent over HTTP, through the provider's real client. */
async function run(
  turns: readonly ScriptedTurn[],
  options: Partial<AgentOptions>,
  listen: ListenOptions = {},
) {
  const { Tool, ran } = registryWithTools()
  const model = scriptedModel(turns)
  const server = await model.listen(listen)
  try {
    const result = await Agent({
      model: 'm',
      baseURL: server.baseURL,
      apiKey: 'x',
      tools: Tool,
      output,
      retry: { backoff: 0 },
      ...options,
    }).catch((error: unknown) => error)
    return { result, ran, requests: model.requests }
  } finally {
    await server.close()
  }
}

const apis = ['chat', 'responses', 'messages'] as const

/** The tool results of a request, in the form of its API. */
function resultsOf({ api, body }: ModelRequest): { id: unknown; text: string }[] {
  const items = (body.messages ?? body.input) as Record<string, unknown>[]
  if (api === 'chat') {
    return items
      .filter(({ role }) => role === 'tool')
      .map((each) => ({ id: each.tool_call_id, text: String(each.content) }))
  }
  if (api === 'responses') {
    return items
      .filter(({ type }) => type === 'function_call_output')
      .map((each) => ({ id: each.call_id, text: String(each.output) }))
  }
  const blocks = items.flatMap(({ content }) => content as Record<string, unknown>[])
  return blocks
    .filter(({ type }) => type === 'tool_result')
    .map((each) => ({ id: each.tool_use_id, text: String(each.content) }))
}

/** True for the event before which the first Call has to run. In Chat Completions a Call is whole when the next begins. */
function comesAfterFirstCall(event: Readonly<Record<string, unknown>>): boolean {
  const text = JSON.stringify(event)
  if (event.type === 'content_block_start') return text.includes('toolu_1')
  if (event.type === 'response.output_item.done') return text.includes('call_1')
  return text.includes('"finish_reason":"tool_calls"')
}

test.each([undefined, 'hello', { output: 'done' }])(
  'a test model that answers %j fails its test',
  async (given) => {
    const { Tool } = registryWithTools()
    const client = testModel(() => given as never)
    const asked = Request({ model: 'm', client, tools: Tool, output })
    await expect(asked).rejects.toMatchObject({ code: 'invalid_options', attempts: 1 })
  },
)

describe.each(apis)('REQ-6a native tools over %s', (api) => {
  describe.each([true, false])('streamed: %s', (stream) => {
    const options = { api, stream, mode: 'native' } as const

    test('Calls, results with their ids, the goal, usage', async () => {
      const { result, ran, requests } = await run([{ calls: [add(1, 2), pay(3)], usage }, done], options)
      expect(result).toMatchObject({ output: 'done', usage: { in: 20, out: 8, cached: 12 } })
      expect(ran.toSorted()).toEqual([
        ['add', 1, 2],
        ['pay', 3],
      ])
      const [first, second] = requests
      const ids = api === 'messages' ? ['toolu_0', 'toolu_1'] : ['call_0', 'call_1']
      expect(first && resultsOf(first)).toEqual([])
      const results = second ? resultsOf(second) : []
      expect(results.map(({ id }) => id)).toEqual(ids)
      expect(results[0]?.text).toMatch(/^<data kind="result">.*"data":3}<\/data>$/)
      expect(results[1]?.text).toMatch(/paid 3/)
      // What came back once is not told twice.
      expect(JSON.stringify(second?.body).match(/paid 3/g)).toHaveLength(1)
      expect(JSON.stringify(second?.body)).toContain(ids[0])
    })

    test('an unknown Tool and bad arguments cost themselves alone', async () => {
      const calls = [{ _tool: 'nobody' }, { _tool: 'add', left: 'x' }, add(1, 2)]
      const { result, ran, requests } = await run([{ calls }, done], options)
      expect(result).toMatchObject({ output: 'done' })
      expect(ran).toEqual([['add', 1, 2]])
      const texts = requests[1] ? resultsOf(requests[1]).map(({ text }) => text) : []
      for (const told of [/unknown_tool/, /invalid_call/, /"data":3/]) {
        expect(texts.filter((text) => told.test(text))).toHaveLength(1)
      }
    })

    test('arguments that cannot be read go back as ones that can, and its result says what they were', async () => {
      const toolCalls = ['{"left": 1, "ri', '"1"', '[1]'].map((given) => ({ name: 'add', arguments: given }))
      const bodies: string[] = []
      const client = testModel(({ body }) => {
        bodies.push(JSON.stringify(body))
        return bodies.length === 1 ? { toolCalls } : { text: '{"output":"done"}' }
      })
      const { Tool } = registryWithTools()
      const result = await Agent({ model: 'm', client, tools: Tool, output, ...options })
      expect(result).toMatchObject({ output: 'done' })
      const calls = bodies[1]?.match(/"arguments":"{}"|"name":"add","input":{}/g)
      expect(calls).toHaveLength(3)
      expect(bodies[1]?.match(/not a JSON object/g)).toHaveLength(3)
    })

    test('no half of a character goes out, wherever it was cut', async () => {
      const text = 'Cut here: 🙂'.slice(0, -1)
      const judge = { _tool: 'judge', text, [text]: text }
      const cut = {
        type: 'object' as const,
        description: text,
        properties: { _tool: { const: 'cut' }, way: { enum: [text, 'whole'] } },
        required: ['_tool'],
      }
      const { result, requests } = await run([{ calls: [judge] }, done], {
        ...options,
        context: [
          { type: 'text', text },
          { type: 'tool', tool: cut },
        ],
        latent: { answer: async () => ({ good: true }) },
      })
      expect(result).toMatchObject({ output: 'done' })
      for (const { body } of requests) {
        expect(JSON.stringify(body)).toContain('Cut here: �')
        expect(JSON.stringify(body)).not.toMatch(/(?<!\\)\\ud83d/)
      }
    })

    test('a name that no provider takes goes back as one that it takes', async () => {
      const bodies: string[] = []
      const client = testModel(({ body }) => {
        bodies.push(JSON.stringify(body))
        const toolCalls = ['multi_tool_use.parallel', '', 'x'.repeat(80)].map((name) => ({
          name,
          arguments: '{}',
        }))
        return bodies.length === 1 ? { toolCalls } : { text: '{"output":"done"}' }
      })
      const { Tool } = registryWithTools()
      const result = await Agent({ model: 'm', client, tools: Tool, output, ...options })
      expect(result).toMatchObject({ output: 'done' })
      expect(result.outcomes.map(({ error }) => error?.code)).toEqual(Array(3).fill('unknown_tool'))
      for (const name of ['multi_tool_use_parallel', '_', 'x'.repeat(64)]) {
        expect(bodies[1]).toContain(`"name":"${name}"`)
      }
    })

    test('a Call that waits for another says so, and its result follows later', async () => {
      const calls = [add('†state.a', 1), { ...add(1, 2), _outputPath: '†state.b' }]
      const next = [{ ...add(5, 5), _outputPath: '†state.a' }]
      const { result, requests } = await run([{ calls }, { calls: next }, done], options)
      expect(result).toMatchObject({ output: 'done' })
      const last = requests[2] as ModelRequest
      expect(resultsOf(last).map(({ text }) => text.slice(0, 18))).toContain('It has not run yet')
      expect(JSON.stringify(last.body)).toMatch(/\\"data\\":11/)
    })

    test('a refusal, a truncation: told, and not asked again', async () => {
      const refused = await run([{ refusal: 'No.' }], options)
      expect(refused.result).toMatchObject({ code: 'model_refused', message: expect.stringContaining('No.') })
      const cut = await run([{ text: '{"out', isTruncated: true }], options)
      expect(cut.result).toMatchObject({ code: 'answer_truncated' })
      expect([refused.requests.length, cut.requests.length]).toEqual([1, 1])
    })

    test.each(['drop', 'rate-limit', 'server-error', 'garbage'] as const)('%s: asked again', async (kind) => {
      const faults = [
        { request: 0, at: 'headers', kind, retryAfter: 0 },
        // What is no answer goes back once only.
        { request: kind === 'garbage' ? 9 : 1, at: 'last-byte', kind, retryAfter: 0 },
      ] as const
      const turns = Array(3).fill({ calls: [], output: 'done' })
      const { result } = await run(turns, options, { faults })
      expect(result).toMatchObject({ output: 'done' })
    })

    test('a bad answer goes back in its own words', async () => {
      const { result, requests } = await run([{ text: 'Sure!' }, done], options)
      expect(result).toMatchObject({ output: 'done' })
      expect(JSON.stringify(requests[1]?.body)).toMatch(/"assistant".*Sure!.*Answer again/)
    })
  })

  test('a Call starts when its own block is complete, and is not asked for twice', async () => {
    const { Tool, Activity, ran } = registryWithTools()
    const model = scriptedModel([{ calls: [add(1, 2), add(3, 4)] }, done])
    const events: string[] = []
    Activity.register('add', ({ left }) => {
      events.push(`add ${left}`)
      return left
    })
    const result = await Agent({
      model: 'm',
      client: model,
      api,
      mode: 'native',
      stream: true,
      tools: Tool,
      output,
      onTurn: ({ turn }) => events.push(`turn ${turn} is over`),
    })
    expect(result.output).toBe('done')
    expect(events).toEqual(['add 1', 'add 3', 'turn 1 is over', 'turn 2 is over'])
    expect(ran).toEqual([])
  })

  test('REQ-7 over HTTP a Call starts while the rest of the answer has not been sent', async () => {
    const { Tool, ran } = registryWithTools()
    const model = scriptedModel([{ calls: [add(1, 2), add(3, 4)] }, done])
    let ranBefore: unknown
    const server = await model.listen({
      beforePiece: async (_text, request, event) => {
        if (request !== 0 || !comesAfterFirstCall(event)) return
        for (let turn = 0; ran.length === 0 && turn < 2_000; turn++)
          await new Promise((resolve) => setTimeout(resolve, 1))
        ranBefore = structuredClone(ran)
      },
    })
    try {
      const options = { api, mode: 'native', stream: true, baseURL: server.baseURL, apiKey: 'x' } as const
      const result = await Agent({ model: 'm', tools: Tool, output, ...options })
      expect(result.output).toBe('done')
      expect(ranBefore).toEqual([['add', 1, 2]])
      expect(ran).toHaveLength(2)
    } finally {
      await server.close()
    }
  })

  test('onText tells what is written for a person: text beside tools, or the goal', async () => {
    const { Tool } = registryWithTools()
    for (const stream of [true, false]) {
      const plain: string[] = []
      const client = scriptedModel([{ text: 'It is "fine".' }])
      await Request({
        model: 'm',
        client,
        api,
        mode: 'native',
        stream,
        tools: Tool,
        onText: (text) => plain.push(text),
      })
      expect(plain.join('')).toBe('It is "fine".')
      const beside: string[] = []
      const braces = 'With {x}, { } and {{ y }, "it" works'
      await Request({
        model: 'm',
        client: scriptedModel([{ text: braces, calls: [add(1, 2)] }]),
        api,
        mode: 'native',
        stream,
        output,
        tools: Tool,
        onText: (text) => beside.push(text),
      })
      expect(beside.join('')).toBe(braces)
      const goal: string[] = []
      const said = scriptedModel([{ output: 'Say “é”\n"ok" {"output":1}' }])
      await Request({
        model: 'm',
        client: said,
        api,
        mode: 'composed',
        stream,
        output,
        tools: Tool,
        onText: (text) => goal.push(text),
      })
      expect(goal.join('')).toBe('Say “é”\n"ok" {"output":1}')
    }
  })
})

describe('REQ-6a Claude', () => {
  test('is chosen by provider, api or client, and gets its own tools', async () => {
    const { Tool } = registryWithTools()
    const model = scriptedModel([done, done, done])
    const { messages } = model
    const ways = [
      { client: model, provider: 'anthropic' },
      { client: model, api: 'messages' },
      { client: { messages } },
    ] as const
    for (const way of ways) await Request({ model: 'claude', tools: Tool, output, ...way })
    for (const { api, body } of model.requests) {
      expect(api).toBe('messages')
      expect(body).toMatchObject({
        max_tokens: 16_384,
        output_config: { format: { type: 'json_schema' } },
        tools: expect.arrayContaining([
          expect.objectContaining({ name: 'add', input_schema: expect.any(Object), strict: true }),
        ]),
      })
      expect((body.messages as { role: string }[]).map(({ role }) => role)).toEqual(['user'])
    }
  })

  test('turns alternate and begin and end with a user, whatever the context', async () => {
    const { Tool } = registryWithTools()
    const model = scriptedModel([done])
    const context = [
      { type: 'text', role: 'assistant', text: 'Hello.' },
      { type: 'text', role: 'system', text: 'Be brief.' },
      { type: 'text', text: '' },
      { type: 'text', role: 'assistant', text: 'Yes?' },
    ] as const
    await Request({ model: 'c', client: model, api: 'messages', tools: Tool, output, context })
    const [asked] = model.requests
    if (!asked) throw new Error('nothing was asked')
    const { system, messages } = asked.body as { system: string; messages: { role: string }[] }
    expect(system).toMatch(/Be brief\.$/)
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  test('a composed schema goes out as an output format', async () => {
    const { result, ran, requests } = await run([{ calls: [pay(3)] }, done], {
      provider: 'anthropic',
      mode: 'composed',
    })
    expect(result).toMatchObject({ output: 'done' })
    expect(ran).toEqual([['pay', 3]])
    expect(requests[0]?.body.tools).toBeUndefined()
  })
})

describe('REQ-8b limits that hold where nobody says others', () => {
  test.each(apis)('an answer without end over %s is given up', async (api) => {
    const text = 'x'.repeat(50_000)
    for (const stream of [true, false]) {
      const { result, requests } = await run([{ text }, done], { api, stream, maxAnswer: 10_000 })
      if (!(result instanceof LoopError)) throw new Error('expected a LoopError', { cause: result })
      expect(result).toMatchObject({ code: 'limit_reached', message: expect.stringContaining('maxAnswer') })
      expect(requests).toHaveLength(1)
      expect(result.result.context).toEqual([])
    }
  })

  test.each(apis)('arguments of tool calls count as part of an answer over %s', async (api) => {
    const calls = [
      { _tool: 'judge', text: 'x'.repeat(6_000) },
      { _tool: 'judge', text: 'x'.repeat(6_000) },
    ]
    for (const stream of [true, false]) {
      const options = { api, stream, mode: 'native', early: 'none', maxAnswer: 10_000 } as const
      const { result } = await run([{ calls }], options)
      expect(result).toMatchObject({ code: 'limit_reached', message: expect.stringContaining('maxAnswer') })
    }
  })

  test.each([
    { client: 'of ours', api: 'chat' },
    { client: 'of ours', api: 'messages' },
    { client: 'of its own', api: 'chat' },
  ] as const)(
    'a body without end is not read into memory: a client $client, over $api',
    async ({ client, api }) => {
      const { createServer } = await import('node:http')
      let sent = 0
      const server = createServer((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const chunk = Buffer.alloc(1 << 20, 32)
        const more = (): void => {
          sent += chunk.length
          if (!response.destroyed && sent < 400 << 20) response.write(chunk, more)
        }
        more()
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as { port: number }
      const to = { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'x' }
      const own = { client: new OpenAI({ ...to, maxRetries: 0, fetch: limitedFetch(100_000) }) }
      try {
        const connection = client === 'of ours' ? { ...to, maxAnswer: 100_000 } : own
        const asked = Request({ model: 'm', api, output, ...connection })
        await expect(asked).rejects.toMatchObject({ code: 'limit_reached' })
        expect(sent).toBeLessThan(100 << 20)
      } finally {
        server.closeAllConnections()
        server.close()
      }
    },
  )

  const kb = 'x'.repeat(100_000)
  const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`
  const named = (data: { type: string }): string => `event: ${data.type}\n${event(data)}`
  test.each<[string, 'chat' | 'responses' | 'messages', boolean, (index: number) => string]>([
    ['an event of lines without end', 'chat', true, () => `data: ${kb}\n`],
    ['the same with CRLF', 'messages', true, () => `data: ${kb}\r\n`],
    ['a stream that nobody asked for', 'chat', false, () => event({ choices: [], kb })],
    [
      'items that are no calls',
      'responses',
      true,
      (at) => event({ type: 'response.output_item.done', output_index: at, item: { type: 'reasoning', kb } }),
    ],
    [
      'items at places that are texts',
      'responses',
      true,
      (at) =>
        event({
          type: 'response.function_call_arguments.delta',
          output_index: `${at}${kb}`,
          delta: '1',
        }),
    ],
    [
      'blocks that begin long',
      'messages',
      true,
      (index) =>
        named({
          type: 'content_block_start',
          ...{ index, content_block: { type: 'redacted_thinking', data: kb } },
        }),
    ],
    [
      'calls with long ids',
      'chat',
      true,
      (index) => event({ choices: [{ index: 0, delta: { tool_calls: [{ index, id: `${index}${kb}` }] } }] }),
    ],
  ])('REQ-8b a stream without end is not kept: %s', async (_what, api, stream, piece) => {
    const { createServer } = await import('node:http')
    let sent = 0
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const more = (): void => {
        if (!response.destroyed && sent < 2000) response.write(piece(sent++), more)
      }
      more()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const to = { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'x', api, maxAnswer: 100_000 }
    const { Tool } = registryWithTools()
    try {
      const asked = Request({ model: 'm', tools: Tool, stream, mode: 'native', ...to })
      await expect(asked).rejects.toMatchObject({ code: 'limit_reached', attempts: 1 })
      expect(sent).toBeLessThan(500)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  test.each(['\n', '\r\n'])('events between %j arrive when each is complete', async (end) => {
    const { createServer } = await import('node:http')
    const said: string[] = []
    let heard = (): void => {}
    const server = createServer(async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const content of ['It ', 'works', '.']) {
        const hears = new Promise<void>((resolve) => (heard = resolve))
        const text = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}${end}${end}`
        for (const byte of text) response.write(byte)
        // The next one is sent when this one has been read.
        await hears
      }
      const last = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
      response.end(`data: ${JSON.stringify(last)}${end}${end}`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const to = { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'x' }
    const onText = (text: string): void => {
      said.push(text)
      heard()
    }
    try {
      const { Tool } = registryWithTools()
      await Request({ model: 'm', tools: Tool, stream: true, mode: 'native', onText, ...to })
      expect(said).toEqual(['It ', 'works', '.'])
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  test('a stream that falls silent is given up', async () => {
    const faults = [{ at: 'mid-call', kind: 'stall' }] as const
    const options = { stream: true, silence: 100, retry: { attempts: 1 } }
    const { result } = await run([{ calls: [add(1, 2)] }], options, { faults })
    expect(result).toMatchObject({ code: 'connection_failed', message: expect.stringContaining('silence') })
  })

  test('options of limits are checked', async () => {
    const asked = Request({
      model: 'm',
      silence: 0,
      maxAnswer: -1,
      api: 'soap' as never,
      provider: 'x' as never,
    })
    await expect(asked).rejects.toThrow(RequestError)
    await expect(asked).rejects.toThrow(/silence.*maxAnswer.*api.*provider/)
  })
})
