import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { describe, expect, test } from 'vitest'
import type { Workbench } from '../../../../../codegen/studio/bench/workbench.ts'
import { compareRuns } from '../../../../../codegen/studio/runs/compare-runs.ts'
import { eventsOf } from '../../../../../codegen/studio/runs/events-of.ts'
import { RecordedRun, type Step } from '../../../../../codegen/studio/runs/recorded-run.ts'
import { replayRun } from '../../../../../codegen/studio/runs/replay-run.ts'
import { runAsTest } from '../../../../../codegen/studio/runs/run-as-test.ts'
import { RunFolder } from '../../../../../codegen/studio/runs/run-folder.ts'
import { contextView, stepView } from '../../../../../codegen/studio/runs/run-views.ts'
import { studioServer } from '../../../../../codegen/studio/server/studio-server.ts'
import type { ReplayedCall, RunsNews, RunView, StepView } from '../../../../../codegen/studio/wire/runs.ts'
import {
  Agent,
  type Approval,
  type ConfirmRules,
  type Decision,
  Idea,
  LoopError,
  Request,
  type RunEvent,
} from '../../../../../runtime/agent.ts'
import { createRegistry, tool } from '../../../../../runtime/index.ts'
import { scriptedModel } from '../../../../../runtime/testing.ts'
import { temporaryFolder } from '../../write/temporary-folder.ts'
import { benchOf } from './bench-of.ts'

const number = { type: 'number' } as const
const path = { type: 'string' } as const
const sum = (effects: string, name: string) => ({
  type: 'object',
  effects,
  properties: { _tool: { const: name }, left: number, right: number, _outputPath: path, _output: number },
  required: ['_tool', 'left', 'right'],
})
const { Tool, Activity } = createRegistry({
  tools: { add: sum('read', 'add'), pay: sum('write', 'pay') },
})
Tool.fromIdea(
  'tally',
  new Idea({ schema: number, context: [{ type: 'tool', tool: tool('one', { _output: number }) }] }),
)
Tool.register('guess', tool('guess', { _activity: '', _output: number }))
const rules: ConfirmRules = { effects: ['write'], ask: () => 'pending' }
let offset = 0
const paid: unknown[] = []
Activity.register('add', ({ left, right }) => left + right + offset)
Activity.register('pay', ({ left }) => {
  paid.push(left)
  return left
})

const bench = benchOf(Tool)
const tools = new Map(bench.tools.map((tool) => [tool.name, tool]))

const first = { _tool: 'add', left: 1, right: 2, _outputPath: '†state.sum' }
const second = { _tool: 'add', left: '†state.sum', right: 10 }
const payment = { _tool: 'pay', left: 5, right: 0 }
const options = {
  model: 'm',
  tools: Tool,
  output: number,
  context: [{ type: 'text', text: 'Add.' }],
  runId: 'r',
} as const

async function recorded(calls: readonly object[], output = 13): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  const client = scriptedModel([{ calls: calls as never, usage: { in: 100, out: 10 } }, { output }])
  await Agent({ ...options, client, log: (event) => events.push(event) })
  return JSON.parse(JSON.stringify(events)) as RunEvent[]
}

function recordOf(events: readonly unknown[]): RecordedRun {
  const record = new RecordedRun()
  for (const event of events) record.add(event)
  return record
}

/** The event as one of another run. */
function ofRun(runId: string, event: RunEvent): RunEvent {
  const text = JSON.stringify('runId' in event ? { ...event, runId } : event)
  return JSON.parse(text.replaceAll('"key":"r:', `"key":"${runId}:`)) as RunEvent
}

