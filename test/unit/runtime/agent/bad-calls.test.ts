import {
  type Call,
  CallsheetError,
  createRegistry,
  isCallsheetError,
  lowerTools,
  type Message,
} from 'callsheet'
import {
  Agent,
  type AgentOptions,
  type ExecutorFactory,
  inProcessExecutor,
  LoopError,
  Request,
} from 'callsheet/agent'
import { type ScriptedTurn, scriptedModel } from 'callsheet/testing'
import { describe, expect, test } from 'vitest'
import { add, pay, registryWithTools } from './tools.ts'

const output = { type: 'string' } as const
const done = { output: 'done' }

/** Makes an executor that tells so many Outcomes, then once what is given, and then the others. */
const tellingAfter =
  (count: number, once: () => never): ExecutorFactory =>
  (perform) => {
    const inner = inProcessExecutor(perform)
    let told = 0
    return { ...inner, next: async (pending) => (told++ === count ? once() : inner.next(pending)) }
  }

async function run(turns: readonly ScriptedTurn[], options: Partial<AgentOptions> = {}) {
  const { Tool, ran } = registryWithTools()
  const client = scriptedModel(turns)
  const given = { model: 'm', client, tools: Tool, output, ...options }
  const result = await Agent(given).catch((error: unknown) => {
    if (error instanceof LoopError) return { ...error.result, code: error.code }
    throw error
  })
  return { result, ran, client }
}

const told = {
  type: 'object',
  properties: {
    _tool: { const: 'tell' },
    of: {},
    _outputPath: { type: 'string' },
    _instance: { type: 'string' },
    _output: { type: 'string' },
  },
  required: ['_tool'],
}

describe('REQ-6a one bad Call costs itself alone', () => {
  test.each([
    { stream: false },
    { stream: true },
    { stream: true, early: 'all' },
    { mode: 'native' },
    { mode: 'native', api: 'responses' },
  ] as const)('%j: the others run, the model reads why, the run goes on', async (options) => {
    const { result, ran, client } = await run(
      [{ calls: [add(1, 2), { _tool: 'ad' }, pay(3)] }, done],
      options,
    )
    expect(result).toMatchObject({ output: 'done' })
    expect(ran).toEqual([
      ['add', 1, 2],
      ['pay', 3],
    ])
    expect(result.outcomes).toMatchObject([
      { tool: 'ad', status: 'failed', attempts: 0, error: { code: 'unknown_tool' } },
      { tool: 'add', output: 3 },
      { tool: 'pay' },
    ])
    expect(result.context).toContainEqual(
      expect.objectContaining({
        type: 'error',
        data: {
          call: expect.objectContaining({ _tool: 'ad' }),
          error: {
            code: 'unknown_tool',
            message: expect.stringMatching(/^(The tool "ad" was not offered|Unknown tool)/),
          },
        },
      }),
    )
    expect(JSON.stringify(client.requests[1]?.body)).toMatch(/unknown_tool|Unknown tool/)
  })

  test.each([{ stream: false }, { stream: true }, { stream: true, early: 'all' }] as const)(
    '%j: Calls in a provider’s form among plain ones',
    async (options) => {
      const named = (given: unknown) => ({ name: 'pay', arguments: given })
      const calls = [add(1, 2), named({ amount: 3 }), named('{"amount":4'), named({ _tool: 'add' }), pay(5)]
      const text = JSON.stringify({ calls, output: null })
      const { result, ran } = await run([{ text }, done], { dialect: 'json-schema', ...options })
      expect(result).toMatchObject({ output: 'done' })
      expect(ran).toEqual([
        ['add', 1, 2],
        ['pay', 3],
        ['pay', 5],
      ])
      expect(result.outcomes.map(({ error }) => error?.code)).toEqual([
        'invalid_call',
        'invalid_call',
        undefined,
        undefined,
        undefined,
      ])
    },
  )

  test('bad Calls without end spend what Calls may spend', async () => {
    const bad = { text: JSON.stringify({ calls: Array(30).fill({ _tool: 'no' }), output: null }) }
    const { result } = await run(Array(20).fill(bad), { maxCalls: 100 })
    expect(result).toMatchObject({ code: 'limit_reached', spent: { calls: 90 } })
    expect(result.outcomes).toHaveLength(90)
  })

  test('its error belongs to no instance, so that none comes up by it (INST-3)', async () => {
    const { result } = await run([{ calls: [{ _tool: 'ad', _instance: 'evil' }] }, done])
    expect(result.context.map(({ _instance }) => _instance)).toEqual([undefined])
  })

  test.each([
    ['that cannot be run this way', { _activity: 'other' }, 'activity_mismatch', {}],
    ['that was refused', {}, 'refused', { confirm: { askPlan: () => false } }],
    ['that waited for what was not written', { of: '†state.told' }, 'unresolved_reference', {}],
    [
      'that took too long',
      {},
      'timeout',
      { run: { before: () => new Promise<never>(() => {}), timeout: 5 } },
    ],
  ])('INST-3 no instance comes up by the error of a Call %s', async (_, more, code, options) => {
    const { Tool, Activity } = createRegistry({ tools: { tell: told } })
    Activity.register('tell', () => 'told')
    const failing = { _tool: 'tell', _activity: 'other', _outputPath: '†state.told' }
    const call = { _tool: 'tell', _instance: 'evil', ...more }
    const context: Message[] = [{ type: 'state', state: { told: 'before' } }]
    const { result } = await run([{ calls: [failing, call] }, done], { tools: Tool, context, ...options })
    expect(result.context.map(({ _instance }) => _instance)).not.toContain('evil')
    expect(result.outcomes.at(-1)).toMatchObject({ attempts: 0, error: { code } })
  })

  test('an early start that ends in a bad answer says what had started, and no other cause', async () => {
    const text = '{"calls":[{"_tool":"add","left":1,"right":2},{"_tool":"nobody"}],"output":null}'
    const { result, ran } = await run([{ text }, done], { stream: true })
    expect(result).toMatchObject({ output: 'done' })
    expect(ran).toEqual([['add', 1, 2]])
  })
})

