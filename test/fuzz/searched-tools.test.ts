import { type Call, createRegistry, isCallsheetError, type Outcome } from 'callsheet'
import { Agent, type AgentOptions, type AgentResult, type Decision, type SuspendedRun } from 'callsheet/agent'
import type { ToldApproval } from 'callsheet/restate'
import { type ScriptedAnswer, scriptedModel } from 'callsheet/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { often } from '../runs.ts'
import { EngineFailure, restateOf } from '../unit/runtime/restate/engine.ts'
import { fuzz } from './campaign.ts'
import { withoutWarnings } from './without-warnings.ts'

withoutWarnings()
const statuses: Record<string, number> = {}

const names = ['read.a', 'read.b', 'keep.a', 'keep.b', 'pay.a', 'pay.b', 'note', 'off', 'theirs', 'long']
const effectsOf = (name: string): string | undefined =>
  ({ read: 'read', keep: 'idempotent', pay: 'write', off: 'read', theirs: 'read', long: 'read' })[
    name.split('.')[0] as 'read'
  ]

type Ranking = (all: readonly { readonly name: string }[]) => unknown
const rankings: Record<string, Ranking | undefined> = {
  words: undefined,
  all: (all) => all.map(({ name }) => ({ name, score: 1 })),
  twice: (all) => [...all, ...all].map(({ name }) => ({ name, score: 1 })),
  strangers: (all) =>
    ['nobody', '__proto__', 'Tools.find', 'off', 'theirs', ...all.map(({ name }) => name)].map((name) => ({
      name,
      score: 1,
    })),
  none: () => [],
  'no list': () => ({ length: 2 }),
  'no names': () => [null, { score: 1 }],
  throws: () => {
    throw new Error('It fails.')
  },
  late: (all) => new Promise((done) => setTimeout(done, 2, all.toReversed())),
}

const subset = fc.subarray([...names, 'read.*', 'pay.*'])
const given = fc.record({
  entry: fc.constantFrom('Agent', 'Agent', 'Restate', 'Restate, here'),
  pinned: subset,
  only: fc.option(subset, { freq: 1 }),
  without: fc.option(subset, { freq: 1 }),
  limit: fc.constantFrom(2, 20, 20),
  ranking: fc.constantFrom('all', 'all', 'words', ...Object.keys(rankings)),
  turns: fc.array(
    fc.array(
      fc.oneof(
        {
          weight: 2,
          arbitrary: fc
            .constantFrom('read', 'pay a', 'keep note', 'x')
            .map((query): Call => ({ _tool: 'Tools.find', query })),
        },
        { weight: 4, arbitrary: fc.constantFrom(...names).map((_tool): Call => ({ _tool, text: _tool })) },
        {
          weight: 1,
          arbitrary: fc
            .constantFrom('read.a', 'pay.a')
            .map((_tool): Call => ({ _tool, text: '†state.found', _outputPath: '†state.x' })),
        },
      ),
      { minLength: 1, maxLength: 4 },
    ),
    { minLength: 1, maxLength: 4 },
  ),
  rules: fc.constantFrom('nobody', 'ask', 'ask for writes', 'later', 'plan', 'plan later', 'refuse'),
  mode: fc.constantFrom('composed' as const, 'native' as const, 'auto' as const),
  api: fc.constantFrom('chat' as const, 'responses' as const, 'messages' as const),
  provider: fc.boolean(),
  stream: fc.boolean(),
  early: fc.constantFrom('none' as const, 'safe' as const, 'all' as const),
  principal: fc.constantFrom(undefined, 'me', 'you'),
  plan: fc.constantFrom('eager' as const, 'eager' as const, 'lazy' as const),
})

