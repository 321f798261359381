import { type Call, createContext, createRegistry, type Message, plan, tool, toolkit } from 'callsheet'
import { Agent } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { describe, expect, test } from 'vitest'

const text = { type: 'string' } as const
const fixed = <const Value extends string>(value: Value) => ({ type: 'string', const: value }) as const

const tools = {
  name: tool('name', { of: text, _outputPath: fixed('†state.name'), _output: text }),
  note: tool('note', {
    of: text,
    _outputPath: fixed('†state.notes'),
    _outputMethod: fixed('push'),
    _output: text,
  }),
  own: tool('own', { of: text, _instance: fixed('ada'), _outputPath: text, _output: text }),
  either: tool('either', {
    of: text,
    _outputPath: { enum: ['†state.a', '†state.b'], '~optional': true },
    _output: text,
  }),
  tell: tool('tell', { of: text, _output: text }),
}

const call = (name: string, of: unknown = name, rest: object = {}): Call => ({ _tool: name, of, ...rest })

function noting() {
  const registry = createRegistry({ tools })
  const ran: unknown[] = []
  for (const name of Object.keys(tools)) {
    registry.Activity.register(name, (given) => {
      ran.push(given)
      return `${given.of}`
    })
  }
  return { ...registry, ran }
}

describe('OUT-1 what a Tool fixes of where its outputs go holds for Calls that say nothing', () => {
  test('the path and the method, for the Activity, the Outcome and the context', async () => {
    const { Tool, ran } = noting()
    const context = createContext([])
    for (const of of ['a', 'b']) await Tool(call('note', of), { context })
    const outcome = await Tool.run(call('name'), { context })
    expect(context.read('†state')).toEqual({ notes: ['a', 'b'], name: 'name' })
    expect(ran).toMatchObject([
      { of: 'a', _outputPath: '†state.notes', _outputMethod: 'push' },
      { of: 'b', _outputPath: '†state.notes', _outputMethod: 'push' },
      { of: 'name', _outputPath: '†state.name' },
    ])
    expect(outcome.call).toEqual(call('name', 'name', { _outputPath: '†state.name' }))
  })

  test('INST-1 the instance', async () => {
    const { Tool } = noting()
    const context = createContext([
      { type: 'data', kind: 'state', data: { city: 'Oslo' } },
      { type: 'data', kind: 'state', data: { city: 'Rome' }, _instance: 'ada' },
    ])
    expect(await Tool(call('own', '†state.city', { _outputPath: '†state.seen' }), { context })).toBe('Rome')
    expect(context.messages.at(-1)).toMatchObject({ _instance: 'ada', _path: '†state.seen' })
    expect(await Tool.run(call('own'))).toMatchObject({ error: { code: 'unknown_instance' } })
  })

  test.each([['†state.other'], [null], [5]])(
    'a Call that says something else is refused: %j',
    async (said) => {
      const { Tool, ran } = noting()
      const outcome = await Tool.run(call('name', 'x', { _outputPath: said }))
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'invalid_call' }, appended: [] })
      expect(ran).toEqual([])
    },
  )

  test('one of several is not chosen for it, and an open one is not made up', async () => {
    const { Tool } = noting()
    expect((await Tool.run(call('either'))).appended).toEqual([])
    expect((await Tool.run(call('tell'))).appended).toEqual([])
  })

  test('TOOL-10 what the members of a toolkit share, and what a registry gives them', async () => {
    const kit = toolkit('Kit', { one: { _output: text } }, { meta: { _outputPath: '†state.one' } })
    const two = tool('two', { _output: text })
    const { Tool, Activity } = createRegistry({
      tools: { Kit: kit, two },
      meta: [{ tools: 'two', _outputPath: '†state.two' }],
    })
    const context = createContext([])
    for (const name of ['Kit.one', 'two']) {
      Activity.register(name, () => name)
      await Tool.run({ _tool: name }, { context })
    }
    expect(context.read('†state')).toEqual({ one: 'Kit.one', two: 'two' })
  })
})

describe('REQ-10 plans know where such Calls write', () => {
  const calls = [call('tell', '†state.name'), call('name', 'Ada')]

  test('Tool.plan', async () => {
    const { Tool } = noting()
    const { outcomes } = await Tool.plan(calls)
    expect(outcomes.map((outcome) => outcome?.output)).toEqual(['Ada', 'Ada'])
  })

  test('plan, which keeps the Calls as they were written', () => {
    const { Tool } = noting()
    const made = plan(calls, { tools: { name: Tool.get('name') ?? {}, tell: Tool.get('tell') ?? {} } })
    expect(made.waitsFor).toEqual([[1], []])
    expect(made.calls).toEqual(calls)
    expect(made.mermaid()).toContain('writes †state.name')
  })

  test.each(['an answer', 'a stream', 'a plan in the context'])('an agent that is given %s', async (how) => {
    const { Tool, ran } = noting()
    const inContext = how === 'a plan in the context'
    const model = scriptedModel([...(inContext ? [] : [{ calls }]), { output: 'done' }])
    const server = await model.listen()
    const context: Message[] = inContext ? [{ type: 'plan', plan: calls }] : []
    try {
      const { context: after } = await Agent({
        model: 'm',
        baseURL: server.baseURL,
        apiKey: 'x',
        tools: Tool,
        output: text,
        context,
        stream: how === 'a stream',
        early: 'all',
      })
      expect(ran).toMatchObject([{ of: 'Ada' }, { _tool: 'tell', of: 'Ada' }])
      expect(after.filter(({ type }) => type === 'plan')).toHaveLength(inContext ? 2 : 0)
    } finally {
      await server.close()
    }
  })
})
