import {
  type Call,
  createRegistry,
  isCallsheetError,
  type Message,
  type RegistryOptions,
  type RunOptions,
} from 'callsheet'
import { Agent, type AgentOptions, type IdeaData, LoopError, latentModel, withSearch } from 'callsheet/agent'
import { remoteActivities, toolServer } from 'callsheet/server'
import { scriptedModel } from 'callsheet/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { workflowOf } from '../unit/runtime/temporal/workflow.ts'
import { fuzz } from './campaign.ts'

const effectsOf = { look: 'read', touch: undefined, pay: 'write' } as const
type ToolName = keyof typeof effectsOf
const names = Object.keys(effectsOf) as ToolName[]

/** What is to keep a Call from running, or from being read; each alone or with others. */
interface Controls {
  /** The Tool is off, or on, for good, by its context, or for whom it is. */
  readonly enabled: 'always' | 'never' | 'unlessLocked' | 'forAda'
  readonly principal: 'ada' | 'eve' | undefined
  /** Who refuses writes: the registry, or whoever runs the Call. */
  readonly refusedBy: 'nobody' | 'registry' | 'run'
  readonly beforeThrows: boolean
  /** The registry reads no References. */
  readonly isText: boolean
  /** The Activity fails, and the registry makes two attempts. */
  readonly isFailing: boolean
}

const locked: Message[] = [{ type: 'state', state: { isLocked: true, secret: 'hunter2' } }]
const idOf = (principal: unknown): unknown => (principal as { id?: string } | undefined)?.id

/** A registry behind whose controls the Activities note what they are given. */
function gated(controls: Controls, more: RegistryOptions = {}) {
  const ran: unknown[] = []
  const { enabled, refusedBy, beforeThrows, isText, isFailing } = controls
  const { Tool, Activity } = createRegistry({
    ...more,
    ...(refusedBy === 'registry' && { confirm: refuseWrites }),
    ...(isText && { references: false }),
    ...(isFailing && { retry: { attempts: 2 } }),
    ...(beforeThrows && {
      before: ({ _tool }) => {
        if (_tool !== 'ask') throw new Error('closed')
        return undefined
      },
    }),
  })
  const switches = {
    always: true,
    never: false,
    unlessLocked: (messages: readonly Message[]) =>
      !messages.some((each) => JSON.stringify(each).includes('isLocked')),
    forAda: (_: unknown, principal: unknown) => idOf(principal) === 'ada',
  }
  for (const name of names) {
    const effects = effectsOf[name]
    const schema = {
      type: 'object',
      ...(effects && { effects }),
      properties: { _tool: { const: name }, text: { type: 'string' }, _output: { type: 'string' } },
      required: ['_tool', 'text'],
    }
    Tool.register(name, schema, { enabled: switches[enabled] })
    Activity.register(name, ({ text }) => {
      ran.push(text)
      if (isFailing) throw new Error('it fails')
      return 'done'
    })
  }
  return { Tool, Activity, ran }
}

/** Nothing keeps a Call from running. */
const open: Controls = {
  enabled: 'always',
  principal: undefined,
  refusedBy: 'nobody',
  beforeThrows: false,
  isText: false,
  isFailing: false,
}

const refuseWrites = { effects: ['write'] as const, ask: () => false as const }

type Gated = ReturnType<typeof gated>
type Enter = (gate: Gated, call: Call, controls: Controls) => Promise<unknown>

/** What a run of one's own says. */
const said = ({ refusedBy, principal }: Controls): RunOptions => ({
  ...(refusedBy === 'run' && { confirm: refuseWrites }),
  ...(principal !== undefined && { principal: { id: principal } }),
})
const agentSays = (controls: Controls): Partial<AgentOptions> => {
  const { confirm, principal } = said(controls)
  return { ...(confirm && { confirm: refuseWrites }), ...(principal !== undefined && { run: { principal } }) }
}
const output = { type: 'string' } as const
const done = { output: 'done' }

const agent =
  (
    more: (call: Call) => object = () => ({}),
    turns: (call: Call) => readonly object[] = (call) => [{ calls: [call] }, done],
  ): Enter =>
  ({ Tool }, call, controls) =>
    Agent({
      ...{ model: 'm', tools: Tool, output, context: locked, client: scriptedModel(turns(call)) },
      ...agentSays(controls),
      ...more(call),
    })

