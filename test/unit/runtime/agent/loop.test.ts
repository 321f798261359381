import {
  type Call,
  createContext,
  createRegistry,
  type Message,
  message,
  type RegistryOptions,
  type ToolSchema,
  tool,
} from 'callsheet'
import { Agent, type AgentOptions, inProcessExecutor, LoopError, type Turn } from 'callsheet/agent'
import { type ScriptedTurn, scriptedModel } from 'callsheet/testing'
import { describe, expect, test, vi } from 'vitest'
import { add, pay, registryWithTools, tools } from './tools.ts'

const output = { type: 'string' } as const

async function run(turns: readonly ScriptedTurn[], options: Partial<AgentOptions> = {}) {
  const registry = registryWithTools()
  const model = scriptedModel(turns)
  const made = Agent<string>({
    model: 'm',
    client: model,
    tools: registry.Tool,
    output,
    retry: { backoff: 0 },
    runId: 'run',
    ...options,
  })
  const result = await made.catch((error: unknown) => {
    if (error instanceof LoopError) return error
    throw error
  })
  if (result instanceof LoopError) return { ...registry, model, result: result.result, error: result }
  return { ...registry, model, result, error: undefined }
}

const kinds = (messages: readonly Message[]) =>
  messages.map((message) => (message.type === 'data' ? message.kind : message.type))

