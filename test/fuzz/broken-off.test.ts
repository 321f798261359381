import {
  type Call,
  type CallTracer,
  type Context,
  createContext,
  isCallsheetError,
  type Outcome,
  type Registry,
} from 'callsheet'
import {
  Agent,
  type AgentResult,
  type Decision,
  type ExecutorFactory,
  inProcessExecutor,
  type LoopError,
  type SuspendedRun,
} from 'callsheet/agent'
import type { TestModel } from 'callsheet/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { fuzz } from './campaign.ts'
import {
  base,
  callOf,
  type MadeRun,
  madeRun,
  modelOf,
  newlyAsked,
  placeOf,
  registryOf,
  type Started,
  stepOf,
} from './made-run.ts'

/** What happens at one of the points at which a run asks, tells or waits for somebody else. */
interface Fault {
  /** Chooses the kind of point, and which of them. */
  readonly at: number
  readonly does: 'throws' | 'aborts' | 'aborts and throws'
}

interface Setting {
  readonly stream: boolean
  readonly early: 'none' | 'safe' | 'all'
  readonly mode: 'composed' | 'native'
  readonly concurrency: number | undefined
  readonly asks: 'at once' | 'later' | 'plan later'
  readonly waits: readonly number[]
}

const setting: fc.Arbitrary<Setting> = fc.record({
  stream: fc.boolean(),
  early: fc.constantFrom('none', 'safe', 'all'),
  mode: fc.constantFrom('composed', 'native'),
  concurrency: fc.constantFrom(undefined, 1, 2),
  asks: fc.constantFrom('at once', 'at once', 'later', 'plan later'),
  waits: fc.array(fc.nat(3), { minLength: 1, maxLength: 6 }),
})

const fault: fc.Arbitrary<Fault> = fc.record({
  at: fc.noBias(fc.nat(100_000)),
  does: fc.constantFrom('throws', 'throws', 'aborts', 'aborts and throws'),
})

/** All that a run tells others of, and asks them: each is a point. */
class Points {
  readonly names: string[] = []
  readonly #does: Fault['does'] | undefined
  readonly #at: number
  readonly controller = new AbortController()

  constructor(does?: Fault['does'], at = -1) {
    this.#does = does
    this.#at = at
  }

