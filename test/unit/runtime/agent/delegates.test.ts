import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Call,
  type Confirm,
  createRegistry,
  type JsonSchema,
  type LatentRequest,
  type Message,
  type RegistryOptions,
  type Schema,
  type ToolSchema,
} from 'callsheet'
import {
  Agent,
  type AgentOptions,
  type ConfirmRules,
  type IdeaData,
  type LatentModelOptions,
  type LoopError,
  latentModel,
} from 'callsheet/agent'
import { type ModelRequest, type ScriptedTurn, scriptedModel } from 'callsheet/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pay, registryWithTools, tools } from './tools.ts'

const answer: JsonSchema = {
  type: 'object',
  properties: { answer: { type: 'string' } },
  required: ['answer'],
}
const idea: IdeaData = {
  schema: answer,
  context: [
    { type: 'text', role: 'system', text: 'Be a poet.' },
    {
      type: 'input',
      input: { topic: 'EXAMPLE' },
      schema: { type: 'object', properties: { topic: { type: 'string' } }, required: ['topic'] },
      description: 'What to write about.',
    },
    { type: 'state', state: { mood: 'calm' } },
  ],
}
/** The clean room of the Idea: its own context, and the Call's parameters in place of its example. */
const roomOfIdea = [idea.context[0], idea.context[2], { ...idea.context[1], input: { topic: 'sea' } }]
const secret: Message[] = [
  { type: 'text', text: 'SECRET' },
  { type: 'state', state: { open: 'OPEN', closed: 'SECRET' } },
]

/** A Tool that delegates, by a fixed name or as its Call says. */
function delegating(delegate: Schema, more: Record<string, Schema> = {}): ToolSchema {
  return {
    type: 'object',
    description: 'Ask the oracle.',
    properties: {
      _tool: { const: 'ask' },
      _delegate: delegate,
      topic: { type: 'string' },
      ...more,
      _output: answer,
    },
    required: ['topic'],
    additionalProperties: false,
  }
}

