import { type Call, createRegistry, type ToolSchema } from 'callsheet'
import { Agent, type ExecutorFactory, inProcessExecutor, type PerformedOutcome } from 'callsheet/agent'
import { type RestateSdk, restateActivities, restateServices, type ToldApproval } from 'callsheet/restate'
import { scriptedModel } from 'callsheet/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { add, pay, registryWithTools } from '../agent/tools.ts'
import { Journal, restateOf } from './engine.ts'

afterEach(() => vi.unstubAllGlobals())

/** A Node that is too old, or new enough. */
function stubNode(isNew: boolean): void {
  const names = ['all', 'race', 'resolve', 'reject', 'allSettled', 'any']
  const promise = Object.assign(Promise.bind(globalThis), isNew ? { withResolvers: () => {} } : {})
  for (const name of names)
    Object.defineProperty(promise, name, { value: Reflect.get(Promise, name).bind(Promise) })
  vi.stubGlobal('Promise', promise)
}

/** As much of the SDK as makes services. */
const sdk = {
  service: (definition: object) => definition,
  workflow: (definition: object) => definition,
} as unknown as RestateSdk

describe('DUR-1 services of Restate', () => {
  test('an older Node is told of at once, and not by every invocation', async () => {
    stubNode(false)
    const { Tool } = registryWithTools()
    await expect(restateServices({ Tool })).rejects.toThrow(/needs Node 22 or later; this is Node \d+\.\d+/)
  })

  test('without the SDK it says what to install', async () => {
    stubNode(true)
    const { Tool } = registryWithTools()
    await expect(restateServices({ Tool })).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('npm install @restatedev/restate-sdk'),
    })
  })

  test('each Activity is a handler of its own name, each agent a workflow', async () => {
    const { Tool } = registryWithTools()
    const services = await restateServices({ Tool, sdk, agents: { payer: () => ({ model: 'm' }) } })
    expect(services).toMatchObject([
      { name: 'tools', handlers: { add: expect.any(Function), pay: expect.any(Function) } },
      { name: 'payer', handlers: { run: expect.any(Function), decide: expect.any(Function) } },
    ])
    // What the model does itself has no handler.
    expect(Object.keys((services[0] as unknown as { handlers: object }).handlers)).toEqual(['add', 'pay'])
    expect(await restateServices({ Tool, sdk, names: [] })).toEqual([])
  })

  test('Tools that would be one handler are refused', async () => {
    const { Tool, Activity } = createRegistry({
      tools: {
        'Kit.add': { type: 'object', properties: { _tool: { const: 'Kit.add' } } },
        Kit_add: { type: 'object', properties: { _tool: { const: 'Kit_add' } } },
      },
    })
    Activity.register('Kit.add', () => {})
    Activity.register('Kit_add', () => {})
    await expect(restateServices({ Tool, sdk })).rejects.toThrow(
      /"Kit\.add" and "Kit_add" would both be the handler "Kit_add"/,
    )
  })

  test('REQ-9 a decision that comes too late does not count', async () => {
    class TerminalError extends Error {}
    const { Tool } = registryWithTools()
    const services = await restateServices({
      Tool,
      sdk: { ...sdk, TerminalError } as unknown as RestateSdk,
      names: [],
      agents: { payer: () => ({ model: 'm' }) },
    })
    const { decide } = (
      services[0] as unknown as { handlers: Record<string, (...given: unknown[]) => unknown> }
    ).handlers
    const decided: unknown[] = []
    const ctx = (expiresAt: number) => ({
      get: async () => [{ id: 'a', hash: 'h', expiresAt }],
      promise: () => ({
        peek: async () => undefined,
        resolve: async (given: unknown) => decided.push(given),
      }),
      run: (_name: string, work: () => Promise<unknown>) => work(),
    })
    const decision = { approval: 'a', hash: 'h', approve: true }
    await expect(decide?.(ctx(Date.now() - 1), decision)).rejects.toThrow(/comes too late/)
    expect(await decide?.(ctx(Date.now() + 60_000), decision)).toEqual({ counted: true })
    expect(decided).toEqual([decision])
  })

  test.each<[object, string]>([
    [{ initial: 0 }, '/retry/initial'],
    [{ longest: Number.POSITIVE_INFINITY }, '/retry/longest'],
    [{ factor: 0.5 }, '/retry/factor'],
    [{ attempt: 1 }, '/retry/attempt'],
  ])('limits that bound nothing, or are misspelt, are refused: %j', async (retry, path) => {
    const { Tool } = registryWithTools()
    await expect(restateServices({ Tool, sdk, retry, outage: 0 })).rejects.toMatchObject({
      code: 'invalid_options',
      problems: [{ path }, { path: '/outage' }],
    })
  })

  test('what is no request of an Activity ends its invocation, which is not repeated', async () => {
    class TerminalError extends Error {}
    const { Tool, ran } = registryWithTools()
    const [service] = await restateServices({
      Tool,
      sdk: { ...sdk, TerminalError } as unknown as RestateSdk,
    })
    const { handlers } = service as unknown as { handlers: Record<string, (...given: unknown[]) => unknown> }
    const ctx = { request: () => ({ attemptCompletedSignal: new AbortController().signal }) }
    for (const given of [undefined, 5, {}, { call: pay(5) }, { call: add(1, 2), id: 'a' }]) {
      const ended = await Promise.resolve(handlers.pay?.(ctx, given)).catch((thrown: unknown) => thrown)
      expect(ended).toBeInstanceOf(TerminalError)
      expect((ended as Error).message).toMatch(/^invalid_call: "pay" takes/)
    }
    expect(ran).toEqual([])
  })
})

