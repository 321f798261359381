import {
  type Call,
  createRegistry,
  type JsonSchema,
  type Message,
  type Outcome,
  type ToolSchema,
  tool,
} from 'callsheet'
import { Request, RequestError, type RequestOptions, type Vessel } from 'callsheet/agent'
import { type ScriptedTurn, scriptedModel, testModel } from 'callsheet/testing'
import { Type } from 'typebox'
import { describe, expect, test, vi } from 'vitest'
import { add, pay, registryWithTools } from './tools.ts'

const output = { type: 'string' } as const
const usage = { in: 10, out: 4, cached: 6 }
const { Tool } = registryWithTools()

/** Makes a Request of a script, in this process. */
async function ask(turns: readonly ScriptedTurn[], options: Partial<RequestOptions> = {}) {
  const model = scriptedModel(turns)
  const made = Request<string>({
    model: 'm',
    client: model,
    tools: Tool,
    output,
    retry: { backoff: 0 },
    ...options,
  })
  const result = await made.catch((error: RequestError) => error)
  return { result, error: result as RequestError, requests: model.requests }
}

/** A model whose server answers with a status first. */
function failing(statuses: readonly { status: number; headers?: object; code?: string }[]) {
  let count = 0
  return testModel(() => {
    const failure = statuses[count++]
    if (failure) throw Object.assign(new Error(`status ${failure.status}`), failure)
    return { text: JSON.stringify({ calls: [], output: 'done' }), usage }
  })
}

describe.each(['chat', 'responses'] as const)('REQ-6 one Request over %s', (api) => {
  test.each([true, false])('a whole Solution and its Vessel; streamed: %s', async (stream) => {
    const { result, requests } = await ask([{ calls: [add(1, 2), pay(3)], usage }], { api, stream })
    if (result instanceof Error) throw result
    const said = { _reasoningForCall: 'The script says so.' }
    expect(result.solution).toEqual({
      calls: [
        { _tool: 'add', left: 1, right: 2, _activity: 'add', ...said },
        { _tool: 'pay', amount: 3, _activity: 'pay', ...said },
      ],
      output: null,
    })
    expect(result).toMatchObject({ usage, attempts: 1, mode: 'composed' })
    expect(JSON.parse(JSON.stringify(result.vessel))).toMatchObject({
      solution: result.solution,
      model: 'm',
      usage,
    })
    expect(requests[0]?.body).toMatchObject(
      api === 'chat'
        ? { response_format: { type: 'json_schema', json_schema: { strict: true } } }
        : { text: { format: { type: 'json_schema', strict: true } } },
    )
  })

  const native = { api, mode: 'native' } as const
  test.each([true, false])(
    'REQ-5b the provider’s own tools give the same Calls; streamed: %s',
    async (stream) => {
      const { result, requests } = await ask([{ calls: [add(1, 2)], usage }], { ...native, stream })
      if (result instanceof Error) throw result
      expect(result.solution.calls).toMatchObject([{ _tool: 'add', left: 1, right: 2 }])
      expect(result.mode).toBe('native')
      expect(requests[0]?.body.tools).toHaveLength(3)
      expect((await ask([{ output: 'done' }], { ...native, stream })).result).toMatchObject({
        solution: { calls: [], output: 'done' },
      })
    },
  )

  test.each<[string, ScriptedTurn, string, RegExp]>([
    ['a refusal', { refusal: 'No.' }, 'model_refused', /refused: No\./],
    [
      'an answer that is cut off',
      { text: '{"calls":[{"_to', isTruncated: true },
      'answer_truncated',
      /limit of tokens/,
    ],
  ])('%s is not asked again', async (_what, turn, code, message) => {
    for (const stream of [true, false]) {
      const { error, requests } = await ask([{ ...turn, usage } as ScriptedTurn], { api, stream })
      expect(error).toBeInstanceOf(RequestError)
      expect(error).toMatchObject({ code, attempts: 1, usage })
      expect(error.message).toMatch(message)
      expect(requests).toHaveLength(1)
    }
  })

  test.each<[string, string, RegExp]>([
    ['no JSON', 'Sure!', /not JSON/],
    ['no solution', '[]', /expected an object with "calls"/],
    ['no list of Calls', '{"calls":{},"output":null}', /\/calls: expected a list/],
    ['what nests too deep', `{"calls":[${'['.repeat(5000)}${']'.repeat(5000)}]}`, /deeper than 1000 levels/],
    ['another output', '{"calls":[],"output":7}', /\/output: expected a string/],
  ])('%s goes back once, with what is wrong with it', async (_what, text, message) => {
    const bad = { text, usage }
    const good = await ask([bad, { output: 'done', usage }], { api })
    expect(good.result).toMatchObject({
      solution: { output: 'done' },
      attempts: 2,
      usage: { in: 20, out: 8, cached: 12 },
    })
    const [, second] = good.requests
    const messages = (second?.body.messages ?? second?.body.input) as { role: string; content: string }[]
    expect(messages.at(-2)).toEqual({ role: 'assistant', content: text })
    expect(messages.at(-1)?.content).toMatch(new RegExp(message.source.replace('$', '')))

    const { error } = await ask([bad, bad, bad], { api })
    expect(error).toMatchObject({
      code: 'answer_invalid',
      attempts: 2,
      usage: { in: 20, out: 8, cached: 12 },
    })
    expect(error.message).toMatch(message)
  })
})