function lines(events: readonly unknown[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('')
}

describe('VIEW-2 a recorded run', () => {
  test('is a timeline, with what it cost', async () => {
    const record = recordOf(await recorded([first, second, payment]))
    expect(record.line).toMatchObject({ status: 'succeeded', model: 'm', requests: 2, calls: 3, tokens: 110 })
    expect(record.steps.map(({ key, kind }) => [key, kind])).toEqual([
      ['r:1', 'request'],
      ['r:1.0', 'call'],
      ['r:1.2', 'call'],
      ['r:1.1', 'call'],
      ['r:2', 'request'],
    ])
  })

  test('shows the plan of an answer, with effects and what waits for what', async () => {
    const record = recordOf(await recorded([second, first, payment]))
    const { plan, sent } = stepView(record.steps[0] as never, record, tools)
    expect(plan?.calls.map(({ effects, status, waitsFor }) => [effects, status, waitsFor])).toEqual([
      ['read', 'succeeded', [1]],
      ['read', 'succeeded', []],
      ['write', 'succeeded', []],
    ])
    expect(sent).toMatchObject([{ attempt: 1, body: { model: 'm' } }])
  })

  test('says why Calls that wait for each other have no graph', async () => {
    const circle = [
      { _tool: 'add', left: '†state.b', right: 1, _outputPath: '†state.a' },
      { _tool: 'add', left: '†state.a', right: 1, _outputPath: '†state.b' },
    ]
    const record = recordOf([
      { event: 'dispatch', key: 'r:1', kind: 'request', at: 1, call: { _tool: 'callsheet:request' } },
      {
        event: 'settle',
        key: 'r:1',
        at: 2,
        outcome: { status: 'succeeded', output: { solution: { calls: circle } } },
      },
    ])
    expect(stepView(record.steps[0] as never, record, tools).plan?.problem).toContain('cycle')
  })

  test('has the context and the state of every step', async () => {
    const record = recordOf(await recorded([first]))
    const [begin, last] = [record.steps[0], record.steps.at(-1)] as [Step, Step]
    expect(contextView(record, begin)).toEqual({ messages: options.context, kinds: {} })
    expect(contextView(record, last)).toMatchObject({ kinds: { state: { sum: 3 } } })
  })

  test('after another one in its file has neither its context nor its end', async () => {
    const earlier = await recorded([first, second])
    const [start, ...rest] = earlier.map((event) => ofRun('later', event))
    const record = recordOf([...earlier, start])
    expect(record.line.status).toBe('running')
    for (const event of rest) record.add(event)
    expect(record.line).toMatchObject({ status: 'succeeded', requests: 4, calls: 4, tokens: 220 })
    const [begin, end] = [record.lastRun[0], record.lastRun.at(-1)] as [Step, Step]
    expect(contextView(record, begin)).toEqual({ messages: options.context, kinds: {} })
    const once = recordOf(earlier)
    expect(contextView(record, end)).toEqual(contextView(once, once.steps.at(-1) as Step))
    for (const [index, step] of once.steps.entries())
      expect(record.contextAfter(record.steps[index] as Step)).toEqual(once.contextAfter(step))
    expect(runAsTest('run.jsonl', record)).toEqual(runAsTest('run.jsonl', once))
  })

  test('that went on at the same time as another one has its own context, prompts and end', async () => {
    const one = await recorded([first, second])
    const other = (await recorded([payment], 5)).map((event) => ofRun('other', event))
    const [alone, otherAlone] = [recordOf(one), recordOf(other)]
    const mixed: RunEvent[] = []
    for (const [at, event] of one.entries()) mixed.push(event, ...other.slice(at, at + 1))
    const record = recordOf(mixed)
    expect(record.line).toMatchObject({ status: 'succeeded', requests: 4, calls: 3 })
    expect(record.output).toBe(5)
    for (const single of [alone, otherAlone]) {
      for (const step of single.steps) {
        const found = record.steps.find(({ key }) => key === step.key) as Step
        expect(record.contextOf(found)).toEqual(single.contextOf(step))
        expect(record.contextAfter(found)).toEqual(single.contextAfter(step))
        expect(found.sent).toEqual(step.sent)
      }
    }
    expect(runAsTest('run.jsonl', record)).toEqual(runAsTest('run.jsonl', otherAlone))
  })

  test('is read from what an Agent gave or threw, from a Vessel, and from a run that waits', async () => {
    const given = await Agent({ ...options, client: scriptedModel([{ calls: [first] }, { output: 13 }]) })
    const confirm = rules
    const thrown: unknown = await Agent({
      ...options,
      confirm,
      client: scriptedModel([{ calls: [payment] }]),
    }).catch((error: unknown) => error)
    if (!(thrown instanceof LoopError)) throw thrown
    const { runId, ...asked } = options
    const { vessel } = await Request({ ...asked, client: scriptedModel([{ calls: [first] }]) })
    const read = (data: unknown) => recordOf(eventsOf(JSON.parse(JSON.stringify(data))) ?? []).line
    expect(read(given)).toMatchObject({ status: 'succeeded', requests: 2, calls: 1 })
    expect(read(thrown.result)).toMatchObject({ status: 'waiting' })
    expect(read({ ...thrown, result: thrown.result })).toMatchObject({ status: 'waiting' })
    expect(read(thrown.result.suspended)).toMatchObject({ status: 'waiting' })
    expect(read(vessel)).toMatchObject({ status: 'succeeded', requests: 1, model: 'm' })
    for (const other of [null, 1, [], {}, { turns: [] }, { context: [] }])
      expect(eventsOf(other)).toBeUndefined()
  })

  test('of a thousand Calls is not looked through for each of them', () => {
    const calls = Array.from({ length: 1000 }, (_, at) => ({ ...first, left: at }))
    const record = recordOf([
      { event: 'dispatch', key: 'r:1', kind: 'request', at: 1, call: { _tool: 'callsheet:request' } },
      {
        event: 'settle',
        key: 'r:1',
        at: 2,
        outcome: { status: 'succeeded', output: { solution: { calls } } },
      },
      ...calls.map((call, at) => ({ event: 'dispatch', key: `r:1.${at}`, kind: 'call', at: 3, call })),
    ])
    let looks = 0
    const steps = record.steps.map((step) =>
      Object.defineProperty({ ...step }, 'kind', { get: () => looks++ && step.kind }),
    )
    record.steps.splice(0, steps.length, ...steps)
    const step = { ...steps[0], kind: 'request' } as RecordedRun['steps'][number]
    expect(stepView(step, record, tools).plan?.calls.at(-1)).toMatchObject({ status: 'running', step: 1000 })
    expect(looks).toBeLessThan(5 * calls.length)
  })

  test('is laid beside one that has next to nothing in common, without a search for what has', () => {
    const run = (from: number): RecordedRun =>
      recordOf(
        [0, ...Array.from({ length: 1500 }, (_, at) => from + at)].map((left) => ({
          event: 'dispatch',
          key: `r:1.${left}`,
          kind: 'call',
          at: 1,
          call: { ...first, left },
        })),
      )
    const { rows } = compareRuns(run(10_000), run(20_000))
    expect(rows.map(({ left }) => left !== undefined)).toEqual([
      ...Array.from({ length: 1501 }, () => true),
      ...Array.from({ length: 1501 }, () => false),
    ])
  })

  test('is compared with another one, Call by Call', async () => {
    const left = recordOf(await recorded([first, payment]))
    const right = recordOf(await recorded([payment, second, first]))
    const rows = compareRuns(left, right).rows.map(({ left: was, right: is, isSame }) => [
      was?.call._tool,
      is?.call._tool,
      isSame,
    ])
    expect(rows).toContainEqual(['pay', 'pay', true])
    expect(rows.filter(([was, is]) => was === undefined || is === undefined).length).toBeGreaterThan(0)
  })

  test('is replayed: what reads is run again, what writes is not', async () => {
    const record = recordOf(await recorded([first, second, payment]))
    paid.length = 0
    const replay = async (): Promise<unknown[]> => {
      const told: ReplayedCall[] = []
      await replayRun(record, bench, new AbortController().signal, (each) => told.push(each))
      return told.map(({ call, result }) => [call._tool, result])
    }
    expect(await replay()).toEqual([
      ['add', 'same'],
      ['pay', 'not run'],
      ['add', 'same'],
    ])
    offset = 1
    expect(await replay()).toContainEqual(['add', 'other'])
    offset = 0
    expect(paid).toEqual([])
  })

  test('is replayed with one context for all Calls of a turn: thousands of copies would fill the memory', async () => {
    const record = recordOf(await recorded([first, second, first]))
    const contexts = new Set<unknown>()
    const run: Workbench['run'] = (call, options, tell) => {
      contexts.add(options.context)
      return bench.run(call, options, tell)
    }
    await replayRun(record, { ...bench, run }, new AbortController().signal, () => undefined)
    expect(contexts.size).toBe(1)
  })

  describe('is a test that passes', () => {
    const refusing: ConfirmRules = { effects: ['write'], ask: () => ({ refuse: 'too much' }) }
    const failing = { _tool: 'add', left: 'x', right: 1 }
    const turn = { calls: [first, second, payment] as never }
    test.each<[string, object]>([
      ['of Calls that wait for each other', { client: scriptedModel([turn, { output: 13 }]) }],
      [
        'of a Call that failed',
        { client: scriptedModel([{ calls: [failing, first] as never }, { output: 1 }]) },
      ],
      ['of a Call that waits for approval', { client: scriptedModel([turn]), confirm: rules }],
      ['of a Call that was refused', { client: scriptedModel([turn, { output: 1 }]), confirm: refusing }],
      [
        'of a Call that its model answered in a Request of its own',
        { client: scriptedModel([{ calls: [{ _tool: 'guess' }] }, { output: 7 }, { output: 8 }]) },
      ],
      [
        'of such a Call whose answer was invalid',
        {
          client: scriptedModel([
            { calls: [{ _tool: 'guess' }] },
            { output: 'x' },
            { output: 'x' },
            { output: 8 },
          ]),
        },
      ],
      [
        'of a Call that its model answered at once',
        { client: scriptedModel([{ calls: [{ _tool: 'guess', _output: 7 }] }, { output: 8 }]) },
      ],
      [
        'of a delegate with Tools of its own',
        {
          client: scriptedModel([
            { calls: [{ _tool: 'tally' }] },
            { calls: [{ _tool: 'one', _output: 1 }] },
            { output: 7 },
            { output: 8 },
          ]),
        },
      ],
      [
        'of a run that searched, and called what was not found',
        {
          client: scriptedModel([{ calls: [{ _tool: 'look', query: 'add' }, first] }, turn, { output: 5 }]),
          search: { name: 'look', limit: 1, pinned: ['pay'] },
        },
      ],
      [
        'of a run that called an unknown Tool',
        {
          client: scriptedModel([
            { calls: [{ _tool: 'nothing' }, { _tool: 5 }] as never },
            turn,
            { output: 5 },
          ]),
        },
      ],
      ['of a run at its limit', { client: scriptedModel([turn]), maxTurns: 1 }],
      ['of a run that stalled', { client: scriptedModel([turn, { calls: [] }]) }],
      ['of a run whose model refused', { client: scriptedModel([turn, { refusal: 'no' }]) }],
    ])('%s', async (_, more) => {
      const events: RunEvent[] = []
      await Agent({ ...options, ...more, log: (event) => events.push(event) }).catch(() => undefined)
      const made = runAsTest('some/run.jsonl', recordOf(JSON.parse(JSON.stringify(events)) as RunEvent[]))
      expect(made?.name).toBe('run.test.ts')
      paid.length = 0
      await runSaved(made?.text ?? '')
      expect(paid).toEqual(made?.text.includes('"pay succeeded"') ? [5] : [])
    })

    test('of the result of a run that called an unknown Tool', async () => {
      const client = scriptedModel([{ calls: [{ _tool: 'nothing', left: 1 }, first] }, { output: 3 }])
      const result = await Agent({ ...options, client })
      const made = runAsTest('run.json', recordOf(eventsOf(JSON.parse(JSON.stringify(result))) ?? []))
      expect(made?.text).toContain('"nothing failed"')
      await runSaved(made?.text ?? '')
    })

    test('of a run that was resumed, in the same file, after an approval', async () => {
      const events: RunEvent[] = []
      const common = { ...options, confirm: rules, log: (event: RunEvent) => events.push(event) }
      const waiting = { client: scriptedModel([{ calls: [payment] }]) }
      const thrown: unknown = await Agent({ ...common, ...waiting }).catch((error: unknown) => error)
      if (!(thrown instanceof LoopError)) throw thrown
      const resume = thrown.result.suspended
      if (!resume) throw new Error('It waits.')
      const decisions = resume.approvals.map(({ id, hash }) => ({ approval: id, hash, approve: true }))
      const before = events.length
      await Agent({ ...common, resume, decisions, client: scriptedModel([{ output: 5 }]) })
      const plain = JSON.parse(JSON.stringify(events)) as RunEvent[]
      expect(recordOf(plain.slice(0, before + 1))).toMatchObject({
        line: { status: 'running' },
        approvals: [],
      })
      const record = recordOf(plain)
      expect(stepView(record.steps[0] as Step, record, tools).plan?.calls).toMatchObject([
        { status: 'succeeded' },
      ])
      const { messages } = contextView(record, record.steps.at(-1) as Step)
      expect(messages.filter(({ type }) => type === 'text')).toEqual(options.context)
      paid.length = 0
      await runSaved(runAsTest('resumed.jsonl', record)?.text ?? '')
      expect(paid).toEqual([5])
    })

    test('and a file without an answer is none', () => {
      expect(runAsTest('run.json', recordOf([]))).toBeUndefined()
    })

    /** Carries out the text of a test, with this file's Tools. */
    async function runSaved(text: string): Promise<void> {
      const { code } = await transform(text, { loader: 'ts', format: 'cjs' })
      const ran: Promise<void>[] = []
      const given = {
        Agent,
        LoopError,
        scriptedModel,
        expect,
        Tool,
        test: (_: string, body: () => Promise<void>) => ran.push(body()),
      }
      new Function('require', code)(() => given)
      expect(ran).toHaveLength(1)
      await Promise.all(ran)
    }
  })

  test('text of a model stays text in a test', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that it is one is what is tried
    const hostile = '`${process.exit()}` */ \u2028 "); process.exit(("'
    const record = recordOf([
      {
        event: 'dispatch',
        key: 'r:1',
        kind: 'request',
        at: 1,
        call: {},
        messages: [{ type: 'text', text: hostile }],
      },
      {
        event: 'settle',
        key: 'r:1',
        at: 2,
        outcome: {
          status: 'succeeded',
          output: JSON.parse('{"solution":{"calls":[{"_tool":"x","__proto__":1}]}}'),
        },
      },
    ])
    const { text = '' } = runAsTest('a"); process.exit(("', record) ?? {}
    expect(text).not.toContain('\u2028')
    expect(text).toContain('["__proto__"]: 1')
    const strings = [...text.matchAll(/"(?:[^"\\\n]|\\.)*"/g)].map(([whole]) => JSON.parse(whole) as string)
    expect(strings).toContain(hostile)
  })
})

