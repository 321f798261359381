import { type AnyActivity, type Call, createRegistry, type Outcome, type RunOptions } from 'callsheet'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { deaf } from '../call/harness.ts'

const properties = { _instance: { type: 'string', '~optional': true }, n: { type: 'number' } }

function registryWith(effects: string | undefined, variants: Readonly<Record<string, AnyActivity>>) {
  const schema = {
    properties: { ...properties, _output: { type: 'string' } },
    required: ['n'],
    ...(effects && { effects }),
  }
  const registry = createRegistry({ tools: { t: schema } })
  for (const [variant, activity] of Object.entries(variants)) {
    registry.Activity.register('t', activity, { variant })
  }
  return registry
}

const both = { default: () => 'one', v2: () => 'two' }
const call = { _tool: 't', n: 1 }

afterEach(() => {
  delete process.env.CALLSHEET_TEST_VARIANT
  delete process.env.CALLSHEET_TEST_EMPTY
})

describe('ACT-5 a policy chooses among implementations', () => {
  const cases: [string, RunOptions, string][] = [
    ['none: the default', {}, 'one'],
    ['a name', { policy: { t: 'v2' } }, 'two'],
    ['a policy of another Activity', { policy: { other: 'v2' } }, 'one'],
    ['a predicate', { policy: { t: ({ n }) => (n === 1 ? 'v2' : 'default') } }, 'two'],
    ['a predicate that says nothing', { policy: { t: () => undefined } }, 'one'],
    ['an environment variable', { policy: { t: { environment: 'CALLSHEET_TEST_VARIANT' } } }, 'two'],
    ['one that is empty', { policy: { t: { environment: 'CALLSHEET_TEST_EMPTY' } } }, 'one'],
    ['one that is not set', { policy: { t: { environment: 'NOT_SET_ANYWHERE' } } }, 'one'],
    ['not set, otherwise', { policy: { t: { environment: 'NOT_SET_ANYWHERE', otherwise: 'v2' } } }, 'two'],
    ['all of them', { policy: { t: { percentage: { v2: 100 } } } }, 'two'],
    ['none of them', { policy: { t: { percentage: { v2: 0 } } } }, 'one'],
    ['the rest', { policy: { t: { percentage: { default: 0 }, otherwise: 'v2' } } }, 'two'],
  ]
  test.each(cases)('%s', async (_what, options, want) => {
    process.env.CALLSHEET_TEST_VARIANT = 'v2'
    process.env.CALLSHEET_TEST_EMPTY = ''
    const { Tool } = registryWith(undefined, both)
    const outcome = await Tool.run(call, options)
    expect(outcome.output).toBe(want)
    expect(outcome.variant).toBe(want === 'two' ? 'v2' : undefined)
  })

  test('latent: the model itself', async () => {
    const { Tool } = registryWith(undefined, both)
    const outcome = await Tool.run({ ...call, _output: 'model' }, { policy: { t: 'latent' } })
    expect(outcome).toMatchObject({ output: 'model', mode: 'latent' })
  })

  test('ACT-4 latent never counts for a Tool that writes; the error says that the policy chose it', async () => {
    const { Tool } = registryWith('write', both)
    for (const policy of ['latent', { compare: ['latent', 'default'] }] as const) {
      const { error, attempts } = await Tool.run({ ...call, _output: 'model' }, { policy: { t: policy } })
      expect([error?.code, attempts]).toEqual(['unsafe_strategy', 0])
      expect(error?.message).toMatch(/The policy of Activity "t" chose latent.*'write'/)
    }
  })

  test('a variant that nobody registered is no_implementation, and says which there are', async () => {
    const { Tool } = registryWith(undefined, both)
    const { error } = await Tool.run(call, { policy: { t: 'v3' } })
    expect(error).toMatchObject({
      code: 'no_implementation',
      message: expect.stringContaining('default, v2'),
    })
  })

  test('a predicate that throws fails the Call and says so', async () => {
    const { Tool } = registryWith(undefined, both)
    const cause = new Error('no weather')
    const policy = {
      t: () => {
        throw cause
      },
    }
    const { error } = await Tool.run(call, { policy })
    expect(error).toMatchObject({
      code: 'activity_failed',
      cause,
      message: expect.stringContaining('policy'),
    })
  })

  test('a predicate cannot change the Call that it is asked about', async () => {
    const { Tool } = registryWith(undefined, { default: ({ n }) => String(n) })
    const change = (asked: Call): undefined => {
      asked.n = 'two'
    }
    expect(await Tool.run(call, { policy: { t: change } })).toMatchObject({ output: '1' })
  })

  test('a policy has no entries but its own: Tools called toString and valueOf run', async () => {
    for (const name of ['toString', 'valueOf', 'hasOwnProperty', 'then']) {
      const { Tool, Activity } = createRegistry({ tools: { [name]: {} } })
      Activity.register(name, () => undefined)
      expect((await Tool.run({ _tool: name }, { policy: { other: 'v2' } })).status).toBe('succeeded')
    }
  })

  test('is read when the Call runs: implementations are swapped without touching Tool or agent', async () => {
    const { Tool, Activity } = registryWith(undefined, both)
    expect(await Tool(call)).toBe('one')
    Activity.register('t', () => 'swapped')
    expect(await Tool(call)).toBe('swapped')
    Activity.unregister('t', 'v2')
    expect((await Tool.run(call, { policy: { t: 'v2' } })).error?.code).toBe('no_implementation')
    expect(Activity.names).toEqual(['t'])
    Activity.unregister('t', 'default')
    expect(Activity.names).toEqual([])
  })

  test('one Activity serves many Tools by _activity', async () => {
    const shared = { properties: { _activity: { const: 'shared' }, _output: { type: 'string' } } }
    const { Tool, Activity } = createRegistry({ tools: { a: shared, b: shared } })
    Activity.register('shared', ({ _tool }) => _tool)
    expect(await Tool.all([{ _tool: 'a' }, { _tool: 'b' }])).toEqual(['a', 'b'])
  })
})

