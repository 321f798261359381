import { createContext, createRegistry, isCallsheetError, type Outcome } from 'callsheet'
import { Agent, type AgentResult, type RunEvent, type SuspendedRun } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import fc from 'fast-check'
import { expect } from 'vitest'
import { fuzz } from './campaign.ts'

const text = { type: 'string' }

function tool(name: string, effects: 'read' | 'write') {
  return {
    type: 'object',
    effects,
    properties: {
      _tool: { const: name },
      does: { enum: ['end', 'fail', 'wait', 'flake'] },
      of: {},
      _outputPath: text,
      _output: text,
    },
    required: ['_tool', 'does'],
    additionalProperties: false,
  }
}

const tools = { get: tool('get', 'read'), pay: tool('pay', 'write') }
const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

const call = fc.record(
  {
    _tool: fc.constantFrom('get', 'pay'),
    does: fc.constantFrom('end', 'end', 'fail', 'wait', 'flake'),
    of: fc.constantFrom('†state.a', '†state.b', 'text'),
    _outputPath: fc.constantFrom('†state.a', '†state.b', '†state.a || †state.b'),
  },
  { requiredKeys: ['_tool', 'does'] },
)

/** One choice of each option; most of them are left out most of the time, so that pairs and threes come up. */
const options = fc.record({
  stream: fc.constantFrom(false, true),
  mode: fc.constantFrom('composed' as const, 'native' as const),
  early: fc.constantFrom('none' as const, 'safe' as const, 'all' as const),
  attempts: fc.constantFrom(1, 1, 3),
  allowEffects: fc.boolean(),
  timeout: fc.constantFrom(undefined, undefined, 8),
  concurrency: fc.constantFrom(undefined, 1, 2),
  maxCalls: fc.constantFrom(undefined, undefined, 3),
  maxTime: fc.constantFrom(undefined, undefined, undefined, 12),
  confirm: fc.constantFrom('nobody', 'nobody', 'yes', 'no', 'later', 'replace', 'plan', 'plan later'),
  before: fc.constantFrom('none', 'none', 'same', 'throws'),
  after: fc.constantFrom('none', 'none', 'same', 'throws'),
  abortAfter: fc.constantFrom(undefined, undefined, undefined, 0, 3, 9),
  live: fc.boolean(),
  search: fc.constantFrom(false, false, true),
})

