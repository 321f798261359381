import { lowerTools } from 'callsheet'
import { Agent, type AgentOptions, Request } from 'callsheet/agent'
import { describe, expect, test } from 'vitest'
import { registryWithTools, tools } from './tools.ts'

type Api = 'chat' | 'responses' | 'messages'

/** Runs an agent whose server gives these answers: a whole one, or the events of a stream. */
async function run(api: Api, answers: readonly unknown[], options: Partial<AgentOptions> = {}) {
  const { Tool, ran } = registryWithTools()
  const bodies: Record<string, unknown>[] = []
  const create = async (body: Record<string, unknown>): Promise<unknown> => {
    const answer = answers[bodies.push(body) - 1]
    return Array.isArray(answer) ? streamOf(answer) : answer
  }
  const client = { chat: { completions: { create } }, responses: { create }, messages: { create } }
  const output = { type: 'string' } as const
  const given = { model: 'm', api, client, tools: Tool, output, mode: 'native', ...options } as const
  const result = await Agent({ ...given, retry: { backoff: 0 } })
  return { result, ran, bodies }
}

async function* streamOf(events: readonly unknown[]): AsyncGenerator<unknown> {
  for (const event of events) {
    if (event instanceof Error) throw event
    yield event
  }
}

const said = (message: object) => ({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
const text = '{"output":"done"}'
const doneChat = said({ content: text })
const doneResponse = { output: [{ type: 'message', content: [{ type: 'output_text', text }] }] }

describe('REQ-6a what servers leave out', () => {
  test('a call without arguments or type goes back with both, and an entry that calls nothing does not', async () => {
    const whole = { id: 'c', type: 'function', function: { name: 'pay', arguments: '{"amount":1}' } }
    const tool_calls = [
      { id: 'a', type: 'function', function: { name: 'pay' } },
      { id: 'b', function: { name: 'pay', arguments: null } },
      whole,
      { id: 'd', type: 'function' },
      null,
    ]
    const { ran, bodies } = await run('chat', [said({ content: null, tool_calls }), doneChat])
    expect(ran).toEqual([['pay', 1]])
    const messages = bodies[1]?.messages as Record<string, unknown>[]
    const sent = messages.find(({ role }) => role === 'assistant')
    const bare = { type: 'function', function: { name: 'pay', arguments: '{}' } }
    expect(sent?.tool_calls).toEqual([{ id: 'a', ...bare }, { id: 'b', ...bare }, whole])
    const results = messages.filter(({ role }) => role === 'tool').map(({ tool_call_id }) => tool_call_id)
    expect(results.toSorted()).toEqual(['a', 'b', 'c'])
  })

  test('what vLLM requires of an item of responses goes back, and what OpenAI refuses does not', async () => {
    const message = {
      ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
      content: [{ type: 'output_text', text: 'I pay.', annotations: [] }],
    }
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] }
    const call = { type: 'function_call', call_id: 'a', name: 'pay', arguments: '{"amount":1}' }
    const unset = { status: null, encrypted_content: null, content: null }
    const output = [{ ...reasoning, ...unset }, message, { ...call, id: null, status: 'completed' }]
    const again = {
      output: [
        { ...reasoning, status: 'completed' },
        { ...call, call_id: 'b' },
      ],
    }
    const { bodies } = await run('responses', [{ output }, again, doneResponse])
    const input = bodies[2]?.input as { type?: string }[]
    expect(input.filter(({ type }) => type !== undefined && type !== 'function_call_output')).toEqual([
      ...[reasoning, message, { ...call, status: 'completed' }],
      ...[reasoning, { ...call, call_id: 'b' }],
    ])
  })

  test('each turn has its reasoning_content once one had: DeepSeek refuses a run with a turn that has none', async () => {
    const callOf = (id: string) => ({
      tool_calls: [{ id, type: 'function', function: { name: 'pay', arguments: '{"amount":1}' } }],
    })
    const context = [{ type: 'text', role: 'assistant', text: 'How can I help?' }] as const
    const thinking = { content: 'I pay.', reasoning_content: 'Hm.', ...callOf('b') }
    const answers = [said({ content: null, ...callOf('a') }), said(thinking), doneChat]
    const { bodies } = await run('chat', answers, { context })
    const thoughts = bodies.map(({ messages }) =>
      (messages as { role: string; reasoning_content?: string }[])
        .filter(({ role }) => role === 'assistant')
        .map(({ reasoning_content }) => reasoning_content),
    )
    expect(thoughts).toEqual([[undefined], [undefined, undefined], ['', '', 'Hm.']])
  })

  test('the same in responses', async () => {
    const output = [{ type: 'function_call', call_id: 'a', name: 'pay' }]
    const { bodies } = await run('responses', [{ output }, doneResponse])
    expect(bodies[1]?.input).toContainEqual({ ...output[0], arguments: '{}' })
  })

  test('an empty answer after results is asked for again within the last of them', async () => {
    const call = (id: string, amount: unknown) => ({
      id,
      type: 'function',
      function: { name: 'pay', arguments: JSON.stringify({ amount }) },
    })
    const tool_calls = [call('a', '†state.sum'), call('b', 1)]
    const answers = [said({ content: null, tool_calls }), said({ content: '' }), doneChat]
    const { result, bodies } = await run('chat', answers)
    expect(result).toMatchObject({ output: 'done' })
    const messages = bodies[2]?.messages as Record<string, unknown>[]
    // Mistral refuses a user after a tool.
    const roles = messages.map(({ role }) => role)
    expect(roles.slice(roles.indexOf('assistant'))).toEqual(['assistant', 'tool', 'tool'])
    expect(messages.at(-1)?.content).toContain('Answer again')
    expect(roles).toContain('user')
  })

  test.each([{ output: [] }, {}])(
    'REQ-7 a response whose end is %j has the items of its stream',
    async (end) => {
      const call = { type: 'function_call', call_id: 'a', name: 'pay', arguments: '{"amount":2}' }
      const events = [
        { type: 'response.output_item.done', output_index: 0, item: call },
        { type: 'response.completed', response: { status: 'completed', ...end } },
      ]
      const { result, ran } = await run('responses', [events, doneResponse], { stream: true })
      expect(result).toMatchObject({ output: 'done' })
      expect(ran).toEqual([['pay', 2]])
    },
  )

  const item = { type: 'function_call', call_id: 'a', name: 'pay', arguments: '{"amount":2}' }
  const { call_id: _, ...bare } = item
  const done = (given: object, place?: number) => ({
    type: 'response.output_item.done',
    ...(place !== undefined && { output_index: place }),
    item: given,
  })

  test.each<[string, readonly object[], readonly unknown[]]>([
    ['an item whose event comes twice', [done(item, 0), done(item, 0)], [['pay', 2]]],
    ['the same without a place', [done(item), done(item)], [['pay', 2]]],
    [
      'two items at one place',
      [done(item, 0), done({ ...item, call_id: 'b' }, 0)],
      [
        ['pay', 2],
        ['pay', 2],
      ],
    ],
    ['two items without place and ids', [done(bare), done(bare)], Array(2).fill(['pay', 2])],
    [
      'arguments that came in pieces alone',
      [
        { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"amount"' },
        { type: 'response.function_call_arguments.delta', output_index: 0, delta: ':2}' },
        done({ ...item, arguments: '' }, 0),
      ],
      [['pay', 2]],
    ],
  ])('REQ-7 a response whose end is empty: %s', async (_what, events, expected) => {
    for (const early of ['safe', 'all'] as const) {
      const end = { type: 'response.completed', response: { status: 'completed', output: [] } }
      const { ran } = await run('responses', [[...events, end], doneResponse], { stream: true, early })
      expect(ran).toEqual(expected)
    }
  })

  test('REQ-7 a response whose end is empty: an item that is complete the second time', async () => {
    const end = { type: 'response.completed', response: { status: 'completed', output: [] } }
    const events = [done({ ...item, arguments: '{}' }, 0), done(item, 0), end]
    const { ran } = await run('responses', [events, doneResponse], { stream: true })
    expect(ran).toEqual([['pay', 2]])
    // The first was already started, and the second says that it was not the Call.
    const early = run('responses', [events, doneResponse], { stream: true, early: 'all' })
    await expect(early).rejects.toMatchObject({ code: 'interrupted' })
  })

  test('REQ-7 a response whose end is empty: text that came in pieces alone', async () => {
    const pieces = ['{"output":', '"done"}'].map((delta) => ({ type: 'response.output_text.delta', delta }))
    const end = { type: 'response.completed', response: { status: 'completed', output: [] } }
    const { result } = await run('responses', [[...pieces, end]], { stream: true })
    expect(result).toMatchObject({ output: 'done' })
  })

  test('REQ-7 items that end in another order are put in that of the answer, if its end has none', async () => {
    const pay = (amount: number, place: number) => ({
      type: 'response.output_item.done',
      output_index: place,
      item: { type: 'function_call', call_id: `c${place}`, name: 'pay', arguments: `{"amount":${amount}}` },
    })
    const end = { type: 'response.completed', response: { status: 'completed', output: [] } }
    const turns = [[pay(2, 1), pay(1, 0), end], doneResponse]
    const { result, bodies } = await run('responses', turns, { stream: true })
    expect(result).toMatchObject({ output: 'done' })
    const input = (bodies[1]?.input ?? []) as { type?: string; call_id?: string }[]
    const calls = input.filter(({ type }) => type === 'function_call')
    expect(calls.map(({ call_id }) => call_id)).toEqual(['c0', 'c1'])
  })

  test('a text whose block begins with its first words, and what it cites', async () => {
    const citation = { type: 'char_location', cited_text: 'x' }
    const events = [
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'It' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' works.' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'a', name: 'pay' } },
      {
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'input_json_delta', partial_json: '{"amount":3}' },
      },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ]
    const texts: string[] = []
    const done = { content: [{ type: 'text', text }], stop_reason: 'end_turn' }
    const onText = (piece: string): void => void texts.push(piece)
    const { ran, bodies } = await run('messages', [events, done], { stream: true, onText })
    expect(ran).toEqual([['pay', 3]])
    expect(texts).toEqual(['It', ' works.', 'done'])
    const block = { type: 'text', text: 'It works.', citations: [citation] }
    expect(JSON.stringify(bodies[1]?.messages)).toContain(JSON.stringify(block))
  })
})

