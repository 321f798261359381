import {
  type Call,
  type CallTracer,
  createContext,
  isCallsheetError,
  type Message,
  type Outcome,
} from 'callsheet'
import {
  Agent,
  type AgentLimits,
  type AgentResult,
  type Approval,
  type Decision,
  inProcessExecutor,
  type LoopError,
  type RunEvent,
  type ShownError,
  type SuspendedRun,
} from 'callsheet/agent'
import { remoteActivities, toolServer } from 'callsheet/server'
import { recordRun, shuffledReplay, type TestModel } from 'callsheet/testing'
import fc from 'fast-check'
import { expect } from 'vitest'
import {
  type Asked,
  base,
  firstInside,
  type MadeRun,
  modelOf,
  newlyAsked,
  registryOf,
  type Started,
  stepOf,
} from './made-run.ts'

/** A way to carry a run out that must not matter. */
export interface Way {
  readonly concurrency: number | undefined
  readonly waits: readonly number[]
  readonly stream: boolean
  readonly early: 'none' | 'safe' | 'all'
  readonly mode: 'composed' | 'native'
  readonly api: 'chat' | 'responses' | 'messages'
  /** Who says yes and no, and when. */
  readonly asks: 'at once' | 'at once by effects' | 'later' | 'some later' | 'plan' | 'plan later'
  /** Which of the decisions come with each resume. */
  readonly decides: readonly boolean[]
  readonly isOnRegistry: boolean
  readonly hears: boolean
  readonly traces: boolean
  readonly isLive: boolean
  readonly claims: boolean
  /** Limits that are far away, the names of all that is offered, a search that finds nothing more. */
  readonly limits: boolean
  readonly names: boolean
  readonly searches: boolean
  /** The Activities are those of a worker, which is asked over HTTP. */
  readonly isRemote: boolean
  /** Every Request is made twice: the first finds no server. */
  readonly isShaky: boolean
  readonly isReplayed?: boolean
  /** Tools fix where outputs go, and Calls leave it out (OUT-1). */
  readonly isFixed?: boolean
  readonly seed: number
}

export const plain: Way = {
  concurrency: undefined,
  waits: [],
  stream: false,
  early: 'none',
  mode: 'composed',
  api: 'chat',
  asks: 'at once',
  decides: [],
  isOnRegistry: false,
  hears: false,
  traces: false,
  isLive: false,
  claims: false,
  limits: false,
  names: false,
  searches: false,
  isRemote: false,
  isShaky: false,
  seed: 1,
}

export const way: fc.Arbitrary<Way> = fc.record({
  concurrency: fc.constantFrom(undefined, 1, 2),
  waits: fc.array(fc.nat(3), { maxLength: 6 }),
  stream: fc.boolean(),
  early: fc.constantFrom('none', 'safe', 'all'),
  mode: fc.constantFrom('composed', 'native'),
  api: fc.constantFrom('chat', 'responses', 'messages'),
  asks: fc.constantFrom('at once', 'at once by effects', 'later', 'some later', 'plan', 'plan later'),
  decides: fc.array(fc.boolean(), { maxLength: 4 }),
  isOnRegistry: fc.boolean(),
  hears: fc.boolean(),
  traces: fc.boolean(),
  isLive: fc.boolean(),
  claims: fc.boolean(),
  limits: fc.boolean(),
  names: fc.boolean(),
  searches: fc.constantFrom(false, false, true),
  isRemote: fc.constantFrom(false, false, true),
  isShaky: fc.constantFrom(false, false, true),
  isFixed: fc.boolean(),
  seed: fc.nat(1000),
})

/** A listener that takes all out of what it is told. */
function empty(told: unknown): void {
  if (typeof told !== 'object' || told === null || told instanceof Error) return
  for (const each of Object.values(told)) empty(each)
  for (const name of Object.keys(told)) Reflect.deleteProperty(told, name)
}

const tracer: CallTracer = {
  startActiveSpan: (_name, _options, work) => work({ setAttribute() {}, setStatus() {}, end() {} }),
}

/** What ends a run before it has come to its end, and what it goes on from. */
export interface Bounds extends AgentLimits {
  /** The Activity with whose start the run is given up. */
  readonly abortsAt?: number
  readonly runId?: string
  readonly context?: readonly Message[]
  readonly asked?: Asked
}