describe('REQ-6a a bad Call costs itself alone', () => {
  test.each(['chat', 'responses'] as const)('over %s: the others are there, and it is told', async (api) => {
    const text = JSON.stringify({
      calls: [
        { _tool: 'ad', left: 1 },
        add(1, 2, { _activity: 'add', _reasoningForCall: 'r' }),
        { _tool: 'constructor' },
        7,
        { left: 1 },
        null,
      ],
      output: null,
    })
    for (const stream of [true, false]) {
      const { result } = await ask([{ text, usage }], { api, stream })
      if (result instanceof Error) throw result
      expect(result.attempts).toBe(1)
      expect(result.solution).toMatchObject({ calls: [add(1, 2)], output: null })
      expect(result.rejected.map(({ call, error }) => [call._tool, error.code])).toEqual([
        ['ad', 'unknown_tool'],
        ['constructor', 'unknown_tool'],
        ['', 'invalid_call'],
        ['', 'invalid_call'],
        ['', 'invalid_call'],
      ])
      expect(result.rejected[0]?.error.message).toMatch(/"ad" was not offered. Did you mean "add"/)
      expect(() => result.vessel.replay()).not.toThrow()
    }
  })
})

describe('REQ-6 what the server says', () => {
  test.each<[string, { status: number; headers?: object; code?: string }, string, number]>([
    ['a rate limit', { status: 429 }, 'rate_limited', 3],
    ['a quota that is used up', { status: 429, code: 'insufficient_quota' }, 'rate_limited', 1],
    ['a wait that is too long', { status: 429, headers: { 'retry-after': '3600' } }, 'rate_limited', 1],
    ['a failure', { status: 503 }, 'server_error', 3],
    ['a lock of another request', { status: 409 }, 'server_error', 3],
    ['a failure that stays', { status: 503, headers: { 'x-should-retry': 'false' } }, 'server_error', 1],
    ['a refusal that passes', { status: 400, headers: { 'x-should-retry': 'true' } }, 'bad_request', 3],
    ['a wrong request', { status: 400 }, 'bad_request', 1],
    ['a wrong key', { status: 401 }, 'bad_request', 1],
  ])('%s', async (_what, failure, code, attempts) => {
    const client = failing(Array(9).fill(failure))
    const { error } = await ask([], { client })
    expect(error).toMatchObject({ name: 'RequestError', code, attempts, status: failure.status })
  })

  test('REQ-6 a 404, of a path or of a model: what the server said, and where to look', async () => {
    const throws = (status: number, message: string) =>
      testModel(() => {
        throw Object.assign(new Error(message), { status })
      })
    const lost = await ask([], { client: throws(404, '404 404 page not found') })
    expect(lost.error?.message).toMatch(
      /^The server refused the request with 404: 404 page not found\. Either it has no such model, or baseURL .* \/v1/,
    )
    const wrongKey = await ask([], { client: throws(401, '401 Incorrect API key') })
    expect(wrongKey.error?.message).toBe('The server refused the request with 401: Incorrect API key')
  })

  test('a limit that passes is waited out, as long as the server says', async () => {
    const client = failing([
      { status: 429, headers: new Headers({ 'retry-after-ms': '30' }) },
      { status: 503, headers: { 'retry-after': new Date(0).toUTCString() } },
    ])
    const from = performance.now()
    const { result } = await ask([], { client, retry: { backoff: 60_000 } })
    expect(result).toMatchObject({ attempts: 3, solution: { output: 'done' }, usage })
    expect(performance.now() - from).toBeGreaterThanOrEqual(29)
  })

  test('REQ-6 a client that only says that it took too long: both reasons, and what helps', async () => {
    const saying = (text: string) => ({
      client: testModel(() => {
        throw new Error(text)
      }),
    })
    const { error } = await ask([], saying('Request timed out.'))
    expect(error).toMatchObject({
      code: 'connection_failed',
      message: expect.stringMatching(
        /timed out\. Either the server cannot be reached, or .* \{ stream: true \}/,
      ),
    })
    const other = await ask([], saying('socket hang up'))
    expect(other.error?.message).toBe('The connection to the model failed: socket hang up')
  })

  test.each([
    [async () => 60_000, 'Promise {}'],
    [() => undefined, 'nothing'],
    [() => Number.NaN, 'NaN'],
  ])('a backoff that answers no milliseconds is said, and asks no more: %s', async (backoff, got) => {
    const client = failing([{ status: 503 }, { status: 503 }])
    const { error } = await ask([], { client, retry: { backoff: backoff as () => number } })
    expect(error).toMatchObject({
      attempts: 1,
      message: expect.stringContaining(`\`retry.backoff\` answered ${got}. Expected milliseconds, at once.`),
    })
  })

  test.each([{ choices: [] }, 'text', null, { choices: [{ message: 7 }] }])(
    'what is no answer: %j',
    async (answer) => {
      const client = { chat: { completions: { create: async () => answer } } }
      expect((await ask([], { client })).error).toMatchObject({ code: 'answer_invalid', attempts: 2 })
    },
  )

  test('an abort ends it at once, whether the client listens or not', async () => {
    const controller = new AbortController()
    const client = { chat: { completions: { create: () => new Promise(() => {}) } } }
    setTimeout(() => controller.abort(new Error('enough')), 5)
    expect((await ask([], { client, signal: controller.signal })).error).toMatchObject({
      code: 'aborted',
      attempts: 1,
    })
    expect((await ask([], { client, signal: AbortSignal.abort() })).error).toMatchObject({
      code: 'aborted',
      attempts: 0,
    })
    expect((await ask([], { client, timeout: 5 })).error).toMatchObject({ code: 'timeout', attempts: 1 })
  })

  test.each<[Partial<RequestOptions>, RegExp]>([
    [{ model: '' }, /\/model: expected the name of a model/],
    [{ timeout: Number.NaN }, /\/timeout: expected milliseconds above 0/],
    [{ retry: { attempts: 0 } }, /\/retry\/attempts: expected a whole number from 1/],
    [{ tools: 7 as never }, /\/tools: expected the Tool of a registry/],
    [
      { api: 'responses', client: { chat: { completions: { create: async () => ({}) } } } },
      /no `responses.create`/,
    ],
  ])('options that cannot be used: %j', async (options, message) => {
    const { error } = await ask([], options)
    expect(error).toMatchObject({ code: 'invalid_options' })
    expect(error.message).toMatch(message)
  })
})