test.each(['messages', 'responses', 'chat'] as const)(
  'REQ-6a, REQ-7 %s: a call without a name costs itself alone, streamed too',
  async (api) => {
    const input = '{"amount":1}'
    const begun = { type: 'tool_use', id: 't', name: null, input: {} }
    const call = { index: 0, id: 'c', type: 'function', function: { arguments: input } }
    const nameless = {
      messages: [
        { type: 'content_block_start', index: 0, content_block: begun },
        { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: input } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
        { type: 'message_stop' },
      ],
      responses: [
        {
          type: 'response.output_item.done',
          output_index: 0,
          item: { type: 'function_call', call_id: 'c', name: null, arguments: input },
        },
        { type: 'response.completed', response: { status: 'completed', output: [] } },
      ],
      chat: [
        { choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] },
        { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
      ],
    }
    const end = {
      messages: { content: [{ type: 'text', text }], stop_reason: 'end_turn' },
      responses: doneResponse,
      chat: { choices: [{ message: { content: text }, finish_reason: 'stop' }] },
    }
    const { result, ran } = await run(api, [nameless[api], end[api]], { stream: true, early: 'all' })
    expect(result).toMatchObject({ output: 'done', outcomes: [{ error: { code: 'unknown_tool' } }] })
    expect(ran).toEqual([])
  },
)