  /** Where the fault was. */
  get hit(): string | undefined {
    return this.names[this.#at]
  }

  touch(name: string): void {
    this.names.push(name)
    if (this.names.length - 1 !== this.#at) return
    if (this.#does !== 'throws') this.controller.abort()
    if (this.#does !== 'aborts') throw new Error(`a fault at ${name}`)
  }
}

/** A Context that a program keeps itself. */
function keptContext(points: Points, kept: Context): Context {
  return {
    messages: kept.messages,
    read: kept.read,
    append(...messages) {
      points.touch('append')
      kept.append(...messages)
    },
  }
}

/** The steps of a run as an engine would take them: a fault of the engine's is none of a Call. */
const executorAt =
  (points: Points): ExecutorFactory =>
  (perform) => {
    const inner = inProcessExecutor(async (call, key, policy) => perform(call, key, policy))
    return {
      dispatch: (call, key, policy) => inner.dispatch(call, key, policy),
      async next(pending) {
        points.touch('next')
        return inner.next(pending)
      },
      now: () => inner.now(),
    }
  }

function hear(Tool: Registry['Tool'], ended: Outcome[], points: Points): void {
  Tool.on('activity:latent', () => {})
  Tool.on('listener:error', () => {})
  Tool.on('call:start', () => points.touch('call:start'))
  Tool.on('call:end', (outcome) => {
    ended.push(outcome)
    points.touch('call:end')
  })
  Tool.on('activity:progress', () => points.touch('activity:progress'))
  Tool.on('activity:retry', () => points.touch('activity:retry'))
}

function hooksOf(points: Points) {
  const span = { setAttribute() {}, setStatus() {}, end: () => points.touch('a span ends') }
  const startActiveSpan: CallTracer['startActiveSpan'] = (_name, _options, work) => {
    points.touch('a span begins')
    return work(span)
  }
  return {
    retry: { attempts: 2 },
    telemetry: { tracer: { startActiveSpan } },
    before: (call: Call) => {
      points.touch('before')
      return call
    },
    after: (): undefined => {
      points.touch('after')
    },
  }
}

/** The points of a run once more, with a fault at one of them. */
function pointsAt({ names }: Points, { at, does }: Fault): Points {
  const kinds = [...new Set(names)]
  const kind = kinds[at % kinds.length]
  const places = [...names.keys()].filter((each) => names[each] === kind)
  return new Points(does, places[Math.floor(at / kinds.length) % places.length])
}

interface Told {
  readonly started: Started[]
  readonly outcomes: Outcome[]
  readonly ended: Outcome[]
  readonly kept: Context
  result: AgentResult & { readonly code?: string }
}

/** One process of a run. */
async function process(
  run: MadeRun,
  { stream, early, mode, concurrency, asks, waits }: Setting,
  points: Points,
  told: Pick<Told, 'started' | 'outcomes' | 'ended' | 'kept'>,
  asked: ReturnType<typeof newlyAsked>,
  from: { resume?: SuspendedRun; decisions?: Decision[]; runId?: string },
  isLast: boolean,
): Promise<Told['result']> {
  let waited = 0
  const wait = async (): Promise<void> => {
    points.touch('an Activity begins')
    for (let left = waits[waited++ % waits.length] ?? 0; left > 0; left--) {
      await new Promise((turned) => setImmediate(turned))
    }
    points.touch('an Activity ends')
  }
  const { Tool } = registryOf(told.started, wait)
  hear(Tool, told.ended, points)
  const scripted = modelOf(isLast ? { ...run, turns: run.turns.slice(0, asked.turns) } : run, asked)
  const client = {
    ...scripted,
    chat: {
      completions: {
        create: async (body: never, options: never) => {
          points.touch('asked')
          const answer = await scripted.chat.completions.create(body, options)
          points.touch('answered')
          return answer
        },
      },
    },
  } as unknown as TestModel
  const said = (call: Call) => {
    points.touch('confirm')
    const isYes = stepOf(run, call)?.verdict !== 'no'
    if (asks === 'later' && typeof call.place === 'number' && call.place < 900) return 'pending'
    return isYes ? true : { refuse: 'no' }
  }
  const confirm =
    asks === 'plan later'
      ? {
          askPlan: ({ runId }: { runId: string }) => {
            points.touch('askPlan')
            return runId.includes(':') ? true : ('pending' as const)
          },
        }
      : said
  const done: Promise<AgentResult> = Agent({
    model: 'm',
    client,
    tools: Tool,
    output: { type: 'string' },
    signal: points.controller.signal,
    mode,
    ...(mode === 'composed' && { dialect: 'json-schema' as const }),
    api: 'chat',
    stream,
    early,
    retry: { attempts: 1 },
    ...(concurrency !== undefined && { concurrency }),
    confirm: confirm as never,
    claim: () => {
      points.touch('claim')
      return true
    },
    redact: (error) => {
      points.touch('redact')
      return error
    },
    onTurn: () => points.touch('onTurn'),
    log: () => points.touch('log'),
    executor: executorAt(points),
    context: keptContext(points, told.kept),
    run: hooksOf(points),
    ...from,
  })
  const limit = new Promise<'hangs'>((passed) => setTimeout(passed, 8000, 'hangs'))
  const result = await Promise.race([done.catch((error: LoopError) => error), limit])
  expect(result, `it ends, ${points.hit}`).not.toBe('hangs')
  if (!(result instanceof Error)) return result as AgentResult
  expect(isCallsheetError(result), String(result)).toBe(true)
  expect(result.code, `${points.hit}: ${result.message}`).not.toBe('internal')
  return { ...result.result, code: result.code }
}

// What a listener throws goes to the console.
beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
afterAll(() => void vi.restoreAllMocks())

const hits = new Set<string | undefined>()

async function carryOut(run: MadeRun, given: Setting, points: Points): Promise<Told> {
  const asked = newlyAsked()
  const told = {
    started: [] as Started[],
    outcomes: [] as Outcome[],
    ended: [] as Outcome[],
    kept: createContext(base(run)),
  }
  let from: Parameters<typeof process>[5] = { runId: 'run' }
  for (let count = 0; ; count++) {
    expect(count).toBeLessThan(30)
    const result = await process(run, given, points, told, asked, from, false)
    told.outcomes.push(...result.outcomes)
    const { suspended } = result
    if (!suspended) return { ...told, result }
    const resume = JSON.parse(JSON.stringify(suspended)) as SuspendedRun
    const decisions = resume.approvals.map(({ id, hash, scope, calls: [call] }): Decision => {
      const isYes = scope === 'plan' || !call || stepOf(run, call)?.verdict !== 'no'
      return { approval: id, hash, approve: isYes }
    })
    from = { resume, decisions }
  }
}

/** Whether it is a Call of the run itself, not of a delegate's. */
const isOwn = ({ id }: { readonly id: string }): boolean => /^[^:]*:\d+\.\d+$/.test(id)

fuzz(
  'REQ-8b, CALL-8 a run that breaks off at any point: each effect has one Outcome, and going on repeats none',
  120,
  fc.tuple(madeRun, setting, fault),
  async ([run, given, chosen]) => {
    const whole = new Points()
    await carryOut(run, given, whole)
    const points = pointsAt(whole, chosen)
    const told = await carryOut(run, given, points)
    const { started, outcomes, ended, result, kept } = told
    const where = `${chosen.does} at ${points.hit}`
    hits.add(points.hit)
    // Of what still runs when it was given up, the end comes later.
    for (let turn = 0; turn < 6; turn++) await new Promise((turned) => setImmediate(turned))
    const ids = outcomes.map(({ id }) => id)
    expect(new Set(ids).size, `${where}: one Outcome for each Call`).toBe(ids.length)
    for (const { id } of started.filter(isOwn)) {
      expect(ids, `${where}: what ran is told in the result`).toContain(id)
    }
    for (const outcome of outcomes.filter(isOwn)) {
      const attempts = started.filter(({ id }) => id === outcome.id).length
      if (outcome.mode === 'explicit') expect(outcome.attempts, `${where}: ${outcome.id}`).toBe(attempts)
      const heard = ended.filter((each) => each.id === outcome.id && each.attempts > 0)
      if (attempts > 0) {
        expect(
          heard.map(({ status }) => status),
          `${where}: ${outcome.id} is told once`,
        ).toEqual([outcome.status])
      }
    }
    for (const id of new Set(started.map((each) => each.id))) {
      const heard = ended.filter((each) => each.id === id && each.attempts > 0)
      expect(heard.length, `${where}: ${id} is told of`).toBe(1)
    }
    if (points.hit !== 'append') {
      expect(JSON.stringify(kept.messages), `${where}: the Context has all of it`).toBe(
        JSON.stringify(result.context),
      )
    }
    if (result.code === undefined) return
    // Another run goes on from there.
    const again = {
      started: [] as Started[],
      outcomes: [] as Outcome[],
      ended: [] as Outcome[],
      kept: createContext(result.context),
    }
    const asked = newlyAsked()
    asked.turns = 99
    await process(run, { ...given, asks: 'at once' }, new Points(), again, asked, { runId: 'again' }, true)
    const ran = new Set(started.filter(isOwn).map(({ call }) => (call as Call).place))
    for (const { call, tool } of again.started.filter(isOwn)) {
      expect(ran, `${where}: ${tool} ${JSON.stringify(call)} runs once more`).not.toContain(
        (call as Call).place,
      )
    }
  },
)

const direct = fc.record({
  strategy: fc.constantFrom('run', 'one', 'all', 'any', 'race', 'plan'),
  concurrency: fc.constantFrom(undefined, 1, 2),
  waits: fc.array(fc.nat(3), { minLength: 1, maxLength: 6 }),
})

/** Calls that somebody runs without a model, until nothing of them is left. */
async function runDirectly(
  run: MadeRun,
  { strategy, concurrency, waits }: typeof direct extends fc.Arbitrary<infer Given> ? Given : never,
  points: Points,
) {
  const started: Started[] = []
  const ended: Outcome[] = []
  const kept = createContext(base(run))
  const asked = newlyAsked()
  let waited = 0
  const wait = async (): Promise<void> => {
    points.touch('an Activity begins')
    for (let left = waits[waited++ % waits.length] ?? 0; left > 0; left--) {
      await new Promise((turned) => setImmediate(turned))
    }
    points.touch('an Activity ends')
  }
  const { Tool } = registryOf(started, wait)
  hear(Tool, ended, points)
  const [steps = []] = run.turns
  const calls = steps.map((each, index) => callOf(run, each, placeOf(0, index)))
  const before = kept.messages.length
  const options = {
    ...hooksOf(points),
    context: keptContext(points, kept),
    signal: points.controller.signal,
    confirm: () => {
      points.touch('confirm')
      return true
    },
    model: { answer: async () => ({ thought: asked.turns++ }) },
  }
  const group = {
    ...options,
    ...(concurrency !== undefined && { concurrency }),
    allowEffects: true,
    onOutcome: () => points.touch('onOutcome'),
  }
  const [first] = calls as [Call]
  const running: Promise<unknown> =
    strategy === 'run'
      ? Tool.run(first, options)
      : strategy === 'one'
        ? Tool(first, options)
        : Tool[strategy](calls as never, group)
  const limit = new Promise<'hangs'>((passed) => setTimeout(passed, 8000, 'hangs'))
  const result = await Promise.race([running.catch((error: unknown) => ({ error })), limit])
  for (let turn = 0; turn < 6; turn++) await new Promise((turned) => setImmediate(turned))
  return { started, ended, result, strategy, calls, added: kept.messages.slice(before) }
}

fuzz(
  'CALL-8, CALL-11 Calls that break off at any point: each is told of once, with what the context has of it',
  150,
  fc.tuple(madeRun, direct, fault),
  async ([run, given, chosen]) => {
    const whole = new Points()
    await runDirectly(run, given, whole)
    const points = pointsAt(whole, chosen)
    const { started, ended, result, strategy, added } = await runDirectly(run, given, points)
    hits.add(points.hit)
    const where = `${strategy}, ${chosen.does} at ${points.hit}`
    expect(result, where).not.toBe('hangs')
    for (const id of new Set(started.map((each) => each.id))) {
      const heard = ended.filter((each) => each.id === id)
      expect(heard.length, `${where}: ${id} is told of`).toBe(1)
      expect(heard[0]?.attempts, where).toBe(started.filter((each) => each.id === id).length)
    }
    for (const { error } of ended) expect(error?.code, `${where}: ${error?.message}`).not.toBe('internal')
    expect(added, `${where}: the context has what was told`).toEqual(
      ended.flatMap(({ appended }) => appended),
    )
    if (strategy === 'run') expect(ended, where).toEqual([result])
    if (strategy !== 'plan' || typeof result !== 'object' || !result || !('outcomes' in result)) return
    const { outcomes, context } = result as { outcomes: (Outcome | undefined)[]; context: unknown[] }
    expect(outcomes.filter(Boolean), where).toEqual(ended)
    expect(context.slice(base(run).length), where).toEqual(added)
  },
)

test('the runs above broke off at many points', () => {
  expect(hits.size, [...hits].join()).toBeGreaterThan(10)
})
