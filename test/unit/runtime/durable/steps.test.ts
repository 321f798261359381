import { type Call, createContext, createRegistry, type Message } from 'callsheet'
import { describe, expect, test } from 'vitest'
import { callPolicy } from '../../../../runtime/agent/loop/call-policy.ts'
import type { Perform } from '../../../../runtime/agent/loop/executor.ts'
import { inProcessExecutor } from '../../../../runtime/agent/loop/executor.ts'
import { readerOf } from '../../../../runtime/context/state.ts'
import { checkCalls, Steps, stepPerformer } from '../../../../runtime/durable/steps.ts'
import { bank } from './bank.ts'

/** Steps on an engine that is this process; `cancel` aborts what was dispatched, as an engine's own does. */
function engine(settings: { readonly most?: number } = {}) {
  const { Tool, did } = bank()
  const keys: string[] = []
  const aborts = new Map<string, AbortController>()
  let running = 0
  let most = 0
  const perform: Perform = async (call, key, policy) => {
    keys.push(key)
    const abort = new AbortController()
    aborts.set(key, abort)
    most = Math.max(most, ++running)
    const outcome = await stepPerformer(Tool, {}, abort.signal)(call, key, policy)
    running--
    return outcome
  }
  const executor = inProcessExecutor(perform)
  const steps = new Steps({
    Tool,
    ...settings,
    runId: 'run',
    check: (calls, context) => checkCalls(Tool, calls, context),
    executor: {
      ...executor,
      cancel: async (pending) => {
        for (const { key } of pending as readonly { readonly key: string }[]) aborts.get(key)?.abort()
      },
    },
  })
  return { steps, did, keys, most: () => most }
}

const add = (left: unknown, right: unknown, path?: string): Call => ({
  _tool: 'add',
  left,
  right,
  ...(path !== undefined && { _outputPath: path }),
})
const hang: Call = { _tool: 'hang', name: 'a' }
const fail: Call = { _tool: 'fail', name: 'b' }