const fixed = (name: string) => ({ type: 'string', const: name })
const open = { type: 'string' }
const ask = (more: object = {}) => ({ _tool: 'ask', topic: 'sea', ...more })
const promptOf = ({ body }: ModelRequest): string => JSON.stringify(body.messages)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callsheet-ideas-'))
  await mkdir(join(folder, 'ideas', 'more'), { recursive: true })
  const files = {
    'outside.json': idea,
    'ideas/poet.json': idea,
    'ideas/more/poet.json': idea,
    'ideas/none.json': { no: 'idea' },
  }
  for (const [name, value] of Object.entries(files))
    await writeFile(join(folder, name), JSON.stringify(value))
  await writeFile(join(folder, 'ideas/broken.json'), '{SECRET')
  await mkdir(join(folder, 'ideas/folder.json'))
  await writeFile(join(folder, 'ideas/marked.json'), `\uFEFF${JSON.stringify(idea)}`)
  await writeFile(join(folder, 'ideas/latin1.json'), Buffer.from(JSON.stringify({ ...idea, é: 1 }), 'latin1'))
  await symlink(join(folder, 'outside.json'), join(folder, 'ideas/link.json'))
  await symlink(folder, join(folder, 'ideas/up'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Runs one delegated Call with a scripted model. */
async function run(
  tool: ToolSchema,
  call = ask(),
  {
    ideas,
    folder: at,
    turns = [{ output: { answer: 'yes' } }],
    load,
  }: {
    ideas?: Record<string, IdeaData>
    folder?: string
    turns?: readonly ScriptedTurn[]
    load?: (url: string) => Promise<unknown>
  } = {},
) {
  const client = scriptedModel(turns)
  const model = latentModel({ model: 'm', client, ideas: { folder: at, load }, retry: { backoff: 0 } })
  const { Tool } = createRegistry({ tools: { ask: tool }, model, ...(ideas && { ideas }) })
  const outcome = await Tool.run(call, { context: secret })
  return { outcome, prompts: client.requests.map(promptOf) }
}

describe('CALL-2 inline-latent', () => {
  const judge = (scopes?: Record<string, Schema>): ToolSchema => ({
    ...delegating({}),
    properties: { _tool: { const: 'ask' }, topic: open, ...scopes, _output: answer },
  })

  test('one Request, which sees the whole context (SCOPE-3)', async () => {
    const { outcome, prompts } = await run(judge())
    expect(outcome).toMatchObject({
      status: 'succeeded',
      mode: 'latent',
      delegated: false,
      output: { answer: 'yes' },
    })
    expect(prompts).toHaveLength(1)
    expect(prompts[0]).toMatch(/SECRET/)
    expect(prompts[0]).toMatch(/Ask the oracle/)
    expect(prompts[0]).toMatch(/sea/)
  })

  test('one Request, which sees what its scopes name and no more', async () => {
    const { prompts } = await run(judge({ _scopes: { const: ['†state.open'] } }))
    expect(prompts[0]).toMatch(/OPEN/)
    expect(prompts[0]).not.toMatch(/SECRET/)
  })

  test.each([
    ['its Tool', { const: [] }, {}],
    ['the Call', { type: 'array', items: open }, { _scopes: [] }],
  ])('nothing, where %s names none', async (_who, _scopes, said) => {
    const { outcome, prompts } = await run(judge({ _scopes }), ask(said))
    expect(outcome.status).toBe('succeeded')
    expect(prompts[0]).not.toMatch(/OPEN|SECRET/)
  })

  test('never what is another instance’s (INST-2)', async () => {
    const client = scriptedModel([{ output: { answer: 'yes' } }])
    const { Tool } = createRegistry({
      tools: { ask: judge({ _instance: open }) },
      model: latentModel({ model: 'm', client }),
    })
    const context: Message[] = [
      { type: 'state', state: 'MINE', _instance: 'a' },
      { type: 'state', state: 'THEIRS', _instance: 'b' },
    ]
    await Tool({ ...ask(), _instance: 'a' }, { context })
    expect(promptOf(client.requests[0] as ModelRequest)).toMatch(/MINE/)
    expect(promptOf(client.requests[0] as ModelRequest)).not.toMatch(/THEIRS/)
  })

  test('an answer that _output does not allow goes back once, then fails', async () => {
    const turns = [{ text: '{"answer":7}' }, { text: '{"answer":8}' }]
    const { outcome } = await run(judge(), ask(), { turns })
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'answer_invalid' } })
  })
})

describe('CALL-2 an answer of any type', () => {
  test.each([[null], [false], [0], [''], [[]], [{}]])(
    '%j is an output, and asked for once',
    async (value) => {
      const latent = { ...delegating({}), properties: { _tool: { const: 'ask' }, topic: open, _output: {} } }
      const turns = [{ output: value }]
      expect((await run(latent, ask(), { turns })).outcome).toMatchObject({
        status: 'succeeded',
        output: value,
      })
      const type = [{ type: 'null' }, { type: 'boolean' }, { type: 'number' }, { type: 'string' }]
      const anyType = { anyOf: [...type, { type: 'array', items: {} }, { type: 'object' }] }
      const poet: IdeaData = { ...idea, schema: anyType }
      const delegated = { ...delegating(fixed('poet'), {}) }
      const properties = { ...delegated.properties, _output: anyType }
      const { outcome, prompts } = await run({ ...delegated, properties }, ask(), { turns, ideas: { poet } })
      expect(outcome).toMatchObject({ status: 'succeeded', output: value })
      expect(prompts).toHaveLength(1)
    },
  )
})

