import { createRegistry, type RunOptions, tool } from 'callsheet'
import { describe, expect, test } from 'vitest'

const double = tool('double', { n: { type: 'number' }, _output: { type: 'number' } })

function doubling(options = {}) {
  const registry = createRegistry({ tools: { double }, ...options })
  registry.Activity.register('double', ({ n }) => n * 2)
  return registry
}

function thrown(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

const wrong: [path: string, options: object][] = [
  ['/signal', { signal: {} }],
  ['/signal', { signal: { aborted: false, addEventListener: () => {} } }],
  ['/confirm', { confirm: 'x' }],
  ['/confirm', { confirm: { effects: ['writes'], ask: () => true } }],
  ['/references', { references: 'state' }],
  ['/references', { references: ['†state..x'] }],
  ['/references', { references: true }],
  ['/policy', { policy: 5 }],
  ['/policy', { policy: { double: { percentage: { v2: '10' } } } }],
  ['/id', { id: 5 }],
  ['/id', { id: '' }],
  ['/before', { before: {} }],
  ['/after', { after: true }],
  ['/model', { model: 'gpt-5' }],
  ['/telemetry', { telemetry: true }],
  ['/missingActivity', { missingActivity: 'fail' }],
  ['/onInvalidOutput', { onInvalidOutput: 'keep' }],
  ['/onInvalidOutput', { onInvalidOutput: { double: 'keep' } }],
  ['/retry/backoff', { retry: { attempts: 2, backoff: 'slow' } }],
  ['/retry/wehn', { retry: { attempts: 2, wehn: () => true } }],
  ['/timeOut', { timeOut: 5 }],
  ['/allowEffects', { allowEffects: 'yes' }],
]

describe('CALL-7 wrong options are refused, with every problem', () => {
  test.each(wrong)('%s in %j', async (path, options) => {
    const { Tool } = doubling()
    const refused = { code: 'invalid_options', problems: [{ path }] }
    const call = { _tool: 'double', n: 1 }
    await expect(Tool(call, options)).rejects.toMatchObject(refused)
    await expect(Tool.run(call, options)).rejects.toMatchObject(refused)
    await expect(Tool.all([call], options)).rejects.toMatchObject(refused)
    expect(thrown(() => doubling(options))).toMatchObject(refused)
  })

  test('all at once, and a guess for a misspelt one', async () => {
    const { Tool } = doubling()
    const refused = Tool({ _tool: 'double', n: 1 }, { id: 5, timeOut: 1 } as unknown as RunOptions)
    await expect(refused).rejects.toThrow(/\/id: expected a text, got 5; \/timeOut: .*did you mean "timeout"/)
  })

  test('what is no object at all', async () => {
    const { Tool } = doubling()
    for (const options of [null, 5, 'x', []]) {
      const refused = Tool({ _tool: 'double', n: 1 }, options as unknown as RunOptions)
      await expect(refused).rejects.toMatchObject({ code: 'invalid_options' })
    }
  })

  test('one id for several Calls', async () => {
    const { Tool } = doubling()
    const calls = [{ _tool: 'double', n: 1 }]
    for (const run of [Tool.all, Tool.any, Tool.race]) {
      await expect(run(calls, { id: 'x' } as object)).rejects.toMatchObject({ code: 'invalid_options' })
    }
  })

  test('an option that is undefined is not said, and leaves the default', async () => {
    const { Tool } = doubling({ id: undefined, confirm: () => false })
    const outcome = await Tool.run({ _tool: 'double', n: 1 }, {
      confirm: undefined,
      signal: undefined,
    } as object)
    expect(outcome.status).toBe('refused')
  })

  test('TOOL-9 an unknown option of Tool.register and Activity.register', () => {
    const { Tool, Activity } = doubling()
    const register = (options: object) => () => Tool.register('pay', { properties: {} }, options)
    expect(register({ effects: 'write' })).toThrow(/does not know the option "effects"/)
    expect(register({ enabled: 'no' })).toThrow(/expected enabled/)
    expect(() => Activity.register('x', () => 1, { varaint: 'v2' } as object)).toThrow(/"varaint"/)
    expect(() => Activity.register('x', () => 1, { variant: 2 } as object)).toThrow(/the variant 2/)
  })
})

describe('REQ-9 confirm', () => {
  const pay = tool('pay', { _output: {} }, { effects: 'write' })
  const look = tool('look', { _output: {} }, { effects: 'read' })

  const unsaid = tool('unsaid', { _output: {} })

  test('{ effects, ask } asks only for Tools of those effects; one that declares none counts as a write', async () => {
    const asked: string[] = []
    const { Tool, Activity } = createRegistry({
      tools: { pay, look, unsaid },
      confirm: { effects: ['write'], ask: ({ _tool }) => asked.push(_tool) > 100 },
    })
    for (const name of ['pay', 'look', 'unsaid']) Activity.register(name, () => 1)
    expect((await Tool.run({ _tool: 'pay' })).status).toBe('refused')
    expect((await Tool.run({ _tool: 'look' })).status).toBe('succeeded')
    expect((await Tool.run({ _tool: 'unsaid' })).status).toBe('refused')
    expect(asked).toEqual(['pay', 'unsaid'])
  })

  test.each(['yes', 1, {}, null])('an answer that means nothing, %j, runs nothing', async (answer) => {
    const { Tool } = doubling({ confirm: () => answer })
    const outcome = await Tool.run({ _tool: 'double', n: 1 })
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'invalid_options' }, attempts: 0 })
  })
})

describe('CALL-10 after', () => {
  const returned: [string, unknown][] = [
    ['a text', 'ok'],
    ['null', null],
    ['an empty object', {}],
    ['an Outcome of another Call', { id: 'other' }],
    ['a failure without an error', { status: 'failed' }],
    ['a status that is none', { status: 'fine' }],
    ['Messages that are none', { appended: [{ type: 'nonsense' }] }],
    ['nothing appended', { appended: undefined }],
  ]
  test.each(returned)('%s is no Outcome: Tool.run reports it and does not reject', async (_what, change) => {
    const instead = (outcome: object): unknown =>
      typeof change === 'object' && change !== null && Object.keys(change).length > 0
        ? { ...outcome, ...change }
        : change
    const { Tool } = doubling({ after: instead })
    const outcome = await Tool.run({ _tool: 'double', n: 1 })
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_options' },
      attempts: 1,
      output: 2,
    })
    await expect(Tool({ _tool: 'double', n: 1 })).rejects.toMatchObject({ code: 'invalid_options' })
    await expect(Tool.all([{ _tool: 'double', n: 1 }])).rejects.toMatchObject({ code: 'invalid_options' })
  })

  test('a changed Outcome takes its place', async () => {
    const { Tool } = doubling({ after: (outcome: object) => ({ ...outcome, output: 7 }) })
    expect(await Tool({ _tool: 'double', n: 1 })).toBe(7)
  })
})
