import { createContext, createRegistry, type RunOptions, tool } from 'callsheet'
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

test.each([
  ['a Context', createContext()],
  ['a list of Messages', [{ type: 'text', text: 'Hi' }]],
])('%s in place of the options is told where it belongs', async (_what, given) => {
  const { Tool } = doubling()
  const error = await Tool({ _tool: 'double', n: 1 }, given as RunOptions).catch((caught: unknown) => caught)
  expect(String(error)).toMatch(/Pass a context as \{ context \}\.$/)
})

test('a misspelt required option is guessed, even if there is one of that name beside its object', async () => {
  const { Tool } = doubling()
  const given = { retry: { attempt: 3 } } as unknown as RunOptions
  await expect(Tool({ _tool: 'double', n: 1 }, given)).rejects.toThrow(
    '/retry/attempt: no such property; did you mean "attempts"?; /retry/attempts: expected a whole number',
  )
})

const wrong: [path: string, options: object][] = [
  ['/signal', { signal: {} }],
  ['/signal', { signal: { aborted: false, addEventListener: () => {} } }],
  ['/confirm', { confirm: 'x' }],
  ['/confirm/effects', { confirm: { effects: ['writes'], ask: () => true } }],
  ['/confirm/ask', { confirm: { effects: ['write'] } }],
  ['/confirm/askk', { confirm: { effects: ['write'], ask: () => true, askk: () => false } }],
  ['/references', { references: 'state' }],
  ['/references', { references: ['†state..x'] }],
  ['/references', { references: true }],
  ['/policy', { policy: 5 }],
  ['/policy/double', { policy: { double: { percentage: { v2: '10' } } } }],
  ['/policy/double', { policy: { double: { percentage: { v1: 60, v2: 50 } } } }],
  ['/policy/double', { policy: { double: { percentage: { v2: 10 }, otherwize: 'v1' } } }],
  ['/policy/double', { policy: { double: { percentage: { v2: 10 }, environment: 'DOUBLE' } } }],
  ['/policy/double', { policy: { double: { compare: ['default', 2] } } }],
  ['/policy/double', { policy: { double: { compare: ['default', 'v2'], otherwise: 'v1' } } }],
  ['/id', { id: 5 }],
  ['/id', { id: '' }],
  ['/before', { before: {} }],
  ['/after', { after: true }],
  ['/model', { model: 'gpt-5' }],
  ['/telemetry', { telemetry: true }],
  ['/telemetry/captureContents', { telemetry: { captureContents: false } }],
  ['/telemetry/tracer', { telemetry: { tracer: {} } }],
  ['/missingActivity', { missingActivity: 'fail' }],
  ['/onInvalidOutput', { onInvalidOutput: 'keep' }],
  ['/onInvalidOutput/double', { onInvalidOutput: { double: 'keep' } }],
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

  test('of how a registry composes its Tools', () => {
    const refused = thrown(() =>
      doubling({ compose: { outputPositon: 'meta', references: 'all', kinds: {} } }),
    )
    expect(refused).toMatchObject({
      code: 'invalid_options',
      problems: [{ path: '/compose/outputPositon' }, { path: '/compose/references' }],
    })
  })

  test('all at once, and a guess for a misspelt one', async () => {
    const { Tool } = doubling()
    const refused = Tool({ _tool: 'double', n: 1 }, { id: 5, timeOut: 1 } as unknown as RunOptions)
    await expect(refused).rejects.toThrow(/\/id: expected a text, got 5; \/timeOut: .*did you mean "timeout"/)
  })

  test('what an object of a class inherits, which nobody would copy', async () => {
    class Careful {
      confirm() {
        return false as const
      }
    }
    const inherits = { code: 'invalid_options', problems: [{ path: '/confirm' }] }
    expect(thrown(() => createRegistry(new Careful()))).toMatchObject(inherits)
    const { Tool } = doubling()
    const call = { _tool: 'double', n: 1 }
    await expect(Tool.run(call, new Careful())).rejects.toMatchObject(inherits)
    await expect(Tool.all([call], Object.create({ confirm: () => false }))).rejects.toMatchObject(inherits)
    const own = Object.assign(new Careful(), { confirm: () => true })
    expect(await Tool(call, own)).toBe(2)
    expect(await Tool(call, Object.create(null))).toBe(2)
  })

  test.each<[string, object]>([
    ['/policy/double', { policy: Object.create({ double: 'latent' }) }],
    ['/onInvalidOutput/double', { onInvalidOutput: Object.create({ double: 'report' }) }],
    ['/retry/attempts', { retry: Object.create({ attempts: Number.NaN }) }],
    ['/telemetry/captureContent', { telemetry: Object.create({ captureContent: 'no' }) }],
    ['/confirm/effects', { confirm: Object.create({ effects: ['wrte'], ask: () => true }) }],
  ])('%s, which the object within inherits', async (path, options) => {
    const { Tool } = doubling()
    const refused = { code: 'invalid_options', problems: [{ path }] }
    await expect(Tool.run({ _tool: 'double', n: 1 }, options)).rejects.toMatchObject(refused)
    expect(thrown(() => doubling(options))).toMatchObject(refused)
  })

  test.each([
    ['tools', new Map([['double', double]])],
    ['tools', Object.create({ double })],
    ['ideas', new Map()],
    ['meta', new Map([['_outputPath', true]])],
    ['policy', new Map([['double', 'latent']])],
    ['onInvalidOutput', new Map([['double', 'report']])],
  ])('CALL-7 %s as %o, which would read as empty', (name, value) => {
    expect(thrown(() => createRegistry({ [name]: value }))).toMatchObject({
      code: 'invalid_options',
      problems: [{ path: `/${name}` }],
    })
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
    expect(register({ effects: 'write' })).toThrow(
      /which are not those of its schema, .* \/effects: no such property/,
    )
    const misspelt = { ...double, effect: 'write' }
    expect(() => doubling().Tool.register('double', misspelt)).toThrow(
      /no option "effect". Did you mean "effects"/,
    )
    const parameters = { type: 'object', properties: { n: { type: 'number' } } }
    for (const form of ['inputSchema', 'input_schema', 'parameters', 'function']) {
      const foreign = { description: 'Doubles.', [form]: parameters }
      expect(() => createRegistry({ tools: { double: foreign } })).toThrow(
        `with its parameters in \`${form}\``,
      )
    }
    expect(register({ enabled: 'no' })).toThrow(/enabled: expected true, false or a function/)
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
