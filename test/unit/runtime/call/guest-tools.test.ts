import { type Call, createRegistry, type Message, message, tool } from 'callsheet'
import { Agent } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { describe, expect, test } from 'vitest'
import type { ToolSchema } from '../../../../runtime/schema/schema.ts'

const pay = tool(
  'pay',
  { amount: { type: 'number', maximum: 100 }, _output: { type: 'string' } },
  { effects: 'write' },
)

/** A Tool that comes with the context and asks for what is registered, by one of its own fields. */
function guest(name: string, meta: Record<string, unknown>): Message {
  const schema = {
    type: 'object',
    properties: { _tool: { const: name }, amount: {}, ...meta, _output: {} },
    required: ['_tool'],
  }
  return { type: 'tool', tool: schema as ToolSchema }
}

function payments() {
  const { Tool, Activity } = createRegistry({ tools: { pay } })
  const ran: unknown[] = []
  Activity.register('pay', ({ amount }) => {
    ran.push(amount)
    return 'paid'
  })
  return { Tool, Activity, ran }
}

const ways: [string, Message, Partial<Call>][] = [
  ['its name', guest('pay', {}), {}],
  ['_activity', guest('lax', { _activity: { const: 'pay' } }), {}],
  ['an _activity of plain text', guest('lax', { _activity: 'pay' }), {}],
  ['_delegate', guest('lax', { _delegate: { const: 'pay' } }), {}],
  ['_module', guest('lax', { _module: { const: 'pay' } }), {}],
  ['an enum of delegates', guest('lax', { _delegate: { enum: ['pay', 'other'] } }), { _delegate: 'pay' }],
  [
    'one of several delegates',
    guest('lax', { _delegate: { anyOf: [{ const: 'pay' }] } }),
    { _delegate: 'pay' },
  ],
  ['an open delegate', guest('lax', { _delegate: { type: 'string' } }), { _delegate: 'pay' }],
]

describe('CALL-11b a Tool that came with a context reaches no registered Activity', () => {
  test.each(ways)('by %s', async (_what, message, more) => {
    const { Tool, ran } = payments()
    const declared = (message as { tool: ToolSchema }).tool.properties?._tool as { const: string }
    const call = { _tool: declared.const, amount: 1_000_000, _output: 'paid', ...more }
    const context = [message]
    const outcome = await Tool.run(call, { context })
    expect(outcome.status).toBe('failed')
    expect(['unknown_tool', 'activity_mismatch', 'invalid_call']).toContain(outcome.error?.code)
    for (const run of [Tool.all, Tool.any, Tool.race])
      await expect(run([call], { context })).rejects.toThrow()
    expect(ran).toEqual([])
  })

  test('one that is malformed is left out and told, and takes no other along', async () => {
    const { Tool } = payments()
    const told: unknown[] = []
    Tool.on('listener:error', ({ event, error }) => told.push([event, (error as Error).message]))
    const context = [guest('broken', { n: null }), guest('whole', {})]
    expect(Tool.composable(context).map(({ name }) => name)).toEqual(['pay', 'whole'])
    expect((await Tool.run({ _tool: 'whole', _output: 1 }, { context })).status).toBe('succeeded')
    const why = 'Tool "broken" cannot be registered: its `properties.n` is null; expected a schema.'
    expect(told).toEqual([['tool', why]])
  })

  test.each(['', 'a b', 'péy', '🙂', '-x', '__proto__', 'a.constructor'])(
    'TOOL-3 one with the name "%s", which no Tool may have, is none',
    async (name) => {
      const { Tool } = payments()
      const told: unknown[] = []
      Tool.on('listener:error', ({ event }) => told.push(event))
      const context = [guest(name, {}), guest('whole', {})]
      const client = scriptedModel([{ output: 'done' }])
      await Agent({ model: 'm', client, tools: Tool, mode: 'native', output: { type: 'string' }, context })
      expect(client.requests[0]?.body).toMatchObject({
        tools: [{ function: { name: 'pay' } }, { function: { name: 'whole' } }],
      })
      expect(told).toEqual(['tool'])
      const outcome = await Tool.run({ _tool: name, _output: 1 }, { context })
      expect(outcome.error?.code).toBe('unknown_tool')
    },
  )

  test('one that is declared to be elsewhere, or that no Tool has, is not reached either', async () => {
    const { Tool, Activity } = payments()
    Activity.declare('remote')
    Activity.register('loose', () => 'ran')
    for (const name of ['remote', 'loose']) {
      const delegated = guest('lax', { _delegate: { enum: [name, 'x'] } })
      const outcome = await Tool.run({ _tool: 'lax', _delegate: name, _output: 1 }, { context: [delegated] })
      expect(outcome.error?.code).toBe('activity_mismatch')
      const named = await Tool.run({ _tool: name, _output: 1 }, { context: [guest(name, {})] })
      expect(named.error?.code).toBe('unknown_tool')
    }
  })

  test('an Activity that is registered later is not reached either', async () => {
    const { Tool, Activity, ran } = payments()
    const context = [guest('later', {})]
    expect(await Tool({ _tool: 'later', _output: 'imagined' }, { context })).toBe('imagined')
    Activity.register('later', () => ran.push('later'))
    expect((await Tool.run({ _tool: 'later', _output: 1 }, { context })).error?.code).toBe('unknown_tool')
    expect(ran).toEqual([])
  })

  test('an Idea’s input brings no meta-field of its own', () => {
    const { Tool } = payments()
    const schema = {
      type: 'object',
      properties: { _activity: { const: 'pay' }, _delegate: { const: 'pay' } },
    } as const
    const context: Message[] = [{ type: 'input', input: {}, schema }]
    expect(() => Tool.fromIdea('harmless', { schema: {}, context })).toThrow(/declares _activity, _delegate/)
  })
})