test('REQ-6 what a function of the options throws is no failure of the connection', async () => {
  const only = (): never => {
    throw new TypeError('no flags today')
  }
  const { error, requests } = await ask([], { only })
  expect(error).toMatchObject({ code: 'invalid_options', message: expect.stringContaining('no flags today') })
  expect(requests).toEqual([])
})

test.each([
  [
    { type: 'object', required: 5 },
    '/properties/a/required: required must be a list of different property names, not 5',
  ],
  [{ anyOf: 5 }, '/properties/a/anyOf: anyOf must be a list with at least one schema, not 5'],
  [{ type: 'strin' }, '/properties/a/type: type must be the name of a JSON type'],
  [{ type: 'string', pattern: '(' }, '/properties/a/pattern: pattern must be a regular expression'],
  [
    { minimum: 1, exclusiveMinimum: true },
    '/properties/a/exclusiveMinimum: exclusiveMinimum must be a finite',
  ],
])('REQ-6 a Tool registered with what is no schema within: %j is named', async (a, why) => {
  const { Tool } = registryWithTools()
  Tool.register('odd', { type: 'object', properties: { a } } as object)
  const unsayable = { type: 'object', properties: { _tool: { const: 'guest' }, a: false }, required: ['a'] }
  const contexts: Message[][] = [[], [{ type: 'tool', tool: unsayable }]]
  const modes = ['composed', 'native', 'auto'] as const
  for (const [mode, context] of modes.flatMap((each) => contexts.map((given) => [each, given] as const))) {
    const { error } = await ask([], { tools: Tool, mode, context })
    expect(error).toMatchObject({
      code: 'unsupported_schema',
      message: expect.stringContaining(
        `Tool "odd" cannot be offered. The schema cannot be checked as it says. ${why}`,
      ),
    })
  }
})

