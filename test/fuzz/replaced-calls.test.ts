import {
  type Call,
  type Confirmation,
  createRegistry,
  isCallsheetError,
  literal,
  type Message,
  type Outcome,
  type RunOptions,
} from 'callsheet'
import {
  Agent,
  type AgentOptions,
  type AgentResult,
  type Approval,
  type Decision,
  type SuspendedRun,
} from 'callsheet/agent'
import type { ToldApproval } from 'callsheet/restate'
import { remoteActivities, toolServer } from 'callsheet/server'
import { scriptedModel } from 'callsheet/testing'
import fc from 'fast-check'
import { expect } from 'vitest'
import { EngineFailure, restateOf } from '../unit/runtime/restate/engine.ts'
import { workflowOf } from '../unit/runtime/temporal/workflow.ts'
import { fuzz } from './campaign.ts'

const text = { type: 'string' }
const effectsOf = { look: 'read', keep: 'idempotent', note: undefined, pay: 'write' } as const
type Name = keyof typeof effectsOf
const names = Object.keys(effectsOf) as Name[]
const isWrite = (name: string): boolean => (effectsOf[name as Name] ?? 'write') === 'write'

function schemaOf(name: Name): object {
  const effects = effectsOf[name]
  return {
    type: 'object',
    ...(effects && { effects }),
    properties: {
      _tool: { const: name },
      text,
      more: { type: 'object' },
      n: { type: 'number' },
      _outputPath: text,
      _output: text,
    },
    required: ['_tool', 'text'],
    additionalProperties: false,
  }
}

/** What no Call asks for, and a text of the context that would read it. */
const context: Message[] = [
  { type: 'state', state: { secret: 'hunter2', page: '†state.secret', plain: 'p' } },
]

/** What somebody puts in the place of a Call. */
type Instead = 'nothing' | 'the same' | 'an edit' | 'another'
const instead: fc.Arbitrary<Instead> = fc.constantFrom('nothing', 'the same', 'an edit', 'another')

interface Given {
  readonly entry: string
  readonly calls: readonly Call[]
  readonly before: Instead
  readonly target: Name
  readonly beforeOf: 'registry' | 'run'
  readonly registryConfirm: 'nobody' | Instead
  readonly rules: 'nobody' | 'ask' | 'ask for writes' | 'later' | 'plan' | 'plan for writes' | 'plan later'
  readonly answer: Instead
  readonly fails: boolean
  readonly attempts: number
  readonly isStreamed: boolean
  readonly native: boolean
}

const given = (entries: readonly string[]): fc.Arbitrary<Given> =>
  fc.record({
    entry: fc.constantFrom(...entries),
    calls: fc.array(
      fc.record(
        {
          _tool: fc.constantFrom(...names),
          text: fc.constantFrom('a', 'b', '†state.page', literal('†state.secret'), '†state.plain'),
          more: fc.constantFrom({ of: ['†state.page'] }, { of: [literal('†state.secret')] }, {}),
          _outputPath: fc.constantFrom('†state.a', '†state.b'),
        },
        { requiredKeys: ['_tool', 'text'] },
      ),
      { minLength: 1, maxLength: 3 },
    ),
    before: instead,
    target: fc.constantFrom(...names),
    beforeOf: fc.constantFrom('registry', 'run'),
    registryConfirm: fc.oneof({ weight: 2, arbitrary: fc.constant('nobody' as const) }, instead),
    rules: fc.constantFrom(
      'nobody',
      'ask',
      'ask for writes',
      'later',
      'plan',
      'plan for writes',
      'plan later',
    ),
    answer: instead,
    fails: fc.boolean(),
    attempts: fc.constantFrom(1, 3),
    isStreamed: fc.boolean(),
    native: fc.boolean(),
  })

const edited = (call: Call, what: Instead, target: Name): Call | undefined => {
  if (what === 'nothing') return undefined
  if (what === 'the same') return call
  if (call.n !== undefined) return call // It must not change again what it has changed once.
  const { _tool, _activity, ...rest } = call
  return what === 'an edit' ? { ...call, n: 1 } : { ...rest, _tool: target, n: 2 }
}