describe('REQ-8 the loop', () => {
  test('Requests until there is an output; results are there in the next turn', async () => {
    const { result, ran, model } = await run([
      { calls: [add(1, 2), add(3, 4)] },
      { calls: [pay(10)] },
      { output: 'done' },
    ])
    expect(result).toMatchObject({ output: 'done', spent: { turns: 3, calls: 3 }, waiting: [] })
    expect(ran).toEqual([
      ['add', 1, 2],
      ['add', 3, 4],
      ['pay', 10],
    ])
    expect(result.context).toMatchObject([
      { kind: 'result', data: 3, _call: { _tool: 'add', left: 1 } },
      { kind: 'result', data: 7 },
      { kind: 'result', data: 'paid 10' },
    ])
    expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('\\"data\\":3')
    expect(result.outcomes.map(({ id }) => id)).toEqual(['run:1.0', 'run:1.1', 'run:2.0'])
  })

  test('output and Calls together: the Calls run, then it ends', async () => {
    const { result, ran } = await run([{ calls: [pay(1)], output: 'done' }])
    expect(result.output).toBe('done')
    expect(ran).toEqual([['pay', 1]])
  })

  test('neither output nor Calls: stalled, with the run so far', async () => {
    const { error, result } = await run([{ calls: [add(1, 2)] }, {}])
    expect(error).toMatchObject({ code: 'stalled', name: 'LoopError' })
    expect(result.outcomes).toHaveLength(1)
  })

  describe('a goal that allows null', () => {
    const goal = { anyOf: [{ type: 'string' }, { type: 'null' }] }

    test.each([
      ['composed', {}, { text: '{"calls":[],"output":null}' }],
      ['composed, as a stream', { stream: true }, { text: '{"calls":[],"output":null}' }],
      ['native', { mode: 'native' }, { text: '{"output":null}' }],
      ['native, without its object', { mode: 'native' }, { text: 'null' }],
      ['responses', { api: 'responses' }, { text: '{"calls":[],"output":null}' }],
      ['composed, by a script', {}, { output: null }],
      ['native, by a script', { mode: 'native' }, { output: null }],
    ] as const)('ends with null if nothing is called: %s', async (_what, options, answer) => {
      const { error, result } = await run([{ calls: [add(1, 2)] }, answer], { output: goal, ...options })
      expect(error).toBeUndefined()
      expect(result).toMatchObject({ output: null, outcomes: [{ output: 3 }] })
      expect(result.turns).toHaveLength(2)
    })

    test.each([
      ['an answer without a word about it', goal, { text: '{"calls":[]}' }],
      ['another goal', { type: 'string' }, { text: '{"calls":[],"output":null}' }],
    ])('stalled: %s', async (_what, output, answer) => {
      expect(await run([answer], { output })).toMatchObject({ error: { code: 'stalled' } })
    })

    test('Calls that wait for what nobody writes are no reason to end with null', async () => {
      const turns = [{ calls: [add('†state.none', 1)] }, { text: '{"calls":[],"output":null}' }]
      expect(await run(turns, { output: goal })).toMatchObject({ error: { code: 'stalled' } })
    })
  })

  test('failed Calls are error Messages: code and message, never stack or cause', async () => {
    const failing = registryWithTools()
    failing.Activity.register('pay', () => {
      throw Object.assign(new Error('card declined'), { secret: 'hunter2' })
    })
    const { result } = await run(
      [{ calls: [pay(1), { _tool: 'add', left: 'x' }, add(1, 1)] }, { output: 'done' }],
      {
        tools: failing.Tool,
      },
    )
    expect(result.context).toMatchObject([
      { type: 'error', data: { call: { _tool: 'pay' }, error: { code: 'activity_failed' } } },
      { type: 'error', data: { call: { _tool: 'add' }, error: { code: 'invalid_call' } } },
      { kind: 'result', data: 2 },
    ])
    expect(Object.keys((result.context[0] as { data: { error: object } }).data.error)).toEqual([
      'code',
      'message',
    ])
    expect(JSON.stringify(result.context)).not.toMatch(/hunter2|at .*\.ts/)
  })

  test('redact says what the model sees', async () => {
    const redact: AgentOptions['redact'] = ({ code }, { tool }) => ({ code, message: `${tool} failed` })
    const { result } = await run([{ calls: [{ _tool: 'add', left: 'x' }] }, { output: 'done' }], { redact })
    expect(result.context).toMatchObject([
      { data: { error: { code: 'invalid_call', message: 'add failed' } } },
    ])
  })

  test.each([
    ['whole', {}],
    ['started early', { stream: true }],
  ])('redact says what stands in the last alternative as well: %s (OUT-6)', async (_how, options) => {
    const { Tool, Activity } = registryWithTools()
    const heard: unknown[] = []
    Activity.register('add', () => Promise.reject(Object.assign(new Error('hunter2'), { code: 7 })), {
      replace: true,
    })
    const hear = { ...tools.judge, properties: { ...tools.judge.properties, _tool: { const: 'hear' } } }
    Tool.register('hear', { ...hear, properties: { ...hear.properties, text: {} } })
    Activity.register('hear', ({ text }) => {
      heard.push(text)
      return { good: true }
    })
    const calls = [
      add(1, 2, { _outputPath: '†state.sum || †state.lost' }),
      { _tool: 'hear', text: '†state.lost' },
    ]
    const redact: AgentOptions['redact'] = ({ code }) => ({ code, message: 'hidden' })
    const given = { tools: Tool, redact, ...options }
    const { result, model } = await run([{ calls }, { output: 'done' }], given)
    const shown = { name: 'Error', code: '7', message: 'hidden' }
    expect(heard).toEqual([shown])
    expect(result.context[0]).toMatchObject({ data: { lost: shown }, _path: '†state.lost' })
    expect(JSON.stringify([result.context, model.requests])).not.toContain('hunter2')
  })

  test('redact may change the Outcome that it is given: the record keeps its own', async () => {
    const { Tool, Activity } = registryWithTools()
    Activity.register('add', () => Promise.reject(new Error('hunter2')), { replace: true })
    const redact: AgentOptions['redact'] = ({ code }, outcome) => {
      for (const name of Object.keys(outcome)) Reflect.set(outcome, name, 'changed')
      return { code, message: 'hidden' }
    }
    const { result } = await run([{ calls: [add(1, 2)] }, { output: 'done' }], { tools: Tool, redact })
    expect(result.outcomes).toMatchObject([{ tool: 'add', status: 'failed', call: add(1, 2) }])
  })

  test.each<[string, unknown, RegistryOptions]>([
    ['its _outputPath is null, where the Tool allows it', null, {}],
    ['a hook took away what it adds', '†state.sum', { after: (outcome) => ({ ...outcome, appended: [] }) }],
  ])('the model sees what came of a Call where %s', async (_what, path, options) => {
    const { properties } = tools.add
    const _outputPath = { type: ['string', 'null'] } as const
    const nullable = { add: { ...tools.add, properties: { ...properties, _outputPath } } }
    const registry = createRegistry({ ...options, tools: nullable })
    registry.Activity.register('add', () => 3)
    for (const mode of ['native', 'composed'] as const) {
      const turns = [{ calls: [add(1, 2, { _outputPath: path })] }, { output: 'done' }]
      const { result, model } = await run(turns, { tools: registry.Tool, mode })
      expect(result.context).toMatchObject([{ kind: 'result', data: 3, _call: { _tool: 'add' } }])
      const said = JSON.stringify(model.requests[1]?.body.messages)
      expect(said).toContain('\\"data\\":3')
      expect(said).not.toContain('not run yet')
    }
  })

  test('a list is not touched, to a Context is appended, in the order of the plan', async () => {
    const list: Message[] = [{ type: 'text', text: 'Go' }]
    await run([{ calls: [add(1, 2)] }, { output: 'done' }], { context: list })
    expect(list).toHaveLength(1)
    const context = createContext(list)
    const { result } = await run([{ calls: [add(1, 2, { _outputPath: '†state.a' })] }, { output: 'done' }], {
      context,
    })
    expect(context.read('†state.a')).toBe(3)
    expect(kinds(context.messages)).toEqual(kinds(result.context))
  })

  test.each([
    ['only', { only: ['pay', 'add'] }],
    ['without', { without: ['pay'] }],
    ['only, as a toolkit', { only: ['shop.*', 'add'] }],
    ['without, as a toolkit', { without: ['shop.*'], run: { principal: 'ann' } }],
    ['only, in a search', { only: ['pay', 'add'], search: { pinned: ['add'] } }],
  ])('REQ-15, TOOL-9 a Tool that `%s` names may be off for a while', async (_, options) => {
    const registry = registryWithTools()
    const isOpen = (messages: readonly Message[]): boolean => !JSON.stringify(messages).includes('closed')
    registry.Tool.register('pay', registry.Tool.get('pay') as ToolSchema, { enabled: isOpen })
    registry.Tool.register('shop.open', tool('shop.open', {}), { enabled: false })
    const context: Message[] = [{ type: 'state', state: { shop: 'closed' } }]
    const given = { tools: registry.Tool, context, ...options }
    const { result, error } = await run([{ calls: [add(1, 2)] }, { output: 'done' }], given)
    expect(error).toBeUndefined()
    expect(result.output).toBe('done')
    const misspelt = { ...given, without: ['pya'] }
    expect((await run([{ output: 'done' }], misspelt)).error).toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('"pya"'),
    })
  })

  test('unblocked Calls run at the same time', async () => {
    const registry = registryWithTools()
    let running = 0
    let most = 0
    registry.Activity.register('add', async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running--
      return 1
    })
    const script = [{ calls: [add(1, 1), add(2, 2), add(3, 3)] }, { output: 'done' }]
    await run(script, { tools: registry.Tool })
    expect(most).toBe(3)
    most = 0
    await run(script, { tools: registry.Tool, concurrency: 2 })
    expect(most).toBe(2)
  })

  test('onTurn tells of each turn when it is over', async () => {
    const turns: Turn[] = []
    await run([{ calls: [add(1, 2)], usage: { in: 5, out: 1 } }, { output: 'done' }], {
      onTurn: (turn) => turns.push(turn),
    })
    expect(turns).toMatchObject([
      {
        turn: 1,
        solution: { calls: [{ _tool: 'add' }] },
        outcomes: [{ output: 3 }],
        usage: { in: 5 },
        mode: 'composed',
      },
      { turn: 2, solution: { output: 'done' }, outcomes: [] },
    ])
  })

  test.each<[string, (turn: Turn) => void]>([
    [
      'throws',
      () => {
        throw new Error('the log is full')
      },
    ],
    ['rejects', () => Promise.reject(new Error('the log is elsewhere'))],
  ])('onTurn that %s changes nothing', async (_how, onTurn) => {
    const console = vi.spyOn(globalThis.console, 'error').mockImplementation(() => undefined)
    const { result } = await run([{ calls: [add(1, 2)] }, { output: 'done' }], { onTurn })
    await new Promise(setImmediate)
    expect(result).toMatchObject({ output: 'done', outcomes: [{ output: 3 }] })
    expect(console.mock.calls.map(([said]) => said)).toEqual(Array(2).fill('callsheet: `onTurn` threw.'))
    console.mockRestore()
  })

  test.each<[string, Partial<AgentOptions>]>([
    ['maxTurns', { maxTurns: 2 }],
    ['maxCalls', { maxCalls: 3 }],
    ['maxTokens', { maxTokens: 19 }],
    ['maxTime', { maxTime: 0 }],
  ])('%s ends it, and nothing runs beyond', async (name, limits) => {
    const turn = { calls: [add(1, 2), add(3, 4)], usage: { in: 9, out: 1 } }
    const { error, ran, result } = await run(Array(9).fill(turn), limits)
    expect(error).toMatchObject({ code: 'limit_reached' })
    expect(error?.message).toContain(name)
    expect(ran.length).toBe({ maxTurns: 4, maxCalls: 2, maxTokens: 4, maxTime: 0 }[name])
    expect(result.outcomes).toHaveLength(ran.length)
  })

  test.each([
    [{ in: 12, out: 3 }, 19],
    [{ in: Number.POSITIVE_INFINITY, out: -5 }, 4],
  ])('REQ-8 tokens of an Activity count towards maxTokens: %j', async (spent, tokens) => {
    const text = { type: 'string' }
    const ask = { type: 'object', effects: 'read', properties: { _tool: { const: 'ask' }, _output: text } }
    const { Tool, Activity } = createRegistry({ tools: { ask } })
    Activity.register('ask', (_call, _tool, _context, run) => {
      run.spend(spent)
      return 'asked'
    })
    const turns = Array(9).fill({ calls: [{ _tool: 'ask' }], usage: { in: 3, out: 1 } })
    const given = { client: scriptedModel(turns), tools: Tool, output: text, maxTokens: tokens - 1 }
    const error: unknown = await Agent({ model: 'm', ...given }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'limit_reached', result: { spent: { turns: 1, calls: 1, tokens } } })
  })

  test('a limit of tokens that nobody counts is warned of once', async () => {
    const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    const turns = [{ calls: [add(1, 2)] }, { calls: [add(3, 4)] }, { output: 'done' }].map((turn) => ({
      ...turn,
      usage: { in: 0, out: 0 },
    }))
    await run(turns, {})
    expect(emitted).not.toHaveBeenCalled()
    expect((await run(turns, { maxTokens: 5 })).result.output).toBe('done')
    expect(emitted.mock.calls).toEqual([
      [
        expect.stringContaining('`maxTokens: 5` has no effect'),
        { type: 'CallsheetWarning', code: 'CALLSHEET_UNCOUNTED' },
      ],
    ])
    emitted.mockRestore()
  })

  test('maxTurns holds for latent Calls that are answered at the same time', async () => {
    const judge = (text: string): Call => ({ _tool: 'judge', text })
    const good = { output: { good: true } }
    const { result, model } = await run([{ calls: [judge('a'), judge('b')] }, good, good], { maxTurns: 2 })
    expect(result.outcomes).toMatchObject([{ status: 'succeeded' }, { error: { code: 'limit_reached' } }])
    expect(result.spent.turns).toBe(2)
    expect(model.requests).toHaveLength(2)
  })

  test('maxTime ends a Request and a Call that take longer', async () => {
    const client = { chat: { completions: { create: () => new Promise(() => {}) } } }
    expect((await run([], { client, maxTime: 20 })).error).toMatchObject({ code: 'limit_reached' })
    const registry = registryWithTools()
    registry.Activity.register('add', () => new Promise(() => {}))
    const { error, result } = await run([{ calls: [add(1, 2)] }], { tools: registry.Tool, maxTime: 300 })
    expect(error).toMatchObject({ code: 'limit_reached' })
    expect(result.outcomes).toMatchObject([{ status: 'failed', error: { code: 'timeout' } }])
  })

  test('REQ-8b nothing begins once maxTime is over', async () => {
    const registry = registryWithTools()
    const now = vi.spyOn(Date, 'now')
    registry.Activity.register('pay', ({ amount }) => {
      now.mockReturnValue(Date.now() + 120_000)
      return `paid ${amount}`
    })
    const turns = [{ calls: [pay(1), pay(2)] }]
    const { error, result } = await run(turns, { tools: registry.Tool, maxTime: 60_000, concurrency: 1 })
    now.mockRestore()
    expect(error).toMatchObject({ code: 'limit_reached' })
    expect(result.outcomes).toMatchObject([{ output: 'paid 1' }, { attempts: 0, error: { code: 'timeout' } }])
  })

  test('a Request that fails ends it with its code', async () => {
    const { error, result } = await run([{ calls: [add(1, 2)] }, { refusal: 'No.' }])
    expect(error).toMatchObject({ code: 'model_refused' })
    expect(result).toMatchObject({ output: null, outcomes: [{ output: 3 }] })
  })

  test('an abort reaches Calls and ends it', async () => {
    const controller = new AbortController()
    const registry = registryWithTools()
    registry.Activity.register('add', () => {
      controller.abort()
      return new Promise(() => {})
    })
    const { error, result } = await run([{ calls: [add(1, 2)] }], {
      tools: registry.Tool,
      signal: controller.signal,
    })
    expect(error).toMatchObject({ code: 'aborted' })
    expect(result.outcomes).toMatchObject([{ status: 'aborted' }])
  })

  test.each<Partial<AgentOptions>>([{ maxTurns: Number.NaN }, { concurrency: 0 }, { tools: {} as never }])(
    'options that cannot be used: %j',
    async (options) => {
      await expect(run([], options)).rejects.toMatchObject({ code: 'invalid_options' })
    },
  )
})

