import { type Call, createContext, createRegistry, type Outcome } from 'callsheet'
import fc from 'fast-check'
import { expect, test } from 'vitest'
// Loaded here, since the runtime loads them when they are first used, which takes longer than the turns that these runs wait for.
import '../../runtime/call/controls/after-hook.ts'
import '../../runtime/call/controls/confirm-call.ts'
import '../../runtime/call/controls/retry.ts'
import '../../runtime/call/groups/groups.ts'
import '../../runtime/plan/run-plan.ts'
import { often } from '../runs.ts'
import { fuzz } from './campaign.ts'

/** Takes some time, and then gives an output or fails. */
interface Leaf {
  readonly does: 'wait'
  readonly time: number
  readonly fails: boolean
  /** Whether it ends when its signal is aborted. */
  readonly listens: boolean
  /** Fails the first time only. */
  readonly flakes: boolean
}

/** Runs other Calls; those of a plan read what the one before them writes. */
interface Several {
  readonly does: 'all' | 'any' | 'race' | 'plan'
  readonly parts: readonly Work[]
  readonly concurrency: number | undefined
}

type Work = Leaf | Several

const { work } = fc.letrec<{ work: Work; leaf: Leaf; several: Several }>((tie) => ({
  work: fc.oneof({ maxDepth: 3, depthSize: 'small' }, tie('leaf'), tie('several')),
  leaf: fc.record({
    does: fc.constant('wait' as const),
    // No two end at one time, or hardly ever.
    time: fc.integer({ min: 1, max: 100_000_000 }),
    fails: fc.constantFrom(false, false, false, true),
    listens: fc.boolean(),
    flakes: fc.constantFrom(false, false, false, true),
  }),
  several: fc.record({
    does: fc.constantFrom('all', 'any', 'race', 'plan'),
    parts: fc.array(tie('work'), { minLength: 1, maxLength: 4 }),
    concurrency: fc.constantFrom(undefined, 1, 2),
  }),
}))

/** What work comes to: when it ends, whether it succeeds, and which leaves began when. */
interface Fate {
  readonly end: number
  readonly isSuccess: boolean
  readonly begun: readonly (readonly [place: string, at: number])[]
}

/** Carries work out on paper. What is cut off by its group is cut off by what it does within. */
function fateOf(work: Work, place: string, start: number): Fate {
  if (work.does === 'wait') {
    return { end: start + work.time, isSuccess: !work.fails && !work.flakes, begun: [[place, start]] }
  }
  if (work.does === 'plan') return fateOfChain(work, place, start)
  const { does, parts, concurrency = Number.POSITIVE_INFINITY } = work
  const fates: Fate[] = []
  const ends: number[] = []
  for (const [index, part] of parts.entries()) {
    const at = ends.length < concurrency ? start : Math.min(...ends)
    if (at !== start) ends.splice(ends.indexOf(at), 1)
    const fate = fateOf(part, `${place}.${index}`, at)
    fates.push(fate)
    ends.push(fate.end)
  }
  const inTime = fates.toSorted((left, right) => left.end - right.end)
  const decides = ({ isSuccess }: Fate): boolean => does === 'race' || isSuccess === (does === 'any')
  const decisive = inTime.find(decides)
  const { end } = decisive ?? (inTime.at(-1) as Fate)
  const begun = fates.flatMap((fate) => fate.begun).filter(([, at]) => at < end)
  return { end, isSuccess: decisive ? decisive.isSuccess : does === 'all', begun }
}

function fateOfChain({ parts }: Several, place: string, start: number): Fate {
  let [end, isSuccess] = [start, true]
  const begun: Fate['begun'][number][] = []
  for (const [index, part] of parts.entries()) {
    if (!isSuccess) break
    const fate = fateOf(part, `${place}.${index}`, end)
    begun.push(...fate.begun)
    end = fate.end
    isSuccess = fate.isSuccess
  }
  return { end, isSuccess, begun }
}

/** A clock that goes on when it is told to. */
class Clock {
  now = 0
  readonly #waiting = new Set<{ readonly at: number; readonly ring: () => void }>()

  /** @returns What forgets it. */
  wait(time: number, ring: () => void): () => void {
    const alarm = { at: this.now + time, ring }
    this.#waiting.add(alarm)
    return () => this.#waiting.delete(alarm)
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0
  }