/** A registry that knows what ran, by id, and what its own `confirm` put in place. */
function world({ before, beforeOf, registryConfirm, target, fails }: Given) {
  const ran: { readonly id: string; readonly tool: string; readonly call: Call }[] = []
  const { Tool, Activity } = createRegistry({
    ...(beforeOf === 'registry' && { before: (call: Call) => edited(call, before, target) }),
    ...(registryConfirm !== 'nobody' && {
      confirm: (call: Call): Confirmation => {
        const replace = edited(call, registryConfirm, target)
        return replace ? { replace } : true
      },
    }),
  })
  for (const name of names) {
    Tool.register(name, schemaOf(name), {})
    Activity.register(name, async (call, _tool, _context, { id }) => {
      ran.push({ id, tool: name, call: JSON.parse(JSON.stringify(call)) as Call })
      if (fails) throw new Error('It fails.')
      return 'done'
    })
  }
  return { Tool, Activity, ran }
}
type World = ReturnType<typeof world>

/** Whom an agent asks, and which Calls were approved. */
function approvals({ rules, answer, target }: Given) {
  const approved: Call[] = []
  const plans: Call[][] = []
  const ask = (call: Call): Confirmation => {
    const replace = edited(call, answer, target)
    approved.push(replace ?? call)
    return replace ? { replace } : true
  }
  const askPlan = ({ calls }: { readonly calls: readonly Call[] }): boolean => plans.push([...calls]) > 0
  const effects = ['write'] as const
  const confirm = {
    nobody: undefined,
    ask,
    'ask for writes': { effects, ask },
    later: { effects, ask: () => 'pending' as const },
    plan: { askPlan },
    'plan for writes': { effects, askPlan },
    'plan later': { effects, askPlan: () => 'pending' as const },
  }[rules]
  const decide = ({ approvals: open }: Pick<SuspendedRun, 'approvals'>): Decision[] =>
    open.map(({ id, hash, scope, calls }) => {
      const [call] = calls
      const replace =
        call && scope === 'call' && answer === 'an edit' ? edited(call, answer, target) : undefined
      if (scope === 'plan') plans.push([...calls])
      else approved.push(replace ?? (call as Call))
      return { approval: id, hash, approve: true, ...(replace && { call: replace }) }
    })
  return { approved, plans, decide, confirm }
}

type Run = (world: World, given: Given, asked: ReturnType<typeof approvals>) => Promise<readonly Outcome[]>

const runOptions = ({ before, beforeOf, target, attempts }: Given): RunOptions => ({
  ...(beforeOf === 'run' && { before: (call: Call) => edited(call, before, target) }),
  ...(attempts > 1 && { retry: { attempts } }),
})

function agentOptions({ calls, isStreamed, native }: Given, { confirm }: ReturnType<typeof approvals>) {
  const client = scriptedModel([{ calls }, { output: 'done' }])
  return {
    ...{ model: 'm', output: { type: 'string' } as const, context, client, stream: isStreamed },
    ...(native && { mode: 'native' as const }),
    ...(confirm && { confirm }),
  } satisfies Partial<AgentOptions>
}

/** Runs an agent in as many parts as there are decisions to wait for. */
async function inParts(
  run: (more: Partial<AgentOptions>) => Promise<AgentResult>,
  { decide }: ReturnType<typeof approvals>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let more: Partial<AgentOptions> = {}
  for (let part = 0; part < 5; part++) {
    const ended: unknown = await run(more).catch((error: unknown) => error)
    const result = (
      ended instanceof Error ? (ended as { result?: AgentResult }).result : ended
    ) as AgentResult
    if (!result) throw ended
    outcomes.push(...result.outcomes)
    if (!result.suspended) break
    const resume = JSON.parse(JSON.stringify(result.suspended)) as SuspendedRun
    more = { resume, decisions: decide(resume), client: scriptedModel([{ output: 'done' }]) }
  }
  return outcomes
}

