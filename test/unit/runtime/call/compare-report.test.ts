import {
  type CompareReport,
  compareReport,
  createRegistry,
  type LatentModel,
  type VariantPolicies,
} from 'callsheet'
import { latentModel } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { describe, expect, test } from 'vitest'

const search = {
  properties: { query: { type: 'string' }, _output: { type: 'string' } },
  required: ['query'],
  effects: 'read',
}
const order = { ...search, effects: undefined }

const model: LatentModel = {
  async answer({ call, spend }) {
    spend({ in: 40, out: 2 })
    if (call.query === 'hard') throw new Error('I do not know')
    return `found ${call.query}`
  },
}

function setUp(
  policy: VariantPolicies,
  report: (Tool: Parameters<typeof compareReport>[0]) => CompareReport,
) {
  const { Tool, Activity } = createRegistry({ tools: { search, order }, model, policy })
  Activity.register('search', ({ query }) => `found ${query}`)
  Activity.register(
    'search',
    async ({ query }, _tool, _context, { spend }) => {
      spend({ in: 5, cached: 3 })
      spend({ out: 1 })
      if (query === 'bad') throw new Error('not today')
      return query === 'new' ? 'something else' : `found ${query}`
    },
    { variant: 'v2' },
  )
  Activity.register('order', ({ query }) => `found ${query}`)
  const given = report(Tool)
  let open = 0
  Tool.on('activity:compare', () => open--)
  /** Runs a Call for each query, and waits for the comparisons, which nobody else does. */
  const run = async (tool: string, ...queries: readonly string[]): Promise<void> => {
    for (const query of queries) {
      open++
      await Tool.run({ _tool: tool, query })
    }
    while (open > 0) await new Promise((resolve) => setTimeout(resolve))
  }
  return { Tool, report: given, run }
}

const compared = { search: { compare: ['default', 'v2'] } } as const

describe('ACT-5 compare gives a report', () => {
  test('runs, failures, tokens and agreement of each pair, and the Calls on which they disagree', async () => {
    const { report, run } = setUp(compared, compareReport)
    expect(report.figures()).toEqual([])
    await run('search', 'a', 'b', 'new', 'bad')
    const [figures, ...others] = report.figures()
    expect(others).toEqual([])
    expect(figures).toMatchObject({
      tool: 'search',
      runs: 4,
      bothSucceeded: 3,
      agreed: 2,
      primary: { variant: 'default', failures: 0, codes: {}, usage: { in: 0, out: 0, cached: 0 } },
      shadow: {
        variant: 'v2',
        failures: 1,
        codes: { activity_failed: 1 },
        usage: { in: 20, out: 4, cached: 12 },
      },
    })
    expect(figures?.agreement).toBeCloseTo(2 / 3)
    expect(figures?.examples).toEqual([
      { call: { _tool: 'search', query: 'new' }, primary: 'found new', shadow: 'something else' },
    ])
  })

  test('an Activity beside the model, with what the model spent, also where it failed', async () => {
    const { report, run } = setUp({ order: { compare: ['default', 'latent'] } }, compareReport)
    await run('order', 'tea', 'hard')
    expect(report.figures()).toMatchObject([
      {
        tool: 'order',
        runs: 2,
        agreement: 1,
        primary: { variant: 'default', failures: 0 },
        shadow: { variant: 'latent', failures: 1, usage: { in: 80, out: 4 } },
      },
    ])
  })

  test('time: all of it, and of the last thousand the median and the 95th percentile', () => {
    let tell: Parameters<Parameters<typeof compareReport>[0]['on']>[1] = () => undefined
    const report = compareReport({
      on(_event, listener) {
        tell = listener
        return () => undefined
      },
    })
    const outcome = (took: number, variant?: string) => ({
      ...({ id: 'c', call: { _tool: 't' }, tool: 't', mode: 'explicit', delegated: false } as const),
      ...({ status: 'succeeded', appended: [], attempts: 1, startedAt: 1000, endedAt: 1000 + took } as const),
      ...(variant !== undefined && { variant }),
    })
    // 500 slow ones that are forgotten, then 1 to 1000 milliseconds.
    for (let index = 0; index < 500; index++) tell({ primary: outcome(9000), shadow: outcome(1, 'v2') })
    for (let took = 1; took <= 1000; took++) tell({ primary: outcome(took), shadow: outcome(1, 'v2') })
    expect(report.figures()[0]?.primary.time).toEqual({ total: 500 * 9000 + 500_500, median: 500, p95: 950 })
    expect(report.figures()[0]?.shadow.time).toEqual({ total: 1500, median: 1, p95: 1 })
  })

  test('what agrees can be said, and how many examples are kept', async () => {
    const { report, run } = setUp(compared, (Tool) =>
      compareReport(Tool, { agree: (_primary, _shadow, call) => call.query !== 'a', examples: 1 }),
    )
    await run('search', 'a', 'a', 'new')
    expect(report.figures()).toMatchObject([
      { agreed: 1, bothSucceeded: 3, examples: [{ call: { query: 'a' } }] },
    ])
  })

  test.each<[string, () => unknown, string]>([
    ['throws', () => expect.fail('no idea'), 'no idea'],
    ['answers later', async () => false, '`agree` answered Promise {}. Expected true or false, at once.'],
  ])('a judge that %s is told of, and its pair is left out', async (_what, agree, message) => {
    const { Tool, report, run } = setUp(compared, (given) =>
      compareReport(given, { agree: agree as () => boolean }),
    )
    const errors: unknown[] = []
    Tool.on('listener:error', ({ error }) => errors.push(error))
    await run('search', 'a')
    expect(errors).toMatchObject([{ message }])
    expect(report.figures()).toEqual([])
  })

  test('nothing that was cancelled counts, and nothing after `stop`', async () => {
    const { Tool, report, run } = setUp(compared, compareReport)
    const pair = new Promise((resolve) => Tool.on('activity:compare', resolve))
    const controller = new AbortController()
    const outcome = Tool.run({ _tool: 'search', query: 'a' }, { signal: controller.signal })
    controller.abort()
    expect((await outcome).status).toBe('aborted')
    await Promise.race([pair, new Promise((resolve) => setTimeout(resolve, 50))])
    expect(report.figures()).toEqual([])
    await run('search', 'a')
    report.stop()
    await run('search', 'b')
    expect(report.figures()).toMatchObject([{ runs: 1 }])
  })

  test('as a table, with nothing that breaks it', async () => {
    const { report, run } = setUp(compared, compareReport)
    await run('search', 'a', 'new', 'bad')
    const lines = report.markdown().trim().split('\n')
    expect(lines[0]).toBe(
      '| Tool | Implementation | Runs | Failures | Median ms | p95 ms | Tokens | Agreement |',
    )
    expect(lines[2]).toMatch(/^\| search \| default \| 3 \| 0 \| \d+ \| \d+ \| 0 \| {2}\|$/)
    expect(lines[3]).toMatch(/^\| {2}\| v2 \| 3 \| 1 \| \d+ \| \d+ \| 18 \| 50\.0 % \|$/)
  })
})