test('TOOL-3 of two Tools that share a form of their names, the one that was named is meant', async () => {
  const tools = { 'a.b': tool('a.b', {}), a__b: tool('a__b', {}) }
  const answers = ['a__b', 'a.b'].map((name) => JSON.stringify([{ name, arguments: {} }]))
  for (const [place, text] of answers.entries()) {
    const client = testModel(() => ({ text }))
    const { solution } = await Request({
      model: 'm',
      client,
      tools: createRegistry({ tools }).Tool,
      mode: 'composed',
    })
    expect(solution.calls).toMatchObject([{ _tool: ['a__b', 'a.b'][place] }])
  }
})

describe('REQ-5c what the dialect cannot hold goes out as native tools', () => {
  const deep = (levels: number): JsonSchema =>
    levels === 0
      ? { type: 'string' }
      : { type: 'object', properties: { a: deep(levels - 1) }, required: ['a'], additionalProperties: false }
  const tools: ToolSchema[] = [
    {
      type: 'object',
      properties: { _tool: { const: 'deep' }, value: deep(8) },
      required: ['_tool', 'value'],
      additionalProperties: false,
    },
  ]

  test('under auto, and said so', async () => {
    const { result } = await ask([{ output: 'done' }], { tools })
    expect(result).toMatchObject({ mode: 'native' })
  })

  test('under composed it goes out composed all the same', async () => {
    expect((await ask([{ output: 'done' }], { tools, mode: 'composed' })).result).toMatchObject({
      mode: 'composed',
    })
  })
})

