import { branch, type Call, type CallTracer, createContext, createRegistry, type Outcome } from 'callsheet'
import fc from 'fast-check'
import { expect } from 'vitest'
import { fuzz } from './campaign.ts'

type Strategy = 'all' | 'any' | 'race'
/** What an attempt comes to. */
type End = 'yes' | 'no' | 'branch' | 'junk'

interface Member {
  readonly tool: 'look' | 'pay' | 'do'
  readonly isWrong: boolean
  /** What each attempt comes to. */
  readonly ends: readonly End[]
  /** What the Activity does once its signal is aborted. */
  readonly onAbort: 'nothing' | 'throws' | 'answers'
  readonly hasAlternative: boolean
}

interface Group {
  readonly strategy: Strategy
  readonly members: readonly Member[]
  readonly concurrency: number | undefined
  readonly allowEffects: boolean
  readonly attempts: number
  /** What looks at each Call, and changes nothing. */
  readonly watches: readonly (keyof typeof watchers)[]
  /** Which of the running attempts ends next; a number below zero aborts the signal. */
  readonly steps: readonly number[]
}

const tracer: CallTracer = {
  startActiveSpan: (_name, _options, work) => work({ setAttribute() {}, setStatus() {}, end() {} }),
}
const watchers = {
  before: async (call: Call) => structuredClone(call),
  after: async (outcome: Outcome) => ({ ...outcome }),
  confirm: async () => true,
  telemetry: { tracer },
  timeout: 60_000,
}