describe('REQ-9 confirm', () => {
  test.each<[unknown, object, unknown[]]>([
    [true, { status: 'succeeded' }, [['pay', 1]]],
    [false, { status: 'refused' }, []],
    [
      { refuse: 'too much' },
      { status: 'refused', error: { message: expect.stringContaining('too much') } },
      [],
    ],
    [{ replace: pay(2) }, { status: 'succeeded' }, [['pay', 2]]],
  ])('%j', async (answer, outcome, want) => {
    const asked: Call[] = []
    const { result, ran } = await run([{ calls: [pay(1)] }, { output: 'done' }], {
      confirm: (call) => {
        asked.push(call)
        return answer as boolean
      },
    })
    expect(asked).toMatchObject([{ _tool: 'pay', amount: 1 }])
    expect(result.outcomes).toMatchObject([outcome])
    expect(ran).toEqual(want)
  })
})

/** Tools of which `add` fails where `left` is 1, as it is in the Call `a`. */
function withoutOnes() {
  const registry = registryWithTools()
  registry.Activity.register('add', ({ left, right }) => {
    if (left === 1) throw new Error('no')
    return left + right
  })
  return registry
}

describe('REQ-10 plans', () => {
  const sum = add('†state.a', '†state.b', { _outputPath: '†state.sum' })
  const a = add(1, 2, { _outputPath: '†state.a' })
  const b = add(3, 4, { _outputPath: '†state.b' })

  test('a Call waits for what it reads, wherever it stands', async () => {
    const { result, ran } = await run([{ calls: [sum, a, b] }, { output: 'done' }])
    expect(ran.at(-1)).toEqual(['add', 3, 7])
    expect(result.outcomes.map(({ output }) => output)).toEqual([10, 3, 7])
  })

  test('what stays blocked is kept in a plan Message until it can run', async () => {
    const { result, ran } = await run([{ calls: [sum, a] }, { calls: [b] }, { output: 'done' }])
    expect(ran).toEqual([
      ['add', 1, 2],
      ['add', 3, 4],
      ['add', 3, 7],
    ])
    expect(result.context.filter(({ type }) => type === 'plan')).toMatchObject([
      { plan: [{ left: '†state.a' }] },
      { plan: [] },
    ])
    expect(result.turns.map(({ waiting }) => waiting.length)).toEqual([1, 0, 0])
    expect(result.outcomes.map(({ id }) => id)).toEqual(['run:1.1', 'run:1.0', 'run:2.0'])
  })

  test('a Call whose writer failed does not run', async () => {
    const registry = withoutOnes()
    const { result, error } = await run([{ calls: [a, b, sum] }, {}], { tools: registry.Tool })
    expect(error).toMatchObject({ code: 'stalled', message: expect.stringContaining('1 planned Calls wait') })
    expect(result.waiting).toMatchObject([{ left: '†state.a' }])
  })

  test('a Call whose writer failed does not run with what stood there before, in no turn', async () => {
    const registry = registryWithTools()
    registry.Activity.register('add', () => {
      throw new Error('no')
    })
    const turns = [{ calls: [a, { _tool: 'pay', amount: '†state.a' }] }, { output: 'done' }]
    const context: Message[] = [{ type: 'state', state: { a: 100 } }]
    const { result } = await run(turns, { tools: registry.Tool, context })
    expect(registry.ran).toEqual([])
    expect(result.outcomes).toMatchObject([
      { tool: 'add', error: { code: 'activity_failed' } },
      { tool: 'pay', attempts: 0, error: { code: 'unresolved_reference' } },
    ])
    expect(result.outcomes[1]?.error?.message).toContain('†state.a')
    expect(result.waiting).toEqual([])
  })

  test('a Call whose writer failed does not run with what only another writer wrote', async () => {
    const registry = withoutOnes()
    registry.Activity.register('pay', () => expect.fail('paid'))
    const replaced = [add(2, 2, { _outputPath: '†state.a' }), a]
    const turns = [{ calls: [...replaced, { _tool: 'pay', amount: '†state.a' }] }, { output: 'done' }]
    const { result } = await run(turns, { tools: registry.Tool })
    expect(result.outcomes.at(-1)).toMatchObject({ tool: 'pay', error: { code: 'unresolved_reference' } })
    expect(result.waiting).toEqual([])
  })

  test('a Call whose writer failed does not run with what a later turn writes of one that was to be replaced', async () => {
    const registry = withoutOnes()
    registry.Activity.register('pay', () => expect.fail('paid'))
    const older = add('†state.later', 1, { _outputPath: '†state.a' })
    const later = add(3, 4, { _outputPath: '†state.later' })
    const first = { calls: [older, a, { _tool: 'pay', amount: '†state.a' }] }
    const { result } = await run([first, { calls: [later] }, { output: 'done' }], { tools: registry.Tool })
    const ended = result.outcomes.map(({ tool, call, status }) => [call._outputPath ?? tool, status])
    expect(ended.sort()).toEqual([
      ['pay', 'failed'],
      ['†state.a', 'failed'],
      ['†state.a', 'succeeded'],
      ['†state.later', 'succeeded'],
    ])
    expect(result.outcomes.find(({ tool }) => tool === 'pay')?.error?.code).toBe('unresolved_reference')
  })

  test('an older writer that failed does not end a Call whose newer one is still to write', async () => {
    const registry = withoutOnes()
    const newer = add('†state.later', 1, { _outputPath: '†state.a' })
    const later = add(3, 4, { _outputPath: '†state.later' })
    const first = { calls: [a, newer, { _tool: 'pay', amount: '†state.a' }] }
    const { result } = await run([first, { calls: [later] }, { output: 'done' }], { tools: registry.Tool })
    expect(registry.ran).toEqual([['pay', 8]])
    expect(result.waiting).toEqual([])
  })

  test('a Call whose writer failed ends though another Call that it waits for stays in the plan', async () => {
    const registry = withoutOnes()
    const stays = add('†state.later', 1, { _outputPath: '†state.b' })
    const reads = add('†state.a', '†state.b', { _outputPath: '†state.c' })
    const readsOn = { _tool: 'pay', amount: '†state.c' }
    const later = add(3, 4, { _outputPath: '†state.later' })
    const turns = [{ calls: [a, stays, reads, readsOn] }, { calls: [later] }, { output: 'done' }]
    const context: Message[] = [{ type: 'state', state: { a: 100, c: 100 } }]
    const { result } = await run(turns, { tools: registry.Tool, context })
    const ended = result.outcomes.map(({ call, status }) => [call._outputPath, status])
    expect(ended).toEqual([
      ['†state.a', 'failed'],
      ['†state.c', 'failed'],
      [undefined, 'failed'],
      ['†state.b', 'succeeded'],
      ['†state.later', 'succeeded'],
    ])
    expect(registry.ran).toEqual([])
  })

  test.each([
    ['a part of it', '†state.a.part', 'unresolved_reference'],
    ['it anew', '†state.a', 'paid 8'],
  ])('in a later turn another writer of the plan writes %s', async (_, path, paid) => {
    const registry = withoutOnes()
    const stays = add('†state.later', 1, { _outputPath: path })
    const reads = { _tool: 'pay', amount: '†state.a' }
    const later = add(3, 4, { _outputPath: '†state.later' })
    const turns = [{ calls: [a, stays, reads] }, { calls: [later] }, { output: 'done' }]
    const { result } = await run(turns, { tools: registry.Tool })
    const { output, error } = result.outcomes.find(({ tool }) => tool === 'pay') ?? {}
    expect(output ?? error?.code).toBe(paid)
    expect(result.waiting).toEqual([])
  })

  test('a Call whose writer failed runs with what a Call of a later turn adds in its place', async () => {
    const registry = registryWithTools()
    registry.Tool.register('list', {
      properties: {
        n: { type: 'number' },
        _outputPath: { type: 'string' },
        _outputMethod: { enum: ['push'] },
        _output: {},
      },
    })
    registry.Activity.register('list', ({ n }) => (n === 1 ? expect.fail('no') : n))
    const lists = (n: number) => ({ _tool: 'list', n, _outputPath: '†state.all', _outputMethod: 'push' })
    const reads = { _tool: 'pay', amount: '†state.all.0' }
    await run([{ calls: [lists(1), reads] }, { calls: [lists(7)] }, { output: 'done' }], {
      tools: registry.Tool,
    })
    expect(registry.ran).toEqual([['pay', 7]])
  })

  test('a Call that reads what it replaces ends alone where nothing was there to read', async () => {
    const registry = registryWithTools()
    registry.Activity.register('add', () => expect.fail('no'))
    const replaces = add('†state.a', 1, { _outputPath: '†state.a' })
    const turns = [{ calls: [a, replaces] }, { calls: [{ _tool: 'pay', amount: 1 }] }, { output: 'done' }]
    const { result } = await run(turns, { tools: registry.Tool })
    expect(result.outcomes.map(({ tool, status }) => [tool, status])).toEqual([
      ['add', 'failed'],
      ['add', 'failed'],
      ['pay', 'succeeded'],
    ])
    const { error } = result.outcomes[1] ?? {}
    expect(error).toMatchObject({
      code: 'unresolved_reference',
      message: expect.stringContaining('†state.a'),
    })
  })

  test('a cycle is an error before anything runs', async () => {
    const back = add('†state.b', 1, { _outputPath: '†state.a' })
    const forth = add('†state.a', 1, { _outputPath: '†state.b' })
    const { error, ran } = await run([{ calls: [add(1, 1), back, forth] }])
    expect(error).toMatchObject({ code: 'plan_cycle' })
    expect(ran).toEqual([])
  })

  test('lazy plans without executing, and the plan can be run later', async () => {
    const planned = await run([{ calls: [a, b, sum] }], { plan: 'lazy' })
    expect(planned.ran).toEqual([])
    expect(planned.result).toMatchObject({ output: null, outcomes: [], waiting: [{}, {}, {}] })
    const [plan] = planned.result.context
    expect(plan).toMatchObject({ type: 'plan', mode: 'lazy', plan: [{}, {}, { left: '†state.a' }] })

    const still = await run([{ output: 'done' }], { context: [plan as Message] })
    expect(still.ran).toEqual([])
    const eager = await run([{ output: 'done' }], { context: [{ ...plan, mode: 'eager' } as Message] })
    expect(eager.ran).toHaveLength(3)
    expect(eager.result.turns[0]).toMatchObject({ turn: 0, outcomes: [{}, {}, { output: 10 }] })
  })

  test('a plan that was carried out is told to be done, so that a run over the same context does not repeat it', async () => {
    const context: Message[] = [{ type: 'plan', plan: [pay(1)] }]
    // Whatever becomes of the Request after it.
    const first = await run([{ refusal: 'No.' }], { context })
    expect(first.error).toMatchObject({ code: 'model_refused' })
    expect(first.ran).toEqual([['pay', 1]])
    expect(first.result.context.at(-1)).toEqual({ type: 'plan', plan: [] })
    const again = await run([{ output: 'done' }], { context: first.result.context })
    expect(again.ran).toEqual([])
  })

  test.each<[string, () => Partial<AgentOptions>]>([
    [
      'a redact that throws',
      () => ({
        redact: () => {
          throw new Error('redact is broken')
        },
      }),
    ],
    [
      'an executor that breaks off',
      () => ({
        executor: (perform) => {
          const inner = inProcessExecutor(perform)
          let told = 0
          const next: typeof inner.next = (pending) => {
            if (told++ === 1) throw new Error('the engine is gone')
            return inner.next(pending)
          }
          return { ...inner, next }
        },
      }),
    ],
  ])('REQ-8b after %s, who goes on does not repeat what of the plan has run', async (_what, broken) => {
    const blocked = add('†state.never', 1)
    const plan = [pay(1), { _tool: 'pay', amount: 'much' }, blocked]
    const first = await run([], { context: [{ type: 'plan', plan }], ...broken() })
    expect(first.error).toBeInstanceOf(LoopError)
    expect(first.ran).toEqual([['pay', 1]])
    expect(first.result.context.findLast(({ type }) => type === 'plan')).toEqual({
      type: 'plan',
      plan: [blocked],
    })
    const again = await run([{ output: 'done' }], { context: first.result.context })
    expect(again.ran).toEqual([])
  })

  test('REQ-8b after an Activity added a plan of its own, who goes on still has the Calls that wait', async () => {
    const registry = registryWithTools()
    registry.Tool.register('propose', { type: 'object', properties: { _output: {} } })
    registry.Activity.register('propose', () => message({ type: 'plan', plan: [pay(1)] }))
    const propose = { _tool: 'propose' }
    const turns = [{ calls: [sum, propose] }, { calls: [propose] }]
    const first = await run(turns, { tools: registry.Tool, maxTurns: 2 })
    expect(first.result.waiting).toMatchObject([sum])
    expect(first.result.context.findLast(({ type }) => type === 'plan')).toMatchObject({ plan: [sum] })
    const { context } = first.result
    const again = await run([{ calls: [a, b] }, { output: 'done' }], { tools: registry.Tool, context })
    expect(again.result.outcomes.map(({ output }) => output)).toEqual([10, 3, 7])
    expect(registry.ran).not.toContainEqual(['pay', 1])
  })

  test('a run that only plans does not carry out the plan of its context', async () => {
    const context: Message[] = [{ type: 'plan', plan: [pay(1)] }]
    const { ran, result } = await run([{ calls: [pay(2)] }], { context, plan: 'lazy' })
    expect(ran).toEqual([])
    expect(result.waiting).toMatchObject([pay(2)])
  })

  test('what a Call sees does not hang on what has ended by chance', async () => {
    const registry = registryWithTools()
    const seen: unknown[] = []
    registry.Tool.register('look', {
      type: 'object',
      properties: { _scopes: { const: ['state'] }, after: {}, _output: {} },
      required: ['after'],
    })
    registry.Activity.register('look', (_call, _tool, context) => {
      seen.push(context.map((message: Message) => message.type === 'data' && message._path))
      return null
    })
    registry.Activity.register('add', async ({ left, right }) => {
      await new Promise((resolve) => setTimeout(resolve, left === 1 ? 10 : 0))
      return left + right
    })
    await run([{ calls: [a, b, { _tool: 'look', after: '†state.a' }] }, { output: 'done' }], {
      tools: registry.Tool,
    })
    expect(seen).toEqual([['†state.a']])
  })
})