describe('REQ-12 a delegate sees its own context, what the scopes let through, and its input', () => {
  test.each<[string, ToolSchema, object, RegExp]>([
    ['an Idea', delegating(fixed('poet')), { ideas: { poet: idea } }, /Be a poet/],
    ['anonymous', delegating(fixed('anonymous')), {}, /Ask the oracle/],
  ])('%s', async (_what, tool, options, own) => {
    const { outcome, prompts } = await run(tool, ask(), options)
    expect(outcome).toMatchObject({
      status: 'succeeded',
      mode: 'latent',
      delegated: true,
      output: { answer: 'yes' },
    })
    expect(prompts).toHaveLength(1)
    expect(prompts[0]).toMatch(own)
    expect(prompts[0]).toMatch(/kind=.*input.*sea/)
    expect(prompts[0]).not.toMatch(/SECRET|OPEN|EXAMPLE/)
  })

  test('with scopes, those parts', async () => {
    const tool = delegating(fixed('poet'), { _scopes: { const: ['†state.open'] } })
    const { prompts } = await run(tool, ask(), { ideas: { poet: idea } })
    expect(prompts[0]).toMatch(/OPEN/)
    expect(prompts[0]).not.toMatch(/SECRET/)
  })

  test('what the caller’s model imagined as its output is not asked for', async () => {
    const { outcome, prompts } = await run(
      delegating(fixed('anonymous')),
      ask({ _output: { answer: 'imagined' } }),
    )
    expect(outcome.output).toEqual({ answer: 'yes' })
    expect(prompts).toHaveLength(1)
  })

  test('delegated-explicit: the Activity runs in the clean room', async () => {
    let seen: readonly Message[] = []
    const { Tool, Activity } = createRegistry({
      tools: { ask: delegating(fixed('poet')) },
      ideas: { poet: idea },
    })
    Activity.register('ask', (_call, _tool, context) => {
      seen = context
      return { answer: 'done' }
    })
    expect(await Tool.run(ask(), { context: secret })).toMatchObject({
      mode: 'explicit',
      delegated: true,
      status: 'succeeded',
    })
    expect(seen).toEqual(roomOfIdea)
  })

  test.each<[string, unknown]>([
    ['anonymous', [{ type: 'input', input: { topic: 'sea' } }]],
    ['poet.json', roomOfIdea],
    ['poets', undefined],
  ])('delegated-explicit, as the Call says: %s', async (_delegate, room) => {
    const model = latentModel({
      model: 'm',
      client: scriptedModel([]),
      ideas: { folder: join(folder, 'ideas') },
    })
    const { Tool, Activity } = createRegistry({
      tools: { ask: delegating(open) },
      model,
      ideas: { poet: idea },
    })
    let seen: unknown
    Activity.register('ask', (_call, _tool, context) => {
      seen = context
      return { answer: 'done' }
    })
    const { status, error } = await Tool.run(ask({ _delegate }), { context: secret })
    expect([status, error?.code]).toEqual(room ? ['succeeded', undefined] : ['failed', 'no_implementation'])
    if (!room) expect(error?.message).toMatch('"poets". Did you mean "poet"? Registered: poet. Use')
    expect(seen).toEqual(room)
  })

  test('an Activity as the delegate: where the Tool names it, and nowhere else (CALL-3)', async () => {
    const named = { anyOf: [{ const: 'oracle' }, { const: 'anonymous' }] }
    const inOlderWords = (delegate: Schema) => {
      const tool = delegating(delegate)
      const { _delegate, ...properties } = tool.properties ?? {}
      return { ...tool, properties: { ...properties, _module: delegate } }
    }
    const ways: [string, ToolSchema][] = [
      ['_delegate', delegating(fixed('oracle'))],
      ['_delegate', delegating(named)],
      ['_module', inOlderWords(fixed('oracle'))],
      ['_module', inOlderWords(named)],
      ['_delegate', delegating(open)],
      ['_module', inOlderWords(open)],
    ]
    const outcomes = await Promise.all(
      ways.map(([field, schema]) => {
        const { Tool, Activity } = createRegistry({ tools: { ask: schema } })
        Activity.register('oracle', ({ topic }) => ({ answer: topic }))
        return Tool.run(ask({ [field]: 'oracle' }))
      }),
    )
    const ran = { status: 'succeeded', activity: 'oracle', output: { answer: 'sea' } }
    for (const outcome of outcomes.slice(0, 4)) expect(outcome).toMatchObject(ran)
    for (const { error } of outcomes.slice(4)) expect(error?.code).toBe('activity_mismatch')
  })

  test('a name that nobody knows', async () => {
    const { outcome } = await run(delegating(open), ask({ _delegate: 'poets' }), { ideas: { poet: idea } })
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'no_implementation' } })
    const { Tool } = createRegistry({ tools: { ask: delegating(open) }, ideas: { poet: idea } })
    const client = scriptedModel([{ calls: [ask({ _delegate: 'poets' })] }, { output: 'done' }])
    const { outcomes } = await Agent({ model: 'm', client, tools: Tool, output: { type: 'string' } })
    expect(outcomes[0]?.error?.message).toContain('Did you mean "poet"? Registered: poet.')
  })
})

