import { createRegistry, type Events, type ToolApi, tool } from 'callsheet'
import { registryOf } from 'callsheet/wiring'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { surface } from '../../../../runtime/surface.ts'

const output = { type: 'object', properties: { done: { type: 'boolean' } } }
const warning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
afterEach(() => void warning.mockClear())
afterAll(() => void warning.mockRestore())

let count = 0
/** A name that nothing has been warned of. */
const fresh = (): string => `notInvented${count++}`

function latentTool(name: string, meta: object = {}) {
  return createRegistry({ tools: { [name]: tool(name, { ...meta, _output: output }) } })
}

describe('ACT-3b what was implemented is never invented by accident', () => {
  test.each([false, true])(
    'a generated Tool whose file was not imported: no_implementation, and which import is missing; declared: %s',
    async (isDeclared) => {
      const facts = { name: 'remove', hasOutput: true, meta: [], implementedIn: 'activities/remove.ts' }
      const text =
        '{"type":"object","properties":{"_tool":{"const":"remove"},"_output":{}},"required":["_tool"]}'
      const load = async () => ({ checks: { call: () => true, output: () => true } })
      interface Activities {
        register(name: string, run: () => unknown): void
        declare(name: string): void
      }
      const { Tool, Activity } = registryOf<ToolApi, Activities>([{ facts, text, load }], surface)
      const call = { _tool: 'remove', _output: { done: true } }
      // As generated code declares what functions implement: the file that registers them is what there is to say.
      if (isDeclared) Activity.declare('remove')
      const { error, attempts } = await Tool.run(call)
      expect(error?.code).toBe('no_implementation')
      expect(error?.message).toContain('in activities/remove.ts, which this process has not imported')
      // Nitro, and every bundler of a package with `sideEffects: false`, leaves out imports without names.
      expect(error?.message).toContain('If it is imported, a bundler left it out')
      expect(attempts).toBe(0)
      expect(Tool.composable()).toMatchObject([{ name: 'remove', activity: 'remove' }])
      Activity.register('remove', () => 'removed')
      expect(await Tool(call)).toBe('removed')
      expect(warning).not.toHaveBeenCalled()
    },
  )

  test('a Tool that is latent by default runs, and warns once per Tool and process', async () => {
    const name = fresh()
    for (const { Tool } of [latentTool(name), latentTool(name)]) {
      for (let call = 0; call < 2; call++) await Tool({ _tool: name, _output: { done: true } })
    }
    expect(warning).toHaveBeenCalledTimes(1)
    const [message, options] = warning.mock.calls[0] as unknown as [string, object]
    expect(message).toContain(`Tool "${name}" has no Activity, so the model gives its output.`)
    expect(options).toEqual({ type: 'CallsheetWarning', code: 'CALLSHEET_LATENT' })
  })

  test.each([
    [
      'a near name',
      ['wetherCheck'],
      ' The Activity "wetherCheck" belongs to no Tool: rename it to "NAME" if it was meant.',
    ],
    ['another name', ['paint'], ' Registered here, "paint" belongs to no Tool.'],
    [
      'many names',
      ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'],
      ' Registered here, "p1", "p2", "p3", "p4", "p5" and 1 more belong to no Tool.',
    ],
    ['the name of another Tool', ['other'], '.'],
    ['none', [], '.'],
  ])('an Activity that no Tool runs was perhaps meant: %s', async (_what, names, end) => {
    const name = fresh().replace('notInvented', 'weatherCheck')
    const other = tool('other', { _activity: { const: 'other' }, _output: output })
    const bad = end.replaceAll('NAME', name)
    const { Tool, Activity } = createRegistry({
      tools: {
        [name]: tool(name, { _output: output }),
        other,
        write: tool('write', {}, { effects: 'write' }),
      },
    })
    for (const idle of names) Activity.register(idle, () => ({}))
    const { error } = await Tool.run({ _tool: name })
    expect(error?.code).toBe('no_model')
    expect(error?.message.endsWith(bad)).toBe(true)
    const [message] = warning.mock.calls[0] as unknown as [string]
    expect(message.endsWith(bad)).toBe(true)
    const written = await Tool.run({ _tool: 'write' })
    expect(written.error?.code).toBe('missing_activity')
    expect(written.error?.message).toContain(
      names.includes('paint') ? '"paint" belongs to no Tool' : 'Register an Activity: Activity.register(',
    )
  })

  test('who listens to activity:latent is told of the first Call, and not warned', async () => {
    const name = fresh()
    const { Tool } = latentTool(name)
    const told: Events['activity:latent'][] = []
    Tool.on('activity:latent', (event) => told.push(event))
    for (const id of ['a', 'b']) await Tool({ _tool: name, _output: {} }, { id })
    expect(told).toEqual([{ id: 'a', tool: name }])
    expect(warning).not.toHaveBeenCalled()
  })

  test.each([
    ["says _activity: ''", { _activity: { const: '' } }, {}],
    ["says _activity: '' as plain text", { _activity: '' }, {}],
    ['is delegated', { _delegate: { const: 'anonymous' } }, {}],
  ])('a Tool that %s is meant so', async (_what, meta, options) => {
    const name = fresh()
    const { Tool } = latentTool(name, meta)
    await Tool.run({ _tool: name, _output: {} }, options)
    expect(warning).not.toHaveBeenCalled()
  })

  test('without a process it goes to the console', async () => {
    const said = vi.spyOn(console, 'warn').mockImplementation(() => {})
    vi.stubGlobal('process', undefined)
    const name = fresh()
    const { Tool } = latentTool(name)
    await Tool({ _tool: name, _output: {} })
    vi.unstubAllGlobals()
    expect(said).toHaveBeenCalledTimes(1)
    said.mockRestore()
  })
})

