import { AsyncLocalStorage } from 'node:async_hooks'
import { createRegistry } from 'callsheet'
import { temporalActivities } from 'callsheet/temporal'
import { scriptedModel } from 'callsheet/testing'
import { type TemporalSteps, type TemporalWorkflow, temporalSteps } from 'callsheet/workflow'
import fc from 'fast-check'
import { expect } from 'vitest'
import { fuzz } from './campaign.ts'

type Tool = 'look' | 'pay' | 'do'
/** What an attempt comes to; with `shutdown` its worker stops first, and with `large` no server would take its output. */
type End = 'yes' | 'no' | 'shutdown' | 'large'

interface Asked {
  readonly tool: Tool
  readonly ends: readonly End[]
}

interface Group {
  readonly kind: 'run' | 'all' | 'plan' | 'agent'
  /** Which of two steps of the workflow it uses. */
  readonly steps: 0 | 1
  readonly calls: readonly Asked[]
}

/** Parts in turn or at the same time. */
type Part = Group | Parts

interface Parts {
  readonly kind: 'series' | 'together'
  readonly parts: readonly Part[]
}

const asked: fc.Arbitrary<Asked> = fc.record({
  tool: fc.constantFrom('look', 'pay', 'do'),
  ends: fc.array(fc.constantFrom('yes', 'yes', 'yes', 'no', 'shutdown', 'large'), { maxLength: 4 }),
})
const group: fc.Arbitrary<Group> = fc.record({
  kind: fc.constantFrom('run', 'all', 'plan', 'agent'),
  steps: fc.constantFrom(0, 1),
  calls: fc.array(asked, { minLength: 1, maxLength: 3 }),
})
const { part } = fc.letrec<{ part: Part }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    group,
    fc.record({
      kind: fc.constantFrom('series', 'together'),
      parts: fc.array(tie('part'), { minLength: 1, maxLength: 3 }),
    }),
  ),
}))

const large = 'x'.repeat(2_000_000)
const properties = { number: { type: 'integer' }, _output: { type: 'string' } }
const toolOf = (name: Tool, effects?: string) => ({
  type: 'object',
  ...(effects && { effects }),
  properties: { _tool: { const: name }, ...properties },
  required: ['_tool', 'number'],
})

/** How a Call ends, and after how many bodies: Temporal repeats reads, of which three attempts may fail. */
function wantOf({ tool, ends }: Asked): readonly [status: string, bodies: number] {
  for (let attempt = 1; ; attempt++) {
    const end = ends[attempt - 1] ?? 'yes'
    const isLast = tool !== 'look' || attempt >= 3
    if (end === 'yes' || (end === 'shutdown' && tool !== 'look')) return ['succeeded', attempt]
    if (end === 'large' || (end === 'no' && isLast)) return ['failed', attempt]
  }
}

