import { createRegistry, isCallsheetError, tool } from 'callsheet'
import {
  Agent,
  type AgentOptions,
  type AgentResult,
  type ConfirmRules,
  type Decision,
  type SuspendedRun,
} from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { add, pay, registryWithTools } from '../unit/runtime/agent/tools.ts'
import { fuzz } from './campaign.ts'
import { changeLeaf } from './changed-leaf.ts'
import { hostileJson } from './hostile-json.ts'

const options = { model: 'm', output: { type: 'string' }, confirm: () => 'pending' as const }

/** A run that waits for two approvals, as JSON. */
async function suspendedRun(confirm: AgentOptions['confirm'] = options.confirm): Promise<SuspendedRun> {
  const { Tool } = registryWithTools()
  const client = scriptedModel([{ calls: [pay(5), pay(6), add(1, 2)] }])
  const failure = await Agent({ ...options, confirm, client, tools: Tool }).then(
    () => expect.fail('it waits for approvals'),
    (error: { result: AgentResult }) => error.result,
  )
  return JSON.parse(JSON.stringify(failure.suspended)) as SuspendedRun
}

const suspended = await suspendedRun()
const decided = suspended.approvals.map(({ id, hash }): Decision => ({ approval: id, hash, approve: true }))

const change = fc.record({
  which: fc.constantFrom('resume', 'resume', 'decisions'),
  place: fc.nat(),
  to: fc.option(fc.oneof(hostileJson, fc.constantFrom<unknown>('pay', 1, -1, [], {}, null, true)), {
    nil: undefined,
  }),
})

let ranSome = 0

fuzz(
  'REQ-9, REQ-8b whatever became of a suspended run and its decisions: an error with a code or a result, and what ran is in it once',
  150,
  fc.record({ changes: fc.array(change, { maxLength: 3 }), twice: fc.boolean() }),
  async ({ changes, twice }) => {
    const given = structuredClone({
      resume: suspended,
      decisions: twice ? [...decided, ...decided] : decided,
    })
    for (const { which, place, to } of changes)
      changeLeaf(given[which as 'resume'], place, to === undefined ? undefined : { value: to })
    const { Tool, ran } = registryWithTools()
    const result: unknown = await Agent({
      ...options,
      // As it is stored.
      ...(JSON.parse(JSON.stringify(given)) as typeof given),
      client: scriptedModel([{ output: 'done' }, { output: 'done' }]),
      tools: Tool,
      maxTime: 20_000,
    }).catch((error: unknown) => error)
    if (result instanceof Error) {
      if (!isCallsheetError(result)) throw result
      expect(result.code).not.toBe('internal')
      expect(result.message).not.toMatch(/Cannot read|is not a function|is not iterable/)
    }
    const { outcomes = [] } =
      (result instanceof Error ? (result as { result?: AgentResult }).result : (result as AgentResult)) ?? {}
    expect(outcomes.filter(({ attempts }) => attempts > 0)).toHaveLength(ran.length)
    expect(new Set(outcomes.map(({ id }) => id)).size).toBe(outcomes.length)
    if (ran.length > 0) ranSome++
  },
)

test.each([
  ['no text', {}],
  ['another’s', '1.1'],
])('REQ-9 a waiting Call whose id is %s is refused before anything runs', async (_, id) => {
  const { Tool, ran } = registryWithTools()
  const [first, ...others] = suspended.waiting
  const resume = { ...suspended, waiting: [{ ...first, id }, ...others] } as SuspendedRun
  const given = { ...options, client: scriptedModel([{ output: 'done' }]), tools: Tool, resume }
  await expect(Agent({ ...given, decisions: decided })).rejects.toMatchObject({
    code: 'invalid_options',
    message: expect.stringContaining('/resume/waiting: expected a list of Calls that wait, each with an id'),
  })
  expect(ran).toEqual([])
})

test.each<[string, Partial<SuspendedRun>]>([
  ['whose id was changed', { runId: 'copy' }],
  ['whose turn was changed', { turn: 9 }],
  ['with the Approvals of another', { approvals: (await suspendedRun()).approvals }],
  [
    'whose waiting Calls have other ids',
    { waiting: suspended.waiting.map((each, at) => ({ ...each, id: `2.${at}` })) },
  ],
])('REQ-9 a suspended run %s runs nothing that was not approved', async (_what, change) => {
  for (const run of [suspended, await suspendedRun({ askPlan: () => 'pending' })]) {
    const { Tool, ran } = registryWithTools()
    const client = scriptedModel([{ output: 'done' }])
    const { confirm: _, ...others } = options
    const resume = { ...run, ...change }
    await Agent({ ...others, client, tools: Tool, resume }).catch(() => {})
    expect(ran).toEqual([])
  }
})

