import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { createRegistry } from 'callsheet'
import { Agent, Request, type RequestError, type RequestOptions } from 'callsheet/agent'
import { describe, expect, test, vi } from 'vitest'
import { registryWithTools } from './tools.ts'

const { Tool } = registryWithTools()

/** Asks a server of this machine that says what it likes, through the real client. */
async function askServer(answer: (response: ServerResponse) => void, options: Partial<RequestOptions> = {}) {
  const server = createServer((request, response) => void request.resume().on('end', () => answer(response)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const connection = { model: 'm', baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'sk-secret' }
  try {
    const output = { type: 'string' } as const
    return await Request<string>({ ...connection, tools: Tool, output, retry: { attempts: 1 }, ...options })
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** A port that nobody listens on. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const json =
  (value: unknown, status = 200) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }
const events =
  (...data: readonly object[]) =>
  (response: ServerResponse): void => {
    const lines = data.map((each) => `data: ${JSON.stringify(each)}\n\n`)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(lines.join(''))
  }
const page = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>')
}
const done = '{"calls":[],"output":"done"}'
const choice = (content: unknown, index = 0) => ({ index, message: { content }, finish_reason: 'stop' })
const delta = (content: unknown, index = 0, finish_reason: string | null = null) => ({
  choices: [{ index, delta: { content }, finish_reason }],
})
const text = (said: string) => [{ type: 'message', content: [{ type: 'output_text', text: said }] }]
const responses = { api: 'responses' } as const
const streamed = { stream: true } as const

/** A tool call of `pay`, in the events of each API: begun, complete, and the end of an answer with so many of them. */
const toolCalls = {
  chat: {
    begun: (index: number, amount: number) => ({
      choices: [
        {
          index: 0,
          delta: {
            tool_calls: [
              { index, id: `c${index}`, function: { name: 'pay', arguments: JSON.stringify({ amount }) } },
            ],
          },
          finish_reason: null,
        },
      ],
    }),
    again: (index: number) => ({
      choices: [
        { index: 0, delta: { tool_calls: [{ index, function: { arguments: ' ' } }] }, finish_reason: null },
      ],
    }),
    end: () => ({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }),
  },
  responses: {
    done: (index: number, amount: number) => ({
      type: 'response.output_item.done',
      output_index: index,
      item: functionCall(index, amount),
    }),
    end: (amounts: readonly number[]) => ({
      type: 'response.completed',
      response: { status: 'completed', output: amounts.map((amount, index) => functionCall(index, amount)) },
    }),
  },
  messages: {
    start: { type: 'message_start', message: { id: 'm', content: [], usage: {} } },
    begun: (index: number) => ({
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id: `t${index}`, name: 'pay', input: {} },
    }),
    grown: (index: number, amount: number) => ({
      type: 'content_block_delta',
      index,
      delta: { type: 'input_json_delta', partial_json: JSON.stringify({ amount }) },
    }),
    done: (index: number) => ({ type: 'content_block_stop', index }),
    end: [{ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: {} }, { type: 'message_stop' }],
  },
}

function functionCall(index: number, amount: number) {
  const call = { name: 'pay', arguments: JSON.stringify({ amount }) }
  return { type: 'function_call', id: `f${index}`, call_id: `c${index}`, ...call }
}

async function* streamOf(sent: readonly object[]) {
  yield* sent
}

describe('REQ-8b what is streamed and is no text', () => {
  test('counts as part of the answer as well', async () => {
    const delta = 'x'.repeat(60)
    let pulled = 0
    const create = async () =>
      (async function* () {
        for (; pulled < 100; pulled++) yield { type: 'response.function_call_arguments.delta', delta }
      })()
    const asked = Request({
      model: 'm',
      tools: Tool,
      api: 'responses',
      client: { responses: { create } } as never,
      stream: true,
      maxAnswer: 100,
      retry: { attempts: 1 },
    })
    await expect(asked).rejects.toMatchObject({ code: 'limit_reached' })
    expect(pulled).toBe(1)
  })
})

describe('REQ-7 a server that says a tool call twice, or goes back to an earlier one', () => {
  const { chat, responses, messages } = toolCalls
  const clients: Record<string, [api: 'chat' | 'responses' | 'messages', sent: readonly object[]]> = {
    'chat, back and forth': [
      'chat',
      [chat.begun(0, 1), chat.begun(1, 2), chat.again(0), chat.again(1), chat.again(0), chat.end()],
    ],
    'responses, twice': [
      'responses',
      [responses.done(0, 1), responses.done(0, 1), responses.done(1, 2), responses.end([1, 2])],
    ],
    'messages, ended twice': [
      'messages',
      [
        messages.start,
        ...[0, 1].flatMap((index) => [messages.begun(index), messages.grown(index, index + 1)]),
        ...[0, 0, 1, 1, 0].map(messages.done),
        ...messages.end,
      ],
    ],
  }

  test.each(Object.entries(clients))('%s: each Call runs once', async (_what, [api, sent]) => {
    const { Tool, ran } = registryWithTools()
    let asked = 0
    const create = async () => {
      asked += 1
      if (asked > 1) throw Object.assign(new Error('enough'), { status: 400 })
      return streamOf(sent)
    }
    const client = { chat: { completions: { create } }, responses: { create }, messages: { create } }
    const options = { api, client, mode: 'native', stream: true, early: 'all' } as const
    await Agent({ model: 'm', tools: Tool, ...options }).catch(() => undefined)
    expect(ran.map(String).sort()).toEqual(['pay,1', 'pay,2'])
  })
})

describe('REQ-7 a tool call', () => {
  test('that comes with its arguments, and none after it, has them', async () => {
    const { Tool, ran } = registryWithTools()
    const { messages } = toolCalls
    const block = { type: 'tool_use', id: 't', name: 'pay', input: { amount: 3 } }
    const sent = [
      messages.start,
      { ...messages.begun(0), content_block: block },
      messages.done(0),
      ...messages.end,
    ]
    const create = async () => streamOf(sent)
    await Agent({
      model: 'm',
      tools: Tool,
      api: 'messages',
      client: { messages: { create } },
      mode: 'native',
      stream: true,
      maxTurns: 1,
    }).catch(() => undefined)
    expect(ran).toEqual([['pay', 3]])
  })

  test('that is the last one is handed out as the others are', async () => {
    const { chat } = toolCalls
    const seen: unknown[] = []
    const create = async () => streamOf([chat.begun(0, 1), chat.begun(1, 2), chat.end()])
    await Request({
      model: 'm',
      tools: Tool,
      client: { chat: { completions: { create } } },
      mode: 'native',
      stream: true,
      start: (call, index) => void seen.push([index, call.amount]),
    })
    expect(seen).toEqual([
      [0, 1],
      [1, 2],
    ])
  })
})

describe('REQ-7 a tool call that was cut off before its arguments', () => {
  const { messages } = toolCalls
  const call = { type: 'function_call', name: 'wipe', arguments: '', call_id: 'c', status: 'incomplete' }
  const response = {
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output: [call],
  }
  test.each<[api: 'responses' | 'messages', sent: readonly object[]]>([
    [
      'responses',
      [
        { type: 'response.output_item.done', output_index: 0, item: call },
        { type: 'response.incomplete', response },
      ],
    ],
    [
      'messages',
      [
        messages.start,
        { ...messages.begun(0), content_block: { type: 'tool_use', id: 't', name: 'wipe', input: {} } },
        messages.done(0),
        { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: {} },
        { type: 'message_stop' },
      ],
    ],
  ])('%s: does not run without them', async (api, sent) => {
    const { Tool, Activity } = createRegistry({
      tools: { wipe: { type: 'object', properties: { _tool: { const: 'wipe' }, only: { type: 'string' } } } },
    })
    let ran = 0
    Activity.register('wipe', () => void ran++)
    const create = async () => streamOf(sent)
    const client = { chat: { completions: { create } }, responses: { create }, messages: { create } }
    const options = { api, client, mode: 'native', stream: true, early: 'all' } as const
    await expect(Agent({ model: 'm', tools: Tool, ...options })).rejects.toMatchObject({
      code: 'answer_truncated',
    })
    expect(ran).toBe(0)
  })
})

describe('REQ-6 servers that are not what they should be', () => {
  test.each<[string, (response: ServerResponse) => void, Partial<RequestOptions>]>([
    ['text in parts', json({ choices: [choice([{ type: 'text', text: done }])] }), {}],
    [
      'text in parts, in a stream, and what the model thought between them',
      events(
        delta([{ type: 'thinking', thinking: [{ type: 'text', text: 'Well.' }] }]),
        delta([{ type: 'text', text: done.slice(0, 9) }]),
        delta(done.slice(9), 0, 'stop'),
      ),
      streamed,
    ],
    ['further choices', json({ choices: [choice('{}', 1), choice(done)] }), {}],
    [
      'a stream with further choices in between',
      events(delta(done.slice(0, 9)), delta('EVIL', 1), delta(done.slice(9), 0, 'stop')),
      streamed,
    ],
    ['a whole answer where a stream was asked for', json({ choices: [choice(done)] }), streamed],
    [
      'a whole message where a stream was asked for',
      json({ content: [{ type: 'text', text: done }], stop_reason: 'end_turn' }),
      { ...streamed, provider: 'anthropic' },
    ],
    [
      'events that are said to be a page',
      (response) =>
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(`data: ${JSON.stringify(delta(done, 0, 'stop'))}\n\n`),
      streamed,
    ],
    [
      'an empty reason until there is one',
      events(delta(done.slice(0, 9), 0, ''), delta(done.slice(9), 0, 'stop'), delta('', 0, '')),
      streamed,
    ],
    ['no status', json({ output: text(done) }), responses],
    ['an item that is nothing', json({ output: [null, ...text(done)] }), responses],
    ['an answer that is shorter than it may be', json({ choices: [choice(done)] }), { maxAnswer: 100 }],
    ['no content type', (response) => response.end(JSON.stringify({ choices: [choice(done)] })), {}],
    [
      'JSON that is said to be text',
      (response) =>
        response.writeHead(200, { 'content-type': 'text/plain' }).end(JSON.stringify({ output: text(done) })),
      responses,
    ],
  ])('%s: read all the same', async (_what, answer, options) => {
    const { solution, usage } = await askServer(answer, options)
    expect(solution).toEqual({ calls: [], output: 'done' })
    expect(usage).toEqual({ in: 0, out: 0, cached: 0 })
  })

  test.each<[string, object, Partial<RequestOptions>]>([
    [
      'chat',
      { choices: [{ message: { content: null, tool_calls: [{ function: { name: 'pay' } }] } }] },
      { mode: 'composed' },
    ],
    ['responses', { output: [functionCall(0, 1)] }, { ...responses, mode: 'composed' }],
    [
      'messages',
      { content: [{ type: 'tool_use', name: 'pay', input: {} }], stop_reason: 'tool_use' },
      { provider: 'anthropic', mode: 'composed' },
    ],
  ])(
    '%s: tool calls that nobody offered are told as such, with what to choose',
    async (_what, answer, options) => {
      await expect(askServer(json(answer), options)).rejects.toMatchObject({
        code: 'answer_invalid',
        message: expect.stringMatching(
          /tool calls of the provider's kind: "pay"\. Choose \{ mode: 'native' \}/,
        ),
      })
    },
  )

  test.each<[string, object, number]>([
    ['seconds', { 'retry-after': '3600' }, 3_600_000],
    ['milliseconds', { 'retry-after-ms': '90000' }, 90_000],
    ['milliseconds before seconds', { 'retry-after-ms': '0', 'retry-after': '3600' }, 0],
  ])('the wait that a rate limit asks for, in %s, comes through the client', async (_what, headers, wait) => {
    const limit = (response: ServerResponse): void => {
      response.writeHead(429, { ...headers }).end('{"error":{"message":"slower"}}')
    }
    // Longer than a Request waits: it ends at once, and says for how long to leave the server alone.
    await expect(askServer(limit, { retry: { attempts: wait === 0 ? 1 : 3 } })).rejects.toMatchObject({
      code: 'rate_limited',
      status: 429,
      retryAfter: wait,
      attempts: 1,
    })
  })

  test.each(['-5', '1,5', 'soon', 'Infinity', '0x10', ''])(
    'a wait that is none, %j, is not guessed at',
    async (wait) => {
      const limit = (response: ServerResponse): void => {
        response.writeHead(429, { 'retry-after': wait }).end('{"error":{"message":"slower"}}')
      }
      await expect(askServer(limit)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: undefined })
    },
  )

  test('an answer that Node does not wait for is told with what helps', async () => {
    const cause = Object.assign(new Error('Headers Timeout Error'), { code: 'UND_ERR_HEADERS_TIMEOUT' })
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed', { cause })))
    await expect(askServer(json({}))).rejects.toMatchObject({
      code: 'connection_failed',
      message: expect.stringMatching(/a slow model takes \{ stream: true \}\.$/),
    })
    vi.unstubAllGlobals()
  })

  test('an answer of so many tokens that the client of Anthropic expects to wait longer is asked for all the same', async () => {
    const answer = json({ content: [{ type: 'text', text: done }], stop_reason: 'end_turn' })
    const options = { provider: 'anthropic', body: { max_tokens: 64_000 } } as const
    expect((await askServer(answer, options)).solution).toEqual({ calls: [], output: 'done' })
  })

  test('a client whose error has no cause but says that it has one is told like any other', async () => {
    const create = () => Promise.reject(Object.assign(new Error('The line broke.'), { cause: null }))
    const asked = Request({
      model: 'm',
      tools: Tool,
      client: { chat: { completions: { create } } },
      retry: { attempts: 1 },
    })
    await expect(asked).rejects.toMatchObject({
      code: 'connection_failed',
      message: expect.stringContaining('The line broke.'),
    })
  })

  test('a server that is not there is told by what was tried', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const asked = Request({
        model: 'm',
        baseURL: `http://${host}:${await closedPort()}/v1`,
        apiKey: 'k',
        tools: Tool,
        retry: { attempts: 1 },
      })
      await expect(asked).rejects.toMatchObject({
        code: 'connection_failed',
        message: expect.stringMatching(/ECONNREFUSED/),
      })
    }
  })

  test.each([
    ['no key', { provider: 'anthropic' }, /authentication method/],
    ['no scheme', { apiKey: 'k', baseURL: '127.0.0.1:8080/v1' }, /Invalid URL\. Look at apiKey and baseURL/],
    [
      'no scheme, Claude',
      { provider: 'anthropic', apiKey: 'k', baseURL: '127.0.0.1:8080' },
      /Invalid URL\. Look/,
    ],
  ] as const)(
    '%s: the client asks nobody, so that nobody is asked again',
    async (_what, options, message) => {
      vi.stubEnv('ANTHROPIC_API_KEY', undefined)
      vi.stubEnv('ANTHROPIC_AUTH_TOKEN', undefined)
      const asked = Request({ model: 'm', tools: Tool, ...options })
      await expect(asked).rejects.toMatchObject({
        code: 'invalid_options',
        message: expect.stringMatching(message),
      })
      vi.unstubAllEnvs()
    },
  )

  test.each([
    ['a key with a line break', { apiKey: 'sk-1\nsecret' }, /line break/],
    [
      'a key with a line break, Claude',
      { provider: 'anthropic', api: 'messages', apiKey: 'sk-1\nsecret' },
      /line break/,
    ],
    ['a key of other characters', { apiKey: 'sk-☃secret' }, /no header may have/],
    [
      'a password in the URL',
      { apiKey: 'k', baseURL: 'http://me:secret@127.0.0.1:9/v1' },
      /user name or password/,
    ],
  ] as const)('%s: nobody is asked, and the error does not quote it', async (_what, options, message) => {
    const baseURL = 'http://127.0.0.1:9/v1'
    const error: RequestError = await Request({ model: 'm', tools: Tool, baseURL, ...options }).then(
      () => expect.unreachable(),
      (thrown) => thrown,
    )
    expect(error).toMatchObject({
      code: 'invalid_options',
      message: expect.stringMatching(message),
      attempts: 1,
    })
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain('secret')
  })

  test('a wait until a date', async () => {
    const limit = (response: ServerResponse): void => {
      const date = new Date(Date.now() + 3_600_000).toUTCString()
      response.writeHead(503, { 'retry-after': date }).end()
    }
    const error: RequestError = await askServer(limit).then(
      () => expect.unreachable(),
      (thrown) => thrown,
    )
    expect(error.retryAfter).toBeGreaterThan(3_500_000)
    expect(error.retryAfter).toBeLessThanOrEqual(3_600_000)
  })

  const spelt = (name: string, given: unknown, id: string | null = null, index = 0) => ({
    choices: [
      {
        index: 0,
        delta: { tool_calls: [{ index, ...(id !== null && { id }), function: { name, arguments: given } }] },
        finish_reason: null,
      },
    ],
  })
  const end = { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }
  test.each<[string, object[], object[]]>([
    [
      'the same index for every call',
      [spelt('pay', '{"amount":1}', 'a'), spelt('pay', '{"amount":2}', 'b')],
      [{ amount: 1 }, { amount: 2 }],
    ],
    [
      'another id for every piece of a call',
      [spelt('pay', '{"amo', 'a'), spelt('', 'unt":', 'b'), spelt(null as never, '1}', 'c')],
      [{ amount: 1 }],
    ],
    [
      'a name and an id after the first arguments',
      [
        spelt('', '{"amo'),
        spelt('pay', 'unt":1}', 'a'),
        spelt('', '{"amount":2}', null, 1),
        spelt('pay', '', 'b', 1),
      ],
      [{ amount: 1 }, { amount: 2 }],
    ],
    ['arguments that are no text', [spelt('pay', { amount: 3 }, 'a')], [{ amount: 3 }]],
    [
      "the empty input of Claude's first event before the arguments",
      [spelt('pay', '{}', 'a'), spelt('', ''), spelt('', '{"amount"'), spelt('', ':4}')],
      [{ amount: 4 }],
    ],
  ])('tool calls in a stream with %s', async (_what, pieces, want) => {
    const { solution } = await askServer(events(...pieces, end), { ...streamed, mode: 'native' })
    expect(solution.calls).toEqual(want.map((given) => ({ _tool: 'pay', ...given })))
  })

  test.each<[string, (text: string) => object]>([
    ['a member', (text) => ({ reasoning_content: text })],
    ['details', (text) => ({ reasoning_details: [{ type: 'reasoning.text', index: 0, format: 'f', text }] })],
  ])('REQ-8b thoughts in many pieces, as %s, count as long as they are', async (_what, thought) => {
    const pieces = (count: number): object[] =>
      Array.from({ length: count }, () => ({ choices: [{ index: 0, delta: thought('so ') }] }))
    const answer = spelt('pay', '{"amount":1}', 'a')
    const options = { ...streamed, mode: 'native', maxAnswer: 2_000 } as const
    const { solution } = await askServer(events(...pieces(500), answer, end), options)
    expect(solution.calls).toEqual([{ _tool: 'pay', amount: 1 }])
    const tooLong = askServer(events(...pieces(700), answer, end), options)
    await expect(tooLong).rejects.toMatchObject({ code: 'limit_reached' })
  })

  test.each([true, false])('what the model thought goes back as it came, in a stream: %s', async (stream) => {
    const signed = { extra_content: { google: { thought_signature: 'sealed' } } }
    const called = {
      id: 'a',
      type: 'function',
      function: { name: 'pay', arguments: '{"amount":1}' },
      ...signed,
    }
    const entry = { type: 'reasoning.text', index: 0 }
    const [reasoning_content, reasoning_details] = ['I pay.', [{ ...entry, text: 'I pay.', signature: 's' }]]
    const thought = { reasoning_content, reasoning_details }
    const piece = (added: object, finish_reason: string | null = null) => ({
      choices: [{ index: 0, delta: added, finish_reason }],
    })
    const streamed = events(
      piece({ reasoning_content: 'I ', reasoning_details: [{ ...entry, text: 'I ' }] }),
      piece({ reasoning_content: 'pay.', reasoning_details: [{ ...entry, text: 'pay.' }] }),
      piece({ reasoning_content: null, reasoning_details: [{ ...entry, text: null, signature: 's' }] }),
      piece({ tool_calls: [{ index: 0, ...called }] }),
      piece({}, 'tool_calls'),
    )
    const message = { content: null, ...thought, tool_calls: [called] }
    const whole = json({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] })
    const answers = [
      stream ? streamed : whole,
      stream ? events(delta('"done"', 0, 'stop')) : json({ choices: [choice('"done"')] }),
    ]
    const bodies: { messages: object[] }[] = []
    const { Tool } = registryWithTools()
    const server = createServer(async (request, response) => {
      bodies.push(JSON.parse(Buffer.concat(await request.toArray()).toString()))
      answers.shift()?.(response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const connection = { model: 'm', baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'k' }
    const output = { type: 'string' } as const
    try {
      const result = await Agent<string>({ ...connection, tools: Tool, output, mode: 'native', stream })
      expect(result.output).toBe('done')
    } finally {
      server.closeAllConnections()
      server.close()
    }
    expect(bodies[1]?.messages.find((each) => 'tool_calls' in each)).toMatchObject({
      role: 'assistant',
      tool_calls: [called],
      ...thought,
    })
  })

  test.each([
    ['id and name', 'a'],
    ['the name alone', null as never],
  ])('a server that says %s with every piece means one name', async (_, id) => {
    const pieces = [spelt('pay', '{"amo', 'a'), spelt('pay', 'unt":1', id), spelt('pay', '}', id)]
    const { solution } = await askServer(events(...pieces, end), { ...streamed, mode: 'native' })
    expect(solution.calls).toEqual([{ _tool: 'pay', amount: 1 }])
  })

  test('what Anthropic says of a failure is read out of its body', async () => {
    const body = { type: 'error', error: { type: 'invalid_request_error', message: 'bad schema' } }
    await expect(askServer(json(body, 400), { provider: 'anthropic' })).rejects.toMatchObject({
      code: 'bad_request',
      message: 'The server refused the request with 400: bad schema',
    })
  })

  /** What a server streams, closed by `[DONE]` as OpenAI closes its own. */
  const closed =
    (...data: readonly object[]) =>
    (response: ServerResponse, atEnd = '\n\n'): void => {
      const lines = [...data.map((each) => JSON.stringify(each)), '[DONE]']
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(lines.map((line) => `data: ${line}`).join('\n\n') + atEnd)
    }
  const counted = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }
  const pays = [spelt('pay', '{"amo', 'a'), spelt('', 'unt":1}')]
  const native = { ...streamed, mode: 'native' } as const

  describe('REQ-6 a stream without a finish reason', () => {
    test.each<[string, (response: ServerResponse) => void]>([
      ['closed', closed(...pays)],
      ['closed without an end of its last line', (response) => closed(...pays)(response, '')],
      ['counted', events(...pays, counted)],
    ])('that was %s is a whole answer', async (_what, answer) => {
      const { solution } = await askServer(answer, native)
      expect(solution.calls).toEqual([{ _tool: 'pay', amount: 1 }])
    })

    test('that is closed, and then commented on, is whole', async () => {
      const { solution } = await askServer((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        for (const each of pays) response.write(`data: ${JSON.stringify(each)}\n\n`)
        response.write('data: [DONE]\n\n')
        setTimeout(() => response.end(': closing\n\n'), 20)
      }, native)
      expect(solution.calls).toEqual([{ _tool: 'pay', amount: 1 }])
    })

    test.each<[string, string | null]>([
      ['null', null],
      ['an empty text', ''],
    ])('that is %s everywhere is whole as a text, too', async (_what, reason) => {
      const pieces = [delta(done.slice(0, 9), 0, reason), delta(done.slice(9), 0, reason)]
      const { solution } = await askServer(closed(...pieces), streamed)
      expect(solution.output).toBe('done')
    })

    test.each<[string, (response: ServerResponse) => void]>([
      ['that just ends', events(...pays)],
      ['that counts before it goes on', events(counted, ...pays)],
      ['that is closed within a call', closed(pays[0] as object)],
      ['that is closed before the arguments of a call', closed(...pays, spelt('pay', '', 'b', 1))],
      ['that says nothing', closed(counted)],
    ])('%s broke off', async (_what, answer) => {
      await expect(askServer(answer, native)).rejects.toMatchObject({ code: 'connection_failed' })
    })
  })

  test('under one index no call takes the pieces of another', async () => {
    const pieces = [spelt('now', '{"n":1', 'a'), spelt('pay', '{"amount":2', 'b'), spelt(null as never, '}')]
    const { solution, rejected } = await askServer(events(...pieces, end), { ...streamed, mode: 'native' })
    expect(solution.calls).toEqual([])
    expect(rejected).toMatchObject([{ error: { code: 'unknown_tool' } }])
  })

  test('under one index two calls of which the first had no arguments take no third along', async () => {
    const pieces = [
      spelt('now', '', 'a'),
      spelt('pay', '{"amount":1}', 'b'),
      spelt('pay', '{"amount":2}', 'c'),
    ]
    const { solution, rejected } = await askServer(events(...pieces, end), { ...streamed, mode: 'native' })
    expect(solution.calls).toEqual([{ _tool: 'pay', amount: 2 }])
    expect(rejected).toMatchObject([{ error: { code: 'unknown_tool' } }])
  })

  test('CALL-11a a server that says id and name with every piece does not have all that came read again for each', async () => {
    const pieces = Array.from({ length: 500 }, (_, at) => spelt('pay', `"${'x'.repeat(100)}",`, `id ${at}`))
    const parsing = vi.spyOn(JSON, 'parse')
    const { rejected } = await askServer(events(spelt('pay', '{"amount":[', 'a'), ...pieces, end), {
      ...streamed,
      mode: 'native',
    })
    const characters = parsing.mock.calls.reduce((sum, [text]) => sum + text.length, 0)
    parsing.mockRestore()
    expect(rejected).toHaveLength(1)
    // The pieces are 250 characters each, with what stands around them; reading them again for each would be 13 million.
    expect(characters).toBeLessThan(1_000_000)
  })

  test.each([null, undefined, '', ' ', 'null'])('arguments %j are none', async (given) => {
    const registry = createRegistry({
      tools: { now: { type: 'object', properties: { _tool: { const: 'now' } } } },
    })
    registry.Activity.register('now', () => 1)
    const tool_calls = [{ id: 'a', type: 'function', function: { name: 'now', arguments: given } }]
    const answer = json({
      choices: [{ index: 0, message: { content: null, tool_calls }, finish_reason: 'tool_calls' }],
    })
    const { solution } = await askServer(answer, { tools: registry.Tool, mode: 'native' })
    expect(solution.calls).toEqual([{ _tool: 'now' }])
  })

  const named =
    (...said: readonly { readonly type: string }[]) =>
    (response: ServerResponse): void => {
      const lines = said.map((each) => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`)
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(lines.join(''))
    }
  const started = (usage: object) => ({ type: 'message_start', message: { content: [], usage } })
  const finished = (usage: object) => [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: done } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
    { type: 'message_stop' },
  ]
  test.each([
    [{ output_tokens: 7 }],
    [{ output_tokens: 7, input_tokens: 0, cache_read_input_tokens: null, cache_creation_input_tokens: 0 }],
    [{ output_tokens: 7, input_tokens: 20, cache_read_input_tokens: 5 }],
  ])('what a stream says of its tokens at its end, %j, takes back nothing', async (last) => {
    const stream = named(
      started({ input_tokens: 20, cache_read_input_tokens: 5, output_tokens: 1 }),
      ...finished(last),
    )
    const { usage } = await askServer(stream, { ...streamed, provider: 'anthropic' })
    expect(usage).toEqual({ in: 25, out: 7, cached: 5 })
  })

  test.each([true, false])('an answer that Anthropic paused is none, in a stream: %s', async (stream) => {
    const usage = { input_tokens: 20, output_tokens: 7 }
    const end = [
      ...finished(usage).slice(0, 3),
      { type: 'message_delta', delta: { stop_reason: 'pause_turn' }, usage },
      { type: 'message_stop' },
    ]
    const paused = { content: [{ type: 'text', text: done }], stop_reason: 'pause_turn', usage }
    const answer = stream ? named(started(usage), ...end) : json(paused)
    await expect(askServer(answer, { stream, provider: 'anthropic' })).rejects.toMatchObject({
      code: 'answer_truncated',
      message: expect.stringContaining('pause_turn'),
      usage: { in: 20, out: 7 },
      attempts: 1,
    })
  })

  test.each([true, false])(
    'what a model thought counts where the total alone has it, in a stream: %s',
    async (stream) => {
      const usage = { prompt_tokens: 32, completion_tokens: 9, total_tokens: 135 }
      const answer = stream
        ? events({ ...delta(done, 0, 'stop'), usage })
        : json({ choices: [choice(done)], usage })
      const result = await askServer(answer, { stream })
      expect(result.usage).toEqual({ in: 32, out: 103, cached: 0 })
      const said = { input_tokens: 32, output_tokens: 9, total_tokens: 135 }
      const response = { status: 'completed', output: text(done), usage: said }
      const other = stream ? events({ type: 'response.completed', response }) : json(response)
      expect((await askServer(other, { ...responses, stream })).usage).toEqual({
        in: 32,
        out: 103,
        cached: 0,
      })
    },
  )

  test.each(['length', 'model_length'])('an answer that ends by %s was cut off', async (finish_reason) => {
    const answer = json({ choices: [{ ...choice('{"calls":['), finish_reason }] })
    await expect(askServer(answer)).rejects.toMatchObject({ code: 'answer_truncated', attempts: 1 })
  })

  test('tokens that are no counts are not counted', async () => {
    const usage = {
      prompt_tokens: -1e12,
      completion_tokens: '7',
      prompt_tokens_details: { cached_tokens: null },
    }
    const result = await askServer(json({ choices: [choice(done)], usage }))
    expect(result.usage).toEqual({ in: 0, out: 0, cached: 0 })
  })

  test.each<[string, (response: ServerResponse) => void, Partial<RequestOptions>, string, RegExp]>([
    ['nothing', (response) => response.end(), {}, 'answer_invalid', /no chat completion/],
    [
      'another page',
      json('<html>login</html>'),
      {},
      'answer_invalid',
      /no chat completion, but a page for people: "<html>login/,
    ],
    [
      'no text',
      json({ choices: [choice(null)] }),
      {},
      'answer_invalid',
      /is empty, where JSON was asked for/,
    ],
    ['an end without a beginning', events(delta('', 0, 'stop')), streamed, 'answer_invalid', /is empty/],
    [
      'a page in place of a stream',
      page,
      streamed,
      'answer_invalid',
      /but a page for people: "<html>Sign in/,
    ],
    [
      'a page in place of a stream of responses',
      page,
      { ...responses, ...streamed },
      'answer_invalid',
      /but a page for people/,
    ],
    [
      'a page in place of a stream of a message',
      page,
      { provider: 'anthropic', ...streamed },
      'answer_invalid',
      /but a page for people/,
    ],
    [
      'an error in place of a stream',
      json({ error: { message: 'No credit', code: 402 } }),
      streamed,
      'bad_request',
      /402: No credit/,
    ],
    [
      'an error in a list, as Gemini sends it',
      json([{ error: { code: 400, message: 'API key not valid', status: 'INVALID_ARGUMENT' } }], 400),
      {},
      'bad_request',
      /API key not valid/,
    ],
    [
      'an error that is called otherwise',
      json({ detail: 'There is no model m' }, 404),
      {},
      'bad_request',
      /There is no model m/,
    ],
    [
      'an error without a name',
      json({ message: 'too many tokens' }, 400),
      {},
      'bad_request',
      /too many tokens/,
    ],
    [
      'a status that is none',
      (response) => response.writeHead(999).end('no'),
      {},
      'server_error',
      /failed with 999: HTTP has no such status/,
    ],
    ...['insufficient_system_resource', 'abort', 'network_error'].map(
      (reason): [string, (response: ServerResponse) => void, Partial<RequestOptions>, string, RegExp] => [
        `an answer that ends with ${reason}`,
        json({ choices: [{ ...choice(done), finish_reason: reason }] }),
        {},
        'server_error',
        /gave up on the answer/,
      ],
    ),
    ...['content_filter', 'content_filter: SAFETY', 'PROHIBITED_CONTENT', 'sensitive'].map(
      (reason): [string, (response: ServerResponse) => void, Partial<RequestOptions>, string, RegExp] => [
        `an answer that ends with ${reason}`,
        events(delta(done, 0, reason)),
        streamed,
        'model_refused',
        /A content filter/,
      ],
    ),
    [
      'a tool call that Gemini could not read',
      json({
        choices: [{ ...choice(null), finish_reason: 'function_call_filter: MALFORMED_FUNCTION_CALL' }],
      }),
      { mode: 'native' },
      'answer_invalid',
      /a tool call that its own server could not read/,
    ],
    [
      'a message without end',
      json({ error: { message: 'x'.repeat(1e6) } }, 400),
      {},
      'bad_request',
      /^.{0,600}$/,
    ],
    [
      'a status without end',
      (response) => response.writeHead(503).end('x'.repeat(1e6)),
      {},
      'server_error',
      /^.{0,600}$/,
    ],
    [
      'a response that is not complete',
      json({ status: 'in_progress', output: text(done) }),
      responses,
      'answer_invalid',
      /in_progress/,
    ],
    [
      'a response without an output',
      json({ status: 'completed' }),
      responses,
      'answer_invalid',
      /no response/,
    ],
    [
      'a response that failed',
      json({ status: 'failed', error: { code: 'rate_limit_exceeded', message: 'later' }, output: [] }),
      responses,
      'rate_limited',
      /later/,
    ],
    [
      'an error in place of a completion',
      json({ error: { code: 429, message: 'Rate limited upstream' } }),
      {},
      'rate_limited',
      /Rate limited upstream/,
    ],
    [
      'an error in place of a choice',
      json({
        choices: [
          { ...choice('{"calls":[],"out'), finish_reason: 'error', error: { code: 502, message: 'gone' } },
        ],
      }),
      {},
      'server_error',
      /502: gone/,
    ],
    [
      'an error in the middle of a stream',
      events(delta('{'), { error: { message: 'slow down', code: 429 } }),
      streamed,
      'rate_limited',
      /slow down/,
    ],
    [
      'an error at the end of a stream',
      events(delta('{"calls":[],', 0, 'error')),
      streamed,
      'server_error',
      /gave up/,
    ],
    [
      'an error in place of a message',
      json({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
      { provider: 'anthropic' },
      'server_error',
      /Overloaded/,
    ],
    [
      'an error in place of a response',
      json({ error: { code: 401, message: 'No key' } }),
      responses,
      'bad_request',
      /401: No key/,
    ],
    [
      'an event that is an error',
      events({ type: 'error', code: 'server_error', message: 'boom' }),
      { ...responses, ...streamed },
      'server_error',
      /boom/,
    ],
    [
      'an end without a response',
      events({ type: 'response.completed', response: null }),
      { ...responses, ...streamed },
      'answer_invalid',
      /no response/,
    ],
  ])('%s: told as it is', async (_what, answer, options, code, message) => {
    const error: RequestError = await askServer(answer, options).then(
      () => expect.unreachable(),
      (thrown) => thrown,
    )
    expect(error).toMatchObject({ name: 'RequestError', code, attempts: 1 })
    expect(error.message).toMatch(message)
    expect(JSON.stringify(error)).not.toContain('sk-secret')
  })
})