describe('CALL-9 a call that its provider calls incomplete', () => {
  const output = [
    { type: 'function_call', call_id: 'a', name: 'pay', arguments: '{"amount":4}', status: 'incomplete' },
  ]

  test('is told to the model, and does not run', async () => {
    const { result, ran } = await run('responses', [{ status: 'completed', output }, doneResponse])
    expect(ran).toEqual([])
    expect(result.outcomes).toMatchObject([{ tool: 'pay', error: { code: 'malformed_json' } }])
  })

  test('is an error of callsFromAnswer', () => {
    const native = lowerTools(Object.values(tools), 'openai-responses')
    expect(native.callsFromAnswer({ output })).toMatchObject([{ id: 'a', error: { code: 'malformed_json' } }])
  })
})

describe('REQ-8 tokens that a stream has told of count, however it ends', () => {
  const usage = { input_tokens: 7, output_tokens: 1 }
  const begun = { type: 'message_start', message: { usage } }
  const failing = Object.assign(new Error('Overloaded'), { error: { type: 'overloaded_error' } })
  const told = { in: 7, out: 1, cached: 0 }

  test.each<[string, Api, readonly unknown[], object]>([
    ['an exception of the client', 'messages', [begun, failing], {}],
    ['events out of order', 'messages', [begun, { type: 'content_block_stop', index: 3 }], {}],
    [
      'an answer that is too long',
      'messages',
      [begun, { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Too long.' } }],
      { maxAnswer: 5 },
    ],
    [
      'an exception of the client',
      'chat',
      [{ usage: { prompt_tokens: 7, completion_tokens: 1 }, choices: [] }, failing],
      {},
    ],
  ])('%s, over %s', async (_what, api, events, options) => {
    const create = async (): Promise<unknown> => streamOf(events)
    const client = { chat: { completions: { create } }, messages: { create } }
    const asked = Request({ model: 'm', api, client, stream: true, retry: { attempts: 1 }, ...options })
    await expect(asked).rejects.toMatchObject({ usage: told })
  })

  test.each(['timeout', 'silence', 'attemptTimeout'])('%s', async (limit) => {
    async function* silent(): AsyncGenerator<unknown> {
      yield begun
      await new Promise((resolve) => setTimeout(resolve, 60_000).unref())
    }
    const client = { messages: { create: async () => silent() } }
    const asked = Request({ model: 'm', client, stream: true, retry: { attempts: 1 }, [limit]: 20 })
    await expect(asked).rejects.toMatchObject({ usage: told })
  })
})

describe('REQ-6a odd chunks of a chat completion', () => {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  })
  const call = (name: string, given: string) =>
    chunk({ tool_calls: [{ function: { name, arguments: given } }] })
  const end = chunk({}, 'tool_calls')

  test.each<[string, readonly object[], readonly unknown[]]>([
    [
      'two calls',
      [call('pay', '{"amount":1}'), call('add', '{"left":1,"right":2}'), end],
      [
        ['pay', 1],
        ['add', 1, 2],
      ],
    ],
    [
      'two calls of one Tool',
      [call('pay', '{"amount":1}'), call('pay', '{"amount":2}'), end],
      [
        ['pay', 1],
        ['pay', 2],
      ],
    ],
    ['what may be one call twice', [call('pay', '{"amount":1}'), call('pay', '{"amount":1}'), end], []],
    ['a call in pieces', [call('pay', '{"amo'), call('pay', 'unt":1}'), end], [['pay', 1]]],
  ])('without ids and indexes: %s', async (_what, events, expected) => {
    const { ran } = await run('chat', [events, doneChat], { stream: true, early: 'none' })
    expect(ran).toEqual(expected)
  })

  // LocalAI says a call again under the next index: mudler/LocalAI#9722. It also gave different calls one id.
  const numbered = (index: number, id: string, name: string | undefined, given: string) =>
    chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: given } }] })
  test.each<[string, readonly object[], readonly unknown[]]>([
    [
      'whole',
      [numbered(0, 'a', 'pay', '{"amount":1}'), numbered(1, 'a', 'pay', '{"amount":1}')],
      [['pay', 1]],
    ],
    [
      'written in another way',
      [numbered(0, 'a', 'pay', '{"amount":1}'), numbered(1, 'a', 'pay', '{"amount": 1}')],
      [['pay', 1]],
    ],
    ['its name first', [numbered(0, 'a', 'pay', ''), numbered(1, 'a', 'pay', '{"amount":1}')], [['pay', 1]]],
    [
      'without its name',
      [numbered(0, 'a', 'pay', ''), numbered(1, 'a', undefined, '{"amount":1}')],
      [['pay', 1]],
    ],
    [
      'with other arguments',
      [numbered(0, 'a', 'pay', '{"amount":1}'), numbered(1, 'a', 'pay', '{"amount":2}')],
      [
        ['pay', 1],
        ['pay', 2],
      ],
    ],
    [
      'or under its own, where all comes once more at the end',
      [
        numbered(0, 'a', 'pay', '{"amount'),
        numbered(0, 'a', 'pay', '":1}'),
        numbered(0, 'a', 'pay', '{"amount":1}'),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{"amount":1}' } }] }),
      ],
      [['pay', 1]],
    ],
  ])('a call whose id comes again under another index, %s', async (_what, events, expected) => {
    for (const early of ['none', 'all'] as const) {
      const { ran } = await run('chat', [[...events, end], doneChat], { stream: true, early })
      expect(ran, early).toEqual(expected)
    }
  })

  test('a call that is in an answer twice, id and all, runs and goes back once', async () => {
    const call = { id: 'a', type: 'function', function: { name: 'pay', arguments: '{"amount":1}' } }
    const tool_calls = [
      { ...call, index: 0 },
      { ...call, index: 1 },
    ]
    const { ran, bodies } = await run('chat', [said({ content: null, tool_calls }), doneChat])
    expect(ran).toEqual([['pay', 1]])
    expect(JSON.stringify(bodies[1]).split('"tool_calls":[')[1]?.split('"id":"a"')).toHaveLength(2)
  })

  test('a whole answer as the only chunk', async () => {
    const { result } = await run('chat', [[doneChat]], { stream: true })
    expect(result).toMatchObject({ output: 'done' })
  })

  test('a choice whose number is text', async () => {
    const choices = [{ index: '1' }, { index: '0', message: { content: text }, finish_reason: 'stop' }]
    expect((await run('chat', [{ choices }])).result).toMatchObject({ output: 'done' })
  })

  test('an error that the client passes on', async () => {
    const events = [chunk({ content: '{' }), { error: { message: 'No memory.', code: 500 } }]
    const asked = run('chat', [events, events, events], { stream: true })
    await expect(asked).rejects.toMatchObject({
      code: 'server_error',
      message: expect.stringContaining('No memory.'),
    })
  })
})