describe('ACT-5 percentage', () => {
  test('a key has the same share in every version: a rollout goes on over an update', async () => {
    const { Tool } = registryWith(undefined, both)
    const policy = { t: { percentage: { v2: 50 } } }
    const outputs = await Promise.all(
      Array.from({ length: 16 }, (_, id) => Tool(call, { policy, id: `key-${id}` })),
    )
    expect(outputs.map((output) => (output === 'two' ? 1 : 0)).join('')).toBe('0000111100101110')
  })

  const context = (instance: string) => [{ type: 'state' as const, state: {}, _instance: instance }]

  test('is stable by _instance, whatever the run', async () => {
    const { Tool } = registryWith(undefined, both)
    const policy = { t: { percentage: { v2: 50 } } }
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1 }), async (_instance) => {
        const runs = await Promise.all(
          Array.from({ length: 5 }, () =>
            Tool.run({ ...call, _instance }, { policy, context: context(_instance) }),
          ),
        )
        expect(new Set(runs.map(({ output }) => output)).size).toBe(1)
      }),
      { numRuns: 30 },
    )
  })

  test('is stable by run id without one', async () => {
    const { Tool } = registryWith(undefined, both)
    const policy = { t: { percentage: { v2: 50 } } }
    const outputs = new Set<unknown>()
    for (let run = 0; run < 20; run++) outputs.add(await Tool(call, { policy, id: 'same' }))
    expect(outputs.size).toBe(1)
  })

  test.each([5, 20, 50, 80])('%d%% get their share, give or take 2 points of 100', async (share) => {
    const { Tool } = registryWith(undefined, both)
    const policy = { t: { percentage: { v2: share } } }
    let chosen = 0
    for (let run = 0; run < 5000; run++) {
      if ((await Tool(call, { policy, id: `customer-${run}` })) === 'two') chosen++
    }
    expect(Math.abs(chosen / 50 - share)).toBeLessThan(2)
  })

  test('several shares stand side by side', async () => {
    const { Tool } = registryWith(undefined, { ...both, v3: () => 'three' })
    const counts: Record<string, number> = { one: 0, two: 0, three: 0 }
    for (let run = 0; run < 4000; run++) {
      const output = await Tool(call, { policy: { t: { percentage: { v2: 20, v3: 50 } } }, id: `c${run}` })
      counts[output as string] = (counts[output as string] ?? 0) + 1
    }
    const shares = Object.values(counts).map((count) => count / 40)
    for (const [index, share] of [30, 20, 50].entries()) {
      expect(Math.abs((shares[index] ?? 0) - share)).toBeLessThan(2.5)
    }
  })

  test('a growing share keeps those who have it', async () => {
    const { Tool } = registryWith(undefined, both)
    const withShare = async (share: number): Promise<string[]> => {
      const ids: string[] = []
      for (let run = 0; run < 300; run++) {
        const output = await Tool(call, { policy: { t: { percentage: { v2: share } } }, id: `c${run}` })
        if (output === 'two') ids.push(`c${run}`)
      }
      return ids
    }
    const [few, more] = [await withShare(10), await withShare(40)]
    expect(more).toEqual(expect.arrayContaining(few))
    expect(more.length).toBeGreaterThan(few.length)
  })
})

