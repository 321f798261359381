import { type Call, createContext, createRegistry, type Message, type Problem, tool } from 'callsheet'
import { describe, expect, test } from 'vitest'
import { number, optional, registryOf, string, tools } from './harness.ts'

describe('CALL-1 nothing invalid runs', () => {
  const never = () => {
    throw new Error('an invalid Call reached its Activity')
  }

  const cases: [string, unknown, string][] = [
    ['an unknown Tool', { _tool: 'dobule', n: 1 }, 'unknown_tool'],
    ['no Tool', { n: 1 }, 'invalid_call'],
    ['a Tool that is no name', { _tool: 1, n: 1 }, 'invalid_call'],
    ['a wrong parameter', { _tool: 'double', n: 'one' }, 'invalid_call'],
    ['a missing parameter', { _tool: 'double' }, 'invalid_call'],
    ['a property that is not declared', { _tool: 'double', n: 1, m: 2 }, 'invalid_call'],
    ['a Reference to nothing (REF-3)', { _tool: 'double', n: '†state.n' }, 'unresolved_reference'],
    [
      'a path that is none (OUT-8)',
      { _tool: 'double', n: 1, _outputPath: '†state.__proto__' },
      'invalid_path',
    ],
    [
      'a path to the state without its † (OUT-2)',
      { _tool: 'double', n: 1, _outputPath: 'state.n' },
      'invalid_path',
    ],
    ['null', null, 'invalid_call'],
    ['nothing', undefined, 'invalid_call'],
    ['a text', 'double', 'invalid_call'],
    ['a list', [{ _tool: 'double' }], 'invalid_call'],
  ]
  test.each(cases)('%s is %s', async (_what, call, code) => {
    const { Tool, events } = registryOf({ double: never })
    const outcome = await Tool.run(call as Call)
    expect(outcome).toMatchObject({ status: 'failed', attempts: 0, appended: [], error: { code } })
    await expect(Tool(call as Call)).rejects.toMatchObject({ name: 'CallError', code })
    expect(events.ended).toHaveLength(2)
  })

  test('every problem is told at once, with path, what was expected and what was received', async () => {
    const schema = tool('order', {
      items: {
        type: 'array',
        items: { type: 'object', properties: { amount: number }, required: ['amount'] },
      },
      to: string,
    })
    const { Tool } = registryOf({ order: never }, { tools: { schema } })
    const { error } = await Tool.run({ _tool: 'order', items: [{ amount: 'ten' }, {}], too: 'Ada' })
    const paths = error?.problems?.map(({ path }) => path).sort()
    expect(paths).toEqual(['/items/0/amount', '/items/1/amount', '/to', '/too'])
    const amount = error?.problems?.find(({ path }) => path === '/items/0/amount')
    expect(amount).toEqual<Problem>({
      path: '/items/0/amount',
      expected: 'a number',
      received: '"ten"',
      message: '/items/0/amount: expected a number, got "ten"',
    })
    for (const { message } of error?.problems ?? []) expect(error?.message).toContain(message)
  })

  test('an unknown Tool comes with the nearest names', async () => {
    const { Tool } = registryOf({})
    const { error } = await Tool.run({ _tool: 'dobule' })
    expect(error?.suggestions).toEqual(['double'])
    expect(error?.message).toBe(
      'Unknown tool "dobule". Did you mean "double"? Registered: double, read, pay, note.',
    )
  })

  test('one bad Call does not stop its siblings outside Tool.all', async () => {
    const { Tool } = registryOf({ double: ({ n }) => n * 2 })
    const calls = [{ _tool: 'dobule' }, { _tool: 'double', n: 2 }]
    expect(await Tool.any(calls)).toBe(4)
    const outcomes = await Promise.all(calls.map((call) => Tool.run(call)))
    expect(outcomes.map(({ status }) => status)).toEqual(['failed', 'succeeded'])
  })

  test('References are resolved before the check, and the Outcome keeps the Call as it came', async () => {
    const { Tool } = registryOf({ double: ({ n }) => n * 2 })
    const context = createContext([{ type: 'state', state: { n: 3, word: 'three' } }])
    const call = { _tool: 'double', n: '†state.n' }
    expect(await Tool.run(call, { context })).toMatchObject({ output: 6, call })
    const wrong = await Tool.run({ _tool: 'double', n: '†state.word' }, { context })
    expect(wrong.error).toMatchObject({ code: 'invalid_call', problems: [{ received: '"three"' }] })
  })
})