describe('ACT-3 a plain text as _activity means a literal of it', () => {
  test('at run time too', async () => {
    const { Tool, Activity } = latentTool('alias', { _activity: 'shared' })
    Activity.register('shared', () => ({ done: true }))
    expect(await Tool({ _tool: 'alias' })).toEqual({ done: true })
    expect(Tool.composable()).toMatchObject([{ name: 'alias', activity: 'shared' }])
  })
})

describe('ACT-1 registering a name twice is told', () => {
  const [first, second] = [() => 1, () => 2]

  test('by a warning, or an event where somebody listens; { replace: true } says that it is meant', () => {
    const { Tool, Activity } = createRegistry()
    const name = fresh()
    Activity.register(name, first)
    Activity.register(name, first)
    Activity.register(name, second, { replace: true })
    Activity.register(name, first, { variant: 'v2' })
    expect(warning).not.toHaveBeenCalled()
    Activity.register(name, first)
    expect(warning).toHaveBeenCalledTimes(1)
    const told: unknown[] = []
    Tool.on('activity:replaced', (event) => told.push(event))
    Activity.register(name, second, { variant: 'v2' })
    expect(told).toEqual([{ activity: name, variant: 'v2' }])
    expect(warning).toHaveBeenCalledTimes(1)
  })
})

test('ACT-5 a policy for a misspelt Activity, which would choose nothing, is told once', async () => {
  const name = fresh()
  const declared = tool(name, { _output: { type: 'number' } })
  const { Tool, Activity } = createRegistry({ tools: { [name]: declared } })
  Activity.register(name, () => 1)
  Activity.register(name, () => 2, { variant: 'v2' })
  const policy = { [`${name}x`]: 'v2', unrelatedElsewhere: 'v3' }
  for (let time = 0; time < 2; time++) expect(await Tool({ _tool: name }, { policy })).toBe(1)
  await expect.poll(() => warning.mock.calls.length).toBe(1)
  expect(warning.mock.calls[0]?.[0]).toContain(`Did you mean "${name}"?`)
  expect(await Tool({ _tool: name }, { policy: { [name]: 'v2' } })).toBe(2)
  expect(warning).toHaveBeenCalledTimes(1)
})

test('ACT-7 a policy for the outputs of a misspelt Tool is told once', async () => {
  const name = fresh()
  const declared = tool(name, { _output: { type: 'number' } })
  const { Tool, Activity } = createRegistry({ tools: { [name]: declared } })
  Activity.register(name, () => 1)
  const onInvalidOutput = { [`${name}x`]: 'report', unrelatedElsewhere: 'report' } as const
  for (let time = 0; time < 2; time++) expect(await Tool({ _tool: name }, { onInvalidOutput })).toBe(1)
  await expect.poll(() => warning.mock.calls.length).toBe(1)
  expect(warning.mock.calls[0]?.[0]).toContain(`Did you mean "${name}"?`)
})
