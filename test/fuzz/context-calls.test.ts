import {
  type ActivityFunction,
  branch,
  type Call,
  createContext,
  createRegistry,
  type Message,
  message,
  type Outcome,
} from 'callsheet'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { at, foldOracle } from '../unit/runtime/context/state/fold-oracle.ts'
import { fuzz } from './campaign.ts'
import { type Deed, modelCall, wrongWithView } from './context-model.ts'

const places = ['a', 'a.x', 'a.x.y', 'a.w', 'b', 'b.x', 'c'].map((name) => `†state.${name}`)
const place = fc.constantFrom(...places, ...places, '†state', '†note.a', '†note')
const joined = (...between: string[]) =>
  fc.tuple(place, fc.constantFrom(...between), place).map((parts) => parts.join(' '))

/** The scopes that a Tool fixes, and those that a Call asks for where it leaves them open. */
const scopes = [
  [],
  ['state'],
  ['note'],
  ['†state.a', 'note'],
  ['†state.a.x', '†state.b'],
  ['†state.a.x.y', 'text'],
  ['state', 'input'],
] as const
const scope = fc.constantFrom(...scopes)
const instance = fc.constantFrom(undefined, undefined, 'i', 'j', 'nobody')
const value = fc.constantFrom<unknown>({ x: { y: 1 } }, { w: 2 }, [3], 'text', null, [{ x: 1 }], {})

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ gives: value }) },
  { weight: 1, arbitrary: fc.constant({ fails: true as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ branch: fc.constantFrom('a', 'x', 'y', 'c', 'state', 'none'), data: value }),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        _instance: fc.constantFrom(undefined, undefined, 'i', 'j'),
        data: fc.constantFrom({ a: { x: 'said' } }, { b: ['said'] }, { c: 0 }),
        kind: fc.constantFrom('state', 'state', 'note', 'result'),
        _path: fc.constantFrom(undefined, '†state.a', '†state.b', '†note.c'),
        _outputMethod: fc.constantFrom(undefined, 'push', 'merge'),
      })
      .map((given): Deed => ({ message: JSON.parse(JSON.stringify({ type: 'data', ...given })) })),
  },
)

interface Step {
  readonly fixed: readonly string[] | undefined
  readonly asked: readonly string[] | undefined
  readonly delegate: 'anonymous' | 'room' | undefined
  readonly of: string | undefined
  readonly path: string | undefined
  readonly method: string | undefined
  readonly instance: string | undefined
  readonly deed: Deed
  /** A Call that its Activity runs in the same context, before it comes to its own end. */
  readonly inner:
    | { readonly path: string; readonly instance: string | undefined; readonly gives: unknown }
    | undefined
  /** When it ends, of those of its group. */
  readonly rank: number
}

const step: fc.Arbitrary<Step> = fc.record({
  fixed: fc.option(scope, { nil: undefined, freq: 2 }),
  asked: fc.option(scope, { nil: undefined }),
  delegate: fc.constantFrom(undefined, undefined, 'anonymous', 'room'),
  of: fc.oneof(fc.constant(undefined), place, place, joined('||', '&&')),
  path: fc.oneof(fc.constant(undefined), place, place, joined('||', '&&', '||')),
  method: fc.constantFrom(undefined, undefined, undefined, 'push', 'concat', 'merge', 'assign'),
  instance,
  deed,
  inner: fc.option(fc.record({ path: place, instance, gives: value }), { nil: undefined, freq: 4 }),
  rank: fc.nat(1000),
})

const held = fc
  .record({
    type: fc.constant('data'),
    kind: fc.constantFrom('state', 'state', 'note', 'input'),
    data: fc.constantFrom<object>(
      { a: { x: { y: 'old' } } },
      { a: { w: 1 }, b: 2 },
      { a: ['old', { x: 1 }] },
      { c: { x: 1 } },
    ),
    _instance: fc.constantFrom(undefined, undefined, 'i', 'j'),
    _path: fc.constantFrom(undefined, undefined, '†state.a', '†note.a', '†state.c.x'),
    _outputMethod: fc.constantFrom(undefined, 'push', 'merge', 'concat'),
  })
  .map((given): Message => JSON.parse(JSON.stringify(given)))
const text: Message = { type: 'text', text: 'hello' }

type Way = 'run' | 'one' | 'all' | 'any' | 'race'
const batch = fc.record({
  way: fc.constantFrom<Way>('run', 'run', 'one', 'all', 'any', 'race'),
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  references: fc.constantFrom(undefined, undefined, undefined, ['state'], ['†state.a', 'note'], []),
})

const room: Message[] = [
  { type: 'state', state: { a: { x: 'of the room' }, own: true } },
  { type: 'text', text: 'The room.' },
]