describe('DUR-1 Calls that run where the run is', () => {
  test('CALL-4 a group is checked by the options that its Calls have: whom they are for, and what their hooks make of them', async () => {
    const { Tool, ran } = registryWithTools()
    const isAda = (_: unknown, principal: unknown): boolean => principal === 'ada'
    Tool.register('pay', Tool.get('pay') as ToolSchema, { enabled: isAda })
    const before = (call: Call): Call => ({ amount: 5, ...call })
    const { handle } = await restateOf(Tool, { local: ['pay'], run: { principal: 'ada', before } })
    expect(await handle(({ all }) => all([{ _tool: 'pay' }]))).toEqual(['paid 5'])
    expect(ran).toEqual([['pay', 5]])
  })
})

describe('DUR-1 Activities that workers on Restate run', () => {
  test.each(['order 7', 'Bestellung №7', 'a\nb', 'cut \ud83d', ' '])('a Call of the id %j', async (id) => {
    const there = registryWithTools()
    const { ingress } = await restateOf(there.Tool)
    const here = createRegistry({ tools: { pay: there.Tool.get('pay') as ToolSchema } })
    const { Tool, Activity } = here
    restateActivities('http://localhost', { Tool, Activity, fetch: ingress })
    for (const _ of [1, 2]) expect(await Tool.run(pay(5), { id })).toMatchObject({ id, output: 'paid 5' })
    expect(there.ran).toEqual([['pay', 5]])
    // The server gives what is kept under the key, whatever is sent.
    const { status, error } = await Tool.run(pay(6), { id })
    expect([status, error?.code, error?.message]).toEqual([
      'failed',
      'connection_failed',
      expect.stringContaining('Another Call ran under the id'),
    ])
    expect(there.ran).toEqual([['pay', 5]])
  })
})

describe('DUR-3 decisions by awakeables', () => {
  test('one about another Approval is refused, and its own asked for again', async () => {
    const { Tool, ran } = registryWithTools()
    const { handle, resolve } = await restateOf(Tool)
    const asked: ToldApproval[] = []
    const decide = ({ awakeable }: ToldApproval, { approval }: ToldApproval, approve = true): void =>
      resolve(awakeable, { approval: approval.id, hash: approval.hash, approve })
    const onApprovals = (told: readonly ToldApproval[]): void => {
      asked.push(...told)
      const [first, second] = told as [ToldApproval, ToldApproval?]
      // Somebody mixes up the two, and says no to the second.
      decide(first, second ?? first)
      if (second) decide(second, second, false)
    }
    const { outcomes } = await handle(({ agent }) =>
      agent({
        model: 'm',
        client: scriptedModel([{ calls: [pay(1), pay(2)] }, { output: 'done' }]),
        output: { type: 'string' },
        confirm: () => 'pending',
        onApprovals,
      }),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['succeeded', 'refused'])
    expect(ran).toEqual([['pay', 1]])
    expect(asked.map(({ refused }) => refused)).toEqual([
      undefined,
      undefined,
      expect.stringContaining('which this run does not wait for'),
    ])
  })
})

describe('DUR-3 a run that waited, and ends without its output', () => {
  test('has in its error what had run before it waited as well', async () => {
    const { handle, resolve } = await restateOf(registryWithTools().Tool)
    const onApprovals = (told: readonly ToldApproval[]): void => {
      for (const { awakeable, approval } of told) {
        resolve(awakeable, { approval: approval.id, hash: approval.hash, approve: true })
      }
    }
    const ended = await handle(({ agent }) =>
      agent({
        model: 'm',
        client: scriptedModel([{ calls: [add(1, 2), pay(5)] }]),
        output: { type: 'string' },
        confirm: { effects: ['write'], ask: () => 'pending' },
        maxTurns: 1,
        onApprovals,
      }).catch((thrown: unknown) => thrown),
    )
    expect(ended).toMatchObject({
      code: 'limit_reached',
      result: { outcomes: [{ output: 3 }, { output: 'paid 5' }] },
    })
  })
})

describe('DUR-2 a handler that is repeated', () => {
  test('goes by what it found of its Calls before, though a Tool is off by now', async () => {
    const { Tool, ran } = registryWithTools()
    let isOn = true
    Tool.register('pay', Tool.get('pay') as ToolSchema, { enabled: () => isOn })
    const { handle } = await restateOf(Tool)
    const journal = new Journal()
    const all = () => handle(({ all }) => all([add(1, 2), pay(5)]), { journal })
    expect(await all()).toEqual([3, 'paid 5'])
    isOn = false
    expect(await all()).toEqual([3, 'paid 5'])
    expect(ran).toEqual([
      ['add', 1, 2],
      ['pay', 5],
    ])
    await expect(handle(({ all }) => all([add(1, 2), pay(5)]))).rejects.toThrow(/^unknown_tool: /)
  })
})