  next(): void {
    const first = [...this.#waiting].reduce((one, other) => (other.at < one.at ? other : one))
    this.#waiting.delete(first)
    this.now = first.at
    first.ring()
  }
}

/** Lets everything happen that waits for nothing else. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((turned) => setImmediate(turned))
}

const schema = {
  type: 'object',
  effects: 'read',
  properties: {
    _tool: { const: 'do' },
    place: { type: 'string' },
    work: {},
    after: {},
    _outputPath: { type: 'string' },
    _output: {},
  },
  required: ['_tool', 'place', 'work'],
  additionalProperties: false,
}

// What is loaded with its first use takes more turns than those above.
const { Tool: first, Activity: ofFirst } = createRegistry({ tools: { do: schema } })
ofFirst.register('do', ({ place }, _tool, _context, { attempt }) =>
  attempt < 2 ? Promise.reject(place) : place,
)
const asked = { retry: { attempts: 2 }, confirm: () => true, before: (call: Call) => call }
for (const strategy of ['all', 'any', 'race', 'plan'] as const) {
  await first[strategy]([{ _tool: 'do', place: '0', work: {} }], asked)
}

const seen = { aborted: 0, deep: 0, succeeded: 0, failed: 0 }

fuzz(
  'CALL-4, CALL-5, CALL-7, CALL-8, CALL-11 groups and plans within Activities of groups and plans, to any depth',
  300,
  fc.record({
    work,
    attempts: fc.constantFrom(1, 1, 2),
    givenUp: fc.oneof(fc.constant(undefined), fc.nat(6)),
    watches: fc.subarray(['before', 'after', 'confirm', 'timeout'] as const),
  }),
  async ({ work, attempts, givenUp, watches }) => {
    const { Tool, Activity } = createRegistry({ tools: { do: schema } })
    const clock = new Clock()
    const controller = new AbortController()
    const context = createContext()
    const begun: [string, number][] = []
    /** Leaves that are under way, as far as anybody has told them. */
    const open = new Set<string>()
    const started: string[] = []
    const outcomes: Outcome[] = []
    Tool.on('call:start', ({ id }) => started.push(id))
    Tool.on('call:end', (outcome) => outcomes.push(outcome))
    const watchers = {
      before: (call: Call) => structuredClone(call),
      after: (outcome: Outcome) => ({ ...outcome }),
      confirm: () => true,
      timeout: 600_000,
    }
    const options = {
      ...(attempts > 1 && { retry: { attempts } }),
      ...Object.fromEntries(watches.map((name) => [name, watchers[name]])),
    }
    const wait = (
      { time, fails, flakes, listens }: Leaf,
      place: string,
      attempt: number,
      signal: AbortSignal,
    ) =>
      new Promise<string>((resolve, reject) => {
        begun.push([place, clock.now])
        open.add(place)
        const forget = clock.wait(time, () => {
          open.delete(place)
          if (fails || (flakes && attempt === 1)) reject(new Error(`no ${place}`))
          else resolve(place)
        })
        signal.addEventListener('abort', () => {
          seen.aborted++
          open.delete(place)
          forget()
          if (listens) reject(signal.reason)
        })
      })
    Activity.register('do', async ({ place, work }: { place: string; work: Work }, _tool, _context, run) => {
      const { signal, attempt } = run
      if (work.does === 'wait') return wait(work, place, attempt, signal)
      if (place.split('.').length > 2) seen.deep++
      const pathOf = (index: number): string => `†state.${place.replaceAll('.', '_')}_${index}`
      const calls = work.parts.map((part, index) => ({
        _tool: 'do',
        place: `${place}.${index}`,
        work: part,
        _outputPath: pathOf(index),
        ...(work.does === 'plan' && index > 0 && { after: pathOf(index - 1) }),
      }))
      const { does, concurrency } = work
      const inner = { ...options, signal, context, ...(concurrency !== undefined && { concurrency }) }
      if (does !== 'plan') {
        await Tool[does](calls, inner)
        return place
      }
      const planned = await Tool.plan(calls, inner)
      if (planned.outcomes.every((outcome) => outcome?.status === 'succeeded')) return place
      throw new Error(`no ${place}`)
    })
    let result: Outcome | undefined
    const whole = { ...options, retry: undefined, context, signal: controller.signal }
    void Tool.run({ _tool: 'do', place: '0', work }, whole).then((outcome) => {
      result = outcome
    })
    await settle()
    for (let step = 0; !result && !clock.isIdle; step++) {
      if (step === givenUp) controller.abort()
      else clock.next()
      await settle()
    }
    expect(result, 'it ends').toBeDefined()
    if (controller.signal.aborted) expect(result?.status).toBe('aborted')
    else if (attempts === 1) {
      const { end, isSuccess, begun: wanted } = fateOf(work, '0', 0)
      const status = isSuccess ? 'succeeded' : 'failed'
      seen[status]++
      expect(result?.status).toBe(status)
      expect(clock.now).toBe(end)
      expect(begun.toSorted()).toEqual(wanted.toSorted())
    }
    expect([...open], 'nothing goes on').toEqual([])
    expect(outcomes.map(({ id }) => id).sort(), 'each is told once').toEqual(started.sort())
    expect(new Set(started).size).toBe(started.length)
    const added = outcomes.flatMap(({ appended }) => appended)
    expect(context.messages).toHaveLength(added.length)
    expect(context.messages).toEqual(expect.arrayContaining(added))
  },
)

test('the work above came to every end', () => {
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(often(20))
})
