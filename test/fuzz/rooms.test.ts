import { type Call, createRegistry, type Message, type Outcome } from 'callsheet'
import { Agent, type AgentOptions, type IdeaData, type LoopError, latentModel } from 'callsheet/agent'
import { type ScriptedAnswer, scriptedModel } from 'callsheet/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzz } from './campaign.ts'
import { withoutWarnings } from './without-warnings.ts'

const workers = ['read', 'touch', 'pay', 'audit'] as const
const rooms = ['one', 'two', 'three'] as const
const askers = rooms.map((room) => `ask_${room}`)
const names = [...workers, ...askers, 'guest']
const most = 100
const effectsOf = { read: 'read', touch: 'idempotent', pay: 'write', audit: undefined } as const

/** What a Tool's `enabled` says. */
type Switch = 'on' | 'off' | 'for ada' | 'unless locked'

const schemaOf = (name: string) => ({
  type: 'object',
  ...(Object.hasOwn(effectsOf, name) && { effects: effectsOf[name as 'pay'] ?? undefined }),
  properties: {
    _tool: { const: name },
    number: { type: 'integer' },
    amount: { type: 'integer', maximum: most },
    ...(name.startsWith('ask_') && { _delegate: { const: name.slice(4) }, _scopes: { const: ['state'] } }),
    _output: {},
  },
  required: ['_tool', 'number', 'amount'],
  additionalProperties: false,
})

/** A Tool that a room or the context brings, under a name that may be that of a registered one, with a schema of its own. */
const brought = fc
  .record({
    name: fc.constantFrom(...names, 'guest', 'guest'),
    activity: fc.constantFrom(undefined, '', 'pay', { const: 'pay' }, { enum: ['', 'pay'] }),
    delegate: fc.constantFrom(undefined, undefined, 'pay', 'one', 'two', 'anonymous'),
    effects: fc.constantFrom(undefined, 'read', 'write'),
  })
  .map(({ name, activity, delegate, effects }) => ({
    type: 'object',
    ...(effects && { effects }),
    properties: {
      _tool: { const: name },
      ...(activity !== undefined && { _activity: activity }),
      ...(delegate && { _delegate: { const: delegate } }),
      _output: {},
    },
    required: ['_tool'],
  }))

const room = fc.record({
  /** Registered Tools that it names, by their own schemas. */
  names: fc.subarray([...workers, ...askers], { minLength: 1 }),
  brings: fc.array(brought, { maxLength: 2 }),
})
type Said = typeof said extends fc.Arbitrary<infer Given> ? Given : never
const said = fc.record({
  name: fc.constantFrom(...workers, ...askers, ...askers, 'guest', 'nobody'),
  amount: fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 1_000_000),
  delegate: fc.constantFrom(...Array<undefined>(8).fill(undefined), 'pay', 'one'),
})
const plannedCalls = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(said, { minLength: 1, maxLength: 2 }) },
)
const turns = fc.array(fc.array(said, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 2 })
const selection = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.subarray([...workers, ...askers], { minLength: 3 }) },
)

const seen = { ran: 0, deep: 0, refused: 0 }

withoutWarnings()