describe('REQ-12 files of Ideas', () => {
  const withFile = (name: string, load?: (url: string) => Promise<unknown>) =>
    run(delegating(open), ask({ _delegate: name }), { folder: join(folder, 'ideas'), ...(load && { load }) })

  test.each(['poet.json', './poet.json', 'more/poet.json', 'more/../poet.json', 'marked.json'])(
    '%s is found',
    async (name) => {
      const { outcome, prompts } = await withFile(name)
      expect(outcome).toMatchObject({ status: 'succeeded' })
      expect(prompts[0]).toMatch(/Be a poet/)
    },
  )

  test.each([
    '../outside.json',
    'more/../../outside.json',
    'link.json',
    'up/outside.json',
    '/etc/hosts.json',
    '..\\outside.json',
    'poet.json\0.json',
    'missing.json',
    'C:\\outside.json',
    'file:///etc/hosts.json',
    'https://example.com/idea.json',
    'data:application/json,{}',
  ])('%j is refused, and no model is asked', async (name) => {
    const { outcome, prompts } = await withFile(name)
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'invalid_path' } })
    expect(prompts).toEqual([])
  })

  test.each([
    ['broken.json', 'malformed_json'],
    ['latin1.json', 'malformed_json'],
    ['none.json', 'invalid_options'],
    ['folder.json', 'invalid_path'],
  ])('%s is no Idea, of which a model reads neither place nor content', async (name, code) => {
    const { outcome } = await withFile(name)
    expect(outcome).toMatchObject({ status: 'failed', error: { code } })
    expect(outcome.error?.message).not.toContain(folder)
    expect(outcome.error?.message).not.toContain('SECRET')
  })

  test.each([
    ['poet.json', true],
    ['anonymous', false],
  ])('ACT-7a a run of %s that takes too long may have made Calls: %s', async (name, mayHaveRun) => {
    const client = scriptedModel([() => new Promise(() => {})])
    const model = latentModel({ model: 'm', client, ideas: { folder: join(folder, 'ideas') } })
    const { Tool } = createRegistry({ tools: { ask: delegating(open) }, model })
    const { error } = await Tool.run(ask({ _delegate: name }), { timeout: 100 })
    expect(error?.message.includes('delegate may have run Calls')).toBe(mayHaveRun)
  })

  test('a URL, where a loader is given', async () => {
    const asked: string[] = []
    const { outcome } = await withFile('https://example.com/poet', async (url) => {
      asked.push(url)
      return idea
    })
    expect(outcome.status).toBe('succeeded')
    expect(asked).toEqual(['https://example.com/poet'])
  })

  test('no folder, no file', async () => {
    const { outcome } = await run(delegating(open), ask({ _delegate: 'poet.json' }))
    expect(outcome).toMatchObject({ error: { code: 'invalid_path' } })
  })
})

