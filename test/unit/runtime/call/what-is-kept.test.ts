import { createRegistry, message, type Outcome, tool } from 'callsheet'
import { describe, expect, test } from 'vitest'
import { mapWithLimit } from '../../../../runtime/call/groups/map-with-limit.ts'
import { registryOf } from './harness.ts'

const list = tool('list', { items: { type: 'array' }, _output: { type: 'number' } })
const call = { _tool: 'list', items: [[1], 2] }

/** Its Activity spoils the Call that it gets. */
function spoiling() {
  const registry = createRegistry({ tools: { list } })
  registry.Activity.register('list', (given) => {
    given.items[0].push('spoilt')
    given.items = 'spoilt'
    return 1
  })
  return registry
}

describe('CALL-8 an Outcome has the Call as it came, whoever sees it', () => {
  test.each<[string, (tell: (outcome: Outcome) => void) => Promise<unknown>]>([
    ['Tool.run', async (tell) => tell(await spoiling().Tool.run(call))],
    ['`after`', (tell) => spoiling().Tool(call, { after: (outcome) => void tell(outcome) })],
    ['`after` in a group', (tell) => spoiling().Tool.all([call], { after: (outcome) => void tell(outcome) })],
    [
      'a listener',
      (tell) => {
        const { Tool } = spoiling()
        Tool.on('call:end', tell)
        return Tool(call)
      },
    ],
    [
      'a listener of a group',
      (tell) => {
        const { Tool } = spoiling()
        Tool.on('call:end', tell)
        return Tool.all([call], { concurrency: 1 })
      },
    ],
    [
      'a plan',
      async (tell) => {
        const { outcomes } = await spoiling().Tool.plan([call])
        for (const outcome of outcomes) if (outcome) tell(outcome)
      },
    ],
  ])('%s', async (_who, run) => {
    const seen: Outcome[] = []
    await run((outcome) => seen.push(outcome))
    expect(seen.map((outcome) => outcome.call)).toEqual([{ _tool: 'list', items: [[1], 2] }])
  })

  test('the caller keeps its own, where nobody sees an Outcome', async () => {
    const { Tool } = spoiling()
    expect(await Tool(call)).toBe(1)
    expect(await Tool.all([call, call])).toEqual([1, 1])
    expect(call).toEqual({ _tool: 'list', items: [[1], 2] })
  })

  test('a listener that is added while a Call runs never hears of a spoilt one', async () => {
    const { Tool, Activity } = createRegistry({ tools: { list } })
    const seen: Outcome[] = []
    Activity.register('list', (given) => {
      given.items = 'spoilt'
      Tool.on('call:end', (outcome) => seen.push(outcome))
      return 1
    })
    await Tool(call)
    await Tool.all([call])
    expect(seen.length).toBeGreaterThan(0)
    for (const outcome of seen) expect(outcome.call).toEqual(call)
  })
})

describe('ACT-2 run', () => {
  test('emit works when it is taken out by name', async () => {
    const { Tool, Activity } = registryOf({})
    const progress: unknown[] = []
    Tool.on('activity:progress', ({ id, tool: name, attempt, data }) =>
      progress.push([id, name, attempt, data]),
    )
    Activity.register('double', async ({ n }, _tool, _context, { emit, signal, attempt, id }) => {
      emit({ attempt, aborted: signal.aborted, id })
      await Promise.resolve()
      emit('late')
      return n * 2
    })
    const outcome = await Tool.run({ _tool: 'double', n: 1 })
    expect(progress).toEqual([
      [outcome.id, 'double', 1, { attempt: 1, aborted: false, id: outcome.id }],
      [outcome.id, 'double', 1, 'late'],
    ])
  })

  test('a Message of an Activity keeps the Call in its context as it came', async () => {
    const { Tool, Activity } = createRegistry({ tools: { list } })
    Activity.register('list', () => message({ type: 'data', kind: 'result', data: { result: 1 } }))
    expect((await Tool.run(call)).call).toEqual(call)
  })
})

describe('CALL-4 a group with a limit', () => {
  test.each([1, 2, 3, 10, undefined])('of %s: results in order, never more at a time', async (most) => {
    let running = 0
    let highest = 0
    const started: number[] = []
    const work = async (item: number): Promise<number> => {
      started.push(item)
      highest = Math.max(highest, ++running)
      for (let turn = item; turn < 5; turn++) await Promise.resolve()
      running--
      return item * 2
    }
    const results = await mapWithLimit<number, number>(
      most,
      [0, 1, 2, 3, 4],
      (item, place, onEnd, onDefect) => {
        work(item).then((result) => onEnd(place, result), onDefect)
      },
    )
    expect(results).toEqual([0, 2, 4, 6, 8])
    expect(started).toEqual([0, 1, 2, 3, 4])
    expect(highest).toBeLessThanOrEqual(most ?? 5)
    expect(await mapWithLimit(most, [], () => undefined)).toEqual([])
  })
})