const group: fc.Arbitrary<Group> = fc.record({
  strategy: fc.constantFrom('all', 'any', 'race'),
  members: fc.array(
    fc.record({
      tool: fc.constantFrom('look', 'look', 'do', 'pay'),
      isWrong: fc.constantFrom(false, false, false, false, false, true),
      ends: fc.array(fc.constantFrom('yes', 'yes', 'no', 'no', 'branch', 'junk'), {
        minLength: 2,
        maxLength: 2,
      }),
      onAbort: fc.constantFrom('nothing', 'throws', 'answers'),
      hasAlternative: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  concurrency: fc.constantFrom(undefined, 1, 2, 3),
  allowEffects: fc.boolean(),
  attempts: fc.constantFrom(1, 1, 2),
  watches: fc.subarray<keyof typeof watchers>(['before', 'after', 'confirm', 'telemetry', 'timeout']),
  steps: fc.array(fc.integer({ min: -1, max: 5 }), { maxLength: 12 }),
})

const effectsOf = { look: 'read', do: undefined, pay: 'write' } as const

/** What became of one Call. */
interface Fate {
  readonly status: Outcome['status']
  readonly attempts: number
}

/** A group as the specification has it, one thing after the other. */
class Model {
  readonly fates: (Fate | undefined)[]
  /** The attempts that are under way, by place. */
  readonly running = new Map<number, number>()
  winner: number | undefined
  isDecided = false
  readonly #group: Group
  #next = 0

  constructor(group: Group) {
    this.#group = group
    this.fates = group.members.map(() => undefined)
    const { strategy, members } = group
    const isRefused = strategy !== 'all' && !group.allowEffects && members.some(({ tool }) => tool === 'pay')
    if (isRefused) this.#next = members.length
    else if (strategy === 'all' && members.some(({ isWrong }) => isWrong)) {
      for (const [place, { isWrong }] of members.entries()) {
        this.fates[place] = { status: isWrong ? 'failed' : 'aborted', attempts: 0 }
      }
      this.#next = members.length
    } else this.#start()
  }

  get isOver(): boolean {
    return this.running.size === 0
  }

  end(place: number): void {
    const attempt = this.running.get(place) as number
    const { members, attempts } = this.#group
    const { ends, tool } = members[place] as Member
    const end = ends[attempt - 1] as End
    if ((end === 'no' || end === 'junk') && attempt < attempts && tool === 'look') {
      this.running.set(place, attempt + 1)
      return
    }
    this.running.delete(place)
    const isFailed = end === 'no' || end === 'junk'
    this.#settle(place, { status: isFailed ? 'failed' : 'succeeded', attempts: attempt }, end === 'yes')
    this.#start()
  }

  abort(): void {
    this.isDecided = true
    for (const [place, attempts] of this.running) this.fates[place] = { status: 'aborted', attempts }
    this.running.clear()
    this.#start()
  }

  #settle(place: number, fate: Fate, isSuccess: boolean): void {
    this.fates[place] = fate
    if (this.isDecided) return
    const { strategy } = this.#group
    if (isSuccess ? strategy === 'all' : strategy === 'any') return
    if (isSuccess) this.winner = place
    this.abort()
  }

  #start(): void {
    const { members, concurrency = Number.POSITIVE_INFINITY } = this.#group
    const wrong: number[] = []
    while (this.#next < members.length && this.running.size + wrong.length < concurrency) {
      const place = this.#next++
      if (this.isDecided) this.fates[place] = { status: 'aborted', attempts: 0 }
      else if (members[place]?.isWrong) wrong.push(place)
      else this.running.set(place, 1)
    }
    for (const place of wrong) this.#settle(place, { status: 'failed', attempts: 0 }, false)
    if (wrong.length > 0) this.#start()
  }
}

/** Lets everything happen that waits for nothing else. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((turned) => setImmediate(turned))
}

const schemaOf = (name: keyof typeof effectsOf) => ({
  type: 'object',
  ...(effectsOf[name] && { effects: effectsOf[name] }),
  properties: {
    _tool: { const: name },
    place: { type: 'integer' },
    _outputPath: { type: 'string' },
    _output: { type: 'object' },
  },
  required: ['_tool', 'place'],
})

// What is loaded with its first use takes more turns than those below.
const { Tool: first, Activity: ofFirst } = createRegistry({ tools: { look: schemaOf('look') } })
ofFirst.register('look', ({ place }, _tool, _context, { attempt }) =>
  attempt < 2 ? Promise.reject(place) : {},
)
await first.all([{ _tool: 'look', place: 0 }], { retry: { attempts: 2 }, ...watchers })

fuzz(
  'CALL-4, CALL-5 what a group comes to, whichever of its Calls ends first, and whenever it is given up',
  300,
  group,
  async (made) => {
    // Of a Call that somebody is asked about first and one that is wrong, the second ends before the first begins.
    const isAsked = made.watches.includes('confirm')
    const given: Group = isAsked
      ? { ...made, members: made.members.map((each) => ({ ...each, isWrong: false })) }
      : made
    const { strategy, members, concurrency, allowEffects, attempts, steps, watches } = given
    const { Tool, Activity } = createRegistry({
      tools: { look: schemaOf('look'), do: schemaOf('do'), pay: schemaOf('pay') },
    })
    const running = new Map<number, (end: End) => void>()
    const begun: string[] = []
    const aborted = new Set<number>()
    for (const name of ['look', 'do', 'pay'] as const) {
      Activity.register(name, ({ place }, _tool, _context, run) => {
        const { onAbort } = members[place] as Member
        begun.push(`${place} ${run.attempt}`)
        return new Promise((resolve, reject) => {
          running.set(place, (end) => {
            running.delete(place)
            if (end === 'no') reject(new Error(`no ${place}`))
            else if (end === 'junk') resolve('junk' as never)
            else resolve(end === 'branch' ? (branch('bad', { place }) as never) : { place })
          })
          run.signal.addEventListener('abort', () => {
            aborted.add(place)
            running.delete(place)
            if (onAbort === 'throws') reject(run.signal.reason)
            if (onAbort === 'answers') resolve({ place })
          })
        })
      })
    }
    const calls = members.map(
      ({ tool, isWrong, hasAlternative, ends }, place): Call => ({
        _tool: tool,
        place: isWrong ? 'none' : place,
        _outputPath: `†state.p${place}${hasAlternative || ends.includes('branch') ? ' || †state.bad' : ''}`,
      }),
    )
    const told: (Fate | undefined)[] = []
    const heard: Outcome[] = []
    Tool.on('call:end', (outcome) => heard.push(outcome))
    const context = createContext()
    const controller = new AbortController()
    const options = {
      context,
      signal: controller.signal,
      allowEffects,
      ...(concurrency !== undefined && { concurrency }),
      ...(attempts > 1 && { retry: { attempts } }),
      ...Object.fromEntries(watches.map((name) => [name, watchers[name]])),
      onOutcome: ({ status, attempts }: Outcome, place: number) => {
        expect(told[place], `Call ${place} is told once`).toBeUndefined()
        told[place] = { status, attempts }
      },
    }
    const model = new Model(given)
    let result: { readonly output: unknown } | { readonly error: unknown } | undefined
    void Tool[strategy](calls as never, options).then(
      (output: unknown) => {
        result = { output }
      },
      (error: unknown) => {
        result = { error }
      },
    )
    await settle()
    for (const step of [...steps, ...Array<number>(20).fill(0)]) {
      expect([...running.keys()].sort()).toEqual([...model.running.keys()].sort())
      if (model.isOver) break
      if (step < 0) {
        controller.abort()
        model.abort()
      } else {
        const places = [...model.running.keys()]
        const place = places[step % places.length] as number
        const end = members[place]?.ends[(model.running.get(place) as number) - 1] as End
        model.end(place)
        running.get(place)?.(end)
      }
      await settle()
    }
    expect(result, 'it has ended').toBeDefined()
    const fates = model.fates
    const isRefused = fates.every((fate) => fate === undefined)
    expect(told).toEqual(isRefused ? [] : fates)
    expect(heard.map(({ status, attempts }) => ({ status, attempts }))).toEqual(isRefused ? [] : fates)
    expect(begun.length).toBe(fates.reduce((sum, fate) => sum + (fate?.attempts ?? 0), 0))
    expect(new Set(begun).size).toBe(begun.length)
    for (const [place, fate] of fates.entries()) {
      if (fate?.status === 'aborted' && fate.attempts > 0)
        expect(aborted, `${place} is told`).toContain(place)
    }
    const winners =
      strategy === 'all'
        ? fates.every((fate) => fate?.status === 'succeeded') && !model.isDecided
          ? [...fates.keys()]
          : []
        : model.winner === undefined
          ? []
          : [model.winner]
    const written = winners.map((place) => ({ [`p${place}`]: { place } }))
    expect(context.messages.map((message) => 'data' in message && message.data)).toEqual(written)
    expect(heard.flatMap(({ appended }) => appended)).toEqual(context.messages)
    if (winners.length > 0) {
      const outputs = winners.map((place) => ({ place }))
      expect(result).toEqual({ output: strategy === 'all' ? outputs : outputs[0] })
    } else expect(result).toHaveProperty('error')
  },
)