describe('CALL-11b a Tool of the context that no model can be told of is left out, and ends no run', () => {
  const chain = Object.fromEntries(
    Array.from({ length: 3000 }, (_, index) => [
      `p${index}`,
      { type: 'object', properties: { next: { $ref: `#/$defs/p${index + 1}` } } },
    ]),
  )
  const parameters: Readonly<Record<string, object>> = {
    'that nothing satisfies': { value: { allOf: [{ type: 'string' }, { type: 'number' }] } },
    'with a reference to nothing': { value: { $ref: '#/$defs/none' } },
    'that refers only to itself': { value: { $ref: '#/$defs/self' } },
    'whose definitions lead too far': { value: { $ref: '#/$defs/p0' } },
    'with a type that is none': { value: { type: { type: {} } } },
    'with items that are no schema': { value: { type: 'array', items: 5 } },
  }
  const cases = Object.entries(parameters).flatMap(([name, properties]) =>
    (['composed', 'native', 'auto'] as const).map((mode) => ({ name, properties, mode })),
  )

  test.each(cases)('one $name, as $mode', async ({ properties, mode }) => {
    const odd = {
      type: 'object',
      properties: { _tool: { const: 'odd' }, ...properties, _output: { type: 'string' } },
      required: ['_tool', 'value'],
      $defs: { ...chain, p3000: { type: 'string' }, self: { $ref: '#/$defs/self' } },
    }
    const plain = { type: 'object', properties: { _tool: { const: 'plain' }, _output: { type: 'string' } } }
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const { result, requests } = await ask([{ output: 'done' }], {
      context: [
        { type: 'tool', tool: odd },
        { type: 'tool', tool: plain },
      ],
      mode,
    })
    warn.mockRestore()
    expect(result).toMatchObject({ solution: { output: 'done' } })
    expect(JSON.stringify(requests)).not.toContain('"odd"')
    expect(JSON.stringify(requests)).toContain('"plain"')
  })

  test.each(['PAY', 'pay__Now', 'Pay.now'])(
    'nor one whose name %s a provider would take for a Tool that is there',
    async (name) => {
      const { Tool } = createRegistry({ tools: { pay: tool('pay', {}), 'pay.now': tool('pay.now', {}) } })
      const guest = tool(name, { secret: Type.String() }) as object as ToolSchema
      const { requests } = await ask([{ output: 'done' }], {
        tools: Tool,
        context: [{ type: 'tool', tool: guest }],
        mode: 'native',
      })
      expect(JSON.stringify(requests)).toContain('"pay__now"')
      expect(JSON.stringify(requests)).not.toContain('secret')
    },
  )

  test('which is warned of, by its name', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const tool = {
      type: 'object',
      properties: { _tool: { const: 'told' }, value: false },
      required: ['value'],
    }
    await ask([{ output: 'done' }], { context: [{ type: 'tool', tool }] })
    expect(warn.mock.calls).toMatchObject([
      [expect.stringContaining('Tool "told", which came with the context'), { code: 'CALLSHEET_TOOL' }],
    ])
    warn.mockRestore()
  })
})

