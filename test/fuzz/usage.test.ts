import { createRegistry, type Outcome } from 'callsheet'
import { Agent, type AgentResult, type SuspendedRun } from 'callsheet/agent'
import {
  type ModelAnswer,
  type ModelRequest,
  randomModel,
  type TestModel,
  testModel,
} from 'callsheet/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tools } from '../unit/runtime/agent/tools.ts'
import { fuzz } from './campaign.ts'

type Tokens = Required<NonNullable<Outcome['usage']>>

const none: Tokens = { in: 0, out: 0, cached: 0 }
const sum = (all: readonly (Tokens | undefined)[]): Tokens =>
  all.reduce<Tokens>(
    (left, right = none) => ({
      in: left.in + right.in,
      out: left.out + right.out,
      cached: left.cached + right.cached,
    }),
    none,
  )

/** What becomes of one request to the model. */
interface Mood {
  readonly kind: string
  readonly usage: Tokens
}

const mood: fc.Arbitrary<Mood> = fc.record({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constant('right') },
    { weight: 2, arbitrary: fc.constantFrom('wrong', 'truncated', 'refused', 'failed') },
  ),
  usage: fc
    .record({ in: fc.nat({ max: 50 }), out: fc.nat({ max: 50 }), cached: fc.nat({ max: 10 }) })
    .map((told) => ({ ...told, in: told.in + told.cached, out: told.out + 1 })),
})

/** Which kinds of Calls have spent anything, so that nothing is shown by chance. */
const spending = new Set<string>()

fuzz(
  'REQ-8 every token that a server has told of is counted once: in the run, and in the Request or Call that spent it',
  250,
  fc.record({
    moods: fc.array(mood, { minLength: 1, maxLength: 12 }),
    seed: fc.nat(),
    stream: fc.boolean(),
    api: fc.constantFrom('chat' as const, 'responses' as const, 'messages' as const),
    mode: fc.constantFrom('auto' as const, 'native' as const, 'composed' as const),
    early: fc.constantFrom('none' as const, 'safe' as const, 'all' as const),
    callAttempts: fc.constantFrom(1, 2, 3),
    asks: fc.boolean(),
    maxTurns: fc.constantFrom(1, 2, 4),
    maxTokens: fc.constantFrom(undefined, 120),
    concurrency: fc.constantFrom(1, 2, undefined),
  }),
  async ({ moods, seed, api, mode, stream, early, callAttempts, asks, maxTurns, maxTokens, concurrency }) => {
    const random = randomModel({ seed })
    const told: Tokens[] = []
    let asked = 0
    const client = testModel(async ({ body }) => {
      const { kind, usage } = moods[asked++ % moods.length] as Mood
      if (kind === 'failed') throw Object.assign(new Error('busy'), { status: 503 })
      told.push(usage)
      if (kind === 'wrong') return { text: 'Well, I would say yes.', usage }
      if (kind === 'truncated') return { text: '{"calls":[', isTruncated: true, usage }
      if (kind === 'refused') return { refusal: 'No.', usage }
      return { ...(await sameAnswer(random, api, body)), usage }
    })
    const registry = createRegistry({ tools })
    // A delegate with a loop of its own.
    const offered = registry.Tool.composable().map(({ schema }) => ({ type: 'tool' as const, tool: schema }))
    const schema = { type: 'object', properties: { advice: { type: 'string' } }, required: ['advice'] }
    registry.Tool.fromIdea('counsel', { schema, context: [{ type: 'text', text: 'Advise.' }, ...offered] })
    registry.Activity.register('add', ({ left, right }) => (left as number) + (right as number))
    registry.Activity.register('pay', ({ amount }) => `paid ${amount}`)
    const options = {
      model: 'm',
      client,
      api,
      mode,
      tools: registry.Tool,
      output: { type: 'string' },
      stream,
      early,
      retry: { attempts: 3, backoff: 0 },
      run: { retry: { attempts: callAttempts, allowEffects: true } },
      maxTurns,
      ...(maxTokens !== undefined && { maxTokens }),
      ...(concurrency !== undefined && { concurrency }),
      ...(asks && { confirm: { effects: ['write' as const], ask: () => 'pending' as const } }),
    }
    const outcomes: Outcome[] = []
    let resume: SuspendedRun | undefined
    for (;;) {
      const decisions = resume?.approvals.map(({ id, hash }) => ({ approval: id, hash, approve: true })) ?? []
      const result: AgentResult = await Agent({ ...options, ...(resume && { resume, decisions }) }).catch(
        (error: { result: AgentResult }) => error.result ?? Promise.reject(error),
      )
      outcomes.push(...result.outcomes)
      for (const { delegated, usage } of result.outcomes) {
        if (usage) spending.add(delegated ? 'delegate' : 'latent')
      }
      const spent = sum(told)
      expect(sum([result.usage, ...outcomes.map(({ usage }) => usage)])).toEqual(spent)
      expect(result.spent.tokens).toBe(spent.in + spent.out)
      if (!result.suspended) return
      resume = JSON.parse(JSON.stringify(result.suspended)) as SuspendedRun
    }
  },
)

test('REQ-9 counts that no number holds together leave a run that can be stored and resumed', async () => {
  const { Tool, Activity } = createRegistry({ tools })
  Activity.register('pay', ({ amount }) => `paid ${amount}`)
  let asked = 0
  const client = testModel(() => {
    const calls = [{ _tool: 'pay', _reasoningForCall: '', _activity: 'pay', amount: 1 }]
    const answer = asked++ < 3 ? { calls, output: null } : { calls: [], output: 'done' }
    return { text: JSON.stringify(answer), usage: { in: 1e308, out: 1e308 } }
  })
  const confirm = { ask: () => (asked < 3 ? true : ('pending' as const)) }
  const output = { type: 'string' }
  const options = { model: 'm', client, mode: 'composed' as const, tools: Tool, output, confirm }
  const { result }: { result: AgentResult } = await Agent(options).catch((error) => error)
  const resume: SuspendedRun = JSON.parse(JSON.stringify(result.suspended))
  const decisions = resume.approvals.map(({ id, hash }) => ({ approval: id, hash, approve: true }))
  expect((await Agent({ ...options, resume, decisions })).outcomes).toMatchObject([{ output: 'paid 1' }])
})

test('Calls of both kinds have spent', () => {
  expect([...spending].sort()).toEqual(['delegate', 'latent'])
})

/** What the random model says to a request, in the form of the test models. */
async function sameAnswer(model: TestModel, api: ModelRequest['api'], body: object): Promise<ModelAnswer> {
  const { create } = api === 'chat' ? model.chat.completions : model[api]
  const parts = objectsIn(await create({ ...body, stream: false } as never))
  const toolCalls = parts.flatMap(({ type, name, input, arguments: given, function: called }) => {
    if (type === 'function_call') return [{ name: String(name), arguments: String(given) }]
    if (type === 'tool_use') return [{ name: String(name), arguments: JSON.stringify(input) }]
    return type === 'function' ? [called as { name: string; arguments: string }] : []
  })
  if (toolCalls.length > 0) return { toolCalls }
  const texts = parts.flatMap(({ text, role, content }) =>
    typeof text === 'string' ? [text] : role === 'assistant' && typeof content === 'string' ? [content] : [],
  )
  return { text: texts.join('') }
}

/** All objects in a value, outermost first. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(objectsIn)
  return Array.isArray(value) ? inside : [value as Record<string, unknown>, ...inside]
}
