import {
  type Call,
  type Context,
  createContext,
  createRegistry,
  type Message,
  type Outcome,
  plan,
  tool,
} from 'callsheet'
import { describe, expect, test } from 'vitest'

const number = { type: 'number' }
const path = { type: 'string', '~optional': true }
const add = tool('add', { left: number, right: number, _outputPath: path, _output: number })
const fail = tool('fail', { of: number, _outputPath: path, _output: number })

function adding(options = {}) {
  const registry = createRegistry({ tools: { add, fail }, ...options })
  const order: string[] = []
  registry.Activity.register('add', async ({ left, right }) => {
    order.push(`${left}+${right}`)
    return left + right
  })
  registry.Activity.register('fail', () => {
    throw new Error('broken')
  })
  return { ...registry, order }
}

const sum = (left: unknown, right: unknown, name?: string) => ({
  _tool: 'add',
  left,
  right,
  ...(name && { _outputPath: `†state.${name}` }),
})

describe('CALL-11 Tool.plan carries out a plan without a model', () => {
  test('Calls wait for what others write, whatever order they stand in', async () => {
    const { Tool, order } = adding()
    const calls = [sum('†state.a', '†state.b', 'c'), sum(1, 2, 'a'), sum(3, 4, 'b'), sum('†state.c', 1)]
    const { outcomes, blocked, context } = await Tool.plan(calls)
    expect(outcomes.map((outcome) => outcome?.output)).toEqual([10, 3, 7, 11])
    expect(order).toEqual(['1+2', '3+4', '3+7', '10+1'])
    expect(blocked).toEqual([])
    expect(context.map((message) => message.type === 'data' && message._path)).toEqual([
      '†state.c',
      '†state.a',
      '†state.b',
    ])
  })

  test('what plan([...]) made is what it takes; a Context is appended to in the order of the plan', async () => {
    const { Tool } = adding()
    const context = createContext([{ type: 'input', input: { n: 5 } }])
    const planned = plan([sum('†input.n', 1, 'a'), sum('†state.a', '†input.n', 'b')])
    const result = await Tool.plan(planned, { context })
    expect(context.read('†state')).toEqual({ a: 6, b: 11 })
    expect(result.context).toEqual(context.messages)
  })

  test('an array of Messages is never touched', async () => {
    const { Tool } = adding()
    const context = Object.freeze([{ type: 'state' as const, state: { a: 1 } }])
    const result = await Tool.plan([sum('†state.a', 1, 'b')], { context: [...context] })
    expect(result.context).toHaveLength(2)
  })

  test('a failure blocks its readers and no others, and says what is missing', async () => {
    const { Tool } = adding()
    const broken = { _tool: 'fail', of: 1, _outputPath: '†state.x' }
    const calls = [broken, sum('†state.x', 1, 'y'), sum('†state.y', 1), sum(1, 1, 'z'), sum('†state.z', 1)]
    const { outcomes, blocked } = await Tool.plan(calls)
    expect(outcomes.map((outcome) => outcome?.status)).toEqual([
      'failed',
      undefined,
      undefined,
      'succeeded',
      'succeeded',
    ])
    expect(blocked).toMatchObject([
      { place: 1, missing: ['†state.x'] },
      { place: 2, missing: ['†state.y'] },
    ])
  })

  test('a failure blocks its readers where an older value stands, but for another alternative', async () => {
    const { Tool } = adding()
    const context: Message[] = [{ type: 'state', state: { x: 100, y: 200 } }]
    const broken = { _tool: 'fail', of: 1, _outputPath: '†state.x' }
    const calls = [broken, sum('†state.x', 1), sum('†state.x || †state.y', 1), sum('†state.y', 1)]
    const { outcomes, blocked } = await Tool.plan(calls, { context })
    expect(outcomes.map((outcome) => outcome?.output)).toEqual([undefined, undefined, 201, 201])
    expect(blocked).toMatchObject([{ place: 1, missing: ['†state.x'] }])
  })

  const left = { type: 'state' as const, state: { of: { x: 100, y: 200 } } }
  const bad = (name: string) => ({ _tool: 'fail', of: 1, _outputPath: `†state.${name}` })
  test.each<[what: string, writers: object[], reads: string, does: unknown]>([
    ['a part that was not written', [bad('of.x'), sum(1, 1, 'of.y')], '†state.of', 'blocked'],
    ['a whole of which a part was written', [bad('of'), sum(1, 1, 'of.y')], '†state.of', 'blocked'],
    ['the part that was written', [bad('of'), sum(1, 1, 'of.y')], '†state.of.y', 2],
    ['the part that was not', [bad('of'), sum(1, 1, 'of.y')], '†state.of.x', 'blocked'],
    ['what was to be replaced', [sum(1, 1, 'z'), bad('z')], '†state.z', 'blocked'],
    ['what replaced what was not written', [bad('z'), sum(1, 1, 'z')], '†state.z', 2],
    ['what stands around that', [bad('of.x'), sum(1, 1, 'of.x')], '†state.of', { x: 2, y: 200 }],
    ['what replaced a part, in place of the whole', [bad('of'), sum(1, 1, 'of.x')], '†state.of', 'blocked'],
    ['one of two places', [bad('of && †state.z'), sum(1, 1, 'w')], '†state.of', 'blocked'],
    ['what its error went beside', [bad('of || †state.z'), sum(1, 1, 'w')], '†state.of', 'blocked'],
    [
      'the same, where another wrote a part',
      [bad('of || †state.z'), sum(1, 1, 'of.y')],
      '†state.of',
      'blocked',
    ],
    ['what stands around its error', [bad('no || †state.of.e'), sum(1, 1, 'w')], '†state.of.y', 200],
    ['beside a Call whose error was written', [bad('ok || †state.z'), sum(1, 1, 'ok')], '†state.ok', 2],
  ])('of several writers one fails: %s', async (_what, writers, reads, does) => {
    const { Tool, Activity } = adding()
    Tool.register('look', tool('look', { at: {}, _output: {} }))
    Activity.register('look', ({ at }) => at)
    const calls = [...writers, { _tool: 'look', at: reads }] as { _tool: string }[]
    const { outcomes, blocked } = await Tool.plan(calls, { context: [left] })
    if (does === 'blocked') expect(blocked).toMatchObject([{ place: 2, missing: [reads] }])
    else expect(outcomes[2]?.output).toEqual(does)
  })

  test.each([
    ['†state.of.x && †state.z', 2],
    ['†state.z && †state.of.x', 100],
  ])('REF-2 of %s one is there, and the other is written', async (reads, output) => {
    const { Tool, Activity } = adding()
    Tool.register('look', tool('look', { at: {}, _output: {} }))
    Activity.register('look', ({ at }) => at)
    const { outcomes } = await Tool.plan([sum(1, 1, 'z'), { _tool: 'look', at: reads }], { context: [left] })
    expect(outcomes[1]?.output).toBe(output)
    await expect(Tool.plan([{ _tool: 'look', at: reads }], { context: [left] })).rejects.toMatchObject({
      code: 'unresolved_reference',
      message: expect.stringContaining('no Call writes †state.z'),
    })
  })

  test('INST-1 what stands there in an instance of its own is no less than what was not written for all', async () => {
    const { Tool, Activity } = adding()
    Tool.register('look', tool('look', { at: {}, _instance: { type: 'string' }, _output: {} }))
    Activity.register('look', ({ at }) => at)
    const own = { type: 'state' as const, state: { of: { x: 'own' } }, _instance: 'i' }
    const calls = [bad('of'), { _tool: 'look', at: '†state.of.x', _instance: 'i' }]
    const { outcomes } = await Tool.plan(calls, { context: [left, own] })
    expect(outcomes[1]?.output).toBe('own')
  })

  test('OUT-6 an alternative lets the plan go on', async () => {
    const { Tool, Activity } = adding()
    const report = tool('report', { about: {}, _output: {} })
    Tool.register('report', report)
    Activity.register('report', ({ about }) => about.message)
    const { outcomes } = await Tool.plan([
      { _tool: 'fail', of: 1, _outputPath: '†state.ok || †state.error' },
      { _tool: 'report', about: '†state.error' },
    ])
    expect(outcomes[1]?.output).toBe('broken')
  })

  const wrong: [string, unknown, string][] = [
    ['a circle', [sum('†state.b', 1, 'a'), sum('†state.a', 1, 'b')], 'plan_cycle'],
    ['a path that nobody writes', [sum(1, 2, 'a'), sum('†state.nope', 1)], 'unresolved_reference'],
    ['an input that is not there', [sum('†input.n', 1)], 'unresolved_reference'],
    ['what is no Call', [5], 'invalid_call'],
    ['what is no plan', { steps: [] }, 'invalid_call'],
    ['nothing', undefined, 'invalid_call'],
  ]
  test.each(wrong)('%s is an error before anything runs', async (_what, calls, code) => {
    const { Tool, order } = adding()
    await expect(Tool.plan(calls as [])).rejects.toMatchObject({ code })
    expect(order).toEqual([])
  })

  test('one wrong Call never stops its siblings (CALL-1)', async () => {
    const { Tool } = adding()
    const { outcomes } = await Tool.plan([{ _tool: 'ad' }, sum('x', 1), sum(1, 1)])
    expect(outcomes.map((outcome) => outcome?.error?.code)).toEqual([
      'unknown_tool',
      'invalid_call',
      undefined,
    ])
  })

  test('CALL-12 a list with a hole is a wrong plan, and no defect', async () => {
    const calls = new Array<Call>(2)
    calls[1] = { _tool: 'read' }
    const { Tool } = createRegistry()
    const expected = 'The plan cannot run: /0: expected a Call such as { _tool: "name", … }, got nothing'
    await expect(Tool.plan(calls)).rejects.toMatchObject({ code: 'invalid_call', message: expected })
  })

  test('CALL-7 its limits: concurrency, signal, options that are wrong', async () => {
    const { Tool, Activity } = adding()
    let now = 0
    let most = 0
    Activity.register(
      'add',
      async () => {
        most = Math.max(most, ++now)
        await new Promise((resolve) => setTimeout(resolve, 2))
        return now--
      },
      { replace: true },
    )
    await Tool.plan(
      Array.from({ length: 10 }, () => sum(1, 1)),
      { concurrency: 3 },
    )
    expect(most).toBe(3)
    const { outcomes } = await Tool.plan([sum(1, 1), sum(2, 2)], { signal: AbortSignal.abort() })
    expect(outcomes.map((outcome) => outcome?.status)).toEqual(['aborted', 'aborted'])
    await expect(Tool.plan([], { concurrency: 0 })).rejects.toMatchObject({ code: 'invalid_options' })
    await expect(Tool.plan([], { id: 'x' } as object)).rejects.toMatchObject({ code: 'invalid_options' })
  })

  test('CALL-8 each Call that ran is told once; an empty plan is done', async () => {
    const { Tool } = adding()
    const ended: string[] = []
    Tool.on('call:end', ({ id }) => ended.push(id))
    await Tool.plan([sum(1, 2, 'a'), sum('†state.a', 1)])
    expect(new Set(ended).size).toBe(2)
    expect(ended).toHaveLength(2)
    expect(await Tool.plan([])).toEqual({ outcomes: [], blocked: [], context: [] })
  })

  test('CALL-8 what is told of a Call stands in the context by then, and is what the plan gives back', async () => {
    const { Tool, Activity } = adding()
    Activity.register('add', ({ left, right }) => (left > 2 ? left + right : Promise.resolve(left + right)), {
      replace: true,
    })
    const kept = createContext()
    const context: Context = {
      messages: kept.messages,
      read: kept.read,
      append(...messages) {
        if (messages.some((message) => message.type === 'data' && message._path === '†state.refused'))
          throw new Error('no room')
        kept.append(...messages)
      },
    }
    const told: Outcome[] = []
    Tool.on('call:end', (outcome) => {
      expect(kept.messages.slice(-outcome.appended.length || Infinity)).toEqual(outcome.appended)
      told.push(outcome)
    })
    const calls = [
      sum(1, 1, 'a'),
      sum(3, 1, 'b'),
      sum(1, 1, 'refused'),
      sum(3, 1),
      sum('†state.b', '†state.a', 'c'),
    ]
    const result = await Tool.plan(calls, { context })
    expect(told).toEqual(result.outcomes)
    expect(told.map(({ status }) => status)).toEqual([
      'succeeded',
      'succeeded',
      'failed',
      'succeeded',
      'succeeded',
    ])
    expect(result.context).toEqual(kept.messages)
  })

  test('CALL-8 where a plan cannot go on, nothing more starts, and what had begun is told', async () => {
    const { Tool, Activity } = adding()
    const told: string[] = []
    const ran: string[] = []
    let isBroken = false
    Activity.register(
      'add',
      async ({ left, right }) => {
        ran.push(`${left}+${right}`)
        isBroken = true
        await new Promise((passed) => setTimeout(passed, left))
        return left + right
      },
      { replace: true },
    )
    Tool.on('call:end', ({ call }) => told.push(`${call.left}+${call.right}`))
    const base = {
      type: 'data' as const,
      kind: 'state',
      get data(): unknown {
        if (isBroken) throw new Error('gone')
        return { old: 1 }
      },
    }
    const calls = [sum(1, 1, 'a'), sum(20, 1, 'b'), sum('†state.a', '†state.old'), sum('†state.b', 3)]
    await expect(Tool.plan(calls, { context: [base] })).rejects.toMatchObject({ code: 'invalid_message' })
    await new Promise((passed) => setTimeout(passed, 60))
    expect(ran).toEqual(['1+1', '20+1'])
    expect(told).toEqual(ran)
  })

  test('references: false reads nothing, so that nothing waits', async () => {
    const { Tool } = adding()
    const { outcomes } = await Tool.plan([sum('†state.nope', 1)], { references: false })
    expect(outcomes[0]?.error?.code).toBe('invalid_call')
  })

  test('a chain of 5,000 Calls', async () => {
    const { Tool } = adding()
    const chain = Array.from({ length: 5000 }, (_, index) =>
      sum(index === 0 ? 0 : `†state.s${index - 1}`, 1, `s${index}`),
    )
    const { outcomes } = await Tool.plan(chain)
    expect(outcomes.at(-1)?.output).toBe(5000)
  })
})

describe('ACT-5 a rollout stays with one variant', () => {
  test('for one variantKey, whatever the ids of its Calls are', async () => {
    const policy = { add: { percentage: { v2: 50 } } }
    const { Tool, Activity } = adding({ policy })
    Activity.register('add', () => 2, { variant: 'v2' })
    const seen = new Set<string>()
    for (let run = 0; run < 20; run++) {
      const { outcomes } = await Tool.plan(
        Array.from({ length: 10 }, () => sum(1, 1)),
        { variantKey: `run ${run}` },
      )
      const variants = new Set(outcomes.map((outcome) => outcome?.variant ?? 'default'))
      expect(variants.size).toBe(1)
      for (const variant of variants) seen.add(variant)
    }
    expect(seen.size).toBe(2)
  })
})
