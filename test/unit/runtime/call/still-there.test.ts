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