/** Carries a run out, in as many processes as it takes. */
export async function carryOut(run: MadeRun, chosen: Way, bounds: Bounds = {}) {
  const {
    abortsAt,
    runId = 'run',
    context = base(run, chosen.isFixed),
    asked = newlyAsked(),
    ...most
  } = bounds
  const started: Started[] = []
  const { signal, abort } = abortable()
  const outcomes: Outcome[] = []
  const claimed = new Set<string>()
  let waited = 0
  const wait = async (): Promise<void> => {
    if (abortsAt !== undefined && started.length > abortsAt) abort()
    for (let left = chosen.waits[waited++ % chosen.waits.length] ?? 0; left > 0; left--) {
      await new Promise((turned) => setImmediate(turned))
    }
  }
  const saysYes = (call: Call): boolean => stepOf(run, call)?.verdict !== 'no'
  const isHeld = (call: Call, id: string): boolean => {
    if (Number(call.place) >= firstInside || (chosen.asks !== 'later' && chosen.asks !== 'some later'))
      return false
    return chosen.asks === 'later' || (id.length + id.charCodeAt(id.length - 1) + chosen.seed) % 2 === 0
  }
  const askedOnce: string[] = []
  const said = (call: Call, { id }: { readonly id: string }) => {
    if (saysYes(call)) return isHeld(call, id) ? 'pending' : true
    return isHeld(call, id) ? 'pending' : { refuse: 'no' }
  }
  let resume: SuspendedRun | undefined
  for (let process = 0; ; process++) {
    const told: string[] = []
    const events: RunEvent[] = []
    const ofRun = {
      retry: { attempts: 2 },
      ...(chosen.limits && { timeout: 60_000 }),
      ...(chosen.traces ? { telemetry: { tracer, captureContent: true } } : {}),
      ...(chosen.hears && {
        before: (call: Call) => structuredClone(call),
        after: (outcome: Outcome) => ({ ...outcome }),
      }),
    }
    const limits = chosen.concurrency === undefined ? {} : { concurrency: chosen.concurrency }
    const { Tool, Activity } = registryOf(
      started,
      wait,
      chosen.isOnRegistry ? { ...ofRun, ...limits } : {},
      chosen.isFixed ? run : undefined,
    )
    Tool.on('activity:latent', () => {})
    if (chosen.isRemote) {
      const worker = registryOf(started, wait, {}, chosen.isFixed ? run : undefined)
      const answer = toolServer(worker.Tool)
      const fetch = (url: string | URL | Request, init?: RequestInit) => answer(new Request(url, init))
      Tool.on('activity:replaced', () => {})
      remoteActivities('http://127.0.0.1:1', { Tool, Activity, names: ['look', 'note', 'pay'], fetch })
    }
    if (chosen.hears) {
      Tool.on('call:start', empty)
      Tool.on('activity:progress', empty)
      Tool.on('call:end', ({ id }) => told.push(id))
      Tool.on('call:end', empty)
    }
    const recorder = recordRun(inProcessExecutor)
    const model = modelOf(run, asked, chosen.isFixed)
    const client = chosen.isShaky ? shaky(model) : model
    const options = {
      model: 'm',
      client,
      tools: Tool,
      output: { type: 'string' },
      runId,
      signal,
      ...most,
      mode: chosen.mode,
      // What a lowered schema makes of a Call that is wrong is no matter of runs.
      ...(chosen.mode === 'composed' && { dialect: 'json-schema' }),
      api: chosen.api,
      retry: { attempts: 2, backoff: 0 },
      redact: ({ code, message }: ShownError) => ({ code, message: message.replace('no', 'NO') }),
      ...(chosen.limits && {
        maxTime: 60_000,
        maxTokens: 1e6,
        maxCalls: 1000,
        maxTurns: 1000,
        timeout: 60_000,
      }),
      ...(chosen.names && { only: Tool.names, without: () => false }),
      ...(chosen.searches && { search: { pinned: Tool.names, limit: 10 } }),
      stream: chosen.stream,
      early: chosen.early,
      ...(!chosen.isOnRegistry && { run: ofRun, ...limits }),
      confirm: confirmOf(chosen, run, said),
      ...(chosen.claims && {
        claim: ({ id, hash }: { id: string; hash: string }) => {
          if (claimed.has(`${id} ${hash}`)) return false
          claimed.add(`${id} ${hash}`)
          return true
        },
      }),
      ...(chosen.hears && { onTurn: empty }),
      ...(resume
        ? { resume, decisions: decisionsOf(resume, chosen, process, run) }
        : { context: chosen.isLive ? createContext(context) : context }),
    }
    const log = (event: RunEvent) => {
      if (!chosen.hears) return
      events.push({ ...event })
      empty(event)
    }
    const result = await ended({ ...options, log, executor: recorder.executor })
    if (!result.suspended && chosen.isReplayed !== false) {
      const again = await ended({
        ...options,
        executor: shuffledReplay(recorder.recording, { seed: chosen.seed }),
        context: resume ? undefined : context,
      })
      expect(again, 'a shuffled replay').toEqual(result)
    }
    outcomes.push(...result.outcomes)
    if (chosen.hears) {
      for (const { id, attempts } of result.outcomes) {
        const times = told.filter((each) => each === id).length
        expect(times, `${id} is told once`).toBeLessThanOrEqual(1)
        if (attempts > 0) expect(times, `${id} is told`).toBe(1)
      }
      const settled = events.flatMap((event) => (event.event === 'settle' ? [event.key] : []))
      expect(new Set(settled).size, 'each settles once').toBe(settled.length)
    }
    if (!result.suspended) return { run, started, outcomes, result, asked, processes: process + 1 }
    expect(process).toBeLessThan(40)
    for (const { id } of result.suspended.approvals) askedOnce.push(id)
    resume = JSON.parse(JSON.stringify(result.suspended)) as SuspendedRun
  }
}

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