describe('VIEW-3 a folder of runs', () => {
  test('is listed, what is no run left out, and followed while files grow', async () => {
    const root = temporaryFolder()
    const events = await recorded([first])
    mkdirSync(join(root, 'deep'))
    writeFileSync(join(root, 'package.json'), '{"name":"x"}')
    writeFileSync(join(root, 'broken.json'), '{')
    writeFileSync(join(root, 'alike.json'), '{"context":[],"turns":[{}]}')
    writeFileSync(join(root, 'deep/run.jsonl'), lines(events.slice(0, 4)))
    const folder = new RunFolder(root)
    const listed = await folder.list()
    expect(listed.map(({ id, status }) => [id, status]).sort()).toEqual([
      ['alike.json', 'unreadable'],
      ['broken.json', 'unreadable'],
      ['deep/run.jsonl', 'running'],
    ])
    for (const { status, problem } of listed)
      if (status === 'unreadable') expect(problem).toMatch(/^It cannot be read as a run: /)
    const [rest = ''] = [lines(events.slice(4))]
    // A line that is only half there waits for its end.
    appendFileSync(join(root, 'deep/run.jsonl'), rest.slice(0, 30))
    await folder.list()
    expect(folder.record('deep/run.jsonl')?.steps.length).toBe(1)
    appendFileSync(join(root, 'deep/run.jsonl'), rest.slice(30))
    const again = await folder.list()
    expect(again.find(({ id }) => id === 'deep/run.jsonl')).toMatchObject({ status: 'succeeded', calls: 1 })
  })

  test('lines that are no events, and events of other forms, take nothing with them', async () => {
    const root = temporaryFolder()
    const odd = [
      'nonsense',
      '[]',
      '{"event":1}',
      '{"event":"dispatch"}',
      '{"event":"settle","key":"x"}',
      '{"event":"end"}',
    ]
    writeFileSync(join(root, 'odd.jsonl'), `${odd.join('\n')}\n${lines(await recorded([first]))}`)
    const [line] = await new RunFolder(root).list()
    expect(line).toMatchObject({ status: 'succeeded', requests: 2, calls: 1 })
  })

  test.each([
    'abc',
    { length: 2 },
    [
      null,
      {},
      { id: 'a', hash: 'h', calls: [], effects: {} },
      { id: 'a', hash: 'h', calls: [5], effects: [] },
    ],
  ])(
    'Approvals that nobody could be shown are left out, and the run waits all the same: %j',
    async (approvals) => {
      const root = temporaryFolder()
      const events = await recorded([first])
      writeFileSync(
        join(root, 'odd.jsonl'),
        lines([...events.slice(0, -1), { event: 'end', suspended: { approvals } }]),
      )
      const folder = new RunFolder(root)
      expect(await folder.list()).toMatchObject([{ status: 'waiting' }])
      expect(folder.record('odd.jsonl')?.approvals).toEqual([])
    },
  )

  test('of large runs the newest are read: all of them together would fill the memory', async () => {
    const root = temporaryFolder()
    const text = lines(await recorded([first]))
    for (const [place, name] of ['old.jsonl', 'middle.jsonl', 'new.jsonl'].entries()) {
      writeFileSync(join(root, name), text)
      utimesSync(join(root, name), place, place)
    }
    const folder = new RunFolder(root, 2.5 * Buffer.byteLength(text))
    const problems = async (): Promise<unknown[]> =>
      (await folder.list()).map(({ id, problem }) => [id, problem?.slice(0, 22)])
    expect(await problems()).toEqual([
      ['new.jsonl', undefined],
      ['middle.jsonl', undefined],
      ['old.jsonl', 'Of all runs, the newes'],
    ])
    expect(folder.record('old.jsonl')?.steps).toEqual([])
    rmSync(join(root, 'new.jsonl'))
    expect(await problems()).toEqual([
      ['middle.jsonl', undefined],
      ['old.jsonl', undefined],
    ])
  })

  test('links that lead out of it are not followed', async () => {
    const [root, outside] = [temporaryFolder(), temporaryFolder()]
    writeFileSync(join(outside, 'secret.jsonl'), lines(await recorded([first])))
    symlinkSync(join(outside, 'secret.jsonl'), join(root, 'link.jsonl'))
    symlinkSync(outside, join(root, 'linked'))
    expect(await new RunFolder(root).list()).toEqual([])
  })
})