function toolNamed(name: string, { fixed, delegate }: Pick<Step, 'fixed' | 'delegate'>): [string, object] {
  const properties = {
    _tool: { const: name },
    _scopes: fixed ? { type: 'array', const: fixed } : { type: 'array', items: { type: 'string' } },
    ...(delegate && { _delegate: { const: delegate } }),
    of: {},
    number: { type: 'integer' },
    _outputPath: { type: 'string' },
    _outputMethod: { enum: ['push', 'concat', 'merge', 'assign'] },
    _instance: { type: 'string' },
    _output: {},
  }
  return [name, { type: 'object', properties, required: ['_tool', 'number'], additionalProperties: false }]
}

const nameOf = ({ fixed, delegate }: Pick<Step, 'fixed' | 'delegate'>): string =>
  `look${fixed ? scopes.indexOf(fixed as never) : ''}_${delegate ?? ''}`

const tools = Object.fromEntries(
  [undefined, ...scopes].flatMap((fixed) =>
    ([undefined, 'anonymous', 'room'] as const).map((delegate) =>
      toolNamed(nameOf({ fixed, delegate }), { fixed, delegate }),
    ),
  ),
)

const plain = <Value>(given: Value): Value => JSON.parse(JSON.stringify(given))

function callOf({ fixed, asked, delegate, of, path, method, instance: own }: Step, number: number): Call {
  return plain({
    _tool: nameOf({ fixed, delegate }),
    number,
    of,
    ...(!fixed && { _scopes: asked }),
    _outputPath: path,
    _outputMethod: method,
    _instance: own,
  })
}

/** A Message but for what says when and by whom, and a failure in words. */
const bare = (given: Message): unknown =>
  JSON.parse(
    JSON.stringify(given, (name, each) => {
      if (name === '_call' || name === '_date') return undefined
      return each?.code && each.name ? { name: each.name, code: each.code } : each
    }),
  )

const seenEnds = new Set<string>()

