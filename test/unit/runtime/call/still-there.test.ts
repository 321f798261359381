import { createRegistry, type ErrorCode, type Outcome, type Registry, tool } from 'callsheet'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'

const number = Type.Number()
const schema = (maximum?: number): ReturnType<typeof tool> =>
  tool(
    'double',
    { n: maximum === undefined ? number : Type.Number({ maximum }), _output: number },
    { effects: 'idempotent' },
  )
const call = { _tool: 'double', n: 9 }

interface Waiting {
  /** What happens to the Tool while the Call waits. */
  change(): void
  readonly registry: Registry
  /** How often its Activity began. */
  runs: number
}

type Change = 'switched off' | 'removed' | 'replaced' | 'registered again'

function waiting(change: Change): Waiting {
  const registry: Registry = createRegistry()
  let isOn = true
  registry.Tool.register('double', schema(), { enabled: () => isOn })
  const changes: Record<Change, () => void> = {
    'switched off': () => {
      isOn = false
    },
    removed: () => registry.Tool.unregister('double'),
    replaced: () => registry.Tool.register('double', schema(5)),
    'registered again': () => registry.Tool.register('double', schema()),
  }
  return { change: changes[change], registry, runs: 0 }
}

const refused: [Change, ErrorCode][] = [
  ['switched off', 'unknown_tool'],
  ['removed', 'unknown_tool'],
  ['replaced', 'refused'],
]

describe('TOOL-9 a Tool that changes while a Call of it waits', () => {
  test.each(refused)('%s during its confirmation: it does not run', async (change, code) => {
    const made = waiting(change)
    made.registry.Activity.register('double', () => Promise.resolve(++made.runs))
    const confirm = (): Promise<boolean> => {
      made.change()
      return Promise.resolve(true)
    }
    const outcome = await made.registry.Tool.run(call, { confirm })
    expect(outcome).toMatchObject({ error: { code }, attempts: 0 })
    expect(made.runs).toBe(0)
  })

  test.each(refused)('%s before its turn in a group: it does not run', async (change, code) => {
    const made = waiting(change)
    made.registry.Activity.register('double', async () => {
      made.change()
      return Promise.resolve(++made.runs)
    })
    const outcomes: Outcome[] = []
    const onOutcome = (outcome: Outcome): void => void outcomes.push(outcome)
    const all = made.registry.Tool.all([call, call], { concurrency: 1, onOutcome })
    await expect(all).rejects.toMatchObject({ code })
    expect(outcomes.map(({ error }) => error?.code)).toEqual([undefined, code])
    expect(made.runs).toBe(1)
  })

  test.each(refused)(
    '%s by the hook `before` of another Call of its group: it does not run',
    async (change) => {
      const made = waiting(change)
      made.registry.Activity.register('double', () => Promise.resolve(++made.runs))
      let asked = 0
      const before = async (): Promise<undefined> => {
        if (++asked === 1) return
        // The first Call has been checked by now.
        await new Promise((resolve) => setTimeout(resolve, 1))
        made.change()
        throw new Error('no')
      }
      await expect(made.registry.Tool.any([call, call], { before })).rejects.toThrow(AggregateError)
      expect(made.runs).toBe(0)
    },
  )

  test.each(refused)('%s between two attempts: no other follows', async (change) => {
    const made = waiting(change)
    made.registry.Activity.register('double', () => {
      made.runs++
      made.change()
      return Promise.reject(new Error('busy'))
    })
    const outcome = await made.registry.Tool.run(call, { retry: { attempts: 3, backoff: 0 } })
    expect(outcome).toMatchObject({ error: { code: 'activity_failed' }, attempts: 1 })
    expect(made.runs).toBe(1)
  })

  test('registered again with the same schema: it runs', async () => {
    const made = waiting('registered again')
    made.registry.Activity.register('double', () => {
      made.change()
      return made.runs++ === 0 ? Promise.reject(new Error('busy')) : Promise.resolve(18)
    })
    const confirm = (): boolean => {
      made.change()
      return true
    }
    const all = made.registry.Tool.all([call, call], {
      confirm,
      concurrency: 1,
      retry: { attempts: 2, backoff: 0 },
    })
    expect(await all).toEqual([18, 18])
  })
})