describe('DUR-2, DUR-5 Calls within a durable function', () => {
  test('one Call: its Outcome, under a key that a replay gives again, and its write in a Context alone', async () => {
    const { steps, keys } = engine()
    const [context, list] = [createContext([]), [] as Message[]]
    expect(await steps.run(add(1, 2, '†state.sum'), { context })).toMatchObject({
      status: 'succeeded',
      output: 3,
    })
    await steps.run(add(1, 2, '†state.sum'), { context: list })
    expect(context.read('†state.sum')).toBe(3)
    expect(list).toEqual([])
    expect(keys).toEqual(['run:s1.0', 'run:s2.0'])
  })

  test('a Call that fails writes nothing, and does not throw', async () => {
    const { steps } = engine()
    const context = createContext([])
    const outcome = await steps.run({ ...fail, _outputPath: '†state.a || †state.b' }, { context })
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'activity_failed' } })
    expect(context.messages).toEqual([])
  })

  test('CALL-1 what is no JSON is refused, and does not run as an empty object', async () => {
    const { steps } = engine()
    for (const value of [new Date(0), new Map(), Promise.resolve(1)]) {
      const outcome = await steps.run({ _tool: 'keep', value })
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'invalid_call' } })
      expect(outcome.error?.message).toContain('/value: expected plain JSON')
    }
  })

  test('the Call that was given is not the one that runs: what is changed meanwhile changes nothing', async () => {
    const { steps, did } = engine()
    const call = add(1, 2)
    const running = steps.run(call)
    call.left = 50
    await running
    expect(did).toEqual(['add 1 2'])
  })

  test('CALL-4 all: outputs and writes in the order of the Calls', async () => {
    const { steps } = engine()
    const context = createContext([])
    expect(await steps.all([add(1, 2, '†state.a'), add(3, 4, '†state.b')], { context })).toEqual([3, 7])
    expect(context.messages.map((message) => (message as { _path?: string })._path)).toEqual([
      '†state.a',
      '†state.b',
    ])
  })

  test('CALL-4 all: one fails, the others are cancelled, no other starts, and nothing is written', async () => {
    const { steps, did } = engine()
    const context = createContext([])
    const calls = [hang, fail, add(1, 2, '†state.a')]
    await expect(steps.all(calls, { context, concurrency: 2 })).rejects.toMatchObject({
      code: 'activity_failed',
    })
    expect(did).toEqual(['hang a', 'fail b', 'stopped a'])
    expect(context.messages).toEqual([])
  })

  test('what is no Call, and options that cannot be used, are refused by name', async () => {
    const { steps, did } = engine()
    await expect(steps.run(null as never)).rejects.toThrow(/^`run` takes a Call such as .*, got null\.$/)
    await expect(steps.all(5 as never)).rejects.toThrow(/^`all` takes a list of Calls, got 5\.$/)
    const options = [
      { concurrency: 0 },
      { concurrency: Number.NaN },
      { context: 5 as never },
      { contxt: [] } as never,
    ]
    for (const given of options) {
      for (const failing of [steps.run(add(1, 2), given), steps.all([add(1, 2)], given)]) {
        await expect(failing).rejects.toMatchObject({ code: 'invalid_options' })
      }
      await expect(steps.plan([add(1, 2)], given)).rejects.toMatchObject({ code: 'invalid_options' })
    }
    expect(did).toEqual([])
  })

  test('CALL-4 all: every Call is checked before any starts', async () => {
    const { steps, did } = engine()
    await expect(steps.all([add(1, 2), add('x', 2)])).rejects.toMatchObject({ code: 'invalid_call' })
    const nothing = [add(1, 2), add('†state.x', 2)]
    await expect(steps.all(nothing)).rejects.toMatchObject({ code: 'unresolved_reference' })
    expect(did).toEqual([])
  })

  test('ACT-3a what is implemented elsewhere is checked here as well', async () => {
    const far = { properties: { _tool: { const: 'far' }, x: { type: 'number' } }, required: ['x'] }
    const { Tool, Activity } = createRegistry({ tools: { far } })
    Activity.declare('far')
    expect(await checkCalls(Tool, [{ _tool: 'far', x: 1 }], [])).toBeNull()
    expect(await checkCalls(Tool, [{ _tool: 'far', x: 'one' }], [])).toMatchObject({ code: 'invalid_call' })
  })

  test('CALL-7 no more at the same time than was said', async () => {
    const { steps, most } = engine()
    await steps.all(
      Array.from({ length: 6 }, (_, at) => add(at, 1)),
      { concurrency: 2 },
    )
    expect(most()).toBe(2)
  })

  test('CALL-11 a plan: each Call once what it reads is there; what stays blocked says why', async () => {
    const { steps } = engine()
    const context = createContext([])
    const plan = [
      add('†state.a', 1, '†state.b'),
      add(1, 1, '†state.a'),
      { ...fail, _outputPath: '†state.c' },
      { _tool: 'note', line: '†state.c' },
    ]
    const { outcomes, blocked } = await steps.plan(plan, { context })
    expect(outcomes.map((outcome) => outcome?.status)).toEqual([
      'succeeded',
      'succeeded',
      'failed',
      undefined,
    ])
    expect(blocked).toMatchObject([{ place: 3, missing: ['†state.c'] }])
    expect(context.read('†state.b')).toBe(3)
  })

  const known: readonly Message[] = [{ type: 'state', state: { two: 2 } }]

  test('REF-1 one Call, all, and a plan read the context that is given, which stays as it was', async () => {
    const { steps } = engine()
    const context: Message[] = [...known]
    expect((await steps.run(add('†state.two', 1), { context })).output).toBe(3)
    expect(await steps.all([add('†state.two', 2), add('†state.two', 3)], { context })).toEqual([4, 5])
    const plan = [add('†state.two', 4, '†state.sum'), add('†state.sum', '†state.two')]
    const done = await steps.plan(plan, { context })
    expect(done.outcomes.map((outcome) => outcome?.output)).toEqual([6, 8])
    expect(done.context).toEqual([...known, ...(done.outcomes[0]?.appended ?? [])])
    expect(context).toEqual(known)
  })

  test('OUT-1 a plan knows where a Tool fixes that its Calls write', async () => {
    const { steps } = engine()
    const { outcomes } = await steps.plan([
      { _tool: 'note', line: '†state.filed' },
      { _tool: 'file', line: 'x' },
    ])
    expect(outcomes.map((outcome) => outcome?.output)).toEqual(['x', 'x'])
  })

  test('CALL-11 what stays blocked is told in the order of the plan', async () => {
    const { steps } = engine()
    const plan = [
      { _tool: 'note', line: '†state.b' },
      { _tool: 'note', line: '†state.a' },
      { ...hang, name: '†state.b', _tool: 'fail' },
      { ...fail, _outputPath: '†state.a' },
      { _tool: 'fail', name: '†state.a', _outputPath: '†state.b' },
    ]
    const { blocked } = await steps.plan(plan)
    expect(blocked.map(({ place }) => place)).toEqual([0, 1, 2, 4])
  })

  test('CALL-7 no more run at a time than the registry allows, whatever was said', async () => {
    const { steps, most } = engine({ most: 2 })
    const calls = Array.from({ length: 6 }, (_, at) => add(at, 1))
    await steps.all(calls)
    await steps.all(calls, { concurrency: 4 })
    expect(most()).toBe(2)
  })

  test('ACT-2, ACT-5 an Activity here gets the key of its Call, and the run that it is part of', async () => {
    const { Tool, Activity } = createRegistry({
      tools: { look: { properties: { _tool: { const: 'look' } } } },
    })
    const told: object[] = []
    Activity.register(
      'look',
      (_call, _tool, _context, { id, variantKey }) => void told.push({ id, variantKey }),
    )
    const perform = stepPerformer(Tool, {}, new AbortController().signal)
    await perform({ _tool: 'look' }, 'run:s1.0', callPolicy(readerOf([]), {}))
    expect(told).toEqual([{ id: 'run:s1.0', variantKey: 'run' }])
  })

  test('CALL-11 a plan’s Call whose writer failed does not run with an older value: it stays blocked', async () => {
    const { steps, did } = engine()
    const context: Message[] = [{ type: 'state', state: { c: 'older' } }]
    const plan = [
      { ...fail, _outputPath: '†state.c' },
      { _tool: 'note', line: '†state.c' },
    ]
    const { outcomes, blocked } = await steps.plan(plan, { context })
    expect(outcomes.map((outcome) => outcome?.status)).toEqual(['failed', undefined])
    expect(blocked).toEqual([{ place: 1, call: plan[1], missing: ['†state.c'] }])
    expect(did).toEqual(['fail b'])
  })

  test('CALL-11 a plan that cannot be carried out is refused before anything runs', async () => {
    const { steps, did } = engine()
    const circle = [add('†state.b', 1, '†state.a'), add('†state.a', 1, '†state.b')]
    await expect(steps.plan(circle)).rejects.toMatchObject({ code: 'plan_cycle' })
    for (const nowhere of ['†state.z', '†input.z'])
      await expect(steps.plan([add(nowhere, 1)])).rejects.toMatchObject({ code: 'unresolved_reference' })
    await expect(steps.plan(5 as never)).rejects.toMatchObject({ code: 'invalid_call' })
    expect(did).toEqual([])
  })
})
