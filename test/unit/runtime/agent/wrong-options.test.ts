import { createContext } from 'callsheet'
import { Agent, type AgentOptions, type AgentResult, Request } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { describe, expect, test } from 'vitest'
import { pay, registryWithTools } from './tools.ts'

const wrong: [path: string, options: object][] = [
  ['/maxTurn', { maxTurn: 3 }],
  ['/confirm', { confirm: 'ask' }],
  ['/confirm', { confirm: {} }],
  ['/confirm', { confirm: { effects: ['write'] } }],
  ['/confirm/effects', { confirm: { effects: ['writes'], ask: () => false } }],
  ['/confirm/efects', { confirm: { efects: ['write'], ask: () => false } }],
  ['/run/timeOut', { run: { timeOut: 5 } }],
  ['/run/concurrency', { run: { concurrency: 1 } }],
  ['/concurrency', { concurrency: 1.5 }],
  ['/resume/version', { resume: {} }],
  ['/resume/exchanges', { resume: { exchanges: [null] } }],
  [
    '/resume/exchanges',
    { resume: { exchanges: [{ at: 0, said: {}, results: [{ id: 'a', from: -1, to: 0 }] }] } },
  ],
  ['/early', { early: true }],
  ['/explain/outputPath', { explain: { outputPath: 'Where to.' } }],
  ['/search/limits', { search: { limits: 3 } }],
  ['/run', { run: new Map([['before', () => 'refused']]) }],
  ['/run/before', { run: Object.create({ before: () => 'refused' }) }],
  [
    '/run/policy',
    {
      run: new (class {
        get policy() {
          return { pay: 'latent' }
        }
      })(),
    },
  ],
  ['/search/pinned', { search: Object.create({ pinned: ['pay'] }) }],
  ['/body', { body: new Map([['temperature', 0]]) }],
  ['/body', { body: Object.create({ temperature: 0 }) }],
]

/** Asks by methods. */
class Careful {
  confirm() {
    return false as const
  }

  ask() {
    return false as const
  }
}

test.each([
  { runId: 'r', outcomes: [], turns: [], context: [], suspended: { version: 1 } },
  { code: 'approval_pending', result: { output: null, suspended: { version: 1 } } },
])('a result, or its error, in place of what it suspended is told where that is: %j', async (resume) => {
  const { Tool } = registryWithTools()
  const options = { model: 'm', tools: Tool, output: { type: 'string' }, resume: resume as never }
  await expect(Agent(options)).rejects.toThrow(
    /^[^/]*\/resume: expected what `error.result.suspended` was, without the result or the error around it, got [^;]*$/,
  )
})

test.each<[object, string]>([
  [{ principal: 'ada' }, '/principal: no such property here; it belongs in "run"'],
  [
    { retryable: true, run: { maxCalls: 3 } },
    '/run/maxCalls: no such property here; it belongs beside "run"',
  ],
  [{ ask: () => true }, '/ask: no such property here; it belongs in "confirm"'],
  [{ unwritten: [] }, '/unwritten: no such property.'],
])('an option in the wrong place is told where it belongs: %j', async (options, message) => {
  const { Tool } = registryWithTools()
  const given = { model: 'm', tools: Tool, output: { type: 'string' }, ...options }
  await expect(Agent(given as never)).rejects.toThrow(message)
})

test.each([
  [[1]],
  [[{ at: 0, results: [] }]],
  [[{ at: '0', said: {}, results: [] }]],
  [[{ at: 0, said: {}, results: [null] }]],
])('REQ-6a exchanges that no model had: %j', async (exchanges) => {
  const { Tool } = registryWithTools()
  const model = scriptedModel([{ output: 'done' }])
  const given = { model: 'm', client: model, tools: Tool, output: { type: 'string' }, exchanges }
  await expect(Request(given as never)).rejects.toMatchObject({
    code: 'invalid_options',
    problems: [{ path: '/exchanges' }],
  })
  expect(model.requests).toEqual([])
})