fuzz(
  'REQ-8, REQ-9 under every pair of options: nothing runs more often than was allowed, and what ran is in the record',
  200,
  fc.record({
    turns: fc.array(fc.array(call, { minLength: 1, maxLength: 4 }), { maxLength: 3 }),
    chosen: options,
  }),
  async ({ turns, chosen }) => {
    const began: { readonly id: string; readonly tool: string }[] = []
    const registry = createRegistry({ tools })
    for (const name of Object.keys(tools)) {
      registry.Activity.register(name, async ({ does }, _tool, _context, run) => {
        began.push({ id: run.id, tool: name })
        if (does === 'wait') await pause(5)
        if (does === 'fail') throw new Error('It failed.')
        if (does === 'flake' && began.filter(({ id }) => id === run.id).length < 2)
          throw new Error('Once more.')
        return `${name} ${does}`
      })
    }
    const { signal, live, abort } = countedSignal()
    if (chosen.abortAfter !== undefined) setTimeout(abort, chosen.abortAfter)
    const events: RunEvent[] = []
    const context = chosen.live ? createContext([]) : []
    const given = {
      model: 'm',
      tools: registry.Tool,
      client: scriptedModel([
        ...turns.map((calls) => ({ calls })),
        { output: 'done' },
        { output: 'done' },
        { output: 'done' },
      ]),
      output: text,
      context,
      stream: chosen.stream,
      mode: chosen.mode,
      early: chosen.early,
      retry: { attempts: 1 },
      run: {
        ...(chosen.attempts > 1 && {
          retry: { attempts: chosen.attempts, allowEffects: chosen.allowEffects },
        }),
        ...(chosen.timeout !== undefined && { timeout: chosen.timeout }),
        ...hooks(chosen),
      },
      ...confirmation(chosen.confirm),
      ...(chosen.concurrency !== undefined && { concurrency: chosen.concurrency }),
      ...(chosen.maxCalls !== undefined && { maxCalls: chosen.maxCalls }),
      ...(chosen.maxTime !== undefined && { maxTime: chosen.maxTime }),
      ...(chosen.search && { search: { pinned: ['get', 'pay'], limit: 5 } }),
      signal,
      log: (event: RunEvent) => events.push(event),
    }
    const outcomes: Outcome[] = []
    let resume: SuspendedRun | undefined
    let last: AgentResult | undefined
    for (let round = 0; round < 6; round++) {
      const decisions = resume?.approvals.map(({ id, hash }) => ({ approval: id, hash, approve: true })) ?? []
      const ended: unknown = await Agent({
        ...given,
        ...(resume && { resume, decisions, context: [] }),
      }).catch((error: unknown) => error)
      if (ended instanceof Error && !isCallsheetError(ended)) throw ended
      const result = (
        ended instanceof Error ? (ended as { result?: AgentResult }).result : ended
      ) as AgentResult
      expect(result, String(ended)).toBeDefined()
      expect((ended as { code?: string }).code).not.toBe('internal')
      outcomes.push(...result.outcomes)
      for (const { outcomes: ran } of result.turns) {
        const planned = ran.map(({ id }) => Number.parseInt(id.split(':')[1] ?? '', 10))
        expect(planned, 'in the order of the plan').toEqual(planned.toSorted((left, right) => left - right))
      }
      last = result
      if (!result.suspended) break
      resume = JSON.parse(JSON.stringify(result.suspended)) as SuspendedRun
    }
    const told = began.length
    await pause(
      chosen.abortAfter === undefined && chosen.timeout === undefined && chosen.maxTime === undefined ? 0 : 8,
    )
    expect(began.length, 'nothing begins once it is over').toBe(told)
    expect(live(), 'no listener stays').toBe(0)

    const ids = outcomes.map(({ id }) => id)
    expect(new Set(ids).size, 'one Outcome for each Call').toBe(ids.length)
    for (const { id, tool } of began) {
      const times = began.filter((each) => each.id === id).length
      const mayRepeat = tool === 'get' || chosen.allowEffects
      expect(times).toBeLessThanOrEqual(mayRepeat ? chosen.attempts : 1)
      const outcome = outcomes.find((each) => each.id === id)
      expect(outcome, `${tool} ${id} is in the record`).toBeDefined()
      if (chosen.after !== 'throws') expect(outcome?.attempts).toBe(times)
    }
    for (const { id, status, attempts } of outcomes) {
      if (status === 'succeeded') expect(began.some((each) => each.id === id)).toBe(true)
      if (attempts === 0) expect(began.some((each) => each.id === id)).toBe(false)
    }
    if (chosen.confirm === 'no') expect(began).toEqual([])
    // Whatever succeeded is in the context once, by its write.
    const writes = (last?.context ?? []).filter((message) => '_call' in message && '_path' in message)
    const succeeded = outcomes.filter((outcome) => outcome.appended.some((message) => '_path' in message))
    expect(writes.length).toBe(succeeded.length)
    const settled = events.flatMap((event) => (event.event === 'settle' ? [event.key] : []))
    for (const { id } of began) expect(settled).toContain(id)
  },
)

function hooks({ before, after }: { readonly before: string; readonly after: string }): object {
  const fail = (): never => {
    throw new Error('The hook failed.')
  }
  return {
    ...(before !== 'none' && { before: before === 'throws' ? fail : (call: object) => call }),
    ...(after !== 'none' && { after: after === 'throws' ? fail : (outcome: Outcome) => outcome }),
  }
}

function confirmation(kind: string): object {
  switch (kind) {
    case 'nobody':
      return {}
    case 'plan':
      return { confirm: { askPlan: () => true } }
    case 'plan later':
      return { confirm: { askPlan: () => 'pending' } }
    case 'later':
      return { confirm: { effects: ['write'], ask: () => 'pending' } }
    case 'replace':
      return {
        confirm: ({ _tool, _outputPath }: Record<string, unknown>) => ({
          replace: { _tool, does: 'end', ...(_outputPath !== undefined && { _outputPath }) },
        }),
      }
    default:
      return { confirm: () => kind === 'yes' }
  }
}

/** A signal that knows how many listen to it. */
function countedSignal(): { signal: AbortSignal; live: () => number; abort: () => void } {
  const controller = new AbortController()
  const { signal } = controller
  let count = 0
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...given: Parameters<typeof add>) => {
    count++
    add(...given)
  }
  signal.removeEventListener = (...given: Parameters<typeof remove>) => {
    count--
    remove(...given)
  }
  // One that has been called once is no listener any more.
  return { signal, live: () => (signal.aborted ? 0 : count), abort: () => controller.abort() }
}
