import { type Call, type Confirmation, createContext, type Message, type ToolSchema } from 'callsheet'
import {
  Agent,
  type AgentOptions,
  type Approval,
  type ConfirmRules,
  type Decision,
  type ExecutorFactory,
  inProcessExecutor,
  LoopError,
  type RunEvent,
  type SuspendedRun,
} from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { describe, expect, test } from 'vitest'
import { add, pay, registryWithTools, tools } from './tools.ts'

const output = { type: 'string' } as const
const done = { output: 'done' }
const pending: ConfirmRules = { effects: ['write'], ask: () => 'pending' }

type Registered = ReturnType<typeof registryWithTools>

/** Runs until something waits for approval; gives it as another process would get it. */
async function suspend(
  registry: Registered,
  calls: readonly Call[],
  options: Partial<AgentOptions> = {},
): Promise<SuspendedRun> {
  const client = scriptedModel([{ calls }])
  const given = { model: 'm', client, tools: registry.Tool, output, confirm: pending, ...options }
  const error: unknown = await Agent(given).catch((thrown: unknown) => thrown)
  if (!(error instanceof LoopError)) throw new Error('expected a LoopError', { cause: error })
  expect(error.code, error.message).toBe('approval_pending')
  return JSON.parse(JSON.stringify(error.result.suspended)) as SuspendedRun
}

function resumed(
  registry: Registered,
  resume: SuspendedRun,
  decisions: readonly Decision[],
  more: object = {},
) {
  const client = scriptedModel([done])
  return Agent({
    model: 'm',
    client,
    tools: registry.Tool,
    output,
    confirm: pending,
    resume,
    decisions,
    ...more,
  })
}

const approve = ({ approvals }: SuspendedRun, more: Partial<Decision> = {}): Decision[] =>
  approvals.map(({ id, hash }) => ({ approval: id, hash, approve: true, ...more }))

const named = (name: string) =>
  ({ type: 'object', properties: { _tool: { const: name } }, required: ['_tool'] }) as const

function schemaOf(Tool: Registered['Tool'], name: string): ToolSchema {
  const schema = Tool.get(name)
  if (!schema) throw new Error(`no Tool ${name}`)
  return schema
}

/** Registers a Tool with other members, as a later deployment would have it. */
function change({ Tool }: Registered, name: string, { properties, ...members }: Partial<ToolSchema>): void {
  const schema = schemaOf(Tool, name)
  Tool.register(name, { ...schema, ...members, properties: { ...schema.properties, ...properties } })
}

/** Which of several approved Calls runs first hangs on whose hash is there first. */
const inAnyOrder = (ran: readonly unknown[]): unknown[] => [...ran].sort()