/** A delegate that may call every Tool there is. */
const ask = {
  type: 'object',
  effects: 'read',
  properties: {
    _tool: { const: 'ask' },
    _delegate: { const: 'ask' },
    _scopes: { const: ['†state'] },
    _output: { type: 'string' },
  },
  required: ['_tool'],
}
const idea = ({ Tool }: Gated): IdeaData => ({
  schema: output,
  context: names.map((name) => ({ type: 'tool', tool: Tool.get(name) }) as Message),
})
const delegated = (gate: Gated): Call => {
  gate.Tool.fromIdea('ask', { ...idea(gate) })
  gate.Tool.register('ask', ask, {})
  return { _tool: 'ask' }
}

const served =
  (path: string, body: (call: Call) => object): Enter =>
  async ({ Tool }, call, controls) => {
    const { confirm } = said(controls)
    const { principal } = controls
    const server = toolServer(Tool, {
      run: { ...(confirm && { confirm }) },
      ...(principal !== undefined && { authorize: () => ({ id: principal }) }),
      onError: () => {},
    })
    const response = await server(
      new Request(`http://localhost${path.replace('*', call._tool)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body(call)),
      }),
    )
    await response.text()
    await server.close()
  }
const group = (strategy: string) => served('/calls', (call) => ({ calls: [call], strategy, context: locked }))

/** Every way by which a Call comes in. */
const entries: Readonly<Record<string, Enter>> = {
  'Tool()': ({ Tool }, call, controls) => Tool(call, { context: locked, ...said(controls) }),
  'Tool.run': ({ Tool }, call, controls) => Tool.run(call, { context: locked, ...said(controls) }),
  'Tool.all': ({ Tool }, call, controls) => Tool.all([call], { context: locked, ...said(controls) }),
  'Tool.any': ({ Tool }, call, controls) =>
    Tool.any([call], { context: locked, allowEffects: true, ...said(controls) }),
  'Tool.race': ({ Tool }, call, controls) =>
    Tool.race([call], { context: locked, allowEffects: true, ...said(controls) }),
  'Tool.plan': ({ Tool }, call, controls) => Tool.plan([call], { context: locked, ...said(controls) }),
  'Tool.parse': ({ Tool }, call, controls) =>
    Tool.run(Tool.parse(JSON.stringify(call))[0] as Call, { context: locked, ...said(controls) }),
  'POST /calls': served('/calls', (call) => ({ call, context: locked })),
  'POST /calls, with an id': served('/calls', (call) => ({ call, id: 'a', context: locked })),
  'POST /calls, each': group('each'),
  'POST /calls, all': group('all'),
  'POST /tools/*': served('/tools/*', ({ _tool, ...parameters }) => parameters),
  Agent: agent(),
  'Agent, streamed': agent(() => ({ stream: true, early: 'all' })),
  'Agent, native': agent(() => ({ mode: 'native' })),
  'Agent, a plan of its context': agent(
    (call) => ({ context: [...locked, { type: 'plan', plan: [call] }] }),
    () => [done],
  ),
  'Agent, searching': agent(() => ({ search: { pinned: names } })),
  withSearch: ({ Tool }, call, controls) =>
    withSearch(Tool).run(call, { context: locked, ...said(controls) }),
  'a delegate': (gate, call, controls) => {
    const asked = delegated(gate)
    return agent(undefined, () => [{ calls: [asked] }, { calls: [call] }, done, done])(gate, asked, controls)
  },
  'a delegate of another model': (gate, call, controls) => {
    const asked = delegated(gate)
    const latent = latentModel({
      model: 'o',
      tools: gate.Tool,
      client: scriptedModel([{ calls: [call] }, done]),
    })
    return agent(
      () => ({ latent }),
      () => [{ calls: [asked] }, done],
    )(gate, asked, controls)
  },
  'a delegate of a single Call': (gate, call, controls) => {
    const asked = delegated(gate)
    const model = latentModel({
      model: 'o',
      tools: gate.Tool,
      client: scriptedModel([{ calls: [call] }, done]),
    })
    return gate.Tool.run(asked, { model, context: locked, ...said(controls) })
  },
  'Temporal, run': async (gate, call) =>
    (await workflowOf(() => ({}), gate)).steps.run(call, { context: locked }),
  'Temporal, all': async (gate, call) =>
    (await workflowOf(() => ({}), gate)).steps.all([call], { context: locked }),
  'Temporal, plan': async (gate, call) =>
    (await workflowOf(() => ({}), gate)).steps.plan([call], { context: locked }),
  'Temporal, agent': async (gate, call, controls) => {
    const options = {
      model: 'm',
      output,
      context: locked,
      client: scriptedModel([{ calls: [call] }, done]),
      ...agentSays(controls),
    }
    return (await workflowOf(() => options, gate)).steps.agent('payer')
  },
  'a worker': async (gate, call, controls) => {
    const there = gated({ ...open, isFailing: controls.isFailing })
    const server = toolServer(there.Tool)
    for (const name of names) gate.Activity.unregister(name)
    remoteActivities('http://localhost', {
      Tool: gate.Tool,
      Activity: gate.Activity,
      names,
      fetch: async (url, init) => server(new Request(url, init)),
    })
    await gate.Tool.run(call, { context: locked, ...said(controls) })
    gate.ran.push(...there.ran)
    await server.close()
  },
}

/** What an entry cannot say: a Call by its Tool's name has no context, and a workflow asks its worker. */
const silent: Readonly<Record<string, readonly string[]>> = {
  'POST /tools/*': ['context'],
  'Temporal, run': ['run', 'principal'],
  'Temporal, all': ['run', 'principal'],
  'Temporal, plan': ['run', 'principal'],
  // Who it is for decides what is offered, and is not told to the worker.
  'Temporal, agent': ['principal'],
}

function mayRun(
  entry: string,
  name: ToolName,
  { enabled, principal, refusedBy, beforeThrows }: Controls,
): boolean {
  const hears = (what: string): boolean => !silent[entry]?.includes(what)
  const isRefused = refusedBy === 'registry' || (refusedBy === 'run' && hears('run'))
  if (beforeThrows || enabled === 'never' || (isRefused && effectsOf[name] !== 'read')) return false
  if (enabled === 'unlessLocked') return !hears('context')
  return enabled === 'always' || (principal === 'ada' && hears('principal'))
}

fuzz(
  'TOOL-9, REQ-9, CALL-7, CALL-10, SERVE-6 whatever way a Call comes in: what is to keep it from running does, and nothing else does',
  700,
  fc.record({
    entry: fc.constantFrom(...Object.keys(entries)),
    name: fc.constantFrom(...names),
    controls: fc.record<Controls>({
      enabled: fc.constantFrom('always', 'always', 'never', 'unlessLocked', 'forAda'),
      principal: fc.constantFrom(undefined, 'ada', 'eve'),
      refusedBy: fc.constantFrom('nobody', 'nobody', 'registry', 'run'),
      beforeThrows: fc.integer({ max: 3, min: 0 }).map((n) => n === 0),
      isText: fc.boolean(),
      isFailing: fc.boolean(),
    }),
  }),
  async ({ entry, name, controls }) => {
    const gate = gated(controls)
    const text = controls.isText ? '†state.secret' : 'hello'
    await entries[entry]?.(gate, { _tool: name, text }, controls).catch((error: unknown) => {
      if (!isCallsheetError(error) && !(error instanceof AggregateError)) throw error
      if (error instanceof LoopError) expect(error.code).toMatch(/limit_reached|stalled/)
    })
    const { ran } = gate
    expect(
      ran.every((each) => each === text),
      `it got ${ran}`,
    ).toBe(true)
    if (!mayRun(entry, name, controls)) expect(ran).toEqual([])
    else {
      const most = controls.isFailing && name === 'look' ? 2 : 1
      expect(ran.length).toBeGreaterThan(0)
      expect(ran.length).toBeLessThanOrEqual(most)
    }
  },
)

test.each(Object.keys(entries))('a Call that nothing keeps from running runs once: %s', async (entry) => {
  for (const name of names) {
    const gate = gated(open)
    await entries[entry]?.(gate, { _tool: name, text: 'hello' }, open)
    expect(gate.ran).toEqual(['hello'])
  }
})
