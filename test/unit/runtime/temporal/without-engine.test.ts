import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import {
  type AnyActivity,
  type Call,
  createRegistry,
  isCallsheetError,
  type Message,
  type RegistryOptions,
  type ToolSchema,
  type VariantPolicy,
} from 'callsheet'
import { type AgentResult, type Approval, type Decision, latentModel } from 'callsheet/agent'
import { temporalActivities } from 'callsheet/temporal'
import { scriptedModel } from 'callsheet/testing'
import { type TemporalWorkflow, temporalSteps } from 'callsheet/workflow'
import { describe, expect, test, vi } from 'vitest'
import { stateBehind } from '../../../../runtime/call/registry-state.ts'
import { add, pay, registryWithTools } from '../agent/tools.ts'
import { Failure, workflowOf } from './workflow.ts'

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => expect.fail(`it should fail, and gives ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  )

describe('DUR-4 what ends a workflow of Temporal', () => {
  const options = () => ({
    model: 'm',
    client: scriptedModel([{ calls: [pay(5)] }, { output: 'done' }]),
    output: { type: 'string' },
  })

  test.each([
    [
      'REQ-9 a misspelt `ask`',
      () => ({ ...options(), confirm: { effects: ['write'], asks: () => false } }),
      /\/confirm\/asks: no such property; did you mean "ask"/,
    ],
    [
      'REQ-9 effects that are none',
      () => ({ ...options(), confirm: { effects: ['writes'], ask: () => false } }),
      /\/confirm\/effects: expected a list/,
    ],
    [
      'a misspelt `confirm`',
      () => ({ ...options(), confrim: () => false }),
      /\/confrim: .*did you mean "confirm"/,
    ],
    ['what the engine decides', () => ({ ...options(), early: 'all' }), /\/early: no such property/],
    ['a promise of options', async () => options(), /"payer" returned a promise/],
    ['nothing', () => undefined, /the agent "payer" cannot be used: .*an object of options/],
    [
      'messages of a provider',
      () => ({ ...options(), context: [{ role: 'user', content: 'Pay.' }] }),
      /Message 0 of the context/,
    ],
  ])('an agent of %s is refused, and nothing runs', async (_, agent, why) => {
    const { steps, ran } = await workflowOf(agent)
    const failure = await failureOf(steps.agent('payer'))
    expect(failure).toBeInstanceOf(Failure)
    expect((failure as Failure).message).toMatch(why)
    expect(ran).toEqual([])
  })

  test('an agent that there is not', async () => {
    const { steps } = await workflowOf(options)
    expect(await failureOf(steps.agent('buyer'))).toMatchObject({
      type: 'invalid_options',
      message: 'There is no agent "buyer". The agents of temporalActivities: payer.',
    })
  })

  test('CALL-4 a group that cannot run: its error ends the workflow, and one that catches it knows it', async () => {
    const { steps, ran } = await workflowOf(options)
    const failure = await failureOf(steps.all([pay(1), { _tool: 'pay', amount: 'x' }]))
    expect(failure).toBeInstanceOf(Failure)
    expect(isCallsheetError(failure)).toBe(true)
    expect(failure).toMatchObject({
      code: 'invalid_call',
      type: 'invalid_call',
      problems: [{ path: '/amount' }],
    })
    expect(ran).toEqual([])
  })
})

test('CALL-4 a group is checked by the options that its Calls have: whom they are for, and what their hooks make of them', async () => {
  const registry = registryWithTools()
  const isAda = (_: unknown, principal: unknown): boolean => principal === 'ada'
  registry.Tool.register('pay', registry.Tool.get('pay') as ToolSchema, { enabled: isAda })
  const before = (call: Call): Call => ({ amount: 5, ...call })
  const { steps, ran } = await workflowOf(() => ({}), registry, {}, { serve: { principal: 'ada', before } })
  expect(await steps.all([{ _tool: 'pay' }])).toEqual(['paid 5'])
  expect(ran).toEqual([['pay', 5]])
})

/** A workflow that waits, and where its approvals are decided. */
async function deciding(agent: unknown) {
  type Handler = (decision?: Decision) => unknown
  const handlers = new Map<unknown, { handle: Handler; validator?: Handler | undefined }>()
  const workflow = await workflowOf(agent, undefined, {
    setHandler: (name: unknown, handle: unknown, options?: unknown) =>
      void handlers.set(name, { handle: handle as Handler, ...(options as object) }),
    condition: async (isSo: () => boolean, time?: unknown) => {
      const until = Date.now() + Number(time ?? 5_000)
      while (!isSo() && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 5))
      return isSo()
    },
  } as Partial<TemporalWorkflow>)
  const open = async (count: number): Promise<readonly Approval[]> => {
    for (const until = Date.now() + 10_000; ; ) {
      const approvals = (handlers.get('approvals')?.handle() ?? []) as readonly Approval[]
      if (approvals.length >= count || Date.now() > until) return approvals
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  return { ...workflow, open, decide: () => handlers.get('decide') }
}

describe('REQ-9 approvals on Temporal', () => {
  test('agents side by side: each gets what was decided about its own', async () => {
    const confirm = { effects: ['write'], ask: () => 'pending' }
    const agent = (amount: number) => ({
      ...{ model: 'm', output: { type: 'string' }, confirm },
      client: scriptedModel([
        ({ body }) =>
          /paid|refused/.test(JSON.stringify(body)) ? { output: 'done' } : { calls: [pay(amount)] },
      ]),
    })
    const { steps, ran, open, decide } = await deciding(agent)
    const running = Promise.all([steps.agent('payer', 1), steps.agent('payer', 2)])
    for (const { id, hash, calls } of await open(2)) {
      const decision = { approval: id, hash, approve: calls[0]?.amount === 2 }
      decide()?.validator?.(decision)
      expect(decide()?.handle(decision)).toEqual({ counted: true })
    }
    const ended = await running.catch((thrown: unknown) => thrown)
    expect(ended).toMatchObject([
      { outcomes: [{ status: 'refused' }] },
      { outcomes: [{ status: 'succeeded' }] },
    ])
    expect(ran).toEqual([['pay', 2]])
  })

  test('what was approved in time runs, though nobody decided the other; what is decided too late is refused', async () => {
    const confirm = { effects: ['write'], ask: () => 'pending', expiresIn: 150 }
    const client = scriptedModel([{ calls: [pay(1), pay(2)] }, { output: 'done' }])
    const agent = () => ({ model: 'm', client, output: { type: 'string' }, confirm })
    const { steps, ran, open, decide: desk } = await deciding(agent)
    const running = steps.agent('payer')
    const asked = await open(2)
    const decide = desk()
    const [first, second] = asked.map(({ id, hash }): Decision => ({ approval: id, hash, approve: true }))
    decide?.validator?.(first)
    expect(decide?.handle(first)).toEqual({ counted: true })
    vi.spyOn(Date, 'now').mockReturnValueOnce(Date.now() + 1_000)
    expect(() => decide?.validator?.(second)).toThrow(/comes too late/)
    const { outcomes } = await running
    expect(outcomes).toMatchObject([
      { call: pay(1), status: 'succeeded' },
      { call: pay(2), status: 'refused' },
    ])
    expect(ran.map(String)).toEqual(['pay,1'])
  })
})

describe('DUR-3 a run that waited, and ends without its output', () => {
  test('has in its error what had run before it waited as well', async () => {
    const confirm = { effects: ['write'], ask: () => 'pending' }
    const client = scriptedModel([{ calls: [add(1, 2), pay(5)] }])
    const agent = () => ({ model: 'm', client, output: { type: 'string' }, confirm, maxTurns: 1 })
    const { steps, open, decide } = await deciding(agent)
    const failure = failureOf(steps.agent('payer'))
    for (const { id, hash } of await open(1)) decide()?.handle({ approval: id, hash, approve: true })
    expect(await failure).toMatchObject({
      code: 'limit_reached',
      result: { outcomes: [{ output: 3 }, { output: 'paid 5' }] },
    })
  })
})

describe('DUR-2 a `run.id` on Temporal', () => {
  /** What ran under which `run.id`, for workflows that each pay once. */
  async function payments(infos: readonly object[]) {
    const registry = registryWithTools()
    const ids: string[] = []
    registry.Activity.register(
      'pay',
      (_call, _tool, _context, { id }) => {
        ids.push(id)
        return 'paid'
      },
      { replace: true },
    )
    for (const info of infos) {
      const engine = { workflowInfo: () => ({ workflowId: 'rent', ...info }) }
      const { steps } = await workflowOf(() => ({}), registry, engine)
      await steps.run(pay(5))
    }
    return ids
  }
  const once = randomUUID()
  const first = { runId: once, firstExecutionRunId: once, originalExecutionRunId: once, attempt: 1 }
  const next = { continuedFromExecutionRunId: once, runId: randomUUID() }

  test.each<[string, object]>([
    [
      'a later workflow with the same id',
      { runId: 'b', firstExecutionRunId: 'b', originalExecutionRunId: 'b' },
    ],
    ['a workflow that was continued as new', { ...next, originalExecutionRunId: next.runId }],
    ['the same with an earlier SDK', { ...next, originalExecutionRunId: undefined }],
    ['the next run of cron', { ...next, originalExecutionRunId: next.runId, cronSchedule: '0 8 1 * *' }],
    [
      'the next run of cron, retried',
      { ...next, originalExecutionRunId: next.runId, cronSchedule: '0 8 1 * *', attempt: 2 },
    ],
  ])('is another one in %s: it would be a payment that was made', async (_, info) => {
    const ids = await payments([first, { ...first, ...info }])
    expect(new Set(ids).size).toBe(2)
  })

  test.each<[string, object]>([
    ['failed and is retried', { ...next, originalExecutionRunId: next.runId, attempt: 2 }],
    ['was reset', { runId: randomUUID() }],
  ])('is the same in a workflow that %s', async (_, info) => {
    const own = { ...first, firstExecutionRunId: randomUUID() }
    const [id, again] = await payments([own, { ...own, ...info }])
    // Temporal gives each run modules of its own. Here they are the second steps of one.
    expect(again?.replace('/steps2', '')).toBe(id)
  })

  test('is another one for other steps of the same workflow, and one desk takes the decisions of all', async () => {
    const confirm = { effects: ['write'], ask: () => 'pending' }
    const agent = (amount: number) => ({
      ...{ model: 'm', output: { type: 'string' }, confirm },
      client: scriptedModel([
        ({ body }) => (/paid/.test(JSON.stringify(body)) ? { output: 'done' } : { calls: [pay(amount)] }),
      ]),
    })
    const { steps, workflow, ran, open, decide } = await deciding(agent)
    const others = await temporalSteps({ workflow })
    expect(others.runId).not.toBe(steps.runId)
    const running = Promise.all([steps.agent('payer', 1), others.agent('payer', 2)])
    for (const { id, hash } of await open(2)) {
      const decision = { approval: id, hash, approve: true }
      decide()?.validator?.(decision)
      expect(decide()?.handle(decision)).toEqual({ counted: true })
    }
    await running
    expect(ran).toEqual(expect.arrayContaining([pay(1), pay(2)].map(({ amount }) => ['pay', amount])))
    expect(ran).toHaveLength(2)
  })
})

test('CALL-4 what a workflow runs at the same time comes to its end, in whatever order', async () => {
  const { Tool, Activity } = registryWithTools()
  const ends = new Map<number, () => void>()
  Activity.register(
    'pay',
    async ({ amount }) => {
      await new Promise<void>((resolve) => ends.set(amount as number, resolve))
      return `paid ${amount}`
    },
    { replace: true },
  )
  const { steps } = await workflowOf(() => ({}), { Tool, Activity, ran: [] })
  const running = Promise.all([
    steps.run(pay(1)).then(({ output }) => output),
    steps.all([pay(2), pay(3)]),
    steps.plan([pay(4), pay(5)]).then(({ outcomes }) => outcomes.map((outcome) => outcome?.output)),
    steps.run(pay(6)).then(({ output }) => output),
  ])
  for (const amount of [5, 6, 2, 1, 4, 3]) {
    await vi.waitFor(() => expect(ends.has(amount)).toBe(true))
    ends.get(amount)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await running).toEqual(['paid 1', ['paid 2', 'paid 3'], ['paid 4', 'paid 5'], 'paid 6'])
})

test.each([
  ['pay', pay(1), true],
  ['add', add(1, 2), false],
] as const)(
  'ACT-7a of a Call that Temporal gave up, %s, a model learns whether it may have run',
  async (name, call, isUnknown) => {
    const { workflow } = await workflowOf(() => ({}))
    const served = workflow.proxyActivities({} as never) as Record<string, unknown>
    const lost = new Error('activity Heartbeat timeout')
    const given = Object.assign(new Error('Activity task failed'), { name: 'ActivityFailure', cause: lost })
    const proxyActivities = () =>
      new Proxy(
        {},
        { get: (_, asked) => (asked === name ? () => Promise.reject(given) : served[String(asked)]) },
      )
    const { steps } = await workflowOf(() => ({}), registryWithTools(), { proxyActivities })
    const { message = '' } = (await steps.run(call)).error ?? {}
    expect(message).toMatch(/Temporal gave up on the Call: activity Heartbeat timeout\./)
    expect(message.includes('Whether the Call ran is not known')).toBe(isUnknown)
  },
)

describe('DUR-2 an Activity whose SDK cancels it', () => {
  function cancellable() {
    const controller = new AbortController()
    const current = { info: { attempt: 1 }, cancellationSignal: controller.signal, heartbeat() {} }
    return { Context: { current: () => current }, cancel: (why: string) => controller.abort(new Error(why)) }
  }

  /** Runs an Activity that is cancelled once its body has begun, which then ends. */
  async function cancelled(effects: string | undefined, reason: string): Promise<unknown> {
    const { Context, cancel } = cancellable()
    const parameters = { _tool: { const: 'work' }, _output: { type: 'string' } }
    const schema = { type: 'object', ...(effects && { effects }), properties: parameters } as ToolSchema
    const { Tool, Activity } = createRegistry({ tools: { work: schema } })
    Activity.register('work', async () => {
      cancel(reason)
      await new Promise((resolve) => setImmediate(resolve))
      return 'done'
    })
    return temporalActivities({ Tool, Context }).work?.({ call: { _tool: 'work' }, id: 'r:s1.0' } as never)
  }

  test.each(['CANCELLED', 'WORKER_SHUTDOWN', 'PAUSED'])(
    'lets a write that has begun end, whose Outcome would be lost otherwise (%s)',
    async (reason) => {
      for (const effects of ['write', undefined]) {
        expect(await cancelled(effects, reason)).toMatchObject({ status: 'succeeded', output: 'done' })
      }
    },
  )

  test.each(['WORKER_SHUTDOWN', 'PAUSED', 'RESET'])(
    'does not repeat a write that a hook put in the place of a read, and that has begun (%s)',
    async (reason) => {
      const { Context, cancel } = cancellable()
      const begun: unknown[] = []
      const registry = registryWithTools({ before: ({ _tool }) => (_tool === 'add' ? pay(1) : undefined) })
      const hanging: AnyActivity = (_call, _tool, _context, run) => {
        begun.push(run.id)
        cancel(reason)
        return new Promise(() => {})
      }
      registry.Activity.register('pay', hanging, { replace: true })
      const { add: activity } = temporalActivities({ Tool: registry.Tool, Context })
      expect(await activity?.({ call: add(1, 2), id: 'r:1' } as never)).toMatchObject({
        tool: 'pay',
        status: 'aborted',
      })
      expect(begun).toEqual(['r:1'])
    },
  )

  test('aborts a read whose run was cancelled', async () => {
    expect(await cancelled('read', 'CANCELLED')).toMatchObject({ status: 'aborted' })
  })

  test.each(['WORKER_SHUTDOWN', 'PAUSED', 'RESET'])(
    'ends the attempt of a read alone, which runs again elsewhere (%s)',
    (reason) => expect(cancelled('read', reason)).rejects.toThrow(reason),
  )

  test('ends the attempt of a Request alone, which is asked again elsewhere', async () => {
    const { Context, cancel } = cancellable()
    const client = scriptedModel([
      async () => {
        cancel('WORKER_SHUTDOWN')
        await new Promise((resolve) => setImmediate(resolve))
        return { output: 'done' }
      },
    ])
    const agent = () => ({ model: 'm', client, output: { type: 'string' } })
    const results: unknown[] = []
    const { steps } = await workflowOf(agent, undefined, {}, { Context }, results)
    await failureOf(steps.agent('payer'))
    expect(results.at(-1)).toMatchObject({ message: 'WORKER_SHUTDOWN' })
  })
})

test('apart from message and code nothing that an Activity throws reaches the history of Temporal', async () => {
  const secret = 'postgres://ada:hunter2@db'
  const parameters = { _tool: { const: 'query' }, _output: { type: 'string' } }
  const { Tool, Activity } = createRegistry({
    tools: { query: { type: 'object', effects: 'read', properties: parameters } },
  })
  Activity.register('query', () => {
    throw Object.assign(new Error('no rows', { cause: new Error(secret) }), { config: { secret } })
  })
  const thrown: unknown[] = []
  const { steps } = await workflowOf(() => ({}), { Tool, Activity, ran: [] } as never, {}, {}, thrown)
  // The first of its three attempts is thrown for the engine, which writes it into its history with all causes.
  await steps.run({ _tool: 'query' })
  const [failure] = thrown.filter(isCallsheetError)
  expect(failure).toMatchObject({ code: 'activity_failed', message: expect.stringMatching(/no rows/) })
  expect(inspect(failure, { depth: 20, showHidden: true })).not.toContain('hunter2')
})

describe('DUR-2 an Outcome that Temporal would not take, whose Activity its SDK would run again without end', () => {
  const servers = 2 * 1024 * 1024

  /** Runs a Tool that writes, and returns what its Activity gives the SDK. */
  async function given(output: string, memo: string, worker: object = {}, options: object = {}) {
    const parameters = { _tool: { const: 'write' }, memo: { type: 'string' }, _output: { type: 'string' } }
    const { Tool, Activity } = createRegistry({
      tools: { write: { type: 'object', effects: 'write', properties: parameters } },
    })
    Activity.register('write', () => output)
    const results: unknown[] = []
    const { steps } = await workflowOf(
      () => ({}),
      { Tool, Activity, ran: [] } as never,
      {},
      worker,
      results,
      options,
    )
    const outcome = await steps.run({ _tool: 'write', memo })
    return { outcome, bytes: Buffer.byteLength(JSON.stringify(results.at(-1))) }
  }

  test.each([
    ['of 2 MiB', 'x'.repeat(servers), ''],
    ['of few characters and many bytes', '語'.repeat(700_000), ''],
    ['of a Call that takes almost as much', 'x', 'x'.repeat(servers - 200)],
  ])('an output %s is an invalid one', async (_, output, memo) => {
    const { outcome, bytes } = await given(output, memo, {}, { requestBytes: servers })
    expect(bytes).toBeLessThan(servers - 1_000)
    expect(outcome).toMatchObject({ status: 'failed', call: { memo }, appended: [], attempts: 1 })
    expect(outcome.error).toMatchObject({
      code: 'invalid_output',
      message: expect.stringMatching(/takes 2\d{6} bytes as JSON .* Temporal \(outcomeBytes\) keeps 2000000/),
    })
  })

  test('is recorded if the worker says that more is accepted', async () => {
    const output = 'x'.repeat(servers)
    expect((await given(output, '', { outcomeBytes: 4_000_000 })).outcome).toMatchObject({ output })
    await expect(given('', '', { outcomeBytes: '4MB' })).rejects.toThrow(/outcomeBytes: expected/)
  })

  describe('a request that a server would not take is not sent', () => {
    const large = '語'.repeat(700_000)

    test('a Call, alone, in a group and with the context that it sees', async () => {
      const { steps, ran } = await workflowOf(() => ({}))
      const says = (what: RegExp) => ({
        code: 'invalid_call',
        message: expect.stringMatching(
          new RegExp(`^${what.source} takes 21\\d{5} bytes as JSON, .*\\(requestBytes\\) accepts 2000000\\.`),
        ),
      })
      const call = { _tool: 'pay', amount: large }
      expect(await steps.run(call)).toMatchObject({
        status: 'failed',
        attempts: 0,
        error: says(/The Call of "pay", with the context that it sees,/),
      })
      expect(await failureOf(steps.all([call]))).toMatchObject(
        says(/The Calls of the group, with the context that they see,/),
      )
      const context: Message[] = [{ type: 'text', text: large }]
      expect(await steps.run({ ...pay(5), _scopes: ['*'] }, { context })).toMatchObject({
        error: says(/The Call of "pay", with the context that it sees,/),
      })
      expect(ran).toEqual([])
      expect(await steps.run(pay(5), { context })).toMatchObject({ status: 'succeeded' })
    })

    test('the input of an agent, and the Request of a context that has grown', async () => {
      const judged = { _tool: 'judge', text: 'x'.repeat(300), _output: { good: true } }
      const client = scriptedModel(Array.from({ length: 9 }, () => ({ calls: [judged] })))
      const agent = () => ({ model: 'm', client, output: { type: 'string' } })
      const { steps } = await workflowOf(agent, registryWithTools(), {}, {}, [], { requestBytes: 1_500 })
      expect(await failureOf(steps.agent('payer', large))).toMatchObject({
        type: 'invalid_options',
        message: expect.stringMatching(/^The input of the agent "payer" takes 21\d{5} bytes as JSON/),
      })
      const failure = await failureOf(steps.agent('payer'))
      expect(failure).toMatchObject({
        type: 'invalid_call',
        message: expect.stringMatching(
          /^The step "callsheet:request" of the agent "payer", with its context, takes \d{4} bytes/,
        ),
      })
      const { outcomes } = (failure as { result: AgentResult }).result
      expect(outcomes.length).toBeGreaterThan(0)
      expect(outcomes[0]).toMatchObject({ tool: 'judge', status: 'succeeded' })
    })

    test('is sent if the workflow says that more is accepted', async () => {
      const more = { requestBytes: 4_000_000 }
      expect((await given('x', large, { outcomeBytes: 4_000_000 }, more)).outcome).toMatchObject({
        output: 'x',
      })
      await expect(given('', '', {}, { requestBytes: '4MB' })).rejects.toThrow(/requestBytes: expected/)
    })
  })

  test('a list of Tools, and an agent with its context, that a server would not take end the workflow', async () => {
    const options = { model: 'm', client: scriptedModel([]), output: { type: 'string' } }
    const worker = { outcomeBytes: 1_000 }
    const tools = registryWithTools()
    for (const name of ['a', 'b']) tools.Tool.register(name, { type: 'object', description: 'x'.repeat(500) })
    const noTools = await failureOf(workflowOf(() => options, tools, {}, worker))
    expect(noTools).toMatchObject({
      type: 'invalid_options',
      message: expect.stringMatching(
        /^The list of the worker's 5 Tools takes \d+ bytes as JSON.* keeps 1000\./,
      ),
    })
    const context = [{ type: 'text', text: '語'.repeat(700_000) }]
    const { steps } = await workflowOf(() => ({ ...options, context }))
    expect(await failureOf(steps.agent('payer'))).toMatchObject({
      type: 'invalid_options',
      message: expect.stringMatching(/agent "payer", with its context, takes 21\d{5} bytes as JSON/),
    })
  })
})

describe('REQ-12 delegates on Temporal', () => {
  test.each([
    [{ maxTurns: 5 }, 5],
    [{}, 20],
  ])('share the limits of the run: %j', async (limits, most) => {
    const output = { type: 'object', properties: { answer: { type: 'string' } } } as const
    const ask = { _tool: { const: 'ask' }, _delegate: { const: 'poet' }, _output: output }
    const addTool = registryWithTools().Tool.get('add') as ToolSchema
    const ideas = { poet: { schema: output, context: [{ type: 'tool' as const, tool: addTool }] } }
    const registry = registryWithTools({ tools: { ask: { type: 'object', properties: ask } }, ideas })
    registry.Tool.register('add', addTool)
    const forEver = { calls: [{ _tool: 'add', left: 1, right: 2 }] }
    const client = scriptedModel([{ calls: [{ _tool: 'ask' }] }, ...Array(40).fill(forEver)])
    const agent = () => ({ model: 'm', client, output: { type: 'string' }, ...limits })
    const { steps } = await workflowOf(agent, registry)
    expect(await failureOf(steps.agent('payer'))).toMatchObject({ code: 'limit_reached' })
    expect(client.requests).toHaveLength(most)
  })
})

describe('what holds for a Call in this process holds for it on Temporal', () => {
  const note = (text: string) => ({ _tool: 'note', text })
  /** A registry whose Tool may be switched off by what its context says. */
  function noting(options: RegistryOptions = {}, enabled?: (context: readonly Message[]) => boolean) {
    const parameters = { _tool: { const: 'note' }, text: { type: 'string' }, _output: { type: 'string' } }
    const schema = { type: 'object', effects: 'write', properties: parameters, required: ['text'] }
    const registry = createRegistry(options)
    registry.Tool.register('note', schema, { enabled })
    const ran: unknown[] = []
    registry.Activity.register('note', ({ text }) => {
      ran.push(text)
      return text
    })
    return { ...registry, ran }
  }
  const context: Message[] = [{ type: 'state', state: { secret: 'hunter2', isLocked: true } }]
  const agentOf = (calls: readonly Call[], more: object = {}) => {
    const client = scriptedModel([{ calls }, { output: 'done' }])
    return () => ({ model: 'm', context, client, output: { type: 'string' }, ...more })
  }

  test.each<[string, RegistryOptions, object]>([
    ['the agent', {}, { run: { references: false } }],
    ['the registry', { references: false }, {}],
  ])('REF-1a text stays text where %s says so', async (_, options, more) => {
    const texts = ['†state.secret', '†state.missing']
    const { steps, ran } = await workflowOf(agentOf(texts.map(note), more), noting(options))
    await steps.agent('payer')
    expect(ran).toEqual(texts)
    if (options.references !== false) return
    await steps.plan(texts.map(note), { context })
    expect(ran).toEqual([...texts, ...texts])
  })

  test('REQ-9 what runs is what was approved: `before` may refuse it there, and not change it', async () => {
    const confirm = (call: Call) => (call.text === 'b!' ? { replace: note('c') } : true)
    for (const [before, ran] of [
      [(call: Call) => ({ ...call, text: String(call.text).replace(/!*$/, '!') }), ['a!']],
      [(call: Call) => ({ ...call, text: `${call.text}!` }), []],
      [() => undefined, ['a', 'b']],
    ] as const) {
      const registry = noting({ before: (call) => (call._tool === 'note' ? before(call) : undefined) })
      const { steps } = await workflowOf(agentOf([note('a'), note('b')], { confirm }), registry)
      const { outcomes } = await steps.agent('payer')
      expect(registry.ran).toEqual(ran)
      const why = /after it was approved/
      for (const { error } of outcomes) if (error) expect(error.message).toMatch(why)
      expect(outcomes.filter(({ status }) => status === 'succeeded')).toHaveLength(ran.length)
    }
  })

  test('REQ-9 what runs is what was approved: the `confirm` of the worker may refuse it, and not change it', async () => {
    for (const [text, ran] of [
      ['a', ['a']],
      ['b', []],
    ] as const) {
      const registry = noting({ confirm: (call) => ({ replace: { ...call, text } }) })
      const { steps } = await workflowOf(agentOf([note('a')], { confirm: () => true }), registry)
      await steps.agent('payer')
      expect(registry.ran).toEqual(ran)
    }
  })

  test('REF-1 a text that was approved is text where the answer changes the Call', async () => {
    const registry = noting()
    const confirm = (call: Call) => ({ replace: { ...call, text: call.text } })
    const { steps } = await workflowOf(agentOf([note('††state.secret')], { confirm }), registry)
    await steps.agent('payer')
    expect(registry.ran).toEqual(['†state.secret'])
  })

  test.each<[string, object]>([
    ['each Call', { effects: ['write'], ask: () => false }],
    ['plans', { effects: ['write'], askPlan: () => false }],
  ])(
    'REQ-9 no hook of the worker puts a write in the place of what nobody was asked for: %s',
    async (_, confirm) => {
      const swap = ({ _tool }: Call): Call | undefined => (_tool === 'add' ? pay(1) : undefined)
      const hooks: RegistryOptions[] = [
        { before: swap },
        { confirm: (call) => ({ replace: swap(call) ?? call }) },
      ]
      for (const options of hooks) {
        const registry = registryWithTools(options)
        const { steps } = await workflowOf(agentOf([add(1, 2)], { confirm }), registry)
        const { outcomes } = await steps.agent('payer')
        expect(registry.ran).toEqual([])
        expect(outcomes).toMatchObject([
          { status: 'refused', error: { message: expect.stringMatching(/needs an approval/) } },
        ])
      }
      const edits = registryWithTools({ before: ({ left }) => (left === 1 ? add(2, 2) : undefined) })
      const { steps } = await workflowOf(agentOf([add(1, 2)], { confirm }), edits)
      await steps.agent('payer')
      expect(edits.ran).toEqual([['add', 2, 2]])
    },
  )

  test.each<[string, VariantPolicy, unknown[]]>([
    ['read', 'latent', [['add', 1, 2]]],
    ['write', 'latent', []],
    ['write', { compare: ['default', 'latent'] }, []],
  ])(
    'REQ-9 a delegate that a worker lets its model answer makes no Call that needs an approval: %s, %j',
    async (what, policy, ran) => {
      const parameters = {
        _tool: { const: 'ask' },
        _delegate: { const: 'helper' },
        _output: { type: 'string' },
      }
      const { Tool: all } = registryWithTools()
      const offered = ['add', 'pay'].map((name) => ({
        type: 'tool' as const,
        tool: all.get(name) as ToolSchema,
      }))
      const registry = registryWithTools({
        policy: { ask: policy },
        ideas: { helper: { schema: { type: 'string' }, context: offered } },
      })
      registry.Tool.register('ask', { type: 'object', effects: 'read', properties: parameters })
      registry.Activity.register('ask', () => 'done')
      const compared = new Promise((resolve) => registry.Tool.on('activity:compare', resolve))
      const client = scriptedModel([{ calls: [what === 'read' ? add(1, 2) : pay(3)] }, { output: 'done' }])
      const model = latentModel({ model: 'o', tools: registry.Tool, client })
      const agent = agentOf([{ _tool: 'ask' }], { confirm: { effects: ['write'], ask: () => false } })
      const { steps } = await workflowOf(agent, registry, {}, { serve: { model } })
      expect((await steps.agent('payer')).outcomes).toMatchObject([{ tool: 'ask', status: 'succeeded' }])
      if (policy !== 'latent') await compared
      expect(client.requests).toHaveLength(2)
      expect(registry.ran).toEqual(ran)
    },
  )

  test('ACT-5 one run sees one variant, however many Calls it has', async () => {
    const registry = noting()
    const seen: unknown[] = []
    registry.Activity.register('note', () => String(seen.push('v2')), { variant: 'v2' })
    registry.Activity.register('note', () => String(seen.push('v1')), { replace: true })
    const calls = Array.from({ length: 40 }, (_, index) => note(String(index)))
    const serve = { policy: { note: { percentage: { v2: 50 } } } }
    for (const workflowId of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      const engine = { workflowInfo: () => ({ workflowId }) }
      const { steps } = await workflowOf(() => ({}), registry, engine, { serve })
      await steps.plan(calls)
    }
    const ofRuns = Array.from({ length: 8 }, (_, run) => new Set(seen.slice(run * 40, run * 40 + 40)))
    expect(ofRuns.every(({ size }) => size === 1)).toBe(true)
    expect(new Set(seen).size).toBe(2)
  })

  test('REF-1a what may not be read is not', async () => {
    const references = ['†input']
    const { steps, ran } = await workflowOf(
      agentOf([note('†state.secret')], { run: { references } }),
      noting(),
    )
    const { outcomes } = await steps.agent('payer')
    expect(outcomes).toMatchObject([{ error: { code: 'unresolved_reference' } }])
    expect(ran).toEqual([])
  })

  test('it holds behind something that stands in front of the registry, and behind another copy of the package', async () => {
    const isOpen = (messages: readonly Message[]) => !messages.some(({ type }) => type === 'state')
    const { Tool, Activity, ran } = noting({ references: false }, isOpen)
    const { steps } = await workflowOf(agentOf([]), { Tool: { ...Tool } as typeof Tool, Activity, ran })
    expect(await steps.run(note('a'), { context })).toMatchObject({ error: { code: 'unknown_tool' } })
    await steps.run(note('†input.secret'), { context: [{ type: 'input', input: { secret: 'hunter2' } }] })
    expect(ran).toEqual(['†input.secret'])
    vi.resetModules()
    const other = await import('../../../../runtime/call/registry-state.ts')
    expect(other.stateBehind).not.toBe(stateBehind)
    expect(other.stateBehind(Tool)).toBe(stateBehind(Tool))
    expect([{ ...Tool }, Object.create(Tool)].map(stateBehind)).toEqual([undefined, undefined])
  })

  test.each([
    ['off', (messages: readonly Message[]) => messages.length === 0, 'failed'],
    ['on', (messages: readonly Message[]) => messages.length > 0, 'succeeded'],
  ])('TOOL-9 a Tool that its context switches %s', async (_, enabled, status) => {
    const { steps, ran } = await workflowOf(agentOf([]), noting({}, enabled))
    expect(await steps.run(note('a'), { context })).toMatchObject({ status })
    expect(ran).toEqual(status === 'succeeded' ? ['a'] : [])
  })
})