describe('REQ-7 only offered Tools start early', () => {
  test.each(['safe', 'all'] as const)(
    'a delegate that lists one Tool starts no other; early: %s',
    async (early) => {
      const { Tool, Activity, ran } = registryWithTools()
      Tool.register('readPayroll', {
        type: 'object',
        effects: 'read',
        properties: { _tool: { const: 'readPayroll' }, _output: { type: 'string' } },
        required: ['_tool'],
      })
      Activity.register('readPayroll', () => {
        ran.push('payroll')
        return 'secret'
      })
      const schema = Tool.get('add')
      if (!schema) throw new Error('no add')
      Tool.fromIdea('research', {
        schema: { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] },
        context: [
          { type: 'tool', tool: schema },
          {
            type: 'input',
            input: { topic: '' },
            schema: { type: 'object', properties: { topic: { type: 'string' } }, required: ['topic'] },
          },
        ],
      })
      const stolen =
        '{"calls":[{"_tool":"readPayroll"},{"_tool":"pay","amount":9},{"_tool":"add","left":1,"right":2}],"output":null}'
      const client = scriptedModel([
        { calls: [{ _tool: 'research', topic: 't' }] },
        { text: stolen },
        { output: { answer: 'a' } },
        done,
      ])
      const result = await Agent({ model: 'm', client, tools: Tool, output, stream: true, early })
      expect(result.output).toBe('done')
      expect(ran).toEqual([['add', 1, 2]])
    },
  )

  test.each(['chat', 'responses'] as const)(
    'Request({ tools, start }) over %s hands out offered Calls',
    async (api) => {
      const { Tool } = registryWithTools()
      const schema = Tool.get('add')
      const text = '{"calls":[{"_tool":"pay","amount":9},{"_tool":"add","left":1,"right":2}],"output":null}'
      const handed: Call[] = []
      const { solution, rejected } = await Request({
        model: 'm',
        client: scriptedModel([{ text }]),
        api,
        stream: true,
        tools: schema ? [schema] : [],
        start: (call) => {
          handed.push(call)
          return undefined
        },
      })
      expect(handed.map(({ _tool }) => _tool)).toEqual(['add'])
      expect(solution.calls).toHaveLength(1)
      expect(rejected.map(({ call }) => call._tool)).toEqual(['pay'])
    },
  )
})