/** A list that has nothing at its last place. */
function withHole<Item>(list: readonly Item[]): Item[] {
  return Object.assign(new Array<Item>(list.length + 1), list)
}

test.each([0, 1])('REQ-9 a suspended run that has lost Approval %i runs nothing', async (lost) => {
  for (const run of [suspended, await suspendedRun({ askPlan: () => 'pending' })]) {
    const { Tool, ran } = registryWithTools()
    const resume = { ...run, approvals: run.approvals.filter((_, at) => at !== lost && run === suspended) }
    const given = {
      model: 'm',
      output: options.output,
      client: scriptedModel([{ output: 'done' }]),
      tools: Tool,
    }
    await expect(Agent({ ...given, resume })).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringMatching(/without the Approval of the waiting Call "1\.\d"\. Pass it as it was/),
    })
    expect(ran).toEqual([])
  }
})

test('REQ-9 a waiting Call that reads what nothing wrote yet needs no Approval', async () => {
  const { Tool, ran } = registryWithTools()
  const confirm: ConfirmRules = { effects: ['write'], ask: () => 'pending' }
  const client = scriptedModel([{ calls: [pay(5), add('†state.later', 1)] }])
  const failure = await Agent({ ...options, confirm, client, tools: Tool }).catch((error) => error)
  const resume: SuspendedRun = JSON.parse(JSON.stringify(failure.result.suspended))
  expect(resume.waiting).toHaveLength(2)
  const given = {
    model: 'm',
    output: options.output,
    client: scriptedModel([{ output: 'done' }]),
    tools: Tool,
  }
  const decisions = resume.approvals.map(({ id, hash }): Decision => ({ approval: id, hash, approve: true }))
  expect(await Agent({ ...given, resume, decisions })).toMatchObject({ output: 'done' })
  expect(ran).toEqual([['pay', 5]])
})

test.each<[string, (run: SuspendedRun) => Partial<SuspendedRun>]>([
  ['context', ({ context }) => ({ context: withHole(context) })],
  ['waiting', ({ waiting }) => ({ waiting: withHole(waiting) })],
  ['approvals', ({ approvals }) => ({ approvals: withHole(approvals) })],
  ['unwritten', () => ({ unwritten: withHole([]) })],
  ['exchanges', () => ({ exchanges: withHole([]) })],
])('REQ-9 a suspended run with holes in its %s is refused', async (where, change) => {
  const { Tool, ran } = registryWithTools()
  const resume = { ...suspended, ...change(suspended) }
  const given = { ...options, client: scriptedModel([{ output: 'done' }]), tools: Tool }
  await expect(Agent({ ...given, resume, decisions: decided })).rejects.toMatchObject({
    code: 'invalid_options',
    message: expect.stringContaining(`/resume/${where}`),
  })
  expect(ran).toEqual([])
})

test('a context with holes is refused, as one with anything else in between', async () => {
  const { Tool } = registryWithTools()
  const given = { ...options, client: scriptedModel([{ output: 'done' }]), tools: Tool }
  await expect(Agent({ ...given, context: new Array(3) })).rejects.toMatchObject({ code: 'invalid_message' })
})

test.each(['spent', 'usage'] as const)(
  'REQ-8b a suspended run whose %s is no number is refused: its limits would bound nothing',
  async (of) => {
    const { Tool, ran } = registryWithTools()
    const [name = ''] = Object.keys(suspended[of])
    const resume = { ...suspended, [of]: { ...suspended[of], [name]: '9' } }
    const given = { ...options, client: scriptedModel([{ output: 'done' }]), tools: Tool, resume }
    await expect(Agent({ ...given, decisions: decided })).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining(`/resume/${of}/${name}: expected a number from 0`),
    })
    expect(ran).toEqual([])
  },
)

test('some of the runs above went on', () => {
  expect(ranSome).toBeGreaterThan(0)
})

const effectsOf = { look: 'read', touch: undefined, pay: 'write' } as const
type ToolName = keyof typeof effectsOf

/** Tools of each kind that note the id under which they ran. */
function notingRegistry() {
  const ran: { readonly id: string; readonly name: ToolName }[] = []
  const parameters = { n: { type: 'integer' }, _output: { type: 'string' } }
  const { Tool, Activity } = createRegistry({
    tools: Object.fromEntries(
      Object.entries(effectsOf).map(([name, effects]) => [
        name,
        tool(name, parameters, effects === undefined ? {} : { effects }),
      ]),
    ),
  })
  for (const name of Object.keys(effectsOf) as ToolName[]) {
    Activity.register(name, (_call, _tool, _context, { id }) => {
      ran.push({ id, name })
      return 'done'
    })
  }
  return { Tool, ran }
}