test('DUR-2 a run that is made again under its id does not take the Outcome of a Call that it did not ask for', async () => {
  const { Tool, ran } = registryWithTools()
  const { handle } = await restateOf(Tool)
  const again = (call: Call) => handle(({ run }) => run(call), { journal: new Journal() })
  expect(await again(pay(5))).toMatchObject({ status: 'succeeded', output: 'paid 5' })
  expect(await again(pay(7))).toMatchObject({
    status: 'failed',
    error: { code: 'connection_failed', message: expect.stringContaining('Another Call ran under the id') },
  })
  expect(ran).toEqual([['pay', 5]])
})

describe('REQ-9 a Call that runs elsewhere', () => {
  /** Sends every Call that was approved to another registry. */
  const elsewhere =
    (
      asked: PerformedOutcome[],
      run: (call: object, key: string) => Promise<PerformedOutcome>,
    ): ExecutorFactory =>
    (perform) =>
      inProcessExecutor(async (call, key, policy) => {
        if (policy.kind !== 'call') return perform(call, key, policy)
        if (!policy.isAsked) return run(call, key)
        const outcome = await perform(call, key, { ...policy, asksOnly: true })
        asked.push(outcome)
        return outcome.approved ? run(outcome.approved.call, key) : outcome
      })

  test('is checked and asked for here, with its References resolved, and does not run here', async () => {
    const here = createRegistry({ tools: (await import('../agent/tools.ts')).tools })
    here.Activity.declare('pay', 'add')
    const there = registryWithTools()
    const asked: PerformedOutcome[] = []
    const seen: unknown[] = []
    const { output, outcomes, spent } = await Agent({
      model: 'm',
      tools: here.Tool,
      client: scriptedModel([
        { calls: [pay(1), pay(2), { _tool: 'pay', amount: '†state.rent' }, { _tool: 'pay', amount: 'x' }] },
        { output: 'done' },
      ]),
      context: [{ type: 'state', state: { rent: 700 } }],
      output: { type: 'string' },
      run: { elsewhere: true },
      confirm: (call) => {
        seen.push(call.amount)
        if (call.amount === 1) return { refuse: 'too little' }
        return call.amount === 2 ? { replace: { _tool: 'pay', amount: 3 } } : true
      },
      executor: elsewhere(asked, (call, id) =>
        there.Tool.run(call as { _tool: string }, { id, references: false }),
      ),
    })
    expect(output).toBe('done')
    expect(seen).toEqual([1, 2, 700])
    expect(there.ran).toEqual([
      ['pay', 3],
      ['pay', 700],
    ])
    asked.sort((left, right) => (left.id < right.id ? -1 : 1))
    expect(asked.map(({ approved }) => approved?.isResolved)).toEqual([undefined, false, true, undefined])
    expect(outcomes.map(({ error, output }) => error?.code ?? output)).toEqual([
      'refused',
      'paid 3',
      'paid 700',
      'invalid_call',
    ])
    expect(spent).toEqual({ turns: 2, calls: 4, tokens: 0 })
  })

  test.each([undefined, null, 'yes', 1, {}, { replace: null }, { refuse: 'no', replace: pay(1) }])(
    'the answer %j lets nothing run there',
    async (answer) => {
      const here = createRegistry({ tools: (await import('../agent/tools.ts')).tools })
      here.Activity.declare('pay')
      const there = registryWithTools()
      const { outcomes } = await Agent({
        model: 'm',
        tools: here.Tool,
        client: scriptedModel([{ calls: [pay(1)] }, { output: 'done' }]),
        output: { type: 'string' },
        run: { elsewhere: true },
        confirm: () => answer as never,
        executor: elsewhere([], (call, id) => there.Tool.run(call as { _tool: string }, { id })),
      })
      expect(there.ran).toEqual([])
      expect(outcomes[0]?.status).toMatch(/^(failed|refused)$/)
    },
  )

  test('`elsewhere` lets a Call be checked whose Activity is not here, and starts nothing', async () => {
    const { Tool, Activity } = createRegistry({ tools: (await import('../agent/tools.ts')).tools })
    Activity.declare('pay')
    expect(await Tool.run(pay(1), { elsewhere: true })).toMatchObject({
      error: { code: 'no_implementation' },
    })
    const confirm = vi.fn(() => false)
    expect(await Tool.run(pay(1), { elsewhere: true, confirm })).toMatchObject({ status: 'refused' })
    expect(confirm).toHaveBeenCalledOnce()
    expect(await Tool.run(pay(1), { confirm })).toMatchObject({ error: { code: 'no_implementation' } })
    expect(confirm).toHaveBeenCalledOnce()
  })
})