describe('REQ-9 approvals that wait', () => {
  test('the Call is shown as it would run, and only writes are asked for', async () => {
    const registry = registryWithTools()
    const calls = [
      { ...add(1, 2), _outputPath: '†state.sum' },
      { _tool: 'pay', amount: '†state.sum' },
    ]
    const suspended = await suspend(registry, calls)
    expect(registry.ran).toEqual([['add', 1, 2]])
    expect(suspended.approvals).toMatchObject([
      {
        id: `${suspended.runId}:1.1`,
        scope: 'call',
        calls: [{ _tool: 'pay', amount: 3 }],
        effects: ['write'],
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        contract: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
    const next = registryWithTools()
    const result = await resumed(next, suspended, approve(suspended))
    expect(result).toMatchObject({ output: 'done', runId: suspended.runId, spent: { calls: 2 } })
    // Nothing that ran is repeated.
    expect(next.ran).toEqual([['pay', 3]])
  })

  test.each(['chat', 'messages'] as const)(
    'native over %s: the result goes back under its id',
    async (api) => {
      const native = { api, mode: 'native' } as const
      const suspended = await suspend(registryWithTools(), [add(1, 2), pay(3)], native)
      const registry = registryWithTools()
      const client = scriptedModel([done])
      const result = await resumed(registry, suspended, approve(suspended), { ...native, client })
      expect(result.output).toBe('done')
      expect(registry.ran).toEqual([['pay', 3]])
      const body = JSON.stringify(client.requests[0]?.body)
      expect(body).toMatch(/paid 3/)
      expect(body).not.toMatch(/has not run yet/)
    },
  )

  test('what the hook `after` makes of a Call that waits leaves it waiting', async () => {
    const after: AgentOptions['run'] = {
      after: ({ error, ...outcome }) => ({ ...outcome, status: 'succeeded', output: 'hidden' }),
    }
    const registry = registryWithTools()
    const { approvals, waiting } = await suspend(registry, [pay(3)], { run: after })
    expect([approvals.length, waiting.length]).toEqual([1, 1])
    expect(registry.ran).toEqual([])
  })

  test.each([
    ['without', { without: ['pay'] }],
    ['only', { only: ['add'] }],
    ['only, in a search', { only: ['add'], search: { pinned: ['add'] } }],
  ])('REQ-15 approved, and by then left out by `%s`, it does not run', async (_, options) => {
    const wholePlan: ConfirmRules = { effects: ['write'], askPlan: () => 'pending' }
    for (const confirm of [pending, wholePlan]) {
      const suspended = await suspend(registryWithTools(), [pay(3)], { confirm })
      const registry = registryWithTools()
      const result = await resumed(registry, suspended, approve(suspended), { ...options, confirm })
      expect(registry.ran).toEqual([])
      expect(result.outcomes).toMatchObject([{ status: 'failed', error: { code: 'unknown_tool' } }])
      expect(result.waiting).toEqual([])
    }
  })

  test('REQ-15 a plan that the context brought is trusted, after an approval too', async () => {
    const context: Message[] = [{ type: 'plan', plan: [pay(3)] }]
    const suspended = await suspend(registryWithTools(), [], { context, without: ['pay'] })
    const registry = registryWithTools()
    await resumed(registry, suspended, approve(suspended), { without: ['pay'] })
    expect(registry.ran).toEqual([['pay', 3]])
  })

  test('refused with a reason, which the model reads', async () => {
    const suspended = await suspend(registryWithTools(), [pay(3)])
    const registry = registryWithTools()
    const decisions = approve(suspended, { approve: false, reason: 'too much' })
    const result = await resumed(registry, suspended, decisions)
    expect(registry.ran).toEqual([])
    expect(result.outcomes).toMatchObject([{ status: 'refused', error: { code: 'refused' } }])
    expect(JSON.stringify(result.context)).toMatch(/too much/)
  })

  test('an edited Call passes every check of its own, and stays with its Tool', async () => {
    const suspended = await suspend(registryWithTools(), [pay(3)])
    for (const [call, ran, status] of [
      [pay(2), [['pay', 2]], 'succeeded'],
      [{ _tool: 'pay', amount: 'all' }, [], 'failed'],
      [add(1, 2), [], 'refused'],
    ] as const) {
      const registry = registryWithTools()
      const result = await resumed(registry, suspended, approve(suspended, { call }))
      expect(registry.ran).toEqual(ran)
      expect(result.outcomes).toMatchObject([{ status }])
    }
  })

  test.each<[string, Partial<Decision>, RegExp]>([
    ['another hash', { hash: 'f'.repeat(64) }, /was shown/],
    ['something that was not asked', { approval: 'other' }, /does not wait for/],
    ['no answer', { approve: 'yes' as never }, /expected true or false/],
    ['no Call', { call: null as never }, /has call: null; expected a Call, or none/],
    ['no reason', { reason: 5 as never }, /has the reason 5; expected a text/],
  ])('a decision for %s is refused before anything runs', async (_what, change, message) => {
    const suspended = await suspend(registryWithTools(), [pay(3)])
    const registry = registryWithTools()
    await expect(resumed(registry, suspended, approve(suspended, change))).rejects.toThrow(message)
    expect(registry.ran).toEqual([])
  })

  test('what was changed after it was shown is refused when it would run', async () => {
    const suspended = await suspend(registryWithTools(), [pay(3)])
    const forged = JSON.parse(
      JSON.stringify(suspended).replaceAll('"amount":3', '"amount":1000'),
    ) as SuspendedRun
    const capped = registryWithTools()
    change(capped, 'pay', { properties: { amount: { type: 'number', maximum: 50 } } })
    const harmless = registryWithTools()
    change(harmless, 'pay', { effects: 'read' })
    for (const [registry, resume, what] of [
      [registryWithTools(), forged, 'the Call or what it reads'],
      [capped, suspended, 'the contract'],
      [harmless, suspended, 'the declared effects'],
    ] as const) {
      for (const confirm of [pending, { ask: () => 'pending' }] as ConfirmRules[]) {
        const result = await resumed(registry, resume, approve(suspended), { confirm })
        expect(registry.ran).toEqual([])
        expect(result.outcomes).toMatchObject([{ status: 'refused' }])
        expect(result.outcomes[0]?.error?.message).toMatch(`was shown for approval: ${what} ha`)
      }
    }
  })

  test.each<[string, ConfirmRules]>([
    ['a Call', { ask: () => 'pending' }],
    ['a plan', { askPlan: () => 'pending' }],
  ])('CALL-11b %s of a Tool that came anew while it waited is refused', async (_what, confirm) => {
    const brought = (delegate: string): Message => ({
      type: 'tool',
      tool: {
        type: 'object',
        properties: { _tool: { const: 'help' }, _delegate: { const: delegate }, _output: {} },
        required: ['_tool'],
      },
    })
    const schema = { type: 'object', properties: { by: { type: 'string' } } } as const
    const helper = { schema, context: [] }
    const registry = registryWithTools({ ideas: { shown: helper, other: helper } })
    const context = [brought('shown')]
    const suspended = await suspend(registry, [{ _tool: 'help' }], { context, confirm })
    for (const [added, status] of [
      [[], 'succeeded'],
      [[brought('other')], 'refused'],
    ] as const) {
      const resume = { ...suspended, context: [...suspended.context, ...added] }
      const client = scriptedModel([...(added.length > 0 ? [] : [{ output: { by: 'it' } }]), done])
      const result = await resumed(registry, resume, approve(suspended), { client, confirm })
      expect(result.outcomes).toMatchObject([{ tool: 'help', status }])
    }
  })

  test('a Tool that is on in this context alone, and was changed meanwhile, is refused', async () => {
    const enabled = (messages: readonly Message[]): boolean => messages.length > 0
    const registryWith = (description: string): Registered => {
      const registry = registryWithTools()
      registry.Tool.register('pay', { ...tools.pay, description }, { enabled })
      return registry
    }
    const context: Message[] = [{ type: 'text', text: 'Pay.' }]
    const suspended = await suspend(registryWith('Pays.'), [pay(3)], { context })
    for (const [description, status] of [
      ['Pays.', 'succeeded'],
      ['Pays twice.', 'refused'],
    ] as const) {
      const result = await resumed(registryWith(description), suspended, approve(suspended))
      expect(result.outcomes).toMatchObject([{ tool: 'pay', status }])
    }
  })

  test.each<[string, (registry: Registered) => void, object?]>([
    ['another Tool was added', ({ Tool }) => Tool.register('added', named('added'))],
    [
      'another Tool has changed',
      (registry) => change(registry, 'add', { description: 'Adds up.', effects: 'read' }),
    ],
    ['another Tool is off', ({ Tool }) => Tool.register('add', schemaOf(Tool, 'add'), { enabled: false })],
    ['Tools come in another order', ({ Tool }) => Tool.register('pay', schemaOf(Tool, 'pay'))],
    ['others are offered', () => {}, { only: ['pay'] }],
    ['another principal goes on', () => {}, { run: { principal: 'the boss' } }],
  ])('what was approved runs where %s meanwhile', async (_what, deploy, more = {}) => {
    for (const confirm of [pending, { effects: ['write'], askPlan: () => 'pending' }] as ConfirmRules[]) {
      const first = registryWithTools()
      first.Tool.register('add', schemaOf(first.Tool, 'add'), {
        enabled: (_context, principal) => principal === undefined,
      })
      const suspended = await suspend(first, [pay(3)], { confirm })
      const registry = registryWithTools()
      deploy(registry)
      await resumed(registry, suspended, approve(suspended), { confirm, ...more })
      expect(registry.ran).toEqual([['pay', 3]])
    }
  })

  test('an agent that is given a contract binds Approvals to the whole of it', async () => {
    const suspended = await suspend(registryWithTools(), [pay(3)], { contract: 'one' })
    expect(suspended.approvals).toMatchObject([{ contract: 'one' }])
    const registry = registryWithTools()
    const result = await resumed(registry, suspended, approve(suspended), { contract: 'two' })
    expect(registry.ran).toEqual([])
    expect(result.outcomes[0]?.error?.message).toMatch(/the contract has changed since/)
  })

  test('a decision that is given twice counts once; two that contradict each other count not at all', async () => {
    const suspended = await suspend(registryWithTools(), [pay(3)])
    const registry = registryWithTools()
    const once = approve(suspended)
    await resumed(registry, suspended, [...once, ...once])
    expect(registry.ran).toEqual([['pay', 3]])
    const both = [...once, ...approve(suspended, { approve: false })]
    await expect(resumed(registry, suspended, both)).rejects.toThrow(/contradicts/)
  })

  test.each<[string, object, RegExp]>([
    ['the Calls of the Approval, edited', { calls: [{ _tool: 'pay', amount: 1 }] }, /has "calls"; expected/],
    ['a misspelt reason', { reasons: 'no' }, /has "reasons"; expected/],
    ['the id of the Approval under its own name', { approval: undefined, id: 'x' }, /has no `approval`/],
  ])('a decision with %s is refused before anything runs', async (_what, members, message) => {
    const suspended = await suspend(registryWithTools(), [pay(3)])
    const registry = registryWithTools()
    const decisions = approve(suspended, members as Partial<Decision>)
    await expect(resumed(registry, suspended, decisions)).rejects.toThrow(message)
    expect(registry.ran).toEqual([])
  })

  test('a decision counts once where an executor performs a Call twice', async () => {
    const suspended = await suspend(registryWithTools(), [pay(3)])
    const registry = registryWithTools()
    const executor: ExecutorFactory = (perform) =>
      inProcessExecutor(async (call, key, policy) => {
        const first = await perform(call, key, policy)
        return policy.kind === 'call' ? perform(call, key, policy) : first
      })
    const { outcomes } = await resumed(registry, suspended, approve(suspended), { executor })
    expect(registry.ran).toEqual([['pay', 3]])
    expect(outcomes).toMatchObject([{ status: 'refused' }])
  })

  test('what is no decision is refused before anything runs', async () => {
    const suspended = await suspend(registryWithTools(), [pay(3)])
    const registry = registryWithTools()
    await expect(resumed(registry, suspended, [null as never])).rejects.toMatchObject({
      code: 'invalid_options',
    })
    expect(registry.ran).toEqual([])
  })

  test('many that are no decisions are named in one error of bounded length', async () => {
    const suspended = await suspend(registryWithTools(), [pay(3)])
    const many = Array.from({ length: 10_000 }, () => ({ approval: 'another', hash: '', approve: true }))
    const refused = resumed(registryWithTools(), suspended, many)
    await expect(refused).rejects.toThrow(/^Nothing has run: decisions\[0\].{1,2000} and 9980 more\.$/)
  })

  test('claim keeps a decision from counting in a second process', async () => {
    const suspended = await suspend(registryWithTools(), [pay(3)])
    const registry = registryWithTools()
    const claimed = new Set<string>()
    const claim = ({ hash }: { hash: string }) => !claimed.has(hash) && Boolean(claimed.add(hash))
    await resumed(registry, suspended, approve(suspended), { claim })
    const again = await resumed(registry, suspended, approve(suspended), { claim })
    expect(registry.ran).toEqual([['pay', 3]])
    expect(again.outcomes).toMatchObject([{ status: 'refused' }])
  })

  test.each([
    ['a row that was there already', () => ({ rowCount: 0 })],
    ['nothing', () => undefined],
    ['OK', async () => 'OK'],
  ])('a claim that answers %s takes no decision', async (_, claim) => {
    for (const askPlan of [undefined, () => 'pending']) {
      const registry = registryWithTools()
      const confirm = (askPlan ? { askPlan } : pending) as ConfirmRules
      const suspended = await suspend(registry, [pay(5)], { confirm })
      const { outcomes } = await resumed(registry, suspended, approve(suspended), { claim, confirm })
      expect(outcomes).toMatchObject([{ status: 'failed', error: { code: 'invalid_options' } }])
      expect(outcomes[0]?.error?.message).toContain('`claim` answered')
      expect(registry.ran).toEqual([])
    }
  })

  test('a claim that throws lets nothing run, and is named', async () => {
    const claim = () => Promise.reject(new Error('the database is away'))
    for (const confirm of [{ askPlan: () => 'pending' }, pending, undefined] as ConfirmRules[]) {
      const registry = registryWithTools()
      const suspended = await suspend(registry, [pay(5)], confirm && { confirm })
      const { outcomes } = await resumed(registry, suspended, approve(suspended), { claim, confirm })
      const error = { code: 'activity_failed', message: '`claim` threw: the database is away' }
      expect(outcomes).toMatchObject([{ status: 'failed', error }])
      expect(registry.ran).toEqual([])
    }
  })

  test('the context of the first process is not read again, and a Context takes what is added', async () => {
    const registry = registryWithTools()
    const said: Message = { type: 'text', text: 'said at first' }
    const suspended = await suspend(registry, [pay(5)], { context: [said] })
    const context = createContext([said])
    const result = await resumed(registry, suspended, approve(suspended), { context })
    expect(result.context.slice(0, suspended.context.length)).toEqual(suspended.context)
    expect(result.context.filter(({ type }) => type === 'text')).toEqual([said])
    expect(context.messages).toEqual([said, ...result.context.slice(suspended.context.length)])
  })

  test.each<[string, (stored: SuspendedRun) => object, object]>([
    ['without its output, as after storage that drops null', ({ output: _, ...rest }) => rest, output],
    ['with an output', (stored) => ({ ...stored, output: 'early' }), { type: 'number' }],
    ['with an output', (stored) => ({ ...stored, output: 'early' }), { enum: ['late'] }],
  ])(
    'REQ-8 a run that is stored %s asks the model for one that its goal allows: %#',
    async (_, change, goal) => {
      const registry = registryWithTools()
      const stored = await suspend(registry, [pay(5)])
      const decisions = stored.approvals.map(({ id, hash }) => ({ approval: id, hash, approve: true }))
      const wanted = 'type' in goal && goal.type === 'number' ? 7 : 'late'
      const client = scriptedModel([{ output: wanted }])
      const more = { output: goal, client }
      const { output: given, turns } = await resumed(
        registry,
        change(stored) as SuspendedRun,
        decisions,
        more,
      )
      expect(given).toBe(wanted)
      expect(turns.flatMap(({ outcomes }) => outcomes.map(({ status }) => status))).toEqual(['succeeded'])
    },
  )

  test('REQ-8 a run that is stored with an output that its goal still allows ends with it', async () => {
    const registry = registryWithTools()
    const stored = await suspend(registry, [pay(5)])
    const { output: given } = await resumed(registry, { ...stored, output: 'early' }, approve(stored))
    expect(given).toBe('early')
  })

  test('decisions without the run that they are about begin no new one', async () => {
    const registry = registryWithTools()
    const client = scriptedModel([{ calls: [pay(5)] }, done])
    const decisions = approve(await suspend(registry, [pay(5)]))
    const again = Agent({ model: 'm', client, tools: registry.Tool, output, decisions })
    await expect(again).rejects.toThrow(/which this run does not wait for/)
    expect(registry.ran).toEqual([])
  })

  test('where the run that goes on has no rules of its own, the registry asks for what did not wait', async () => {
    const asked: unknown[] = []
    const registry = registryWithTools({
      confirm: (call) => {
        asked.push(call)
        return false
      },
    })
    const suspended = await suspend(registry, [pay(5)])
    const client = scriptedModel([{ calls: [pay(6)] }, done])
    const decisions = approve(suspended)
    const { outcomes } = await resumed(registry, suspended, decisions, { client, confirm: undefined })
    expect(outcomes.map(({ status }) => status)).toEqual(['succeeded', 'refused'])
    expect(registry.ran).toEqual([['pay', 5]])
    expect(asked).toMatchObject([pay(6)])
  })

  test('a decision that comes too late is refused; one that is missing is asked for again', async () => {
    const confirm = { ...pending, expiresIn: -1 }
    const suspended = await suspend(registryWithTools(), [pay(3)], { confirm })
    const registry = registryWithTools()
    const late = await resumed(registry, suspended, approve(suspended))
    expect(late.outcomes[0]?.error?.message).toMatch(/too late/)
    await expect(resumed(registry, suspended, [])).rejects.toMatchObject({ code: 'approval_pending' })
    expect(registry.ran).toEqual([])
  })

  test('what is asked about a plan cannot change what is stored: a refused one does not run', async () => {
    const askPlan = (approval: Approval) => {
      Object.assign(approval, { id: 'shown', calls: [] })
      return 'pending' as const
    }
    const confirm = { askPlan }
    const suspended = await suspend(registryWithTools(), [pay(3)], { confirm })
    const registry = registryWithTools()
    const refused = approve(suspended, { approve: false })
    const { outcomes } = await resumed(registry, suspended, refused, { confirm: undefined })
    expect(outcomes).toMatchObject([{ status: 'refused' }])
    expect(registry.ran).toEqual([])
    const claim = (approval: Approval) => Reflect.deleteProperty(approval, 'id')
    await resumed(registry, suspended, approve(suspended), { claim })
    expect(registry.ran).toEqual([['pay', 3]])
  })

  test('a decision may take for ever', async () => {
    const confirm = { ...pending, expiresIn: Number.POSITIVE_INFINITY }
    const suspended = await suspend(registryWithTools(), [pay(3)], { confirm })
    const registry = registryWithTools()
    await resumed(registry, suspended, approve(suspended))
    expect(registry.ran).toEqual([['pay', 3]])
  })

  test.each([
    ['signal', () => ({ signal: AbortSignal.timeout(50) }), 'aborted', 'aborted'],
    ['time', () => ({ maxTime: 50 }), 'limit_reached', 'timeout'],
  ])(
    'nobody is waited for beyond the %s of the run: neither for a plan nor for a Call',
    async (_what, limit, code, of) => {
      const never = () => new Promise<never>(() => {})
      for (const confirm of [{ askPlan: never }, { ask: never }]) {
        const registry = registryWithTools()
        // A timer may be over a moment before the clock says so: what then is still asked gets no answer in time.
        const client = scriptedModel([{ calls: [pay(1)] }, never])
        const given = { model: 'm', client, tools: registry.Tool, output, confirm, ...limit() }
        const error: LoopError = await Agent(given).catch((thrown) => thrown)
        expect(error).toMatchObject({ name: 'LoopError', code })
        expect(error.result.outcomes).toMatchObject([{ tool: 'pay', attempts: 0, error: { code: of } }])
        expect(registry.ran).toEqual([])
      }
    },
  )

  test('CALL-11 what reads from a Call that failed and from one that waits does not run with what stood there before', async () => {
    const add = (left: unknown, right: unknown, _outputPath: string) => ({
      _tool: 'add',
      left,
      right,
      _outputPath,
    })
    const confirm: ConfirmRules = { effects: ['read'], ask: ({ left }) => (left === 2 ? 'pending' : true) }
    const failing = () => {
      const registry = registryWithTools()
      registry.Activity.register(
        'add',
        ({ left, right }) => (left === 1 ? expect.fail('no') : left + right),
        {
          replace: true,
        },
      )
      return registry
    }
    const calls = [
      add(1, 1, '†state.a'),
      add(2, 2, '†state.b'),
      { ...pay(0), amount: '†state.a' },
      add('†state.a', '†state.b', '†state.c'),
    ]
    const context: Message[] = [{ type: 'state', state: { a: 100 } }]
    const suspended = await suspend(failing(), calls, { confirm, context })
    const registry = failing()
    const { outcomes, waiting } = await resumed(registry, suspended, approve(suspended), { confirm })
    expect(outcomes.map(({ call, status }) => [call._outputPath, status])).toEqual([
      ['†state.b', 'succeeded'],
    ])
    expect([waiting, registry.ran]).toEqual([[], []])
  })

  test.each([
    { order: ['†state.a', '†state.a.part'], paid: 'unresolved_reference' },
    { order: ['†state.a.part', '†state.a'], paid: 'paid 3' },
    { order: ['†state.a', '†state.a'], paid: 'paid 3' },
  ])(
    'CALL-11 REQ-10 what was refused in an earlier process stands in the plan still: $order',
    async ({ order: [first = '', second = ''], paid }) => {
      const writes = (right: number, _outputPath: string) => ({ ...add(1, right), _outputPath })
      const confirm: ConfirmRules = { effects: ['read'], ask: () => 'pending' }
      const calls = [writes(1, first), writes(2, second), { ...pay(0), amount: '†state.a' }]
      const registry = registryWithTools()
      const suspended = await suspend(registry, calls, { confirm })
      const decide = ({ approvals }: SuspendedRun, approve: boolean): Decision[] =>
        approvals.slice(0, 1).map(({ id, hash }) => ({ approval: id, hash, approve }))
      const failure = await resumed(registry, suspended, decide(suspended, false), { confirm }).catch(
        (error: LoopError) => error,
      )
      if (!(failure instanceof LoopError)) throw new Error('expected to wait for the second writer')
      const again = JSON.parse(JSON.stringify(failure.result.suspended)) as SuspendedRun
      const { outcomes } = await resumed(registry, again, decide(again, true), { confirm })
      const { output, error } = outcomes.find(({ tool }) => tool === 'pay') ?? {}
      expect(output ?? error?.code).toBe(paid)
    },
  )

  test('CALL-11 what writes where it reads waits for the write of a Call that waits', async () => {
    const confirm: ConfirmRules = { effects: ['read'], ask: ({ left }) => (left === 1 ? 'pending' : true) }
    const to = { _outputPath: '†state.sum' }
    const counting = [
      { ...add(1, 2), ...to },
      { _tool: 'add', left: '†state.sum', right: 10, ...to },
    ]
    const suspended = await suspend(registryWithTools(), counting, { confirm })
    expect(suspended.waiting.length).toBe(2)
    const registry = registryWithTools()
    await resumed(registry, suspended, approve(suspended), { confirm })
    expect(registry.ran).toEqual([
      ['add', 1, 2],
      ['add', 3, 10],
    ])
  })

  test.each(['askPlan', 'claim'] as const)(
    'a plan whose Tool changes while `%s` is awaited is refused',
    async (hook) => {
      const registry = registryWithTools()
      const changed = () => {
        change(registry, 'pay', { description: 'Pays twice.' })
        return true
      }
      const plan: ConfirmRules = { effects: ['write'], askPlan: () => 'pending' }
      const { outcomes } = await (hook === 'claim'
        ? suspend(registry, [pay(1)], { confirm: plan }).then((stored) =>
            resumed(registry, stored, approve(stored), { confirm: plan, claim: changed }),
          )
        : Agent({
            model: 'm',
            client: scriptedModel([{ calls: [pay(1)] }, done]),
            tools: registry.Tool,
            output,
            confirm: { ...plan, askPlan: changed },
          }))
      expect(outcomes).toMatchObject([{ tool: 'pay', status: 'refused', attempts: 0 }])
      expect(outcomes[0]?.error?.message).toContain('the contract has changed while it waited')
      expect(registry.ran).toEqual([])
    },
  )

  describe('a Call of an approved plan that stays blocked', () => {
    const paySum = { _tool: 'pay', amount: '†state.sum' }
    const addSum = { ...add(1, 2), _outputPath: '†state.sum' }
    const refusal = '"pay" was refused: the contract has changed since its plan was approved.'

    const whenRefused = [{ tool: 'pay', status: 'refused', attempts: 0, error: { message: refusal } }]

    test.each<[string, { contract?: string; change?: Partial<ToolSchema> }, readonly object[]]>([
      ['no', {}, []],
      ['yes', { change: { description: 'Pays twice.' } }, whenRefused],
      ['not in the contract', { contract: 'one', change: { description: 'Pays twice.' } }, []],
      ['its effects', { contract: 'one', change: { effects: 'idempotent' } }, whenRefused],
    ])(
      'runs in a later turn, unless its Tool has changed: %s',
      async (_, { contract, change: part }, refused) => {
        const registry = registryWithTools()
        const { outcomes } = await Agent({
          model: 'm',
          client: scriptedModel([{ calls: [paySum] }, { calls: [addSum] }, done]),
          tools: registry.Tool,
          output,
          confirm: { effects: ['write'], askPlan: () => true },
          contract,
          onTurn: ({ turn }) => {
            if (part && turn === 1) change(registry, 'pay', part)
          },
        })
        expect(outcomes.filter(({ status }) => status === 'refused')).toMatchObject(refused)
        expect(registry.ran).toEqual([['add', 1, 2], ...(refused.length > 0 ? [] : [['pay', 3]])])
      },
    )

    test.each([false, true])('runs in another process, unless its Tool has changed: %s', async (changes) => {
      let asked = 0
      const confirm: ConfirmRules = { effects: ['write'], askPlan: () => asked++ === 0 || 'pending' }
      const client = scriptedModel([{ calls: [paySum] }, { calls: [pay(5)] }])
      const stored = await suspend(registryWithTools(), [], { client, confirm })
      expect(stored.waiting).toMatchObject([{ isApproved: true }, { call: { amount: 5 } }])
      const registry = registryWithTools()
      if (changes) change(registry, 'pay', { description: 'Pays twice.' })
      const { outcomes } = await resumed(registry, stored, approve(stored), {
        confirm,
        client: scriptedModel([{ calls: [addSum] }, done]),
      })
      expect(registry.ran).toEqual(
        changes
          ? [['add', 1, 2]]
          : [
              ['pay', 5],
              ['add', 1, 2],
              ['pay', 3],
            ],
      )
      const messages = outcomes.map(({ error }) => error?.message)
      expect(messages.includes(refusal)).toBe(changes)
    })

    test('is checked once more before an engine sends it elsewhere, but not in the turn of its approval', async () => {
      const registry = registryWithTools()
      const policies: unknown[] = []
      const executor: ExecutorFactory = (perform) =>
        inProcessExecutor((call, key, policy) => {
          if (call._tool === 'pay') {
            const { isApproved, isAsked } = policy
            policies.push({ key: key.split(':')[1], isApproved, isAsked })
          }
          return perform(call, key, policy)
        })
      await Agent({
        model: 'm',
        client: scriptedModel([{ calls: [paySum, pay(1)] }, { calls: [addSum] }, done]),
        tools: registry.Tool,
        output,
        confirm: { effects: ['write'], askPlan: () => true },
        executor,
      })
      expect(policies).toEqual([
        { key: '1.1', isApproved: true, isAsked: undefined },
        { key: '1.0', isApproved: true, isAsked: true },
      ])
    })
  })

  test('a plan is asked for as a whole, and approves nothing that a later turn adds', async () => {
    const confirm: ConfirmRules = { effects: ['write'], ask: () => false, askPlan: () => 'pending' }
    const calls = [
      { ...add(1, 2), _outputPath: '†state.sum' },
      { _tool: 'pay', amount: '†state.sum' },
    ]
    const before = registryWithTools()
    const suspended = await suspend(before, calls, { confirm, stream: true, early: 'none' })
    expect(before.ran).toEqual([])
    expect(suspended.approvals).toMatchObject([
      {
        scope: 'plan',
        calls: [{ _tool: 'add' }, { _tool: 'pay', amount: '†state.sum' }],
        effects: ['read', 'write'],
      },
    ])
    const registry = registryWithTools()
    const client = scriptedModel([{ calls: [pay(99)] }])
    await expect(resumed(registry, suspended, approve(suspended), { confirm, client })).rejects.toMatchObject(
      { code: 'approval_pending' },
    )
    expect(registry.ran).toEqual([
      ['add', 1, 2],
      ['pay', 3],
    ])
  })

  test('REF-1 a text that was shown is text in an edited Call too', async () => {
    const schema = {
      ...{ type: 'object', effects: 'write', required: ['text'] },
      properties: { _tool: { const: 'mail' }, text: output, to: output },
    }
    const context: Message[] = [{ type: 'state', state: { secret: 'hunter2', page: '†state.secret' } }]
    const mails: unknown[] = []
    const mailing = (): Registered => {
      const registry = registryWithTools({ tools: { mail: schema } })
      registry.Activity.register('mail', ({ text, to }) => void mails.push([text, to]))
      return registry
    }
    const suspended = await suspend(mailing(), [{ _tool: 'mail', text: '†state.page' }], { context })
    const [shown] = suspended.approvals[0]?.calls ?? []
    expect(shown).toMatchObject({ text: '†state.secret' })
    await resumed(mailing(), suspended, approve(suspended, { call: { ...(shown as Call), to: 'ada' } }))
    expect(mails).toEqual([['†state.secret', 'ada']])
  })

  test.each(['now', 'later'] as const)(
    'a Call of a plan that is approved %s is refused where a hook changes it after it was shown',
    async (when) => {
      const before = (call: Call): Call => (call._tool === 'pay' ? { ...call, amount: 1000 } : call)
      const confirm: ConfirmRules = { effects: ['write'], askPlan: () => (when === 'now' ? true : 'pending') }
      const replacing = (call: Call): Confirmation => ({ replace: before(call) })
      const places = [
        [{ before }, {}],
        [{}, { before }],
        [{ confirm: replacing }, {}],
      ] as const
      for (const [options, run] of places) {
        const registry = registryWithTools(options)
        const calls = [add(1, 2), pay(20)]
        const client = scriptedModel([{ calls }, done])
        const { outcomes } = await (when === 'now'
          ? Agent({ model: 'm', client, tools: registry.Tool, output, confirm, run })
          : suspend(registry, calls, { confirm, run }).then((resume) =>
              resumed(registry, resume, approve(resume), { confirm, run }),
            ))
        expect(registry.ran).toEqual([['add', 1, 2]])
        expect(outcomes.map(({ status }) => status)).toEqual(['succeeded', 'refused'])
        const hook = 'confirm' in options ? 'confirm' : 'before'
        expect(outcomes[1]?.error?.message).toContain(`The hook \`${hook}\` changes the Call of "pay"`)
      }
    },
  )

  describe.each<[string, ConfirmRules | undefined]>([
    ['no rules', undefined],
    ['rules that ask for reads', { effects: ['read'], ask: () => true }],
    ['rules that ask for reads, by plans', { effects: ['read'], askPlan: () => 'pending' }],
    ['rules that ask for nothing', { effects: [], ask: () => true }],
  ])('what waits goes on waiting where the run goes on with %s', (_which, confirm) => {
    test.each<[string, ConfirmRules]>([
      ['a Call', pending],
      ['a plan', { effects: ['write'], askPlan: () => 'pending' }],
    ])('%s', async (_what, asked) => {
      const suspended = await suspend(registryWithTools(), [add(1, 2), pay(3), pay(4)], { confirm: asked })
      const registry = registryWithTools()
      const goOn = (decisions: readonly Decision[], resume = suspended) =>
        resumed(registry, resume, decisions, { confirm }).catch((thrown: unknown) => thrown as LoopError)
      const refused = await goOn(approve(suspended, { approve: false }))
      expect(refused).toMatchObject({ output: 'done' })
      const undecided = await goOn([])
      expect(undecided).toMatchObject({ code: 'approval_pending', result: { outcomes: [] } })
      expect(registry.ran).toEqual([])
      if (!(undecided instanceof LoopError) || !undecided.result.suspended) expect.fail('it waits no more')
      const later = undecided.result.suspended
      expect(later.approvals).toEqual(suspended.approvals)
      expect(await goOn(approve(later), later)).toMatchObject({ output: 'done' })
      // A plan has the third Call too, and what runs at once ends in any order.
      const paid = registry.ran.filter((each) => String(each).startsWith('pay'))
      expect(inAnyOrder(paid)).toEqual([
        ['pay', 3],
        ['pay', 4],
      ])
    })
  })

  test('under another id a run would not know what it waits for', async () => {
    const suspended = await suspend(registryWithTools(), [pay(3)])
    const registry = registryWithTools()
    await expect(resumed(registry, suspended, approve(suspended), { runId: 'mine' })).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('`runId` is "mine", but `resume` is the run'),
    })
    expect(registry.ran).toEqual([])
  })

  test('what had to be approved does not start early', async () => {
    const registry = registryWithTools()
    await suspend(registry, [pay(1), pay(2)], { stream: true, early: 'all' })
    expect(registry.ran).toEqual([])
  })

  test('whoever is asked while the answer is still coming is asked once', async () => {
    const asked: unknown[] = []
    const ask = (call: Call) => {
      asked.push(call.left)
      return 'pending' as const
    }
    const registry = registryWithTools()
    const waiting: unknown[] = []
    const log = (event: RunEvent): void => {
      if (event.event === 'settle' && event.outcome.approval) waiting.push(event.key)
    }
    const suspended = await suspend(registry, [add(1, 1), add(2, 2)], { stream: true, confirm: ask, log })
    expect(asked).toEqual([1, 2])
    expect(waiting).toEqual(suspended.approvals.map(({ id }) => id))
    expect(suspended.approvals).toHaveLength(2)
    expect(suspended.spent.calls).toBe(0)
    expect(registry.ran).toEqual([])
    const result = await resumed(registry, suspended, approve(suspended), { confirm: ask })
    expect(result).toMatchObject({ output: 'done' })
    expect(inAnyOrder(registry.ran)).toEqual([
      ['add', 1, 1],
      ['add', 2, 2],
    ])
  })

  test('a run goes on through another API: what was said in the form of the first is told by its Messages', async () => {
    const apis = ['chat', 'responses', 'messages'] as const
    for (const api of apis) {
      const registry = registryWithTools()
      const suspended = await suspend(registry, [pay(1)], { api, mode: 'native' })
      expect(suspended.exchanges).toHaveLength(1)
      for (const other of apis) {
        const client = scriptedModel([{ calls: [add(1, 2)] }, done])
        const options = { client, api: other, mode: 'native' }
        const result = await resumed(registry, suspended, approve(suspended), options)
        expect(result).toMatchObject({ output: 'done' })
        const bodies = client.requests.map(({ body }) => JSON.stringify(body))
        const results = (body = '') => body.match(/"(?:tool|tool_result|function_call_output)"/g) ?? []
        expect(results(bodies[0])).toHaveLength(other === api ? 1 : 0)
        expect(results(bodies[1])).toHaveLength(other === api ? 2 : 1)
        expect(bodies[1]).toContain('paid 1')
      }
    }
  })
})