const answer = fc.constantFrom<unknown>(true, false, 'pending', 'pending', undefined, 'yes', { refuse: 'no' })
const rules = fc.option(
  fc.record({
    effects: fc.option(fc.uniqueArray(fc.constantFrom('read', 'idempotent', 'write')), { nil: undefined }),
    ask: fc.option(fc.array(answer, { minLength: 1, maxLength: 4 }), { nil: undefined }),
    askPlan: fc.option(fc.array(answer, { minLength: 1, maxLength: 4 }), { nil: undefined }),
  }),
  { nil: undefined },
)
type Rules = typeof rules extends fc.Arbitrary<infer Value> ? Value : never

/** The rules as an agent takes them, noting what they said yes to: a Call's id, or a plan's. */
function confirmOf(given: Rules, yes: Set<string>): ConfirmRules | undefined {
  if (!given || !(given.ask || given.askPlan)) return undefined
  const { effects, ask, askPlan } = given
  const inTurn = (answers: readonly unknown[]) => {
    let asked = 0
    return (id: string): never => {
      const said = answers[asked++ % answers.length]
      if (said === true) yes.add(id)
      return said as never
    }
  }
  const [askCall, askWhole] = [ask && inTurn(ask), askPlan && inTurn(askPlan)]
  return {
    ...(effects && { effects: effects as ConfirmRules['effects'] }),
    ...(askCall && { ask: (call, { id }) => askCall(spoilt(call, id)) }),
    ...(askWhole && { askPlan: (approval) => askWhole(spoilt(approval, approval.id)) }),
  }
}

/** Returns the id of what a hook is asked about, after the hook has changed what it was given. */
function spoilt(given: object, id: string): string {
  for (const name of Object.keys(given)) Reflect.set(given, name, 'changed')
  return id
}

let ranApproved = 0

fuzz(
  'REQ-9 whatever the rules are in each process that goes on with a run: nothing runs that somebody was to be asked for and that nobody approved',
  150,
  fc.record({
    calls: fc.array(fc.record({ _tool: fc.constantFrom('look', 'touch', 'pay'), n: fc.nat(9) }), {
      minLength: 1,
      maxLength: 4,
    }),
    processes: fc.array(fc.record({ rules, decides: fc.array(fc.constantFrom('yes', 'no', 'nothing')) }), {
      minLength: 1,
      maxLength: 4,
    }),
  }),
  async ({ calls, processes }) => {
    const ids = new Set<string>()
    let resume: SuspendedRun | undefined
    for (const { rules: given, decides } of processes) {
      const { Tool, ran } = notingRegistry()
      const yes = new Set<string>()
      const confirm = confirmOf(given, yes)
      const waiting = resume?.approvals ?? []
      const decisions = waiting.flatMap(({ id, hash }, index): Decision[] => {
        const decided = decides[index] ?? 'nothing'
        if (decided === 'yes') yes.add(id)
        return decided === 'nothing' ? [] : [{ approval: id, hash, approve: decided === 'yes' }]
      })
      const client = scriptedModel(resume ? [{ output: 'done' }] : [{ calls }, { output: 'done' }])
      const failure: unknown = await Agent({
        ...{ model: 'm', client, tools: Tool, output: { type: 'string' } },
        ...(confirm && { confirm }),
        ...(resume && { resume, decisions }),
        claim: (approval) => spoilt(approval, approval.id) !== '',
      }).catch((error: unknown) => error)
      if (failure instanceof Error && !isCallsheetError(failure)) throw failure
      const waits = (id: string): boolean => waiting.some((approval) => approval.id === id)
      for (const { id, name } of ran) {
        const plan = id.replace(/\.\d+$/, '.plan')
        const isAsked = confirm && (confirm.effects?.includes(effectsOf[name] ?? 'write') ?? true)
        if (isAsked || waits(id) || waits(plan)) {
          expect([...yes].some((said) => said === id || said === plan)).toBe(true)
          ranApproved++
        }
        expect(ids.has(id), 'it runs once').toBe(false)
        ids.add(id)
      }
      const { result } = failure as { readonly result?: AgentResult }
      if (!result?.suspended) return
      resume = JSON.parse(JSON.stringify(result.suspended)) as SuspendedRun
      const { runId, approvals } = resume
      for (const { id } of approvals)
        expect(id.startsWith(`${runId}:`), 'what waits is found again').toBe(true)
    }
  },
)

test('some of the runs above were approved', () => {
  expect(ranApproved).toBeGreaterThan(0)
})