const onRestate =
  (local?: readonly string[]): Run =>
  async ({ Tool }, all, asked) => {
    const { before } = runOptions(all)
    const options = { ...(local && { local, ...(before && { run: { before } }) }) }
    const { handle, resolve } = await restateOf(Tool, options, { attempts: all.attempts })
    const onApprovals = (open: readonly ToldApproval[]): void => {
      for (const { approval, awakeable } of open) {
        const [decision] = asked.decide({ approvals: [approval] })
        resolve(awakeable, decision)
      }
    }
    const { outcomes } = await handle(({ agent }) => agent({ ...agentOptions(all, asked), onApprovals }))
    return outcomes
  }

const entries: Readonly<Record<string, Run>> = {
  Agent: ({ Tool }, all, asked) =>
    inParts(
      (more) => Agent({ tools: Tool, ...agentOptions(all, asked), run: runOptions(all), ...more }),
      asked,
    ),
  Restate: onRestate(),
  'Restate, here': onRestate(names),
  Temporal: async ({ Tool, ran }, all, asked) => {
    const client = agentOptions(all, asked).client
    let update: (decision: Decision) => unknown = () => {}
    let query: () => readonly Approval[] = () => []
    const { steps } = await workflowOf(
      () => ({ ...agentOptions(all, asked), client }),
      { Tool, ran } as never,
      {
        defineQuery: () => 'approvals',
        defineUpdate: () => 'decide',
        setHandler: (name: unknown, handler: unknown) => {
          if (name === 'decide') update = handler as typeof update
          else query = handler as typeof query
        },
        condition: async (isMet: () => boolean) => {
          for (const decision of asked.decide({ approvals: query() })) update(decision)
          return isMet()
        },
      },
      { attempts: all.attempts },
    )
    const { outcomes } = await steps.agent('payer')
    return outcomes
  },
  'an agent whose Tools are served': async (there, all, asked) => {
    const here = createRegistry()
    for (const name of names) here.Tool.register(name, schemaOf(name), {})
    const server = toolServer(there.Tool, { onError: () => {} })
    const ask = async (url: string | URL | Request, init?: RequestInit) => server(new Request(url, init))
    remoteActivities('http://localhost', { Tool: here.Tool, Activity: here.Activity, fetch: ask })
    const { retry } = runOptions(all)
    const run = { ...(retry && { retry }) }
    const outcomes = await inParts(
      (more) => Agent({ tools: here.Tool, ...agentOptions(all, asked), run, ...more }),
      asked,
    )
    await server.close()
    return outcomes
  },
}

const plainOf = ({ _reasoningForCall, _activity, _outputPath, ...call }: Call): string =>
  JSON.stringify(Object.entries(call).sort(([left], [right]) => (left < right ? -1 : 1)))
/** As an Activity gets it, or as it was approved: with values for References, and texts without the escape. */
const resolvedText = (call: Call): string =>
  plainOf(call)
    .replaceAll('††state.secret', '\u0000')
    .replaceAll('†state.page', '†state.secret')
    .replaceAll('†state.plain', 'p')
    .replaceAll('\u0000', '†state.secret')

fuzz(
  'REQ-9, REF-1, TOOL-9 whatever is put in the place of a Call: it runs if it was approved, once, and data stays data',
  400,
  given(Object.keys(entries)),
  async (all) => {
    const there = world(all)
    const asked = approvals(all)
    const { entry, rules, attempts } = all
    const outcomes = await (entries[entry] as Run)(there, all, asked).catch((error: unknown) => {
      if (isCallsheetError(error) || error instanceof EngineFailure) return []
      throw error
    })
    const { ran } = there
    expect(JSON.stringify(ran), 'no text of the context reads it').not.toMatch(/hunter2/)
    for (const { id, tool } of ran) {
      const times = ran.filter((each) => each.id === id).length
      expect(times, `${tool} ${id}`).toBeLessThanOrEqual(isWrite(tool) ? 1 : attempts)
      if (outcomes.length > 0) expect(outcomes.filter((each) => each.id === id)).toHaveLength(1)
    }
    // What a server does with a Call is its own.
    if (entry.endsWith('served') || rules === 'nobody') return
    const approved = [...asked.approved, ...asked.plans.flat()].map(resolvedText)
    for (const { tool, call } of ran) {
      const needs = isWrite(tool) || rules === 'ask' || rules === 'plan'
      if (needs) expect(approved, `${tool} was approved`).toContain(resolvedText(call))
    }
  },
)