describe('REQ-12 delegates with Tools of their own', () => {
  const withTools = (...tools: ToolSchema[]): IdeaData => ({
    ...idea,
    context: [...idea.context, ...tools.map((tool) => ({ type: 'tool' as const, tool }))],
  })
  const { Tool: sample } = registryWithTools()
  const addTool = sample.get('add') as ToolSchema

  test('do not carry out a plan that stands in their Idea', async () => {
    const planned = withTools(addTool)
    const plan: Message = { type: 'plan', plan: [{ _tool: 'add', left: 1, right: 2 }] }
    const { Tool, ran } = registryWithTools({
      tools: { ask: delegating(fixed('poet')) },
      ideas: { poet: { ...planned, context: [...planned.context, plan] } },
    })
    Tool.register('add', addTool)
    const client = scriptedModel([{ calls: [ask()] }, { output: { answer: 'none' } }, { output: 'done' }])
    const { outcomes } = await Agent({ model: 'm', client, tools: Tool, output: { type: 'string' } })
    expect(outcomes).toMatchObject([{ status: 'succeeded', output: { answer: 'none' } }])
    expect(ran).toEqual([])
  })

  test('run a loop inside: with these Tools and no others, spending what the run may spend', async () => {
    const { Tool, ran } = registryWithTools({
      tools: { ask: delegating(fixed('poet')) },
      ideas: { poet: withTools(addTool) },
    })
    Tool.register('add', addTool)
    const inner = [
      { calls: [{ _tool: 'add', left: 1, right: 2 }], usage: { in: 5, out: 5 } },
      { output: { answer: 'three' }, usage: { in: 5, out: 5 } },
    ]
    const client = scriptedModel([{ calls: [ask()], usage: { in: 5, out: 5 } }, ...inner, { output: 'done' }])
    const result = await Agent({
      model: 'm',
      client,
      tools: Tool,
      output: { type: 'string' },
      context: secret,
    })
    expect(ran).toEqual([['add', 1, 2]])
    expect(result).toMatchObject({
      output: 'done',
      outcomes: [{ output: { answer: 'three' } }],
      spent: { turns: 4, calls: 2, tokens: 30 },
    })
    const offered = JSON.stringify(client.requests[1]?.body.response_format)
    expect(offered).toContain('"add"')
    expect(offered).not.toContain('"ask"')
    expect(promptOf(client.requests[1] as ModelRequest)).not.toMatch(/SECRET/)
  })

  test.each<[string, ScriptedTurn, string, RegExp]>([
    [
      'fails',
      { refusal: 'no' },
      'pay',
      /^The model refused: no\. Before that, it ran "pay"; look before you/,
    ],
    ['fails, having only read', { refusal: 'no' }, 'add', /^The model refused: no$/],
    ['takes too long', () => new Promise(() => {}), 'pay', / may have run Calls; look before you ask for it/],
  ])('ACT-7a one that %s tells the model what it may have written', async (_, turn, name, told) => {
    const { Tool, ran } = registryWithTools()
    Tool.fromIdea('ask', withTools(Tool.get(name) as ToolSchema))
    const inner = name === 'pay' ? pay(5) : { _tool: 'add', left: 1, right: 2 }
    const client = scriptedModel([
      { calls: [{ _tool: 'ask', topic: 'sea' }] },
      { calls: [inner] },
      turn,
      { output: 'done' },
    ])
    const options = { output: { type: 'string' }, retry: { attempts: 1 }, run: { timeout: 200 } } as const
    const { outcomes } = await Agent({ model: 'm', client, tools: Tool, ...options })
    expect(ran).toHaveLength(1)
    expect(outcomes[0]?.error?.message).toMatch(told)
  })

  test('share the limits of the run', async () => {
    const { Tool } = registryWithTools({
      tools: { ask: delegating(fixed('poet')) },
      ideas: { poet: withTools(addTool) },
    })
    Tool.register('add', addTool)
    const forEver = { calls: [{ _tool: 'add', left: 1, right: 2 }] }
    const client = scriptedModel([{ calls: [ask()] }, ...Array(20).fill(forEver)])
    await expect(
      Agent({ model: 'm', client, tools: Tool, output: { type: 'string' }, maxTurns: 5 }),
    ).rejects.toMatchObject({
      code: 'limit_reached',
      result: { outcomes: [{ status: 'failed', error: { code: 'limit_reached' } }], spent: { turns: 5 } },
    })
    expect(client.requests).toHaveLength(5)
  })

  test('share the limits of a run that has waited', async () => {
    const { Tool } = registryWithTools({
      tools: { ask: delegating(fixed('poet')) },
      ideas: { poet: withTools(addTool) },
    })
    Tool.register('add', addTool)
    const forEver = { calls: [{ _tool: 'add', left: 1, right: 2 }] }
    const client = scriptedModel([{ calls: [pay(1)] }, { calls: [ask()] }, ...Array(20).fill(forEver)])
    const confirm = { effects: ['write' as const], ask: () => 'pending' as const }
    const options = {
      model: 'm',
      client,
      tools: Tool,
      output: { type: 'string' },
      maxTurns: 4,
      confirm,
    } as const
    const waits: unknown = await Agent(options).catch((error: unknown) => error)
    const { suspended: resume } = (waits as LoopError).result
    const decisions = resume?.approvals.map(({ id, hash }) => ({ approval: id, hash, approve: true }))
    await expect(Agent({ ...options, resume, decisions })).rejects.toMatchObject({ code: 'limit_reached' })
    expect(client.requests).toHaveLength(4)
  })

  test('nest at most 8 deep', async () => {
    const again = delegating(fixed('poet'))
    const { Tool } = createRegistry({ tools: { ask: again }, ideas: { poet: withTools(again) } })
    const client = scriptedModel(
      Array(99).fill(({ body }: ModelRequest) =>
        /limit_reached|stop/.test(JSON.stringify(body)) ? { output: { answer: 'stop' } } : { calls: [ask()] },
      ),
    )
    const model = latentModel({ model: 'm', client, tools: Tool })
    const outcome = await Tool.run(ask(), { model })
    expect(outcome).toMatchObject({ status: 'succeeded', output: { answer: 'stop' } })
    const deepest = client.requests.map(promptOf).filter((prompt) => prompt.includes('limit_reached'))
    expect(deepest).toHaveLength(1)
    expect(deepest[0]).toMatch(/more than 8 deep/)
  })
})

