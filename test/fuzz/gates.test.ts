import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import {
  type Call,
  createRegistry,
  isCallsheetError,
  type LatentModel,
  type Message,
  type RegistryOptions,
  type RunOptions,
} from 'callsheet'
import { Agent, type AgentOptions, type IdeaData, LoopError, latentModel, withSearch } from 'callsheet/agent'
import { type RestateSteps, restateActivities } from 'callsheet/restate'
import { remoteActivities, toolServer } from 'callsheet/server'
import { scriptedModel } from 'callsheet/testing'
import type { TemporalSteps } from 'callsheet/workflow'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { ServerClient } from '../../codegen/remote/server-client.ts'
import { servedBench } from '../../codegen/studio/bench/served-bench.ts'
import { callsheet } from '../unit/codegen/cli/in-terminal.ts'
import { EngineFailure, restateOf } from '../unit/runtime/restate/engine.ts'
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
  /** Whose hook `before` throws: the registry's, or that of whoever runs the Call. */
  readonly closedBy: 'nobody' | 'registry' | 'run'
  /** The registry reads no References. */
  readonly isText: boolean
  /** The Activity fails, and the registry makes two attempts. */
  readonly isFailing: boolean
  /** Whoever runs it has given it up before it begins. */
  readonly isAborted: boolean
  /** Whoever runs it gives it up while one of these is asked about it. */
  readonly cut?: { readonly name: string; readonly during: Moment; readonly controller: AbortController }
  readonly answer?: Answer
  /** What becomes of a Tool while the registry's `confirm` is asked about a Call of it, which it approves. */
  readonly change?: { readonly name: string; readonly to: Change }
}
/** Who is asked about Calls of a Tool, and says what is no yes. */
interface Answer {
  readonly who: 'registry' | 'run' | 'enabled'
  readonly name: string
  readonly says: () => unknown
}
type Change = 'off' | 'gone' | 'another schema' | 'without its Activity'
type Moment =
  | 'enabled'
  | 'before'
  | 'before, later'
  | 'confirm'
  | 'confirm, later'
  | 'confirm, replaced'
  | 'policy'

const locked: Message[] = [{ type: 'state', state: { isLocked: true, secret: 'hunter2' } }]
const idOf = (principal: unknown): unknown => (principal as { id?: string } | undefined)?.id

/** A registry behind whose controls the Activities note what they are given. */
function gated(controls: Controls, more: RegistryOptions = {}) {
  const ran: unknown[] = []
  const { enabled, refusedBy, closedBy, isText, isFailing, cut, answer, change } = controls
  let isOff = false
  const cutDuring = async (during: string, { _tool }: Call): Promise<void> => {
    if (!cut || cut.name !== _tool || !cut.during.startsWith(during)) return
    if (cut.during.endsWith('later')) await new Promise((resolve) => setTimeout(resolve, 0))
    cut.controller.abort()
  }
  const { Tool, Activity } = createRegistry({
    ...more,
    ...(refusedBy === 'registry' && { confirm: refuseWrites }),
    ...(cut?.during.startsWith('confirm') && {
      confirm: async (call) => {
        await cutDuring('confirm', call)
        return cut.during.endsWith('replaced') && call._tool === cut.name ? { replace: call } : true
      },
    }),
    ...(cut?.during.startsWith('before') && {
      before: async (call) => {
        await cutDuring('before', call)
        return call
      },
    }),
    ...(cut?.during === 'policy' && {
      policy: {
        [cut.name]: (call: Call) => {
          void cutDuring('policy', call)
          return 'default'
        },
      },
    }),
    ...(answer?.who === 'registry' && { confirm: asked(answer) }),
    ...(change && {
      confirm: ({ _tool }) => {
        if (_tool !== change.name) return true
        if (change.to === 'off') isOff = true
        else if (change.to === 'without its Activity') Activity.unregister(_tool)
        else Tool.unregister(_tool)
        if (change.to === 'another schema')
          Tool.register(_tool, { ...schemaOf(_tool as ToolName), title: 'Another' })
        return true
      },
    }),
    ...(isText && { references: false }),
    ...(isFailing && { retry: { attempts: 2 } }),
    ...(closedBy === 'registry' && { before: closed }),
  })
  // What an `enabled` says that is no answer would fill the console.
  if (answer) Tool.on('listener:error', () => {})
  const switches = {
    always: true,
    never: false,
    unlessLocked: (messages: readonly Message[]) =>
      !messages.some((each) => JSON.stringify(each).includes('isLocked')),
    forAda: (_: unknown, principal: unknown) => idOf(principal) === 'ada',
  }
  for (const name of names) {
    const isOn = (): boolean => {
      void cutDuring('enabled', { _tool: name })
      return !isOff
    }
    const says = answer?.who === 'enabled' ? (answer.says as () => boolean) : undefined
    const isSwitched = cut?.during === 'enabled' || change !== undefined
    Tool.register(name, schemaOf(name), { enabled: says ?? (isSwitched ? isOn : switches[enabled]) })
    Activity.register(name, ({ text }) => {
      ran.push(text)
      if (isFailing) throw new Error('it fails')
      return 'done'
    })
  }
  return { Tool, Activity, ran }
}