fuzz(
  'REQ-7, REQ-12, SERVE-6, CALL-11b delegates of delegates: a Call runs only if its own room, all rooms around it, and the run offer its Tool',
  150,
  fc.record({
    switches: fc.tuple(
      ...workers.map(() => fc.constantFrom<Switch>('on', 'on', 'on', 'off', 'for ada', 'unless locked')),
    ),
    principal: fc.constantFrom(undefined, 'ada', 'eve'),
    isLocked: fc.boolean(),
    outer: fc.record({ brings: fc.array(brought, { maxLength: 2 }), turns, planned: plannedCalls }),
    inner: fc.tuple(
      fc.record({ room, turns, planned: plannedCalls }),
      fc.record({ room, turns, planned: plannedCalls }),
      fc.record({ room, turns, planned: plannedCalls }),
    ),
    only: selection,
    without: fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.subarray([...workers, ...askers], { maxLength: 2 }) },
    ),
    refused: fc.option(fc.constantFrom(...workers), { nil: undefined }),
    refuses: fc.constantFrom('run', 'registry', 'rules'),
    maxDepth: fc.constantFrom(undefined, 1, 2, 3),
    maxCalls: fc.constantFrom(undefined, undefined, 5),
    mode: fc.constantFrom('composed', 'native', 'auto'),
    api: fc.constantFrom('chat', 'responses', 'messages'),
    stream: fc.boolean(),
    early: fc.constantFrom('none', 'safe', 'all'),
    latent: fc.constantFrom('own', 'another', 'another without tools'),
    isSearched: fc.constantFrom(false, false, true),
    concurrency: fc.constantFrom(undefined, 1, 2),
  }),
  async (given) => {
    const { switches, principal, isLocked, outer, inner, only, without, refused, refuses, mode, api } = given
    /** In which room a Call was said, by its number. What a room's context plans has a number for each time. */
    const from = new Map<number, string | undefined>()
    let number = 0
    const callOf = (within: string | undefined, { name, amount, delegate }: Said): Call => {
      from.set(++number, within)
      return { _tool: name, number, amount, ...(delegate && { _delegate: delegate }) }
    }
    const planOf = (within: string | undefined, calls: readonly Said[]): Message[] =>
      calls.length === 0 ? [] : [{ type: 'plan', plan: calls.map((each) => callOf(within, each)) }]
    const registered = Object.fromEntries([...workers, ...askers].map((name) => [name, schemaOf(name)]))
    const ideas: Record<string, IdeaData> = Object.fromEntries(
      rooms.map((name, index) => [
        name,
        {
          schema: { type: 'object', properties: { done: { type: 'boolean' } }, required: ['done'] },
          context: [
            { type: 'text', text: `ROOM<${name}>` },
            ...[...(inner[index]?.room.brings ?? []), ...(inner[index]?.room.names ?? []).map(schemaOf)].map(
              (tool) => ({ type: 'tool', tool }) as Message,
            ),
            ...planOf(name, inner[index]?.planned ?? []),
          ],
        } as IdeaData,
      ]),
    )
    const approves = ({ _tool }: Call): boolean => _tool !== refused
    const { Tool, Activity } = createRegistry({
      tools: registered as never,
      ideas,
      ...(refused && refuses === 'registry' && { confirm: approves }),
    })
    for (const event of ['activity:latent', 'listener:error', 'activity:missing'] as const)
      Tool.on(event, () => {})
    const ran: { name: string; number: number; amount: number; id: string }[] = []
    workers.forEach((name, index) => {
      const to = switches[index]
      Tool.register(
        name,
        registered[name] as never,
        {
          enabled: (context: { read(path: string): unknown } | undefined, who: unknown) =>
            to === 'on' ||
            (to === 'for ada' && who === 'ada') ||
            (to === 'unless locked' && context?.read('†state.isLocked') !== true),
        } as never,
      )
      Activity.register(name, (async (
        { number, amount }: { number: number; amount: number },
        _t: unknown,
        _c: unknown,
        run: { id: string },
      ) => {
        ran.push({ name, number, amount, id: run.id })
        await new Promise((resolve) => setImmediate(resolve))
        return 'done'
      }) as never)
    })
    const outerPlan = planOf(undefined, outer.planned)
    const planned = number
    const asked = new Map<string | undefined, number>()
    const answer = ({ body }: { readonly body: object }): ScriptedAnswer => {
      const text = JSON.stringify(body)
      if (text.includes('Give the output of one call of the tool')) return { output: 'said' }
      const own = [...text.matchAll(/ROOM<(\w+)>/g)].map((found) => found[1]).at(-1)
      const at = asked.get(own) ?? 0
      asked.set(own, at + 1)
      const all = own ? inner[rooms.indexOf(own as 'one')]?.turns : outer.turns
      const calls = all?.[at]
      if (!calls) return { output: own ? { done: true } : 'done' }
      return { calls: calls.map((each) => callOf(own, each)) }
    }
    const client = () => scriptedModel(Array.from({ length: 80 }, () => answer))
    const outcomes: Outcome[] = []
    Tool.on('call:end', (outcome) => void outcomes.push(outcome))
    const options = {
      model: 'm',
      client: client(),
      tools: Tool,
      context: [
        { type: 'state', state: { isLocked } },
        ...outer.brings.map((tool) => ({ type: 'tool', tool })),
        ...outerPlan,
      ],
      output: { type: 'string' },
      mode: given.isSearched ? 'native' : mode,
      api,
      stream: given.stream,
      early: given.early,
      retry: { attempts: 1 },
      ...(given.isSearched && { search: { pinned: ['read'], limit: 2 } }),
      ...(only && { only }),
      ...(without && { without }),
      ...(given.maxDepth && { maxDepth: given.maxDepth }),
      ...(given.maxCalls && { maxCalls: given.maxCalls }),
      ...(given.concurrency && { concurrency: given.concurrency }),
      ...(refused && refuses === 'run' && { confirm: approves }),
      ...(refused &&
        refuses === 'rules' && { confirm: { effects: ['read', 'idempotent', 'write'], ask: approves } }),
      ...(principal && { run: { principal } }),
      ...(given.latent !== 'own' && {
        latent: latentModel({
          model: 'o',
          api,
          client: client(),
          ...(given.latent === 'another' && { tools: Tool }),
        } as never),
      }),
    } as unknown as AgentOptions
    const result = await Agent(options).catch((error: LoopError) => error)
    const final = result instanceof Error ? result.result : result
    const shown = (each: unknown): string =>
      JSON.stringify({ each, failed: result instanceof Error && result.message, given })
    if (result instanceof Error) expect(final, `${result.stack}`).toBeDefined()
    // What a room plans, it plans each time that it is entered.
    const keys = ran.map(({ number: of, id }) => (of > planned ? `${of}` : `${of} ${id}`))
    expect(new Set(keys).size, shown(ran)).toBe(ran.length)
    for (const each of ran) {
      seen.ran++
      const origin = from.get(each.number)
      expect(each.amount, shown(each)).toBeLessThanOrEqual(most)
      const to = switches[workers.indexOf(each.name as 'pay')]
      expect(
        to === 'on' || (to === 'for ada' && principal === 'ada') || to === 'unless locked',
        shown(each),
      ).toBe(true)
      if (to === 'unless locked' && origin === undefined) expect(isLocked, shown(each)).toBe(false)
      expect(refused === each.name, shown(each)).toBe(false)
      // A plan of a context is trusted (docs/security.md).
      const isPlanned = each.number <= planned
      if (only && !isPlanned) expect(only, shown(each)).toContain(each.name)
      if (without && !isPlanned) expect(without, shown(each)).not.toContain(each.name)
      if (origin === undefined) continue
      seen.deep++
      // Its own room names it: nested rooms are those of a chain that begins at a Call of the outer ones.
      const own = inner[rooms.indexOf(origin as 'one')]?.room
      const offered = [
        ...(own?.names ?? []),
        ...(own?.brings ?? []).map((tool) => tool.properties._tool.const),
      ]
      expect(offered, shown(each)).toContain(each.name)
    }
    // Each Call is told of once, and what ran is told of.
    expect(new Set(outcomes.map(({ id }) => id)).size, shown(outcomes.map(({ id }) => id))).toBe(
      outcomes.length,
    )
    for (const each of ran) {
      const told = outcomes.filter(({ id }) => id === each.id)
      expect(told, shown(each)).toHaveLength(1)
    }
    if (given.maxCalls)
      expect(ran.length, shown(outcomes.map(({ id, tool }) => [id, tool]))).toBeLessThanOrEqual(
        given.maxCalls,
      )
    for (const outcome of outcomes) {
      if (outcome.error) seen.refused++
      expect(outcome.error?.code, outcome.error?.message).not.toBe('internal')
    }
    for (const each of ran.filter(({ number: of }) => from.get(of) === undefined))
      expect(
        final?.outcomes.filter(({ id }) => id === each.id),
        shown(each),
      ).toHaveLength(1)
  },
)

test('Calls of rooms within rooms ran, and were refused', () => {
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0)
})