describe('ACT-5 compare', () => {
  const policy = { t: { compare: ['default', 'v2'] as const } }

  async function compared(
    variants: Readonly<Record<string, AnyActivity>>,
    options: RunOptions = {},
    given: { _tool: string; [key: string]: unknown } = call,
    effects = 'read',
  ): Promise<{ outcome: Outcome; primary: Outcome; shadow: Outcome }> {
    const { Tool } = registryWith(effects, variants)
    const pair = new Promise<{ primary: Outcome; shadow: Outcome }>((resolve) => {
      Tool.on('activity:compare', resolve)
    })
    const outcome = await Tool.run(given, { policy, ...options })
    return { outcome, ...(await pair) }
  }

  test('runs both; the first counts, and both Outcomes are reported', async () => {
    const { outcome, primary, shadow } = await compared(both)
    expect(outcome).toMatchObject({ output: 'one', status: 'succeeded' })
    expect(primary).toEqual(outcome)
    expect(shadow).toMatchObject({ output: 'two', variant: 'v2', id: outcome.id, appended: [] })
  })

  test('each Outcome is the listener’s own, whatever becomes of what others hold', async () => {
    const { Tool } = registryWith('read', {
      default: () => 'one',
      v2: async () => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        return 'two'
      },
    })
    const pair = new Promise<{ primary: Outcome; shadow: Outcome }>((resolve) => {
      Tool.on('activity:compare', resolve)
    })
    const outcome = await Tool.run(call, { policy })
    Object.assign(outcome.call, { n: 2 })
    const { primary, shadow } = await pair
    expect([primary.call, shadow.call]).toEqual([call, call])
    expect(shadow.call).not.toBe(outcome.call)
  })

  test('a shadow that fails is data', async () => {
    const { outcome, shadow } = await compared({
      ...both,
      v2: () => {
        throw new Error('new and broken')
      },
    })
    expect(outcome.status).toBe('succeeded')
    expect(shadow).toMatchObject({ status: 'failed', error: { code: 'activity_failed' } })
  })

  test('a primary that fails is reported beside its shadow', async () => {
    const { outcome, primary, shadow } = await compared({
      ...both,
      default: () => Promise.reject(new Error('old and broken')),
    })
    expect(outcome.status).toBe('failed')
    expect(primary.status).toBe('failed')
    expect(shadow).toMatchObject({ status: 'succeeded', output: 'two' })
  })

  test('a shadow that hangs does not hold the Call up, and its timeout is its own', async () => {
    const { outcome, shadow } = await compared({ ...both, v2: deaf }, { timeout: 20 })
    expect(outcome.output).toBe('one')
    expect(shadow.error?.code).toBe('timeout')
  })

  test('neither the Call nor its shadow sees what the other does to it', async () => {
    const seen: unknown[] = []
    const spoil: AnyActivity = (given) => {
      seen.push(given.n)
      given.n = 'spoiled'
      return 'done'
    }
    await compared({ default: spoil, v2: spoil })
    expect(seen).toEqual([1, 1])
  })

  test.each(['idempotent', 'read'])('is allowed for %s Tools', async (effects) => {
    expect((await compared(both, {}, call, effects)).outcome.status).toBe('succeeded')
  })

  test.each([undefined, 'write'])('effects %s: refused, and nothing runs', async (effects) => {
    let ran = 0
    const count = () => String(ran++)
    const { Tool } = registryWith(effects, { default: count, v2: count })
    expect((await Tool.run(call, { policy })).error?.code).toBe('unsafe_strategy')
    expect(ran).toBe(0)
  })

  test('a Tool that writes runs once, and a latent shadow is compared with it', async () => {
    let ran = 0
    const variants = { default: () => `real ${++ran}` }
    const options: RunOptions = { policy: { t: { compare: ['default', 'latent'] } } }
    const { outcome, shadow } = await compared(variants, options, { ...call, _output: 'predicted' }, 'write')
    expect([outcome.output, shadow.output, ran]).toEqual(['real 1', 'predicted', 1])
  })

  test('against latent: the Call’s own _output is the model’s answer, and the Activity does not see it', async () => {
    const seen: unknown[] = []
    const variants: Record<string, AnyActivity> = {
      default(given) {
        seen.push(given)
        return 'real'
      },
    }
    const predicted = { ...call, _output: 'predicted' }
    const latent = await compared(variants, { policy: { t: { compare: ['default', 'latent'] } } }, predicted)
    expect(latent.outcome.output).toBe('real')
    expect(latent.shadow).toMatchObject({ mode: 'latent', output: 'predicted' })
    const reverse = await compared(variants, { policy: { t: { compare: ['latent', 'default'] } } }, predicted)
    expect(reverse.outcome.output).toBe('predicted')
    expect(reverse.shadow).toMatchObject({ mode: 'explicit', output: 'real' })
    expect(seen).toEqual([call, call])
  })
})