describe('REQ-6a an answer of which too much cannot be run', () => {
  test.each([true, false])('is no answer, and the model is told so; streamed: %s', async (stream) => {
    const ask = (wrong: number) => {
      const { Tool } = registryWithTools()
      const calls = [add(1, 2), ...Array.from({ length: wrong }, (_, index) => ({ _tool: `addd${index}` }))]
      const client = scriptedModel([
        { text: JSON.stringify({ calls, output: null }) },
        { calls: [add(3, 4)] },
      ])
      return Request({ model: 'm', client, tools: Tool, stream })
    }
    const many = await ask(1_000)
    expect(many.rejected).toHaveLength(1_000)
    expect(many).toMatchObject({ attempts: 1, solution: { calls: [add(1, 2)] } })
    const tooMany = await ask(1_001)
    expect(tooMany).toMatchObject({ attempts: 2, rejected: [], solution: { calls: [add(3, 4)] } })
  })

  test.each([true, false])('of native tool calls is no answer either; streamed: %s', async (stream) => {
    const { Tool, ran } = registryWithTools()
    const calls = Array.from({ length: 1_001 }, (_, index) => ({ _tool: `addd${index}` }))
    const client = scriptedModel([{ calls: [add(1, 2), ...calls] }, { calls: [add(3, 4)] }])
    const asked = await Request({ model: 'm', client, tools: Tool, stream, mode: 'native' })
    expect(asked).toMatchObject({ attempts: 2, rejected: [], solution: { calls: [add(3, 4)] } })
    expect(ran).toEqual([])
  })

  test('guesses what a name meant for the first of them alone', () => {
    const names = Array.from({ length: 2000 }, (_, index) => `some_long_name_${index}`)
    const native = lowerTools(
      names.map((name) => ({ type: 'object', properties: { _tool: { const: name } }, required: ['_tool'] })),
      'anthropic',
    )
    const content = names.map((name) => ({ type: 'tool_use', id: name, name: `${name}x`, input: {} }))
    const found = native.callsFromAnswer({ content })
    expect(found).toHaveLength(names.length)
    expect(found.filter(({ error }) => error?.code === 'unknown_tool')).toHaveLength(names.length)
    expect(found.filter(({ error }) => error?.suggestions?.length)).toHaveLength(20)
  })
})