fuzz(
  'FIND-2, REQ-9, REQ-15 whatever a search finds: a Call runs once, and only if its Tool was pinned or found before',
  150,
  given,
  async (all) => {
    const principal = all.entry === 'Agent' ? all.principal : undefined
    const ran: { readonly id: string; readonly tool: string }[] = []
    const rank = rankings[all.ranking]
    const { Tool, Activity } = createRegistry({
      ...(rank && { rank: (_: string, tools: readonly { readonly name: string }[]) => rank(tools) as never }),
    })
    for (const name of names) {
      const effects = effectsOf(name)
      Tool.register(
        name,
        {
          type: 'object',
          description: `Does ${name.replace('.', ' ')}.`,
          ...(effects && { effects }),
          properties: {
            _tool: { const: name },
            text: { type: 'string' },
            _outputPath: { type: 'string' },
            _output: {},
          },
          required: ['_tool', 'text'],
          additionalProperties: false,
        } as never,
        {
          ...(name === 'off' && { enabled: false }),
          ...(name === 'theirs' && { enabled: (_c: unknown, who: unknown) => who === 'me' }),
        } as never,
      )
      Activity.register(
        name as never,
        (async (_call: Call, _tool: unknown, _context: unknown, { id }: { id: string }) => {
          ran.push({ id, tool: name })
          return 'done'
        }) as never,
      )
    }
    const asked: Call[] = []
    const yes = (call: Call): true => asked.push(call) > 0 || true
    const confirm = {
      nobody: undefined,
      ask: yes,
      'ask for writes': { effects: ['write'] as const, ask: yes },
      later: { effects: ['write'] as const, ask: () => 'pending' as const },
      plan: { askPlan: ({ calls }: { readonly calls: readonly Call[] }) => asked.push(...calls) > 0 },
      'plan later': { askPlan: () => 'pending' as const },
      refuse: { effects: ['write'] as const, ask: () => false as const },
    }[all.rules]
    const script: ScriptedAnswer[] = [...all.turns.map((calls) => ({ calls })), { output: 'done' }]
    const client = scriptedModel(script)
    const mode = all.api === 'messages' ? 'native' : all.mode
    const provider = all.provider && all.api !== 'chat' && mode !== 'composed' && all.entry === 'Agent'
    const options = {
      model: 'm',
      client,
      output: { type: 'string' },
      api: all.api,
      mode,
      stream: all.stream,
      context: [{ type: 'state', state: { found: '†state.secret', secret: 'hunter2' } }],
      search: { pinned: all.pinned, limit: all.limit, ...(provider && { provider }) },
      ...(all.only && { only: all.only }),
      ...(all.without && { without: all.without }),
      ...(confirm && { confirm }),
      retry: { attempts: 1 },
      plan: all.plan,
      ...(principal && { run: { principal } }),
    } as unknown as AgentOptions
    const decide = ({ approvals }: Pick<SuspendedRun, 'approvals'>): Decision[] =>
      approvals.map(({ id, hash, calls }) => {
        asked.push(...calls)
        return { approval: id, hash, approve: true }
      })
    let outcomes: readonly Outcome[] = []
    try {
      if (all.entry === 'Agent') {
        let more: Partial<AgentOptions> = {}
        const told: Outcome[] = []
        for (let part = 0; part < 12; part++) {
          const ended: unknown = await Agent({ ...options, tools: Tool, early: all.early, ...more }).catch(
            (error: unknown) => error,
          )
          const result = (
            ended instanceof Error ? (ended as { result?: AgentResult }).result : ended
          ) as AgentResult
          if (!result) throw ended
          told.push(...result.outcomes.filter(({ error }) => error?.code !== 'approval_pending'))
          if (!result.suspended) break
          const resume = JSON.parse(JSON.stringify(result.suspended)) as SuspendedRun
          more = { resume, decisions: decide(resume) }
        }
        outcomes = told
      } else {
        const { handle, resolve } = await restateOf(
          Tool,
          { ...(all.entry === 'Restate, here' && { local: names }) },
          {},
        )
        const result = await handle(({ agent }) =>
          agent({
            ...options,
            onApprovals: (open: readonly ToldApproval[]) => {
              for (const { approval, awakeable } of open)
                resolve(awakeable, decide({ approvals: [approval] })[0])
            },
          } as never),
        )
        outcomes = result.outcomes
      }
    } catch (error) {
      if (isCallsheetError(error) || error instanceof EngineFailure) {
        expect((error as { code?: string }).code, (error as Error).message).not.toBe('internal')
        const key = `threw ${all.entry} ${(error as Error).message.slice(0, 110)}`
        statuses[key] = (statuses[key] ?? 0) + 1
        outcomes = (error as { result?: AgentResult }).result?.outcomes ?? []
        expect(
          ran.length === 0 || outcomes.length > 0,
          `lost ${JSON.stringify(ran)} ${(error as Error).message}`,
        ).toBe(true)
      } else throw error
    }
    expect(JSON.stringify(outcomes)).not.toMatch(/hunter2/)
    const isThere = (name: string): boolean => name !== 'off' && (name !== 'theirs' || principal === 'me')
    const isIn = (list: readonly string[], name: string): boolean =>
      list.includes(name) || list.includes(`${name.split('.')[0]}.*`)
    const place = (id: string): [number, number] => {
      const [, turn, at] = /:(\d+)\.(?:rejected\.)?(\d+)/.exec(id) ?? []
      return [Number(turn), Number(at)]
    }
    for (const { id, tool } of ran) {
      expect(
        ran.filter((each) => each.id === id),
        `${tool} ${id}`,
      ).toHaveLength(1)
      expect(
        outcomes.filter((each) => each.id === id),
        `${tool} ${id} told`,
      ).toHaveLength(1)
      const [turn] = place(id)
      const found = outcomes.flatMap((each) =>
        each.tool === 'Tools.find' && place(each.id)[0] < turn && each.status === 'succeeded'
          ? (each.output as { found: string[] }).found
          : [],
      )
      const isOffered = provider || isIn(all.pinned, tool) || found.includes(tool)
      expect(isOffered, `${tool} was offered`).toBe(true)
      expect(isThere(tool)).toBe(true)
      expect(all.plan).toBe('eager')
      if (all.only) expect(isIn(all.only, tool)).toBe(true)
      if (all.without) expect(isIn(all.without, tool)).toBe(false)
      if (all.rules === 'refuse') expect(['write', undefined]).not.toContain(effectsOf(tool))
      const needs =
        all.rules === 'ask' ||
        all.rules.startsWith('plan') ||
        (all.rules !== 'nobody' && (effectsOf(tool) ?? 'write') === 'write')
      if (needs)
        expect(
          asked.map(({ _tool }) => _tool),
          `${tool} was approved`,
        ).toContain(tool)
    }
    for (const { tool, status, error, output, id } of outcomes) {
      const key = `${all.entry} ${tool === 'Tools.find' ? 'search' : 'tool'} ${error?.code ?? status}`
      statuses[key] = (statuses[key] ?? 0) + 1
      expect(error?.code).not.toBe('internal')
      expect(error?.message ?? '').not.toMatch(/Cannot read|is not a function|not iterable|reading '/)
      if (tool === 'Tools.find' && status === 'succeeded') {
        const { found } = output as { found: string[] }
        expect(found.length).toBeLessThanOrEqual(all.limit)
        expect(new Set(found).size).toBe(found.length)
        for (const name of found) {
          expect(names).toContain(name)
          expect(isThere(name)).toBe(true)
          if (all.only) expect(isIn(all.only, name)).toBe(true)
          if (all.without) expect(isIn(all.without, name)).toBe(false)
        }
      }
      // What was offered and needs nobody runs.
      if (status !== 'failed' || error?.code !== 'unknown_tool' || !names.includes(tool)) continue
      const [turn] = place(id)
      const isOffered =
        isIn(all.pinned, tool) &&
        isThere(tool) &&
        (!all.only || isIn(all.only, tool)) &&
        (!all.without || !isIn(all.without, tool))
      expect(isOffered, `${tool} of turn ${turn} is pinned, and was unknown`).toBe(false)
    }
  },
)

test('searches above found and failed, and Calls ran and were refused', () => {
  expect(statuses['Agent tool succeeded'], JSON.stringify(statuses)).toBeGreaterThan(often(30))
  expect(Object.keys(statuses).length, JSON.stringify(statuses)).toBeGreaterThan(8)
})