describe('what a Request is given', () => {
  test('Tools by name, in a list, and those that the context brings along', async () => {
    const one = tool('one', { x: Type.Number(), _output: Type.Number() })
    const two = { type: 'object', properties: { _tool: { const: 'two' }, _output: {} } }
    for (const tools of [{ one }, [one]]) {
      const { result } = await ask([{ calls: [{ _tool: 'one', x: 1 }] }], { tools })
      expect(result).toMatchObject({ solution: { calls: [{ _tool: 'one', x: 1, _activity: '' }] } })
    }
    const context = [{ type: 'tool', tool: two }] as const
    const { result } = await ask([{ calls: [{ _tool: 'two', _output: 5 }] }], { context })
    if (result instanceof Error) throw result
    const [call] = result.solution.calls
    expect(await Tool.run(call as never, { context })).toMatchObject({ status: 'succeeded', output: 5 })
    expect(await Tool.run(call as never)).toMatchObject({ error: { code: 'unknown_tool' } })
  })

  test('a goal in TypeBox, its draft-07 tuples included', async () => {
    const goal = Type.Object({
      range: Type.Tuple([Type.Number(), Type.Number()]),
      note: Type.Optional(Type.String()),
    })
    const { result, requests } = await ask([{ output: { range: [1, 2] } }], { output: goal })
    expect(result).toMatchObject({ solution: { calls: [], output: { range: [1, 2] } } })
    expect(JSON.stringify(requests[0]?.body)).toContain('"item1":{"type":"number"}')
    const { error } = await ask([{ output: { range: [1] } }, { output: { range: 'x' } }], { output: goal })
    expect(error).toMatchObject({ code: 'answer_invalid' })
    const cyclic: Record<string, unknown> = { type: 'object' }
    cyclic.properties = { self: cyclic }
    expect((await ask([], { output: cyclic })).error).toMatchObject({ code: 'unsupported_schema' })
  })

  test('INST-3 the instances of the context are offered, and no other', async () => {
    const tools = [
      {
        type: 'object',
        properties: { _tool: { const: 't' }, _instance: { type: 'string' } },
        required: ['_tool', '_instance'],
      },
    ]
    const context = ['a', 'b'].map((_instance) => ({ type: 'state', state: 1, _instance }) as const)
    const { requests } = await ask([{ output: 'done' }], { tools, context })
    expect(JSON.stringify(requests[0]?.body.response_format)).toContain('"enum":["a","b"]')
  })

  test('optional parameters that a strict answer says as null are left out again', async () => {
    const tools = {
      t: tool('t', { x: Type.Optional(Type.Number()), any: Type.Record(Type.String(), Type.Number()) }),
    }
    const { result, requests } = await ask([{ calls: [{ _tool: 't', any: { a: 1 } }] }], { tools })
    expect(JSON.stringify(requests[0]?.body)).toContain('"strict":true')
    expect((result as { solution: Vessel['solution'] }).solution.calls).toEqual([
      { _tool: 't', _reasoningForCall: 'The script says so.', _activity: '', any: { a: 1 } },
    ])
  })
})