describe('REQ-12 what holds for a run holds for its delegates', () => {
  const done = { output: 'done' }
  /** A Tool whose delegate may pay. */
  function withPayer(delegate: ToolSchema, options: RegistryOptions = {}) {
    const { pay } = tools
    const room = {
      ...idea,
      context: [...idea.context, { type: 'tool' as const, tool: pay as object as ToolSchema }],
    }
    const registry = registryWithTools({
      tools: { ...tools, ask: delegate },
      ideas: { payer: room },
      ...options,
    })
    return registry
  }
  const payer = delegating(fixed('payer'))
  const paying = [{ calls: [pay(5)] }, { output: { answer: 'yes' } }]
  const refuses = () => {
    const asked: unknown[] = []
    const confirm = {
      effects: ['write'] as const,
      ask: (call: Call) => {
        asked.push(call._tool)
        return false
      },
    }
    return { asked, confirm }
  }
  const output = { type: 'string' }
  /** Who answers beside the run's own model: nobody, another one, or another one behind something that only looks on. */
  const others = [undefined, 'bare', 'wrapped'] as const
  const answering = (other: (typeof others)[number], options: Partial<LatentModelOptions>) => {
    const model = latentModel({ model: 'o', client: scriptedModel(paying), ...options })
    const latent =
      other === 'wrapped' ? { ...model, answer: (asked: LatentRequest) => model.answer(asked) } : model
    return other && { latent }
  }

  test('REQ-9 who is asked, also where another model answers', async () => {
    for (const other of others) {
      const { Tool, ran } = withPayer({ ...payer, effects: 'read' })
      const { asked, confirm } = refuses()
      const client = scriptedModel([{ calls: [ask()] }, ...(other ? [] : paying), done])
      const { spent, outcomes } = await Agent({
        ...{ model: 'm', client, tools: Tool, output, confirm },
        ...answering(other, { tools: Tool }),
      })
      expect(asked).toEqual(['pay'])
      expect(ran).toEqual([])
      expect(outcomes).toMatchObject([{ status: 'succeeded' }])
      expect(spent).toMatchObject({ turns: 4, calls: 2 })
    }
  })

  test('CALL-7 who is asked, and for whom it is, for a single Call', async () => {
    const { Tool, ran } = withPayer({ ...payer, effects: 'read' })
    const { asked, confirm } = refuses()
    const told: unknown[] = []
    Tool.register('add', Tool.get('add') as ToolSchema, {
      enabled: (_, principal) => Boolean(told.push(principal)),
    })
    const model = latentModel({ model: 'm', client: scriptedModel(paying), tools: Tool })
    expect(await Tool.run(ask(), { model, confirm, principal: 'ada' })).toMatchObject({ status: 'succeeded' })
    expect(asked).toEqual(['pay'])
    expect(ran).toEqual([])
    expect(new Set(told)).toEqual(new Set(['ada']))
  })

  test.each([
    ['that asks by itself', true, undefined, 'there'],
    ['that asks by itself, where the run says whom to ask', true, 'run', 'run'],
    ['that asks nobody', false, undefined, 'here'],
  ])('REQ-9 who is asked for Calls of another registry: one %s', async (_, isAsking, run, who) => {
    const asked: string[] = []
    const asking = (name: string) => ({ confirm: () => asked.push(name) > 0 })
    const here = withPayer({ ...payer, effects: 'read' }, asking('here'))
    const there = withPayer({ ...payer, effects: 'read' }, isAsking ? asking('there') : {})
    const model = latentModel({ model: 'm', client: scriptedModel(paying), tools: there.Tool })
    expect(await here.Tool.run(ask(), { model, ...(run && asking(run)) })).toMatchObject({
      status: 'succeeded',
    })
    expect(asked).toEqual([run ?? 'here', who])
    expect(there.ran).toEqual([['pay', 5]])
  })

  test('REQ-9 who is asked for plans', async () => {
    for (const other of others) {
      const { Tool, ran } = withPayer(payer)
      const client = scriptedModel([{ calls: [ask()] }, ...(other ? [] : paying), done])
      const confirm = { effects: ['write'] as const, askPlan: () => true }
      const model = answering(other, { tools: Tool })
      await Agent({ model: 'm', client, tools: Tool, output, confirm, ...model })
      expect(ran).toEqual([['pay', 5]])
    }
  })

  test('REQ-9 nobody is waited for: what would have to be decided later is refused, and the delegate goes on', async () => {
    const rules: ConfirmRules[] = [{ ask: () => 'pending' }, { askPlan: () => 'pending' }]
    for (const asks of rules) {
      const { Tool, ran } = withPayer({ ...payer, effects: 'read' })
      const client = scriptedModel([{ calls: [ask()] }, ...paying, done])
      const confirm: ConfirmRules = { effects: ['write'], ...asks }
      const { outcomes } = await Agent({ model: 'm', client, tools: Tool, output, confirm })
      expect(outcomes).toMatchObject([{ status: 'succeeded', output: { answer: 'yes' } }])
      expect(promptOf(client.requests[2] as ModelRequest)).toContain('cannot wait for an approval')
      expect(ran).toEqual([])
    }
  })

  test('REQ-9 a model that somebody wrote is told whom to ask, who is not waited for, and for whom it is', async () => {
    const no = { refuse: expect.any(String) }
    const before = (): undefined => {}
    for (const [confirm, expected] of [
      [{ effects: ['write'], ask: () => true }, true],
      [{ effects: ['write'], ask: () => 'pending' }, no],
      [{ effects: ['write'], askPlan: () => true }, no],
      [{ effects: ['idempotent'], ask: () => false }, true],
      [(call: Call) => call._tool === 'ask', false],
      [undefined, undefined],
    ] as [AgentOptions['confirm'], unknown][]) {
      const { Tool } = withPayer({ ...payer, effects: 'read' })
      const told: unknown[] = []
      const info = { id: 'i', tool: Tool.get('pay') as ToolSchema, mode: 'explicit', context: [] } as const
      const latent = {
        async answer({ under }: LatentRequest) {
          const asked = under?.confirm as Confirm | undefined
          told.push(await asked?.(pay(5), info), under?.principal, under?.run?.before)
          return { answer: 'yes' }
        },
      }
      const client = scriptedModel([{ calls: [ask()] }, done])
      await Agent({
        model: 'm',
        client,
        tools: Tool,
        output,
        latent,
        confirm,
        run: { principal: 'ada', before },
      })
      expect(told).toEqual([expected, 'ada', before])
    }
  })

  test('REQ-15 what it leaves out, whether or not the delegate has it', async () => {
    for (const [subset, isPaid] of [
      [{ without: ['add'] }, true],
      [{ only: ['ask', 'pay'] }, true],
      [{ without: ['pay'] }, false],
      [{ only: ['ask'] }, false],
    ] as const) {
      for (const other of others) {
        const { Tool, ran } = withPayer(payer)
        const client = scriptedModel([{ calls: [ask()] }, ...(other ? [] : paying), done])
        const { outcomes } = await Agent({
          ...{ model: 'm', client, tools: Tool, output },
          ...answering(other, { tools: Tool, without: [] }),
          ...subset,
        })
        expect(outcomes).toMatchObject([{ status: 'succeeded' }])
        expect(ran).toEqual(isPaid ? [['pay', 5]] : [])
      }
    }
  })

  test('TOOL-9 a delegate that ran Calls is not asked again, unless it says that it does no harm', async () => {
    for (const effects of [undefined, 'read'] as const) {
      const { Tool, ran } = withPayer({ ...payer, ...(effects && { effects }) })
      const stalling = { calls: [] }
      const client = scriptedModel([
        ...[{ calls: [ask()] }, { calls: [pay(5)] }, stalling],
        ...(effects === 'read' ? paying : []),
        done,
      ])
      const run = { retry: { attempts: 2 } }
      const { outcomes } = await Agent({ model: 'm', client, tools: Tool, output, run })
      expect(outcomes).toMatchObject([{ attempts: effects === 'read' ? 2 : 1 }])
      expect(ran).toHaveLength(effects === 'read' ? 2 : 1)
    }
  })

  test('REQ-9 who is asked, also where what a delegate does is only looked at', async () => {
    const { Tool, Activity, ran } = withPayer({ ...payer, effects: 'read' })
    Activity.register('ask', () => ({ answer: 'yes' }))
    const { asked, confirm } = refuses()
    const model = latentModel({ model: 'm', client: scriptedModel(paying), tools: Tool })
    const policy = { ask: { compare: ['default', 'latent'] } } as const
    const compared = new Promise((resolve) => Tool.on('activity:compare', resolve))
    expect(await Tool.run(ask(), { model, policy, confirm })).toMatchObject({ output: { answer: 'yes' } })
    expect(await compared).toMatchObject({ shadow: { status: 'succeeded' } })
    expect(asked).toEqual(['pay'])
    expect(ran).toEqual([])
  })

  test('ACT-5 a delegate that may write is not compared with another way to run it', async () => {
    const { Tool, Activity, ran } = withPayer(payer)
    Activity.register('ask', () => ({ answer: 'yes' }))
    const model = latentModel({ model: 'm', client: scriptedModel(paying), tools: Tool })
    const policy = { ask: { compare: ['default', 'latent'] } } as const
    expect(await Tool.run(ask(), { model, policy })).toMatchObject({ error: { code: 'unsafe_strategy' } })
    expect(ran).toEqual([])
  })

  test('SERVE-6 for whom it is: what is off for them is not offered', async () => {
    for (const principal of ['ada', 'eve']) {
      const { Tool, ran } = registryWithTools()
      const enabled = (_: unknown, who: unknown) => who === 'ada'
      Tool.register('pay', Tool.get('pay') as ToolSchema, { enabled })
      const client = scriptedModel([{ calls: [pay(5)] }, done])
      const { outcomes } = await Agent({ model: 'm', client, tools: Tool, output, run: { principal } })
      expect(outcomes).toMatchObject([{ status: principal === 'ada' ? 'succeeded' : 'failed' }])
      expect(ran).toHaveLength(principal === 'ada' ? 1 : 0)
    }
  })
})

describe('REQ-8b the limits of latentModel', () => {
  test('maxTime ends an answer that takes longer', async () => {
    const client = {
      chat: {
        completions: {
          create: (_body: never, options?: { signal?: AbortSignal }) =>
            new Promise((_, reject) => {
              options?.signal?.addEventListener('abort', () => reject(options.signal?.reason))
            }),
        },
      },
    }
    const { Tool } = createRegistry({
      tools: {
        guess: {
          type: 'object',
          properties: { _tool: { const: 'guess' }, _activity: { const: '' }, _output: {} },
        },
      },
      model: latentModel({ model: 'm', client: client as never, maxTime: 20 }),
    })
    const outcome = await Tool.run({ _tool: 'guess' }, { timeout: 20_000 })
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { code: 'limit_reached', message: expect.stringContaining('maxTime') },
    })
  })
})