const kept = tool('keep', { n: number, _output: number }, { effects: 'idempotent' })
const keep = { _tool: 'keep', n: 9 }

/** A registry whose Activity is unregistered or replaced when `change` is called; the new one returns -1. */
function withActivity(change: 'unregistered' | 'replaced', variant: string) {
  const registry = createRegistry({ tools: { keep: kept }, policy: { keep: variant } })
  const { Activity } = registry
  let runs = 0
  const began = (): number => ++runs
  Activity.register('keep', () => 0)
  return {
    registry,
    began,
    runs: () => runs,
    change: () => {
      if (change === 'unregistered') Activity.unregister('keep', variant)
      else Activity.register('keep', () => -1, { variant, replace: true })
    },
  }
}

describe.each(['default', 'v2'])(
  'ACT-3 an Activity that changes while a Call waits: variant %s',
  (variant) => {
    const error = { code: 'no_implementation' }

    test('unregistered during the confirmation: it does not run', async () => {
      const { registry, began, runs, change } = withActivity('unregistered', variant)
      registry.Activity.register('keep', began, { variant, replace: true })
      const confirm = (): boolean => {
        change()
        return true
      }
      expect(await registry.Tool.run(keep, { confirm })).toMatchObject({ error, attempts: 0 })
      expect(runs()).toBe(0)
    })

    test('replaced during the confirmation: the new one runs, in a clean context if it is delegated', async () => {
      const { registry, change } = withActivity('replaced', variant)
      registry.Activity.register('keep', () => 1, { variant, replace: true })
      const confirm = (): boolean => {
        change()
        return true
      }
      expect((await registry.Tool.run(keep, { confirm })).output).toBe(-1)

      registry.Tool.register('keep', tool('keep', { ...kept.properties, _delegate: { const: 'anonymous' } }))
      registry.Activity.register('keep', () => 1, { variant, replace: true })
      const clean = { _tool: 'keep', n: 9, _delegate: 'anonymous' }
      const context = [{ type: 'text', text: 'not for delegates' } as const]
      const seen = (): boolean => {
        registry.Activity.register('keep', (_call, _tool, { length }) => length, { variant, replace: true })
        return true
      }
      // The parameters are its only Message.
      expect((await registry.Tool.run(clean, { confirm: seen, context })).output).toBe(1)
    })

    test('unregistered before its turn in a group: it does not run', async () => {
      const { registry, began, runs, change } = withActivity('unregistered', variant)
      const run = (): number => {
        change()
        return began()
      }
      registry.Activity.register('keep', run, { variant, replace: true })
      await expect(registry.Tool.all([keep, keep], { concurrency: 1 })).rejects.toMatchObject(error)
      expect(runs()).toBe(1)
    })

    test.each([
      ['unregistered', undefined],
      ['replaced', -1],
    ] as const)('%s between two attempts: its old function does not run again', async (how, output) => {
      const { registry, began, runs, change } = withActivity(how, variant)
      const run = (): never => {
        began()
        change()
        throw new Error('busy')
      }
      registry.Activity.register('keep', run, { variant, replace: true })
      const outcome = await registry.Tool.run(keep, { retry: { attempts: 2, backoff: 0 } })
      expect(outcome.output).toBe(output)
      expect(runs()).toBe(1)
    })
  },
)

test('ACT-5 a comparison whose second variant is unregistered meanwhile is left out', async () => {
  const registry = createRegistry({ tools: { keep: kept }, policy: { keep: { compare: ['default', 'v2'] } } })
  registry.Activity.register('keep', () => 1)
  let compared = 0
  registry.Activity.register('keep', () => ++compared, { variant: 'v2' })
  registry.Tool.on('activity:compare', () => void ++compared)
  const confirm = (): boolean => {
    registry.Activity.unregister('keep', 'v2')
    return true
  }
  expect((await registry.Tool.run(keep, { confirm })).output).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 1))
  expect(compared).toBe(0)
})