describe('REQ-7 streaming', () => {
  test('each Call is handed out with its place while the rest is coming', async () => {
    const seen: unknown[] = []
    const { result } = await ask([{ calls: [add(1, 2), pay(3)] }], {
      stream: true,
      start: (call, index) => {
        seen.push([index, call._tool])
        return index === 0 ? Tool.run(call) : undefined
      },
    })
    expect(seen).toEqual([
      [0, 'add'],
      [1, 'pay'],
    ])
    if (result instanceof Error) throw result
    expect([...result.started.keys()]).toEqual([0])
    expect(await result.started.get(0)).toMatchObject({ output: 3 })
  })

  test('what still comes of an attempt that was given up starts nothing', async () => {
    const text = JSON.stringify({ calls: [{ _tool: 'add', left: 1, right: 2 }], output: 'done' })
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      choices: [{ delta, finish_reason }],
    })
    let attempts = 0
    let late: Promise<void> | undefined
    // A client that does not listen to its signal.
    const create = async () => {
      const isFirst = attempts++ === 0
      return (async function* () {
        let release = (): void => {}
        if (isFirst) {
          late = new Promise((resolve) => {
            release = resolve
          })
          await new Promise((resolve) => setTimeout(resolve, 40))
        }
        yield chunk({ content: text })
        yield chunk({}, 'stop')
        release()
      })()
    }
    const started: number[] = []
    const { result } = await ask([], {
      client: { chat: { completions: { create } } },
      stream: true,
      attemptTimeout: 10,
      start: (call, index) => {
        started.push(attempts, index)
        return Tool.run(call)
      },
    })
    expect(result).toMatchObject({ attempts: 2, solution: { output: 'done' } })
    await late
    expect(started).toEqual([2, 0])
  })

  test('what `start` throws is its own fault: nothing is asked again for it', async () => {
    const start = (): never => {
      throw new Error('no such thing')
    }
    const turns = [{ calls: [add(1, 2)] }, { output: 'done' }]
    const { error, requests } = await ask(turns, { stream: true, start })
    expect(error).toMatchObject({
      code: 'activity_failed',
      message: 'The option `start` threw: no such thing',
    })
    expect(requests).toHaveLength(1)
  })

  test('an answer that says a Call twice, and differently, is interrupted', async () => {
    const text = '{"calls":[{"_tool":"add","left":1,"right":2}],"output":null,"calls":[]}'
    const { error } = await ask([{ text }], { stream: true, start: (call) => Tool.run(call) })
    expect(error).toMatchObject({ code: 'interrupted', outcomes: [{ output: 3 }], attempts: 1 })
  })

  test('a rejection of what `start` returned does not hide why the answer broke off', async () => {
    const one = '{"_tool":"add","left":1,"right":2}'
    const text = `{"calls":[${one},${one}],"output":null,"calls":[]}`
    const start = async (call: Call, index: number) => {
      if (index === 0) throw new Error('not started')
      return Tool.run(call)
    }
    const { error } = await ask([{ text }], { stream: true, start })
    expect(error).toMatchObject({
      code: 'interrupted',
      outcomes: [{ output: 3 }],
      cause: { code: 'answer_invalid' },
    })
  })

  test.each([
    ['timeout', () => ({ timeout: 30 })],
    ['signal', () => ({ signal: AbortSignal.timeout(30) })],
  ] as const)('a Call that never ends holds no Request beyond its %s', async (_what, limit) => {
    const one = '{"_tool":"add","left":1,"right":2}'
    const text = `{"calls":[${one},${one}],"output":null,"calls":[]}`
    const start = (call: Call, index: number) =>
      index === 0 ? new Promise<Outcome>(() => {}) : Tool.run(call)
    const { error } = await ask([{ text }], { stream: true, start, ...limit() })
    expect(error).toMatchObject({ code: 'interrupted', outcomes: [{ output: 3 }] })
    expect(error?.message).toContain('("add" succeeded, 1 still running)')
  })

  test('a Call that the same signal ends is told of', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const text = '{"calls":[{"_tool":"add","left":1,"right":2}],"output":null,"calls":[]}'
    const begun = { confirm: () => new Promise<never>(() => controller.abort()), signal }
    const { error } = await ask([{ text }], { stream: true, signal, start: (call) => Tool.run(call, begun) })
    expect(error).toMatchObject({ code: 'interrupted', outcomes: [{ status: 'aborted' }] })
  })
})

describe('REQ-6 a listener that throws changes nothing of the Request', () => {
  const broken = (): never => {
    throw new Error('the listener broke')
  }
  const heard = async (made: () => Promise<unknown>): Promise<unknown[]> => {
    const spy = vi.spyOn(console, 'error').mockImplementation(() => {})
    try {
      await made()
      return spy.mock.calls.map(([message]) => message as unknown)
    } finally {
      spy.mockRestore()
    }
  }

  test('onSent: the error of the server is the one that is thrown, after its own attempts', async () => {
    const sent = await heard(async () => {
      const { error } = await ask([], {
        client: failing([{ status: 500 }, { status: 400 }]),
        onSent: broken,
      })
      expect(error).toMatchObject({ code: 'bad_request', status: 400, attempts: 2 })
    })
    expect(sent).toEqual(['callsheet: `onSent` threw.', 'callsheet: `onSent` threw.'])
  })

  test('onSent: a good answer stays one', async () => {
    await heard(async () => {
      const { result } = await ask([{ output: 'done' }], { onSent: broken })
      expect(result).toMatchObject({ attempts: 1, solution: { output: 'done' } })
    })
  })

  test.each([true, false])('onText: the connection is not blamed; streamed: %s', async (stream) => {
    const said = await heard(async () => {
      const { result } = await ask([{ output: 'done' }], { stream, onText: broken })
      expect(result).toMatchObject({ attempts: 1, solution: { output: 'done' } })
    })
    expect(new Set(said)).toEqual(new Set(['callsheet: `onText` threw.']))
  })
})