describe('REQ-6 an answer without calls and without text, where an output was asked for', () => {
  const doneMessage = { content: [{ type: 'text', text }], stop_reason: 'end_turn' }

  test.each<[Api, unknown, unknown]>([
    ['chat', said({ content: '' }), doneChat],
    ['chat', said({ content: null, reasoning_content: 'Hm.' }), doneChat],
    ['responses', { output: [{ type: 'reasoning', id: 'r', summary: [] }] }, doneResponse],
    ['messages', { content: [], stop_reason: 'end_turn' }, doneMessage],
  ])('is asked for again, over %s: %j', async (api, empty, answer) => {
    const { result, bodies } = await run(api, [empty, answer])
    expect(result).toMatchObject({ output: 'done' })
    expect(JSON.stringify(bodies[1])).toContain('it has neither tool calls nor the output. Answer again')
    // Servers refuse an empty turn of the model, and its reasoning without what follows it.
    const turns = (bodies[1]?.messages ?? bodies[1]?.input) as { role?: string; type?: string }[]
    expect(turns.filter(({ role, type }) => role === 'assistant' || type !== undefined)).toEqual([])
    await expect(run(api, [empty, empty])).rejects.toMatchObject({ code: 'answer_invalid' })
  })
})

describe('REQ-6a thoughts that a server leaves in the text', () => {
  const thoughts = '<think>Is {"output":"no"} right?\n</think>'

  test.each([
    ['composed', '{"calls":[],"output":"done"}', 'done'],
    ['native', '{"output":"done"}', 'done'],
    ['native', 'I am {"output":"done"}', 'I am done'],
  ] as const)('%s: are not passed on as text for people, before %s', async (mode, answer, expected) => {
    for (const size of [1, 3, 7, 100]) {
      const pieces = `\n${thoughts}${answer}`.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      const events = [
        ...pieces.map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
        { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      ]
      const texts: string[] = []
      const onText = (piece: string): void => void texts.push(piece)
      const { result } = await run('chat', [events], { mode, stream: true, onText })
      expect(result).toMatchObject({ output: 'done' })
      expect(texts.join('').replaceAll(/\s/g, '')).toBe(expected.replaceAll(' ', ''))
    }
  })

  test('text that only looks like their beginning is', async () => {
    const call = { id: 'a', type: 'function', function: { name: 'pay', arguments: '{"amount":1}' } }
    const texts: string[] = []
    const onText = (piece: string): void => void texts.push(piece)
    await run('chat', [said({ content: '<thing> is paid', tool_calls: [call] }), doneChat], { onText })
    expect(texts).toEqual(['<thing> is paid', 'done'])
  })
})

describe('REQ-6 a refusal in a chat completion', () => {
  const part = { type: 'refusal', refusal: 'I will not.' }

  test.each<[string, object]>([
    ['a member', { content: null, refusal: part.refusal }],
    ['a part of the content', { content: [part] }],
    ['a part after a text', { content: [{ type: 'text', text: 'Hm. ' }, part] }],
    ['both', { content: [part], refusal: part.refusal }],
  ])('as %s', async (_what, message) => {
    const refused = { code: 'model_refused', message: 'The model refused: I will not.' }
    await expect(run('chat', [said(message)])).rejects.toMatchObject(refused)
    const events = [{ choices: [{ index: 0, delta: message }] }, { choices: [{ finish_reason: 'stop' }] }]
    await expect(run('chat', [events], { stream: true })).rejects.toMatchObject(refused)
  })
})

describe('REQ-7 a call that a server says twice, its id too, runs once', () => {
  const given = '{"amount":1}'
  const use = { type: 'tool_use', id: 'a', name: 'pay', input: JSON.parse(given) }
  const item = { type: 'function_call', id: 'fa', call_id: 'a', name: 'pay', arguments: given }
  const wholes = {
    messages: (ids: readonly string[]) => ({
      content: ids.map((id) => ({ ...use, id })),
      stop_reason: 'tool_use',
    }),
    responses: (ids: readonly string[]) => ({
      status: 'completed',
      output: ids.map((id) => ({ ...item, id, call_id: id })),
    }),
  }
  const streams = {
    messages: (ids: readonly string[]) => [
      ...ids.flatMap((id, index) => [
        { type: 'content_block_start', index, content_block: { ...use, id, input: {} } },
        { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: given } },
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ],
    responses: (ids: readonly string[]) => [
      ...ids.map((id, output_index) => ({
        type: 'response.output_item.done',
        output_index,
        item: { ...item, id, call_id: id },
      })),
      { type: 'response.completed', response: wholes.responses(ids) },
    ],
  }
  const apis = ['messages', 'responses'] as const
  test.each(apis.flatMap((api) => [false, true].map((stream) => [api, stream] as const)))(
    '%s, streamed: %s',
    async (api, stream) => {
      for (const [ids, times] of [
        [['a', 'a'], 1],
        [['a', 'b', 'a'], 2],
      ] as const) {
        const { Tool, ran } = registryWithTools()
        const create = async () => (stream ? streamOf(streams[api](ids)) : wholes[api](ids))
        const error: unknown = await Agent({
          ...{ model: 'm', api, stream, early: stream ? 'all' : 'none', mode: 'native', maxTurns: 1 },
          client: { messages: { create }, responses: { create } },
          tools: Tool,
          output: { type: 'string' },
        }).catch((thrown: unknown) => thrown)
        expect(error).toMatchObject({ code: 'limit_reached' })
        expect(ran).toEqual(Array(times).fill(['pay', 1]))
      }
    },
  )
})