describe('REQ-8, REQ-9 options of an agent that would silently mean something else', () => {
  test.each(wrong)('%s in %j: no model is asked, and nothing runs', async (path, options) => {
    const { Tool, ran } = registryWithTools()
    const model = scriptedModel([{ calls: [pay(5)] }, { output: 'done' }])
    const given = { model: 'm', client: model, tools: Tool, output: { type: 'string' }, ...options }
    const run = Agent(given as AgentOptions)
    await expect(run).rejects.toMatchObject({
      code: 'invalid_options',
      problems: expect.arrayContaining([expect.objectContaining({ path })]),
    })
    expect(ran).toEqual([])
    expect(model.requests).toEqual([])
  })

  test('an object of a class is refused for what it inherits, and may be what asks', async () => {
    const { Tool, ran } = registryWithTools()
    const client = scriptedModel([{ calls: [pay(5)] }, { output: 'done' }])
    const given = { model: 'm', client, tools: Tool, output: { type: 'string' } } as const
    await expect(Agent(Object.assign(new Careful(), given))).rejects.toMatchObject({
      code: 'invalid_options',
      problems: [{ path: '/confirm' }],
    })
    expect(client.requests).toEqual([])
    expect((await Agent({ ...given, confirm: new Careful() })).outcomes).toMatchObject([
      { status: 'refused' },
    ])
    expect(ran).toEqual([])
  })

  test.each([
    ['chat', { messages: [] }],
    ['chat', { response_format: { type: 'json_object' } }],
    ['responses', { text: { format: { type: 'text' } } }],
    ['messages', { system: 'You are a pirate.' }],
    ['chat', { stream: true }],
  ] as const)('over %s, %j in the body takes no place of what a Request writes', async (api, body) => {
    const { Tool } = registryWithTools()
    const client = scriptedModel([{ output: 'done' }])
    const options = {
      model: 'm',
      client,
      api,
      body,
      tools: Tool,
      output: { type: 'string' },
      instructions: 'Be brief.',
    }
    const message = expect.stringMatching(/^body\..* would take the place/)
    await expect(Request(options)).rejects.toMatchObject({ code: 'invalid_options', message })
    expect(client.requests).toEqual([])
  })

  test('an output by Zod, of whose JSON the type alone would count', async () => {
    const { Tool } = registryWithTools()
    const client = scriptedModel([{ output: { x: 'no number' } }])
    const output = { '~standard': { version: 1, vendor: 'zod' }, type: 'object', def: { type: 'object' } }
    const refused = { code: 'unsupported_schema', message: expect.stringContaining('z.toJSONSchema(schema)') }
    await expect(Agent({ model: 'm', client, tools: Tool, output })).rejects.toMatchObject(refused)
    expect(client.requests).toEqual([])
  })

  test.each([{ answer: { type: 'string' } }, { typ: 'string' }])(
    'an output of %j would allow anything',
    async (output) => {
      const { Tool } = registryWithTools()
      const client = scriptedModel([{ output: 'done' }])
      const refused = {
        code: 'unsupported_schema',
        message: expect.stringContaining('no keyword of JSON Schema'),
      }
      await expect(Agent({ model: 'm', client, tools: Tool, output })).rejects.toMatchObject(refused)
      expect(client.requests).toEqual([])
    },
  )

  test.each([
    ['responses', { text: { verbosity: 'low' } }, 'text'],
    ['messages', { output_config: { effort: 'low' }, max_tokens: 9 }, 'output_config'],
  ] as const)(
    'over %s, %j stands beside the format that holds the model to its schema',
    async (api, body, name) => {
      const { Tool } = registryWithTools()
      const client = scriptedModel([{ output: 'done' }])
      await Request({
        model: 'm',
        client,
        api,
        body,
        mode: 'composed',
        tools: Tool,
        output: { type: 'string' },
      })
      const sent = client.requests[0]?.body
      expect(sent).toMatchObject(body)
      expect(sent?.[name]).toMatchObject({ format: { type: 'json_schema' } })
    },
  )

  test.each([
    ['a provider’s form', [{ role: 'user', content: 'Hello' }]],
    ['nothing', [null]],
    ['a text without a text', [{ type: 'text' }]],
  ])('a context of %s is refused, not sent as nothing', async (_title, context) => {
    const { Tool } = registryWithTools()
    const model = scriptedModel([{ output: 'done' }])
    const given = { model: 'm', client: model, tools: Tool, output: { type: 'string' } }
    const refused = { code: 'invalid_message', message: expect.stringContaining('Message 0') }
    await expect(Agent({ ...given, context: context as never })).rejects.toMatchObject(refused)
    await expect(Request({ ...given, context: context as never })).rejects.toMatchObject(refused)
    expect(model.requests).toEqual([])
    await Agent({ ...given, context: createContext([{ type: 'text', text: 'Hello' }]) })
    expect(model.requests).toHaveLength(1)
  })

  test('REQ-6 an object without a Tool is refused; an empty list, or nothing, offers none', async () => {
    const given = { model: 'm', output: { type: 'string' } }
    const client = scriptedModel([{ output: 'done' }, { output: 'done' }])
    await expect(Request({ ...given, client, tools: {} })).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('an object without a Tool'),
    })
    expect(client.requests).toEqual([])
    for (const none of [{}, { tools: [] }]) {
      const { solution } = await Request({ ...given, client, ...none })
      expect(solution.output).toBe('done')
    }
  })

  test('a suspended run whose context was tampered with is refused before its Calls run', async () => {
    const { Tool, ran } = registryWithTools()
    const given = { model: 'm', tools: Tool, output: { type: 'string' }, confirm: () => 'pending' as const }
    const first = Agent({ ...given, client: scriptedModel([{ calls: [pay(5)] }]) })
    const { suspended } = await first.then(
      () => expect.fail('it waits'),
      (error: { result: AgentResult }) => error.result,
    )
    if (!suspended) expect.fail('nothing to go on with')
    const decisions = suspended.approvals.map(({ id, hash }) => ({ approval: id, hash, approve: true }))
    const resume = { ...suspended, context: [{}] as never }
    const run = Agent({ ...given, client: scriptedModel([{ output: 'done' }]), resume, decisions })
    await expect(run).rejects.toMatchObject({ code: 'invalid_message' })
    expect(ran).toEqual([])
  })

  test('an answer about a plan that is no yes is no yes', async () => {
    const { Tool, ran } = registryWithTools()
    const told = (answer: unknown) =>
      `: \`askPlan\` answered ${answer === undefined ? 'nothing' : JSON.stringify(answer)}, and only true approves`
    const plain: [unknown, string][] = [
      [false, ''],
      [{ refuse: 'too dear' }, ': too dear'],
    ]
    const others = [undefined, null, 'yes', 1, {}, { refuse: 1 }].map((answer) => [answer, told(answer)])
    for (const [answer, why] of [...plain, ...others]) {
      const client = scriptedModel([{ calls: [pay(5)] }, { output: 'done' }])
      const confirm = { askPlan: () => answer as never }
      const { outcomes } = await Agent({
        ...{ model: 'm', client, tools: Tool, output: { type: 'string' }, confirm },
      })
      const message = `The plan was refused${why}.`
      expect(outcomes).toMatchObject([{ status: 'refused', error: { message } }])
    }
    expect(ran).toEqual([])
  })
})