fuzz(
  'OUT-1 to OUT-7, REF-1 to REF-3, SCOPE-1, INST-1 Calls in a context come to what a model of the specification comes to',
  250,
  fc.record({
    base: fc.array(held, { maxLength: 4 }),
    batches: fc.array(batch, { minLength: 1, maxLength: 4 }),
    isLive: fc.boolean(),
  }),
  async ({ base, batches, isLive }) => {
    const { Tool, Activity } = createRegistry({
      tools: tools as never,
      ideas: { room: { schema: {}, context: room } },
    })
    const live = createContext([text, ...base])
    /** What the model holds. */
    let log: Message[] = [text, ...base]
    let steps: readonly Step[] = []
    let before: readonly Message[] = log
    const ran = new Map<number, unknown>()
    const act: ActivityFunction<Call, unknown> = async (call, _tool, context, run) => {
      const number = Number(call.number)
      if (number < 0) return (call as { of?: unknown }).of
      const own = steps[number] as Step
      expect(ran.has(number), 'runs once').toBe(false)
      ran.set(number, call.of)
      const allowed = own.fixed ?? own.asked ?? []
      const rest = own.delegate === 'room' ? room : []
      if (own.delegate) {
        expect(plain(context.slice(0, rest.length))).toEqual(rest)
        const { _tool: _, _scopes, _outputPath, _outputMethod, _instance, ...input } = call
        expect(plain(context.at(-1))).toEqual({ type: 'input', input })
      }
      const shown = plain(own.delegate ? context.slice(rest.length, -1) : [...context])
      expect(wrongWithView(shown, allowed, before, own.instance)).toBeUndefined()
      for (const kind of new Set(allowed.map((each) => /^†?(\w+)/.exec(each)?.[1] as string))) {
        const found = foldOracle(plain([...context]), kind, own.instance)
        const wanted = found === undefined ? {} : found
        expect((context as unknown as Record<string, unknown>)[kind], kind).toEqual(wanted)
      }
      if (own.inner && isLive) {
        const { path, instance: inside, gives } = own.inner
        const name = nameOf({ fixed: undefined, delegate: undefined })
        await Tool.run(plain({ _tool: name, number: -1, of: gives, _outputPath: path, _instance: inside }), {
          context: live,
          references: false,
        })
      }
      const ahead = steps.filter(
        ({ rank }, index) => rank < own.rank || (rank === own.rank && index < number),
      ).length
      for (let turn = 0; turn < ahead * 3 + (steps.length > 1 ? 2 : 0); turn++)
        await new Promise((turned) => setImmediate(turned))
      if (run.signal.aborted) throw run.signal.reason
      const { deed: done } = own
      if ('fails' in done) throw new Error('failure')
      if ('branch' in done) return branch(done.branch, done.data) as never
      if ('message' in done) return message(done.message) as never
      return done.gives
    }
    for (const name of Object.keys(tools)) Activity.register(name, act as never)
    for (const { way, steps: given, references } of batches) {
      const isGroup = way !== 'run' && way !== 'one'
      steps = (isGroup ? given : given.slice(0, 1)).map((each) =>
        isGroup ? { ...each, inner: undefined } : each,
      )
      ran.clear()
      before = log
      const calls = steps.map(callOf)
      const wanted = steps.map((each, index) => {
        const limits = [each.fixed, references].filter((limit) => limit !== undefined)
        return modelCall(calls[index] as Call, log, each.deed, limits)
      })
      const outcomes: Outcome[] = []
      const options = { context: isLive ? live : log, ...(references && { references }) }
      const off = Tool.on('call:end', (outcome) => Number(outcome.call.number) >= 0 && outcomes.push(outcome))
      const result: { output?: unknown; error?: unknown } = await (way === 'run'
        ? Tool.run(calls[0] as Call, options)
        : way === 'one'
          ? Tool(calls[0] as Call, options)
          : Tool[way](calls as never, options)
      ).then(
        (output: unknown) => ({ output }),
        (error: unknown) => ({ error }),
      )
      off()
      const unexpected = outcomes.flatMap(({ error }) => error?.cause ?? [])
      for (const cause of unexpected) if ((cause as Error).name === 'AssertionError') throw cause
      const added = isLive ? live.messages.slice(log.length) : outcomes.flatMap(({ appended }) => appended)
      const wins = isGroup ? winners(way, steps, wanted) : [...wanted.keys()]
      const inner = steps.flatMap(({ inner: own }, index) => {
        if (!own || !isLive || !wanted[index]?.ran) return []
        const { path, instance: inside, gives } = own
        const call = plain({ _tool: '', number: -1, of: gives, _outputPath: path, _instance: inside })
        return modelCall(call, log, { gives }, [[]]).written
      })
      const written = wins.flatMap((index) => {
        const end = wanted[index]
        return end?.status === 'succeeded' ? end.written : isGroup ? [] : (end?.alternative ?? [])
      })
      expect(added.map(bare)).toEqual([...inner, ...written].map(bare))
      for (const [index, end] of wanted.entries()) {
        seenEnds.add(end.code ?? (end.isGiven ? 'given' : 'another branch'))
        if (!isGroup || ran.has(index)) expect(ran.has(index), `Call ${index} runs`).toBe(end.ran)
        if (ran.has(index)) expect(ran.get(index)).toEqual(end.of)
        const outcome = outcomes[index] as Outcome
        if (isGroup && outcome.status === 'aborted') continue
        expect([outcome.status, outcome.error?.code]).toEqual([end.status, end.code])
        if (end.status === 'succeeded') expect(outcome.output).toEqual(end.output)
      }
      if (way === 'one') {
        const end = wanted[0] as (typeof wanted)[number]
        if (end.isGiven) expect(result).toEqual({ output: end.output })
        else expect(result.error).toMatchObject({ code: end.code ?? 'other_branch' })
      }
      if (isGroup) expect('error' in result).toBe(wins.length === 0)
      log = [...log, ...added]
      if (isLive) expect(plain(live.messages)).toEqual(plain(log))
    }
    for (const kind of ['state', 'note']) {
      for (const own of [undefined, 'i', 'j']) {
        const read = live.read(`†${kind}`, own === undefined ? {} : { instance: own })
        if (isLive) expect(read).toEqual(at(foldOracle(plain(log), kind, own), []))
      }
    }
  },
)

function winners(way: Way, steps: readonly Step[], ends: readonly ReturnType<typeof modelCall>[]): number[] {
  const isSuccess = (place: number): boolean => ends[place]?.isGiven === true
  if (way === 'all') return ends.every((_, index) => isSuccess(index)) ? [...ends.keys()] : []
  // What cannot run has failed before anything that runs.
  const order = [...ends.keys()].sort((one, other) => {
    const [left, right] = [ends[one]?.ran ? 1 : 0, ends[other]?.ran ? 1 : 0]
    return left - right || (steps[one]?.rank ?? 0) - (steps[other]?.rank ?? 0) || one - other
  })
  const first = way === 'race' ? order[0] : order.find(isSuccess)
  return first !== undefined && isSuccess(first) ? [first] : []
}

test('the Calls above ended in every way', () => {
  expect([...seenEnds].sort()).toEqual([
    'activity_failed',
    'another branch',
    'given',
    'invalid_output',
    'unknown_instance',
    'unresolved_reference',
  ])
})