describe('CALL-1a meta-fields', () => {
  const open = { properties: { n: number, _output: number }, additionalProperties: true }
  const calls: [Call, string | undefined][] = [
    [{ _tool: 'open', _reasoningForCall: 'why not' }, undefined],
    [{ _tool: 'open', _reasoningForCall: 1 }, 'invalid_call'],
    [{ _tool: 'open', _activity: 'open' }, undefined],
    [{ _tool: 'open', _output: 'anything' }, undefined],
    [{ _tool: 'open', more: 1 }, undefined],
    [{ _tool: 'open', _scopes: ['state'] }, 'invalid_call'],
    [{ _tool: 'open', _delegate: 'x' }, 'invalid_call'],
    [{ _tool: 'open', _module: 'x' }, 'invalid_call'],
    [{ _tool: 'open', _outputPath: '†state.x' }, 'invalid_call'],
    [{ _tool: 'open', _outputMethod: 'set' }, 'invalid_call'],
  ]
  test.each(calls)('an open Tool and %j: %s', async (call, code) => {
    const { Tool, Activity } = createRegistry({ tools: { open } })
    Activity.register('open', () => 1)
    expect((await Tool.run(call)).error?.code).toBe(code)
  })

  test('the parameters validate against the rest: minProperties does not count meta-fields', async () => {
    const few = { ...open, minProperties: 1 }
    const { Tool, Activity } = createRegistry({ tools: { few } })
    Activity.register('few', () => 1)
    expect((await Tool.run({ _tool: 'few', _reasoningForCall: 'x' })).error?.code).toBe('invalid_call')
    expect((await Tool.run({ _tool: 'few', n: 1 })).status).toBe('succeeded')
  })
})

describe('TOOL-9 enabled', () => {
  const off = { ...tools.double, enabled: false }

  test('a Tool that is off does not run', async () => {
    const { Tool } = registryOf({ double: () => 1 }, { tools: { double: off } })
    expect((await Tool.run({ _tool: 'double', n: 1 })).error).toMatchObject({
      code: 'unknown_tool',
      message: expect.stringContaining('`enabled`'),
    })
  })

  test('Tool.register overrides the flag', async () => {
    const { Tool } = registryOf({ double: () => 1 }, { tools: {} })
    Tool.register('double', off, { enabled: true })
    expect(await Tool({ _tool: 'double', n: 1 })).toBe(1)
    Tool.register('double', off)
    await expect(Tool({ _tool: 'double', n: 1 })).rejects.toMatchObject({ code: 'unknown_tool' })
  })

  test('a function is asked with the context of each Call', async () => {
    const { Tool } = registryOf({ double: () => 1 }, { tools: {} })
    Tool.register('double', tools.double, { enabled: (context) => context.length > 0 })
    const call = { _tool: 'double', n: 1 }
    expect((await Tool.run(call)).error?.code).toBe('unknown_tool')
    expect((await Tool.run(call, { context: [{ type: 'text', text: 'hi' }] })).output).toBe(1)
    expect((await Tool.run(call, { context: createContext([{ type: 'text', text: 'hi' }]) })).output).toBe(1)
  })

  test.each([
    [async () => false, 'Promise {}'],
    [() => Promise.reject(new Error('late')), 'Promise {}'],
    [() => 'no', '"no"'],
  ])('a function that answers neither yes nor no switches nothing on: %s', async (enabled, got) => {
    const { Tool } = registryOf({ double: () => 1 }, { tools: {} })
    Tool.register('double', tools.double, { enabled: enabled as never })
    expect((await Tool.run({ _tool: 'double', n: 1 })).error).toMatchObject({
      code: 'invalid_options',
      message: `The option \`enabled\` of Tool "double" answered ${got}. Expected true or false, at once.`,
    })
  })

  test('a function that throws fails the Call and says so', async () => {
    const { Tool } = registryOf({ double: () => 1 }, { tools: {} })
    const cause = new Error('no flags today')
    const enabled = () => {
      throw cause
    }
    Tool.register('double', tools.double, { enabled })
    const { error } = await Tool.run({ _tool: 'double', n: 1 })
    expect(error).toMatchObject({
      code: 'activity_failed',
      cause,
      message: expect.stringContaining('enabled'),
    })
  })

  test('a function that fails where Tools are listed takes none of the others along, and is told', async () => {
    const { Tool } = registryOf({ double: () => 1 }, { tools: { double: tools.double } })
    const other = tool('other', { n: number, _output: number })
    // It reads what is there in each Call, and not where a server lists its Tools.
    Tool.register('other', other, { enabled: ([first]) => (first as Message).type === 'text' })
    const told: unknown[] = []
    Tool.on('listener:error', ({ event, error }) => told.push([event, (error as Error).message]))
    const names = (context?: Message[]) => Tool.composable(context).map(({ name }) => name)
    expect(names()).toEqual(['double'])
    expect(names([{ type: 'text', text: '' }])).toEqual(['double', 'other'])
    expect((await Tool.find('double other')).map(({ name }) => name)).toEqual(['double'])
    const what = expect.stringContaining('The option `enabled` of Tool "other" threw')
    expect(told).toEqual([
      ['enabled', what],
      ['enabled', what],
    ])
  })
})

test('a Tool whose schema cannot be checked fails its Calls, and says why', async () => {
  const broken = { properties: { a: { type: 'string', pattern: '(' }, b: optional(string) } }
  const { Tool, Activity } = createRegistry({ tools: { broken } })
  Activity.register('broken', () => 1)
  const outcome = await Tool.run({ _tool: 'broken', a: 'x' })
  expect(outcome.error).toMatchObject({
    code: 'unsupported_schema',
    problems: [{ path: '/properties/a/pattern' }],
  })
})