function schemaOf(name: ToolName): object {
  const effects = effectsOf[name]
  return {
    type: 'object',
    ...(effects && { effects }),
    properties: { _tool: { const: name }, text: { type: 'string' }, _output: { type: 'string' } },
    required: ['_tool', 'text'],
  }
}

/** Nothing keeps a Call from running. */
const open: Controls = {
  enabled: 'always',
  principal: undefined,
  refusedBy: 'nobody',
  closedBy: 'nobody',
  isText: false,
  isFailing: false,
  isAborted: false,
}

/** Lets in nothing but the question to a delegate. */
const closed = ({ _tool }: Call): undefined => {
  if (_tool !== 'ask') throw new Error('closed')
}

const refuseWrites = { effects: ['write'] as const, ask: () => false as const }

/** Asks somebody about one Tool, and lets all others run. */
const asked =
  ({ name, says }: Answer) =>
  ({ _tool }: Call): true =>
    (_tool === name ? says() : true) as true

type Gated = ReturnType<typeof gated>
type Enter = (gate: Gated, call: Call, controls: Controls) => Promise<unknown>

/** What a run of one's own says. */
const said = ({ refusedBy, closedBy, principal, isAborted, cut, answer }: Controls): RunOptions => ({
  ...(closedBy === 'run' && { before: closed }),
  ...(answer?.who === 'run' && { confirm: asked(answer) }),
  ...(cut && { signal: cut.controller.signal }),
  ...(refusedBy === 'run' && { confirm: refuseWrites }),
  ...(isAborted && { signal: AbortSignal.abort() }),
  ...(principal !== undefined && { principal: { id: principal } }),
})
const agentSays = (controls: Controls): Partial<AgentOptions> => {
  const { confirm, signal, ...run } = said(controls)
  return {
    ...(confirm && { confirm }),
    ...(signal && { signal }),
    ...(Object.keys(run).length > 0 && { run }),
  }
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

type Ask = (url: string | URL | Request, init?: RequestInit) => Promise<Response>

/** What is asked of a server in this process. */
const serving =
  (work: (ask: Ask, call: Call, controls: Controls) => Promise<unknown>): Enter =>
  async ({ Tool }, call, controls) => {
    const { confirm, before } = said(controls)
    const { principal } = controls
    const server = toolServer(Tool, {
      run: { ...(confirm && { confirm }), ...(before && { before }) },
      ...(principal !== undefined && { authorize: () => ({ id: principal }) }),
      onError: () => {},
    })
    try {
      return await work(async (url, init) => server(new Request(url, init)), call, controls)
    } finally {
      await server.close()
    }
  }
const served = (path: string, body: (call: Call) => object): Enter =>
  serving(async (ask, call, { isAborted }) => {
    const response = await ask(`http://localhost${path.replace('*', call._tool)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body(call)),
      signal: isAborted ? AbortSignal.abort() : null,
    })
    return response.text()
  })
/** What reaches a server by the global `fetch`. */
const fetching = (work: (call: Call, controls: Controls) => Promise<unknown>): Enter =>
  serving(async (ask, call, controls) => {
    vi.stubGlobal('fetch', ask)
    return work(call, controls).finally(() => vi.unstubAllGlobals())
  })
const group = (strategy: string) => served('/calls', (call) => ({ calls: [call], strategy, context: locked }))

/** Another model that answers for a delegate, and calls. */
const answering = ({ Tool }: Gated, call: Call): LatentModel =>
  latentModel({ model: 'o', tools: Tool, client: scriptedModel([{ calls: [call] }, done]) })
/** Something of a project's own in front of a model. */
const wrapped = (model: LatentModel): LatentModel => ({ answer: (asked) => model.answer({ ...asked }) })

/** Steps on Restate, with a registry behind something of a project's own where that is wanted. */
const onRestate =
  (
    work: (steps: Awaited<ReturnType<typeof restateOf>>, call: Call, controls: Controls) => Promise<unknown>,
    options: (controls: Controls) => object = () => ({}),
  ): Enter =>
  async ({ Tool }, call, controls) =>
    work(await restateOf(Tool, options(controls), { attempts: 2 }), call, controls)
/** What holds for its steps in this process. */
const stepsSay = (controls: Controls) => {
  const { principal, before } = said(controls)
  return { run: { ...(principal !== undefined && { principal }), ...(before && { before }) } }
}
/** An agent on an engine, which decides itself when it ends. */
const durableAgent = (call: Call, controls: Controls) => {
  const { signal, ...says } = agentSays(controls)
  return { model: 'm', output, context: locked, client: scriptedModel([{ calls: [call] }, done]), ...says }
}
/** On Restate the options of its Calls are those of its steps. */
const restateAgent = (call: Call, controls: Controls) => {
  const { run, ...options } = durableAgent(call, controls)
  return options
}

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
  'POST /calls, with an id': (gate, call, controls) =>
    served('/calls', () => ({ call, id: 'a', context: locked }))(gate, call, {
      ...controls,
      isAborted: false,
    }),
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
  'Agent, with what it found': agent(
    () => ({ search: {} }),
    (call) => [{ calls: [{ _tool: 'Tools.find', query: 'look touch pay' }] }, { calls: [call] }, done],
  ),
  'Agent, with what a search before it found': ({ Tool, ...gate }, call, controls) =>
    agent(undefined, () => [
      { calls: [{ _tool: 'Tools.find', query: 'look touch pay' }] },
      { calls: [call] },
      done,
    ])({ ...gate, Tool: withSearch(Tool) as typeof Tool }, call, controls),
  withSearch: ({ Tool }, call, controls) =>
    withSearch(Tool).run(call, { context: locked, ...said(controls) }),
  'a delegate': (gate, call, controls) => {
    const asked = delegated(gate)
    return agent(undefined, () => [{ calls: [asked] }, { calls: [call] }, done, done])(gate, asked, controls)
  },
  'a delegate of another model': (gate, call, controls) => {
    const asked = delegated(gate)
    return agent(
      () => ({ latent: answering(gate, call) }),
      () => [{ calls: [asked] }, done],
    )(gate, asked, controls)
  },
  'a delegate of another model, behind something': (gate, call, controls) => {
    const asked = delegated(gate)
    return agent(
      () => ({ latent: wrapped(answering(gate, call)) }),
      () => [{ calls: [asked] }, done],
    )(gate, asked, controls)
  },
  'a delegate of a single Call': (gate, call, controls) => {
    const model = wrapped(answering(gate, call))
    return gate.Tool.run(delegated(gate), { model, context: locked, ...said(controls) })
  },
  'a delegate that is looked at beside an Activity': async (gate, call, controls) => {
    const asked = delegated(gate)
    gate.Activity.register('ask', () => 'done')
    const compared = new Promise((resolve) => gate.Tool.on('activity:compare', resolve))
    const policy = { ask: { compare: ['default', 'latent'] } } as const
    const options = { model: answering(gate, call), context: locked, policy, ...said(controls) }
    const { attempts } = await gate.Tool.run(asked, options)
    if (attempts > 0) await compared
  },
  'Temporal, run': async (gate, call) =>
    (await workflowOf(() => ({}), gate)).steps.run(call, { context: locked }),
  'Temporal, all': async (gate, call) =>
    (await workflowOf(() => ({}), gate)).steps.all([call], { context: locked }),
  'Temporal, plan': async (gate, call) =>
    (await workflowOf(() => ({}), gate)).steps.plan([call], { context: locked }),
  'Temporal, agent': async (gate, call, controls) => {
    const options = durableAgent(call, controls)
    return (await workflowOf(() => options, gate)).steps.agent('payer')
  },
  'Temporal, run, behind something': async ({ Tool, ...gate }, call) =>
    (await workflowOf(() => ({}), { ...gate, Tool: { ...Tool } as typeof Tool })).steps.run(call, {
      context: locked,
    }),
  'Restate, run': onRestate(({ handle }, call) => handle(({ run }) => run(call, { context: locked }))),
  'Restate, all': onRestate(({ handle }, call) => handle(({ all }) => all([call], { context: locked }))),
  'Restate, plan': onRestate(({ handle }, call) => handle(({ plan }) => plan([call], { context: locked }))),
  'Restate, here': onRestate(
    ({ handle }, call) => handle(({ run }) => run(call, { context: locked })),
    (controls) => ({ local: names, ...stepsSay(controls) }),
  ),
  'Restate, all here': onRestate(
    ({ handle }, call) => handle(({ all }) => all([call], { context: locked })),
    (controls) => ({ local: names, ...stepsSay(controls) }),
  ),
  'Restate, agent': onRestate(
    ({ handle }, call, controls) => handle(({ agent }) => agent(restateAgent(call, controls))),
    stepsSay,
  ),
  'Restate, agent here': onRestate(
    ({ handle }, call, controls) => handle(({ agent }) => agent(restateAgent(call, controls))),
    (controls) => ({ local: names, ...stepsSay(controls) }),
  ),
  'Restate, workflow': async ({ Tool }, call, controls) => {
    const options = restateAgent(call, controls)
    return (await restateOf(Tool, { agent: () => options, ...stepsSay(controls) }, { attempts: 2 })).run()
  },
  'a worker on Restate': async (gate, call, controls) => {
    const there = gated({ ...open, isFailing: controls.isFailing })
    const { ingress } = await restateOf(there.Tool, {}, { attempts: 2 })
    for (const name of names) gate.Activity.unregister(name)
    restateActivities('http://localhost', { Tool: gate.Tool, Activity: gate.Activity, names, fetch: ingress })
    const outcome = await gate.Tool.run(call, { context: locked, ...said(controls) })
    gate.ran.push(...there.ran)
    return outcome
  },
  MCP: serving(async (ask, { _tool, ...parameters }, { isAborted }) => {
    const client = new Client({ name: 'gates', version: '1.0.0' })
    await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch: ask }))
    const options = isAborted ? { signal: AbortSignal.abort() } : {}
    return client.callTool({ name: _tool, arguments: parameters }, options).finally(() => client.close())
  }),
  'callsheet call': fetching(({ _tool, text }) =>
    callsheet('/', ['call', _tool, '--text', String(text), '--url', 'http://localhost']),
  ),
  studio: fetching(async (call) => {
    const bench = await servedBench(new ServerClient('http://localhost', {}), '/', (name, why) => {
      throw new Error(`${name}: ${why}`)
    })
    const { signal } = new AbortController()
    return bench.run(call, { id: 'a', context: locked, signal }, () => {})
  }),
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
    const outcome = await gate.Tool.run(call, { context: locked, ...said(controls) })
    gate.ran.push(...there.ran)
    await server.close()
    return outcome
  },
}

/** Lets a Call in, whatever comes of it. */
async function entered(entry: string, name: ToolName, controls: Controls): Promise<Gated> {
  const gate = gated(controls)
  await entries[entry]?.(gate, { _tool: name, text: 'hello' }, controls).catch((error: unknown) => {
    if (entry !== 'MCP' && !isOfOurs(error)) throw error
  })
  return gate
}

/** What somebody who let a Call in is told of one that did not run, or failed. */
const refusal =
  /refused|urn:callsheet:|unresolved_reference|None of 1 Calls|no_implementation|unknown_tool|aborted|activity_failed|There is no tool|not a Tool that was offered/i
/** Who asked a delegate is told what that came to, and not what it called on the way. */
const tellsOfItself = (entry: string): boolean => !entry.startsWith('a delegate')

const isOfOurs = (error: unknown): boolean =>
  isCallsheetError(error) || error instanceof AggregateError || error instanceof EngineFailure

/** What an entry cannot say: a Call by its Tool's name has no context, and a workflow asks its worker. */
const silent: Readonly<Record<string, readonly string[]>> = {
  'POST /tools/*': ['context'],
  MCP: ['context'],
  'callsheet call': ['context', 'abort'],
  // Who asks under an id may ask again for what came of it: it begins all the same.
  'POST /calls, with an id': ['abort'],
  studio: ['abort'],
  'Temporal, run': ['run', 'principal', 'abort'],
  'Temporal, all': ['run', 'principal', 'abort'],
  'Temporal, plan': ['run', 'principal', 'abort'],
  'Temporal, run, behind something': ['run', 'principal', 'abort'],
  // Who it is for decides what is offered, and is not told to the worker, nor is what holds for its own steps.
  'Temporal, agent': ['principal', 'before', 'abort'],
  'Restate, run': ['run', 'principal', 'abort'],
  'Restate, all': ['run', 'principal', 'abort'],
  'Restate, plan': ['run', 'principal', 'abort'],
  'Restate, here': ['confirm', 'abort'],
  'Restate, all here': ['confirm', 'abort'],
  'Restate, agent': ['principal', 'before', 'abort'],
  'Restate, agent here': ['abort'],
  'Restate, workflow': ['principal', 'before', 'abort'],
}

function mayRun(
  entry: string,
  name: ToolName,
  { enabled, principal, refusedBy, closedBy, isAborted }: Controls,
): boolean {
  const hears = (what: string): boolean => !silent[entry]?.includes(what)
  const isRefused = refusedBy === 'registry' || (refusedBy === 'run' && hears('run') && hears('confirm'))
  if (isAborted && hears('abort')) return false
  const isClosed = closedBy === 'registry' || (closedBy === 'run' && hears('run') && hears('before'))
  if (isClosed || enabled === 'never' || (isRefused && effectsOf[name] !== 'read')) return false
  if (enabled === 'unlessLocked') return !hears('context')
  return enabled === 'always' || (principal === 'ada' && hears('principal'))
}

/** Lets a Call in, and holds what it came to against what may be. */
async function requireGates(
  entry: string,
  name: ToolName,
  controls: Controls,
  reference = '†state.secret',
): Promise<void> {
  const gate = gated(controls)
  const text = controls.isText ? reference : 'hello'
  const answer = await entries[entry]?.(gate, { _tool: name, text }, controls).catch((error: unknown) => {
    if (entry !== 'MCP' && !isOfOurs(error)) throw error
    if (error instanceof LoopError) expect(error.code).toMatch(/limit_reached|stalled|aborted/)
    return error
  })
  const told =
    answer instanceof Error
      ? `${(answer as { code?: string }).code} ${answer.message}`
      : JSON.stringify(answer)
  const { ran } = gate
  expect(
    ran.every((each) => each === text),
    `it got ${ran}`,
  ).toBe(true)
  if (tellsOfItself(entry)) {
    const isDone = mayRun(entry, name, controls) && !controls.isFailing
    expect(told, 'what is told').toMatch(isDone ? /succeeded|done/ : refusal)
  }
  if (!mayRun(entry, name, controls)) expect(ran).toEqual([])
  else {
    // Where both the caller and the worker try twice, each attempt of the one is two of the other.
    const tries = entry === 'a worker' ? 4 : 2
    const most = controls.isFailing && name === 'look' ? tries : 1
    expect(ran.length).toBeGreaterThan(0)
    expect(ran.length).toBeLessThanOrEqual(most)
  }
}

fuzz(
  'TOOL-9, REQ-9, CALL-7, CALL-10, SERVE-6 whatever way a Call comes in: what is to keep it from running does, and nothing else does',
  400,
  fc.record({
    entry: fc.constantFrom(...Object.keys(entries)),
    name: fc.constantFrom(...names),
    controls: fc.record<Controls>({
      enabled: fc.constantFrom('always', 'always', 'never', 'unlessLocked', 'forAda'),
      principal: fc.constantFrom(undefined, 'ada', 'eve'),
      refusedBy: fc.constantFrom('nobody', 'nobody', 'registry', 'run'),
      closedBy: fc.constantFrom('nobody', 'nobody', 'registry', 'run'),
      isText: fc.boolean(),
      isFailing: fc.boolean(),
      isAborted: fc.integer({ max: 5, min: 0 }).map((n) => n === 0),
    }),
    reference: fc.constantFrom('†state.secret', '†state.missing'),
  }),
  ({ entry, name, controls, reference }) => requireGates(entry, name, controls, reference),
)

type EnterAll = (gate: Gated, calls: readonly Call[]) => Promise<unknown>
const agentOf = (calls: readonly Call[], more: object = {}) => ({
  ...{ model: 'm', output, client: scriptedModel([{ calls }, done]) },
  ...more,
})
const posted =
  (strategy: string): EnterAll =>
  (gate, calls) =>
    serving(async (ask) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ calls, strategy })
      return (await ask('http://localhost/calls', { method: 'POST', headers, body })).text()
    })(gate, calls[0] as Call, open)
const steps =
  (work: (steps: RestateSteps, calls: readonly Call[]) => Promise<unknown>): EnterAll =>
  async ({ Tool }, calls) =>
    (await restateOf(Tool)).handle((given) => work(given, calls))
const workflow =
  (work: (steps: TemporalSteps, calls: readonly Call[]) => Promise<unknown>): EnterAll =>
  async (gate, calls) => {
    const options = agentOf(calls)
    return work((await workflowOf(() => options, gate)).steps, calls)
  }

/** Ways by which several Calls come in at once. */
const together: Readonly<Record<string, EnterAll>> = {
  'Tool.all': ({ Tool }, calls) => Tool.all(calls),
  'Tool.plan': ({ Tool }, calls) => Tool.plan(calls),
  'POST /calls, each': posted('each'),
  'POST /calls, all': posted('all'),
  Agent: ({ Tool }, calls) => Agent({ ...agentOf(calls), tools: Tool }),
  'Agent, streamed': ({ Tool }, calls) =>
    Agent({ ...agentOf(calls, { stream: true, early: 'all' }), tools: Tool }),
  'Agent, searching': ({ Tool }, calls) =>
    Agent({ ...agentOf(calls), tools: withSearch(Tool, { pinned: names }) }),
  'Agent, for somebody': ({ Tool }, calls) =>
    Agent({ ...agentOf(calls, { stream: true, run: { principal: 'ada' } }), tools: Tool }),
  'Restate, all': steps(({ all }, calls) => all(calls)),
  'Restate, plan': steps(({ plan }, calls) => plan(calls)),
  'Restate, agent': steps(({ agent }, calls) => agent(agentOf(calls))),
  'Temporal, all': workflow(({ all }, calls) => all(calls)),
  'Temporal, plan': workflow(({ plan }, calls) => plan(calls)),
  'Temporal, agent': workflow(({ agent }) => agent('payer')),
}

test.each(Object.entries(together))(
  'CALL-7 no more run at a time than the registry says: %s',
  async (_, enter) => {
    const gate = gated(open, { concurrency: 2 })
    let running = 0
    let most = 0
    for (const name of names) {
      const run = async ({ text }: Call): Promise<string> => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 2))
        running--
        gate.ran.push(text)
        return 'done'
      }
      gate.Activity.register(name, run, { replace: true })
    }
    await enter(
      gate,
      ['a', 'b', 'c', 'd', 'e'].map((text, at) => ({ _tool: names[at % 3] as string, text })),
    )
    expect(gate.ran.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(most).toBe(2)
  },
)

const inThisProcess = Object.keys(entries).filter((entry) =>
  /^(?:Tool|Agent|a delegate|withSearch)/.test(entry),
)
const moments: readonly Moment[] = [
  'enabled',
  'before',
  'before, later',
  'confirm',
  'confirm, later',
  'confirm, replaced',
  'policy',
]

fuzz(
  'CALL-7 given up while something is asked about it, it does not run',
  100,
  fc.record({
    entry: fc.constantFrom(...inThisProcess),
    during: fc.constantFrom(...moments),
    name: fc.constantFrom(...names),
  }),
  async ({ entry, during, name }) => {
    // Its run has a policy of its own, which takes the registry's place for the Calls of the delegate as well.
    fc.pre(during !== 'policy' || entry !== 'a delegate that is looked at beside an Activity')
    const controller = new AbortController()
    const { ran } = await entered(entry, name, { ...open, cut: { name, during, controller } })
    expect(controller.signal.aborted).toBe(true)
    expect(ran).toEqual([])
  },
)

fuzz(
  'TOOL-9, ACT-3 switched off, removed, replaced or without its Activity while somebody approves a Call of it, it does not run',
  100,
  fc.record({
    entry: fc.constantFrom(...inThisProcess),
    to: fc.constantFrom<Change>('off', 'gone', 'another schema', 'without its Activity'),
    name: fc.constantFrom(...names),
  }),
  async ({ entry, to, name }) => {
    const { ran } = await entered(entry, name, { ...open, change: { name, to } })
    expect(ran).toEqual([])
  },
)

const unreadable = new Proxy(
  {},
  {
    get() {
      throw new Error('closed')
    },
  },
)
/** What somebody who is asked may say that is no yes. */
const noYes: Readonly<Record<string, () => unknown>> = {
  nothing: () => undefined,
  null: () => null,
  'a text': () => 'true',
  one: () => 1,
  'a Boolean': () => Object(true),
  'an object': () => ({}),
  'another word for yes': () => ({ approve: true, allow: true }),
  'nothing in its place': () => ({ replace: undefined }),
  'a text in its place': () => ({ replace: 'pay' }),
  'no, and another Call': () => ({ refuse: 'no', replace: { _tool: 'pay', text: 'hello' } }),
  'no, for no reason': () => ({ refuse: undefined }),
  'a list of yes': () => [true],
  'a function': () => () => true,
  'what cannot be read': () => unreadable,
  'an exception': () => {
    throw new Error('closed')
  },
  'a rejection': () => Promise.reject(new Error('closed')),
  'a promise of nothing': async () => {},
}

fuzz(
  'REQ-9, TOOL-9 only yes is a yes: whatever else a `confirm` or an `enabled` says, nothing runs',
  150,
  fc.record({
    entry: fc.constantFrom(...Object.keys(entries)),
    name: fc.constantFrom(...names),
    who: fc.constantFrom('registry' as const, 'run' as const, 'enabled' as const),
    answer: fc.constantFrom(...Object.keys(noYes)),
  }),
  async ({ entry, name, who, answer }) => {
    if (who === 'run' && silent[entry]?.some((what) => what === 'run' || what === 'confirm')) return
    const says = noYes[answer] as () => unknown
    const { ran } = await entered(entry, name, { ...open, answer: { who, name, says } })
    expect(ran).toEqual([])
  },
)

/** Each control alone, and those that belong together. */
const alone: readonly Partial<Controls>[] = [
  {},
  { enabled: 'never' },
  { enabled: 'unlessLocked' },
  { enabled: 'forAda' },
  { enabled: 'forAda', principal: 'ada' },
  { enabled: 'forAda', principal: 'eve' },
  { refusedBy: 'registry' },
  { refusedBy: 'run' },
  { closedBy: 'registry' },
  { closedBy: 'run' },
  { isText: true },
  { isFailing: true },
  { isAborted: true },
]

test.each(Object.keys(entries))('each control holds by itself: %s', async (entry) => {
  for (const control of alone) await requireGates(entry, 'pay', { ...open, ...control })
  for (const name of names) await requireGates(entry, name, open)
})