describe('REQ-8b nothing that ran is lost', () => {
  const plan = [pay(1), pay(2), pay(3)]

  test.each([
    ['a limit', { maxCalls: 1 }],
    [
      'a redact that throws',
      {
        redact: () => {
          throw new Error('redact is broken')
        },
      },
    ],
  ])(
    'Calls that started early stay in the record where %s ends the run over those that cannot run',
    async (_what, options) => {
      const calls = [pay(1), { _tool: 'nobody' }, { _tool: 'nothing' }]
      const { result, ran } = await run([{ calls }], { stream: true, early: 'all', ...options })
      expect(ran).toEqual([['pay', 1]])
      expect(result.outcomes).toContainEqual(expect.objectContaining({ tool: 'pay', status: 'succeeded' }))
      expect(JSON.stringify(result.context)).toContain('paid 1')
      expect(result.spent.calls).toBe(result.outcomes.length)
    },
  )

  test.each([null, {}, { dispatch() {}, next() {} }])(
    'an executor that is %j cannot be used, with a log and without',
    async (made) => {
      const { Tool } = registryWithTools()
      for (const more of [{}, { log() {} }]) {
        const client = scriptedModel([{ calls: plan }])
        const run = Agent({ model: 'm', client, tools: Tool, output, executor: () => made as never, ...more })
        await expect(run).rejects.toMatchObject({
          code: 'invalid_options',
          message: expect.stringContaining('Expected { dispatch, next, now }'),
        })
      }
    },
  )

  const thrower = (): never => {
    throw undefined
  }
  const withNow = (now: () => unknown) => () => ({ dispatch() {}, next() {}, now })
  test.each<[string, () => unknown, object]>([
    ['throws nothing', thrower, { code: 'activity_failed', message: '`executor` threw: nothing' }],
    [
      'has a clock that throws',
      withNow(thrower),
      { code: 'activity_failed', message: '`executor.now` threw: nothing' },
    ],
    [
      'has a clock that tells no number',
      withNow(() => 'noon'),
      { code: 'invalid_options', message: '`executor.now` answered "noon". Expected epoch milliseconds.' },
    ],
  ])('an executor that %s ends the run with a code', async (_what, executor, error) => {
    const { Tool } = registryWithTools()
    const client = scriptedModel([{ calls: plan }])
    const given = { model: 'm', client, tools: Tool, output, executor: executor as never, maxTime: 9_000 }
    await expect(Agent(given)).rejects.toMatchObject(error)
  })

  test.each([0, 1])('an executor whose `next` gives null after %i Outcomes is named', async (most) => {
    const { Tool } = registryWithTools()
    const run = Agent({
      model: 'm',
      client: scriptedModel([{ calls: plan }]),
      tools: Tool,
      output,
      executor: tellingAfter(most, () => null as never),
    })
    await expect(run).rejects.toThrow(
      '`executor.next` answered null. Expected { id, outcome }, one of what was dispatched.',
    )
  })

  test('an executor that breaks off: what ran is in the result, and going on repeats nothing', async () => {
    const { Tool, ran } = registryWithTools()
    const error: unknown = await Agent({
      model: 'm',
      client: scriptedModel([{ calls: plan }]),
      tools: Tool,
      output,
      executor: tellingAfter(2, () => {
        throw new Error('the engine is gone')
      }),
    }).catch((thrown: unknown) => thrown)
    if (!(error instanceof LoopError)) throw error
    expect(error.message).toMatch(/the engine is gone/)
    expect(ran).toHaveLength(3)
    expect(error.result.outcomes).toHaveLength(3)
    expect(error.result.waiting).toEqual([])

    const next = scriptedModel([done])
    const again = await Agent({
      model: 'm',
      client: next,
      tools: Tool,
      output,
      context: error.result.context,
    })
    expect(again.output).toBe('done')
    expect(ran).toHaveLength(3)
  })

  test('a Context that refuses, and a redact that throws, lose no Outcome', async () => {
    const { Tool, ran } = registryWithTools()
    const refusing = {
      messages: [],
      append: () => {
        throw new CallsheetError('invalid_message', 'The store is full.')
      },
    }
    for (const options of [
      { context: refusing as never, calls: plan },
      {
        redact: () => {
          throw new Error('redact is broken')
        },
        calls: [{ _tool: 'pay', amount: 'x' } as never, ...plan],
      },
    ]) {
      ran.length = 0
      const { calls, ...given } = options
      const client = scriptedModel([{ calls }])
      const error: unknown = await Agent({ model: 'm', client, tools: Tool, output, ...given }).catch(
        (thrown: unknown) => thrown,
      )
      if (!(error instanceof LoopError)) throw error
      expect(isCallsheetError(error)).toBe(true)
      expect(ran).toHaveLength(3)
      expect(error.result.outcomes).toHaveLength(calls.length)
      expect(error.result.context).toHaveLength(calls.length)
    }
  })

  test.each([
    [() => undefined, 'nothing'],
    [async () => ({ code: 'late', message: 'later' }), 'Promise {}'],
    [() => ({ code: 5, message: 'five' }), '{"code":5,"message":"five"}'],
  ])('a redact that shows no error ends the run by name: %s', async (redact, got) => {
    const { Tool } = registryWithTools()
    const client = scriptedModel([{ calls: [{ _tool: 'pay', amount: 'x' }] }])
    await expect(
      Agent({ model: 'm', client, tools: Tool, output, redact: redact as never }),
    ).rejects.toMatchObject({
      code: 'invalid_options',
      message: `\`redact\` answered ${got}. Expected { code, message }, both texts, at once.`,
    })
  })

  test('an output that JSON cannot hold never ends a run (ACT-7a)', async () => {
    const { Tool, Activity } = registryWithTools()
    const cyclic: { self?: unknown } = {}
    cyclic.self = cyclic
    const values: unknown[] = [10n, cyclic, { toJSON: () => 1 }, Symbol('s'), () => 1]
    Tool.register('anything', {
      type: 'object',
      properties: { _tool: { const: 'anything' }, _output: {} },
      required: ['_tool'],
    })
    Activity.register('anything', () => values.shift())
    const calls = values.map(() => ({ _tool: 'anything' }))
    const client = scriptedModel([{ calls }, done])
    const result = await Agent({ model: 'm', client, tools: Tool, output, concurrency: 1 })
    expect(result.output).toBe('done')
    expect(result.outcomes).toHaveLength(5)
    expect(result.context.map(({ type }) => type)).toEqual(Array(5).fill('error'))
  })
})