test.each<[string, RegistryOptions, object]>([
  ['the run', {}, { run: { references: false } }],
  ['the registry', { references: false }, {}],
])(
  'REF-1a a text that looks like a Reference waits for nothing where %s reads none',
  async (_, options, more) => {
    const note = {
      type: 'object',
      properties: { _tool: { const: 'note' }, text: { type: 'string' } },
    } as const
    const { Tool, Activity } = createRegistry({ tools: { note }, ...options })
    const noted: unknown[] = []
    Activity.register('note', ({ text }) => void noted.push(text))
    const client = scriptedModel([{ calls: [{ _tool: 'note', text: '†state.missing' }] }, { output: 'done' }])
    const { waiting } = await Agent({ model: 'm', client, tools: Tool, output: { type: 'string' }, ...more })
    expect([noted, waiting]).toEqual([['†state.missing'], []])
  },
)

test('CALL-7 the time that the registry gives a Call is no longer where the run has more', async () => {
  const wait = { type: 'object', properties: { _tool: { const: 'wait' }, _output: {} } } as const
  const { Tool, Activity } = createRegistry({ tools: { wait }, timeout: 20 })
  Activity.register('wait', () => new Promise(() => {}))
  const client = scriptedModel([{ calls: [{ _tool: 'wait' }] }, { output: 'done' }])
  const { outcomes } = await Agent({ ...{ model: 'm', client, tools: Tool, output }, maxTime: 60_000 })
  expect(outcomes).toMatchObject([{ error: { code: 'timeout' } }])
})