describe('ACT-5 what a Call spent is in its Outcome', () => {
  test('all attempts together; nonsense counts as nothing; absent where nobody told', async () => {
    const { Tool, Activity } = createRegistry({ tools: { search } })
    Activity.register('search', async ({ query }, _tool, _context, { attempt, spend }) => {
      if (query === 'silent') return 'quiet'
      spend({ in: 10, out: Number.NaN, cached: -3 })
      spend({ in: 'many' as unknown as number, out: 1 })
      spend(null as never)
      if (attempt === 1) throw new Error('again')
      return 'done'
    })
    const outcome = await Tool.run(
      { _tool: 'search', query: 'x' },
      { retry: { attempts: 2, backoff: () => 0 } },
    )
    expect(outcome).toMatchObject({ output: 'done', attempts: 2, usage: { in: 20, out: 2, cached: 0 } })
    expect(await Tool.run({ _tool: 'search', query: 'silent' })).not.toHaveProperty('usage')
  })

  const usage = { in: 100, out: 10 }

  test('of a model that is asked over its API', async () => {
    const { Tool } = createRegistry({
      tools: { guess: { properties: { _output: { type: 'string' } } } },
      model: latentModel({ model: 'm', client: scriptedModel([{ output: 'a guess', usage }]) }),
    })
    expect(await Tool.run({ _tool: 'guess', _activity: '' })).toMatchObject({
      output: 'a guess',
      usage: { ...usage, cached: 0 },
    })
  })

  test('of a delegate that runs a loop of its own: its Requests, and what its Calls spent', async () => {
    const plain = {
      type: 'object',
      properties: { _tool: { const: 'look' }, _output: { type: 'string' } },
    } as const
    const idea = { schema: { type: 'string' }, context: [{ type: 'tool', tool: plain }] } as const
    const { Tool, Activity } = createRegistry({ tools: { look: plain }, ideas: { finder: idea } })
    Tool.fromIdea('find', idea)
    Activity.register('look', (_call, _tool, _context, { spend }) => {
      spend({ in: 7 })
      return 'seen'
    })
    const client = scriptedModel([
      { calls: [{ _tool: 'look' }], usage },
      { output: 'found', usage },
    ])
    const model = latentModel({ model: 'm', client, tools: Tool })
    expect(await Tool.run({ _tool: 'find' }, { model })).toMatchObject({
      output: 'found',
      usage: { in: 207, out: 20, cached: 0 },
    })
  })
})