describe('OUT-1, REF-5, TOOL-2, REQ-10 plans read the Calls of such a Tool by what it says', () => {
  const text = { type: 'string' } as const
  const tell = tool('tell', { of: text, _outputPath: { ...text, '~optional': true }, _output: text })
  const brought = {
    type: 'object',
    properties: {
      _tool: { const: 'brought' },
      of: text,
      exact: { ...text, references: false },
      _from: text,
      _outputPath: { const: '†state.brought' },
      _output: text,
    },
    required: ['_tool'],
    parameters: ['_from'],
    additionalProperties: false,
  }
  const context: Message[] = [{ type: 'tool', tool: brought as ToolSchema }]
  const call = (given: object): Call => ({ _tool: 'brought', _output: 'said', ...given })
  const telling = (of: string, rest: object = {}): Call => ({ _tool: 'tell', of, ...rest })
  const plans: [string, Call[], string[]][] = [
    ['where it writes', [telling('†state.brought'), call({ of: 'x' })], ['said', 'said']],
    ['which text is text', [call({ exact: '†state.nothing' })], ['said']],
    [
      'which underscore properties are parameters',
      [call({ _from: '†state.told' }), telling('x', { _outputPath: '†state.told' })],
      ['said', 'x'],
    ],
  ]

  function tellingTools() {
    const { Tool, Activity } = createRegistry({ tools: { tell } })
    Activity.register('tell', ({ of }) => of)
    Tool.on('activity:latent', () => {})
    return Tool
  }

  test.each(plans)('Tool.plan: %s', async (_what, calls, outputs) => {
    const { outcomes } = await tellingTools().plan(calls, { context })
    expect(outcomes.map((outcome) => outcome?.output)).toEqual(outputs)
  })

  test.each(plans)('an agent: %s', async (_what, calls, outputs) => {
    for (const stream of [false, true]) {
      const client = scriptedModel([{ calls }, { output: 'done' }])
      const shared = { model: 'm', client, tools: tellingTools(), output: text, context, stream }
      const { outcomes, waiting } = await Agent({ ...shared, dialect: 'json-schema', early: 'all' })
      expect([outcomes.map(({ output }) => output), waiting]).toEqual([outputs, []])
    }
  })

  test('one that comes with what a Call of an earlier turn adds', async () => {
    const { Tool, Activity } = createRegistry({ tools: { tell } })
    Activity.register('tell', ({ of }) =>
      of === 'bring' ? (message({ type: 'tool', tool: brought as ToolSchema }) as never) : of,
    )
    Tool.on('activity:latent', () => {})
    const calls = plans[0]?.[1] ?? []
    const client = scriptedModel([{ calls: [telling('bring')] }, { calls }, { output: 'done' }])
    const { outcomes } = await Agent({
      model: 'm',
      client,
      tools: Tool,
      output: text,
      dialect: 'json-schema',
    })
    expect(outcomes.map(({ output }) => output)).toEqual([undefined, 'said', 'said'])
  })
})