describe('VIEW-2 over the studio server', () => {
  async function served(files: Readonly<Record<string, string>>) {
    const root = temporaryFolder()
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
    const handle = studioServer({
      bench,
      token: 't',
      runs: new RunFolder(root),
      signal: new AbortController().signal,
      onError: (error) => {
        throw error
      },
    })
    const ask = (at: string, body?: unknown, authorization = 'Bearer t') =>
      handle(
        new globalThis.Request(`http://127.0.0.1:1/api/runs${at}`, {
          headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
          ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        }),
      )
    return { root, ask }
  }

  test('the list comes again only if it is another one', async () => {
    const { root, ask } = await served({ 'a.jsonl': lines(await recorded([first])) })
    const news = async (version?: string) => (await (await ask('/news', { version })).json()) as RunsNews
    const { version, runs = [] } = await news()
    expect(runs.map(({ id }) => id)).toEqual(['a.jsonl'])
    expect(await news(version)).toEqual({ version })
    writeFileSync(join(root, 'b.jsonl'), lines(await recorded([second])))
    expect((await news(version)).runs).toHaveLength(2)
  })

  test('files that come and go do not end the list', async () => {
    const root = temporaryFolder()
    writeFileSync(join(root, 'a.jsonl'), lines(await recorded([first])))
    const folder = new RunFolder(root)
    let isOver = false
    const churn = async (): Promise<void> => {
      while (!isOver) {
        writeFileSync(join(root, 'gone.json'), '{}')
        await new Promise(setImmediate)
        rmSync(join(root, 'gone.json'))
      }
    }
    const churning = churn()
    try {
      for (let look = 0; look < 100; look++) {
        // The other one is there at times.
        const ids = (await folder.list()).map(({ id }) => id)
        expect(ids.filter((id) => id !== 'gone.json')).toEqual(['a.jsonl'])
      }
    } finally {
      isOver = true
      await churning
    }
  })

  test('a run comes whole, and then what is new', async () => {
    const events = await recorded([first])
    const { root, ask } = await served({ 'a.jsonl': lines(events.slice(0, 5)) })
    const whole = (await (await ask('/a.jsonl/view', { since: 0 })).json()) as RunView
    expect(whole.steps.map(({ status }) => status)).toEqual(['succeeded', 'running'])
    appendFileSync(join(root, 'a.jsonl'), lines(events.slice(5)))
    const added = (await (await ask('/a.jsonl/view', { since: whole.version })).json()) as RunView
    expect(added.steps.map(({ index, status }) => [index, status])).toEqual([
      [1, 'succeeded'],
      [2, 'succeeded'],
    ])
    const step = (await (await ask('/a.jsonl/steps/0')).json()) as StepView
    expect(step.sent.length).toBe(1)
    expect(await (await ask('/a.jsonl/context/0')).json()).toEqual({ messages: options.context, kinds: {} })
    const later = await ask(`/a.jsonl/context/${added.steps.at(-1)?.index}`)
    expect(await later.json()).toMatchObject({ kinds: { state: { sum: 3 } } })
    for (const none of ['9', '-1', 'x', '__proto__']) {
      expect((await ask(`/a.jsonl/steps/${none}`)).status).toBe(404)
      expect((await ask(`/a.jsonl/context/${none}`)).status).toBe(404)
    }
    expect((await ask('/a.jsonl/test')).status).toBe(200)
    expect((await ask('/a.jsonl/diff/a.jsonl')).status).toBe(200)
  })

  test('a run without an answer of a model is no test, and says why', async () => {
    const { ask } = await served({ 'a.jsonl': '' })
    const answer = await ask('/a.jsonl/test')
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { why: expect.stringContaining('no answer of a model') },
    ])
  })

  test('nothing without the token, and nothing that was not listed', async () => {
    const { ask } = await served({ 'a.jsonl': '' })
    for (const at of ['', '/a.jsonl/steps/0', '/a.jsonl/test']) {
      expect((await ask(at, undefined, 'Bearer x')).status).toBe(401)
    }
    for (const id of ['..%2Fa.jsonl', '%2Fetc%2Fpasswd', 'constructor', '__proto__', 'b.jsonl']) {
      expect((await ask(`/${id}/test`)).status).toBe(404)
      expect((await ask(`/${id}/decide`, { decisions: [] })).status).toBe(404)
    }
  })

  test('approvals are decided for what was shown, and an Agent goes on with the file', async () => {
    const events: RunEvent[] = []
    const confirm = rules
    const client = scriptedModel([{ calls: [payment] }])
    await Agent({ ...options, confirm, client, log: (event) => events.push(event) }).catch(() => {})
    const { root, ask } = await served({ 'pay.jsonl': lines(events) })
    const view = (await (await ask('/pay.jsonl/view', {})).json()) as RunView
    const [approval] = view.approvals
    if (!approval) throw new Error('There is an approval.')
    const { id, hash } = approval
    const decide = async (decision: object) =>
      (await ask('/pay.jsonl/decide', { decisions: [decision] })).status
    expect(await decide({ approval: 'other', hash, approve: true })).toBe(400)
    expect(await decide({ approval: id, hash: 'other', approve: true })).toBe(400)
    expect(await decide({ approval: id, hash, approve: 'yes' })).toBe(400)
    expect(existsSync(join(root, 'pay.decisions.json'))).toBe(false)
    expect(await decide({ approval: id, hash, approve: true })).toBe(200)

    const decisions = JSON.parse(readFileSync(join(root, 'pay.decisions.json'), 'utf8'))
    const end = events.find((event) => event.event === 'end')
    const resume = JSON.parse(JSON.stringify(end?.suspended))
    paid.length = 0
    await Agent({ ...options, confirm, resume, decisions, client: scriptedModel([{ output: 5 }]) })
    expect(paid).toEqual([5])
    const after = (await (await ask('/pay.jsonl/view', {})).json()) as RunView
    expect(after.decided).toEqual([id])
    writeFileSync(join(root, 'pay.decisions.json'), JSON.stringify([null, ...decisions]))
    expect(await (await ask('/pay.jsonl/view', {})).json()).toMatchObject({ decided: [id] })
  })

  test('the decisions of name.json and name.jsonl are in two files', async () => {
    const recorded = async (): Promise<RunEvent[]> => {
      const events: RunEvent[] = []
      const client = scriptedModel([{ calls: [payment] }])
      await Agent({ ...options, confirm: rules, client, log: (event) => events.push(event) }).catch(() => {})
      return events
    }
    const suspended = (await recorded()).find((event) => event.event === 'end')?.suspended
    const { root, ask } = await served({
      'pay.jsonl': lines(await recorded()),
      'pay.json': JSON.stringify(suspended),
    })
    for (const [run, file] of [
      ['pay.jsonl', 'pay.decisions.json'],
      ['pay.json', 'pay.json.decisions.json'],
    ] as const) {
      const { approvals } = (await (await ask(`/${run}/view`, {})).json()) as RunView
      const { id, hash } = approvals[0] as Approval
      const answer = await ask(`/${run}/decide`, { decisions: [{ approval: id, hash, approve: true }] })
      expect(await answer.json()).toEqual({ file })
      expect(JSON.parse(readFileSync(join(root, file), 'utf8'))).toHaveLength(1)
    }
    expect(JSON.parse(readFileSync(join(root, 'pay.decisions.json'), 'utf8'))).toHaveLength(1)
  })

  test('decisions of two pages are both kept, the later one about an Approval, and none about what was asked before', async () => {
    const events: RunEvent[] = []
    const client = scriptedModel([{ calls: [payment, payment] }])
    await Agent({ ...options, confirm: rules, client, log: (event) => events.push(event) }).catch(() => {})
    const { root, ask } = await served({ 'pay.jsonl': lines(events) })
    const { approvals } = (await (await ask('/pay.jsonl/view', {})).json()) as RunView
    const file = join(root, 'pay.decisions.json')
    const elsewhere = join(root, 'elsewhere')
    writeFileSync(elsewhere, JSON.stringify([{ approval: approvals[0]?.id, hash: 'earlier', approve: true }]))
    symlinkSync(elsewhere, file)
    const decide = (at: number, approve: boolean) => {
      const { id, hash } = approvals[at] as Approval
      return ask('/pay.jsonl/decide', { decisions: [{ approval: id, hash, approve }] })
    }
    const written = await Promise.all([decide(0, true), decide(1, true), decide(0, false)])
    expect(written.map(({ status }) => status)).toEqual([200, 200, 200])
    const decisions = JSON.parse(readFileSync(file, 'utf8')) as Decision[]
    expect(decisions.map(({ approval, approve }) => [approval, approve])).toEqual([
      [approvals[1]?.id, true],
      [approvals[0]?.id, false],
    ])
    expect(readFileSync(elsewhere, 'utf8')).toContain('earlier')
    expect(readdirSync(root).sort()).toEqual(['elsewhere', 'pay.decisions.json', 'pay.jsonl'])
  })
})