/** A model that no Request reaches at once. */
function shaky(model: TestModel): TestModel {
  const asked = new Set<string>()
  const unreached =
    <Body, Answer>(create: (body: Body) => Answer) =>
    async (body: Body): Promise<Awaited<Answer>> => {
      const said = JSON.stringify(body)
      if (asked.size !== asked.add(said).size) throw new TypeError('fetch failed')
      return await create(body)
    }
  return {
    ...model,
    chat: { completions: { create: unreached(model.chat.completions.create) } },
    responses: { create: unreached(model.responses.create) },
    messages: { create: unreached(model.messages.create) },
  } as TestModel
}

function confirmOf(
  { asks }: Way,
  run: MadeRun,
  said: (call: Call, info: { readonly id: string }) => unknown,
) {
  const needsNobody = [...run.turns.flat(), ...run.inside, ...run.planned].every(
    ({ verdict }) => verdict === 'yes',
  )
  if (asks === 'at once by effects') return needsNobody ? { effects: ['write'], ask: said } : said
  if (asks === 'plan' || asks === 'plan later') {
    if (!needsNobody) return said
    return {
      // The run of a delegate has the id of its Call.
      askPlan: ({ runId }: Approval) => (asks === 'plan' || runId.includes(':') ? true : 'pending'),
    }
  }
  return said
}

function decisionsOf(
  { approvals }: SuspendedRun,
  { decides }: Way,
  process: number,
  run: MadeRun,
): Decision[] {
  const decided = approvals.map(({ id, hash, scope, calls: [call] }): Decision => {
    const isYes = scope === 'plan' || !call || stepOf(run, call)?.verdict !== 'no'
    return isYes
      ? { approval: id, hash, approve: true }
      : { approval: id, hash, approve: false, reason: 'no' }
  })
  // At least one each time, so that it comes to an end.
  const chosen = decided.filter((_, index) => decides[(index + process) % decides.length] ?? true)
  return chosen.length > 0 ? chosen : decided.slice(0, 1)
}

interface Ended extends AgentResult {
  readonly code?: string
}

async function ended(options: object): Promise<Ended> {
  const result = await Agent(options as never).catch((error: LoopError) => error)
  if (!(result instanceof Error)) return result
  if (!isCallsheetError(result) || !('result' in result) || result.code === 'internal') throw result
  return { ...(result.result as AgentResult), code: `${result.code}: ${result.message}` }
}

export type CarriedOut = Awaited<ReturnType<typeof carryOut>>

/** One Outcome for each Call, each attempt once, a write once, and nothing that was refused. */
export function requireOnce({ run, outcomes, started }: CarriedOut): void {
  const ids = outcomes.map(({ id }) => id)
  expect(new Set(ids).size, 'one Outcome for each Call').toBe(ids.length)
  const attempts = started.map(({ id, attempt }) => `${id} ${attempt}`)
  expect(new Set(attempts).size, 'each attempt once').toBe(attempts.length)
  for (const { id, tool, attempt, call } of started) {
    expect(stepOf(run, call as Call)?.verdict, `${id} was not refused`).toBe('yes')
    if (tool.startsWith('pay')) expect(attempt, 'a write runs once').toBe(1)
  }
}
