import { type Call, createRegistry, type Message } from 'callsheet'
import { Agent, type AgentOptions, LoopError } from 'callsheet/agent'
import { type ListenOptions, scriptedModel } from 'callsheet/testing'
import { describe, expect, test } from 'vitest'
import { add, pay, registryWithTools } from './tools.ts'

type Registered = ReturnType<typeof registryWithTools>

/** Streams an answer of these Calls from a server, to an agent that runs them. */
async function runStreamed(
  registry: Registered,
  calls: readonly Call[],
  listen: ListenOptions,
  options: Partial<AgentOptions> = {},
): Promise<void> {
  const server = await scriptedModel([{ calls }, { output: 'done' }]).listen(listen)
  const connection = { model: 'm', baseURL: server.baseURL, apiKey: 'x' }
  try {
    const output = { type: 'string' } as const
    await Agent({ ...connection, tools: registry.Tool, output, stream: true, ...options })
  } finally {
    await server.close()
  }
}

describe('REQ-7 early starts', () => {
  test('no more at a time than `concurrency`, and in their order', async () => {
    const registry = registryWithTools()
    let running = 0
    let most = 0
    registry.Activity.register(
      'pay',
      async ({ amount }) => {
        most = Math.max(most, ++running)
        registry.ran.push(amount)
        await new Promise((resolve) => setTimeout(resolve, 2))
        running--
        return 'paid'
      },
      { replace: true },
    )
    await runStreamed(registry, [pay(1), pay(2), pay(3), pay(4)], {}, { early: 'all', concurrency: 1 })
    expect(registry.ran).toEqual([1, 2, 3, 4])
    expect(most).toBe(1)
  })

  test.each<[string, readonly Call[], string]>([
    ['more Calls than there is room for', [add(1, 2), pay(1), pay(2)], 'limit_reached'],
    [
      'a plan that goes in a circle',
      [
        add(1, 2),
        add('†state.b', 1, { _outputPath: '†state.a' }),
        add('†state.a', 1, { _outputPath: '†state.b' }),
      ],
      'plan_cycle',
    ],
  ])('%s: what had started is in the result, and nothing else runs', async (_what, calls, code) => {
    const registry = registryWithTools()
    const error: unknown = await runStreamed(
      registry,
      calls,
      {},
      { maxCalls: calls.length - 1 + Number(code === 'plan_cycle') },
    ).catch((thrown: unknown) => thrown)
    if (!(error instanceof LoopError)) throw new Error('expected a LoopError', { cause: error })
    expect(error.code).toBe(code)
    expect(registry.ran).toEqual([['add', 1, 2]])
    expect(error.result.outcomes).toMatchObject([{ tool: 'add', output: 3 }])
    expect(error.result.context).toMatchObject([{ kind: 'result', data: 3 }])
    expect(error.result.waiting).toHaveLength(2)
    expect(error.result.spent.calls).toBe(1)
  })

  test('ten times the Calls of one answer cost some ten times as much, whatever they read', async () => {
    const cost = async (length: number): Promise<number> => {
      const { Tool } = registryWithTools()
      const calls = [
        add(1, 2, { _outputPath: '†state.a' }),
        ...Array.from({ length }, () => add('†state.a', 1)),
      ]
      const client = scriptedModel([{ calls }])
      const context: Message[] = [{ type: 'state', state: { a: 1 } }]
      const before = process.cpuUsage()
      const run = Agent({ model: 'm', client, tools: Tool, stream: true, context, maxCalls: 5 })
      await expect(run).rejects.toMatchObject({ code: 'limit_reached' })
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    await cost(300)
    // With a graph of all Calls before it for each, it was sixty times.
    expect((await cost(3_000)) / (await cost(300))).toBeLessThan(30)
  })

  test.each(['none', 'safe'] as const)(
    'REF-4 what the Calls of a turn copy is bounded: %s',
    async (early) => {
      const lengthOf = {
        type: 'object',
        effects: 'read',
        properties: { _tool: { const: 'lengthOf' }, list: { type: 'array' }, _output: { type: 'number' } },
        required: ['_tool', 'list'],
      } as const
      const count = 150
      const { Tool, Activity } = createRegistry({ tools: { lengthOf } })
      // None ends before all have begun or were refused.
      let open = (): void => {}
      const opened = new Promise<void>((resolve) => {
        open = resolve
      })
      let known = 0
      const note = (): void => {
        known++
        if (known === count) open()
      }
      Tool.on('call:end', ({ error }) => error && note())
      Activity.register('lengthOf', async ({ list }) => {
        note()
        await opened
        return list.length
      })
      const context: Message[] = [{ type: 'state', state: { list: Array(200_000).fill(0) } }]
      const calls = Array.from({ length: count }, () => ({ _tool: 'lengthOf', list: '†state.list' }))
      const client = scriptedModel([{ calls }, { output: 'done' }])
      const output = { type: 'string' } as const
      const { outcomes } = await Agent({
        model: 'm',
        client,
        tools: Tool,
        output,
        stream: true,
        early,
        context,
      })
      const codes = outcomes.map(({ error }) => error?.code)
      expect(codes.slice(0, 95)).toEqual(Array(95).fill(undefined))
      expect(codes.slice(105)).toEqual(Array(45).fill('invalid_call'))
    },
  )

  test.each(['chat', 'responses'] as const)(
    'the first Call begins before the second is complete, over %s',
    async (api) => {
      const registry = registryWithTools()
      const events: string[] = []
      let begin = (): void => {}
      const begun = new Promise<void>((resolve) => {
        begin = resolve
      })
      registry.Activity.register('add', ({ left }) => {
        events.push(`Call ${left} begins`)
        begin()
        return 0
      })
      const beforePiece = async (textSoFar: number, request: number): Promise<void> => {
        if (request > 0 || textSoFar !== secondIsComplete) return
        // The second Call stays without its last brace until the first has begun.
        await begun
        events.push('the second Call is complete')
      }
      await runStreamed(registry, [add(1, 0), add(2, 0)], { pieceLength: 1, beforePiece }, { api })
      expect(events).toEqual(['Call 1 begins', 'the second Call is complete', 'Call 2 begins'])
    },
  )

  /** How much of the answer above has been sent with the last brace of its second Call. */
  const secondIsComplete =
    JSON.stringify({
      calls: [1, 2].map((left) => ({
        _tool: 'add',
        _reasoningForCall: 'The script says so.',
        _activity: 'add',
        _outputPath: null,
        left,
        right: 0,
      })),
    }).length - ']}'.length

  /**
   * Which Calls had begun before the end of the answer was sent. The server holds the end back until as many have begun
   * as are wanted: by order of events, not by time.
   */
  async function begunEarly(
    calls: readonly Call[],
    options: Partial<AgentOptions>,
    count: number,
  ): Promise<unknown[]> {
    const registry = registryWithTools()
    let early: unknown[] = []
    let sent = 0
    const beforePiece = async (textSoFar: number, request: number): Promise<void> => {
      // What brings no more text is the end: everything that can begin has been sent.
      const isEnd = request === 0 && textSoFar > 0 && textSoFar === sent
      sent = textSoFar
      if (!isEnd) return
      while (registry.ran.length < count) await new Promise(setImmediate)
      early = [...registry.ran]
    }
    await runStreamed(registry, calls, { pieceLength: 64, beforePiece }, options)
    expect(registry.ran.length).toBe(calls.length)
    return early
  }

  test.each<[string, Call[], Partial<AgentOptions>, unknown[]]>([
    ['reading Tools start, writing ones wait', [add(1, 2), pay(3)], {}, [['add', 1, 2]]],
    [
      'unless allowed',
      [pay(3), add(1, 2)],
      { early: 'all' },
      [
        ['pay', 3],
        ['add', 1, 2],
      ],
    ],
    ['none', [add(1, 2)], { early: 'none' }, []],
    [
      'not what waits for an earlier one',
      [add(1, 2, { _outputPath: '†state.a' }), add('†state.a', 1)],
      {},
      [['add', 1, 2]],
    ],
    ['also after one that has to wait', [pay(1), add(1, 2)], {}, [['add', 1, 2]]],
    [
      'not what an earlier one of the answer writes anew',
      [add(1, 2, { _outputPath: '†state.a' }), add('†state.a', 1)],
      { context: [{ type: 'state', state: { a: 100 } }] },
      [['add', 1, 2]],
    ],
  ])('%s', async (_what, calls, options, want) => {
    expect(await begunEarly(calls, options, want.length)).toEqual(want)
  })
})