fuzz(
  'Temporal: what a workflow runs, in turn and at once, ends with one Outcome of each Call, whatever becomes of its workers',
  150,
  fc.record({ program: part, turns: fc.array(fc.nat(), { maxLength: 40 }) }),
  async ({ program, turns }) => {
    const calls = callsOf(program)
    const ids = calls.map((): string[] => [])
    const statuses = calls.map((): string[] => [])
    /** Bodies that have begun, to end in the order that the run gives. */
    const begun: (() => void)[] = []
    const { Tool, Activity } = createRegistry({
      tools: { look: toolOf('look', 'read'), pay: toolOf('pay', 'write'), do: toolOf('do') },
    })
    /** The attempt that runs, as the SDK keeps it. */
    const attempts = new AsyncLocalStorage<{ readonly number: number; readonly worker: AbortController }>()
    const Context = {
      current() {
        const { number: attempt = 1, worker = new AbortController() } = attempts.getStore() ?? {}
        return { info: { attempt }, cancellationSignal: worker.signal, heartbeat() {} }
      },
    }
    for (const name of ['look', 'pay', 'do'] as const) {
      Activity.register(name, async ({ number }, _tool, _context, { id }) => {
        const place = number as number
        const end = calls[place]?.ends[ids[place]?.length ?? 0] ?? 'yes'
        ids[place]?.push(id)
        await new Promise<void>((resolve) => begun.push(resolve))
        if (end === 'shutdown') attempts.getStore()?.worker.abort(new Error('WORKER_SHUTDOWN'))
        if (end === 'no') throw new Error('no')
        return end === 'large' ? large : 'yes'
      })
    }
    const models = new Map<unknown, ReturnType<typeof scriptedModel>>()
    const agents = {
      worker: (input: unknown) => ({
        model: 'm',
        client: models.get(input),
        output: { type: 'string' as const },
      }),
    }
    const activities = temporalActivities({ Tool, Context, agents })
    const plain = (value: unknown): unknown =>
      value === undefined ? value : JSON.parse(JSON.stringify(value))
    const send = async (name: string, request: unknown): Promise<unknown> => {
      for (let number = 1; ; number++) {
        const given = plain(request) as never
        const running = attempts.run({ number, worker: new AbortController() }, async () =>
          activities[name]?.(given),
        )
        const result = await running.then(plain, () => undefined)
        if (result !== undefined && JSON.stringify(result).length < 2_097_152) return result
      }
    }
    const workflow = {
      proxyActivities: () =>
        new Proxy({}, { get: (_, name) => (given: unknown) => send(String(name), given) }),
      workflowInfo: () => ({ workflowId: globalThis.crypto.randomUUID() }),
      condition: () => Promise.resolve(true),
      defineQuery: (name: string) => name,
      defineUpdate: (name: string) => name,
      setHandler() {},
      ApplicationFailure: { nonRetryable: (message: string) => new Error(message) },
    } as TemporalWorkflow
    const info = workflow.workflowInfo()
    const same = { ...workflow, workflowInfo: () => info }
    const steps = [await temporalSteps({ workflow: same }), await temporalSteps({ workflow: same })] as const

    let isOver = false
    const running = perform(program, { calls, models, statuses, steps }).finally(() => {
      isOver = true
    })
    for (let turn = 0, idle = 0; !isOver; turn++) {
      await new Promise((resolve) => setImmediate(resolve))
      const [next] = begun.splice(
        (turns[turn % Math.max(1, turns.length)] ?? 0) % Math.max(1, begun.length),
        1,
      )
      idle = next ? 0 : idle + 1
      expect(idle, 'it waits for something').toBeLessThan(5_000)
      next?.()
    }
    await running
    const wanted = calls.map(wantOf)
    expect(ids.map(({ length }) => length)).toEqual(wanted.map(([, bodies]) => bodies))
    expect(statuses).toEqual(wanted.map(([status]) => [status]))
    // An Activity uses it as idempotency key.
    const keys = ids.map((own) => new Set(own))
    expect(keys.every(({ size }) => size === 1)).toBe(true)
    expect(new Set(ids.flat()).size).toBe(calls.length)
  },
)

interface Program {
  readonly calls: readonly Asked[]
  readonly models: Map<unknown, ReturnType<typeof scriptedModel>>
  readonly statuses: readonly string[][]
  readonly steps: readonly [TemporalSteps, TemporalSteps]
}

async function perform(part: Part, program: Program): Promise<void> {
  if ('parts' in part) {
    if (part.kind === 'together') await Promise.all(part.parts.map((each) => perform(each, program)))
    else for (const each of part.parts) await perform(each, program)
    return
  }
  const { models, statuses } = program
  const steps = program.steps[part.steps]
  const places = part.calls.map((each) => program.calls.indexOf(each))
  const given = part.calls.map(({ tool }, index) => ({ _tool: tool, number: places[index] }))
  const tell = (call: object, status: string): unknown => statuses[Reflect.get(call, 'number')]?.push(status)
  if (part.kind === 'run') {
    for (const call of given) tell(call, (await steps.run(call)).status)
  } else if (part.kind === 'plan') {
    const { outcomes } = await steps.plan(given)
    for (const outcome of outcomes) if (outcome) tell(outcome.call, outcome.status)
  } else if (part.kind === 'agent') {
    const input = places.join()
    models.set(input, scriptedModel([{ calls: given }, { output: 'done' }]))
    const { outcomes } = await steps.agent('worker', input)
    for (const { call, status } of outcomes) tell(call, status)
  } else {
    const isFailed = await steps.all(given).then(
      () => false,
      () => true,
    )
    const wanted = part.calls.map((each) => wantOf(each)[0])
    expect(isFailed).toBe(wanted.includes('failed'))
    for (const [index, call] of given.entries()) tell(call, wanted[index] ?? '')
  }
}

function callsOf(part: Part): readonly Asked[] {
  return 'parts' in part ? part.parts.flatMap(callsOf) : part.calls
}
