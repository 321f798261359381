import { isCallsheetError, type Outcome } from 'callsheet'
import { Agent, type AgentResult } from 'callsheet/agent'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { registryWithTools } from '../unit/runtime/agent/tools.ts'
import { fuzz } from './campaign.ts'
import { type Event, forms } from './streamed-answer.ts'

const part = fc.record({
  kind: fc.constantFrom('add' as const, 'pay' as const, 'text' as const, 'thinking' as const),
  pieces: fc.integer({ min: 1, max: 3 }),
})

/** A place in the events, and what is there instead: another value, or that of another place. */
const oddity = fc.record({
  at: fc.nat(10_000),
  from: fc.option(fc.nat(10_000)),
  value: fc.constantFrom<unknown>(
    ...[undefined, null, 0, -1, 1e21, '', 'x', 'constructor', true, [], {}, [null], [[]], { type: 'text' }],
  ),
})

function withOddities(
  events: readonly Event[],
  oddities: readonly (typeof oddity extends fc.Arbitrary<infer Kind> ? Kind : never)[],
): Event[] {
  const told = structuredClone(events) as Event[]
  for (const { at, from, value } of oddities) {
    const places: [holder: Event, name: string][] = []
    const collect = (holder: unknown): void => {
      if (typeof holder !== 'object' || holder === null) return
      for (const [name, member] of Object.entries(holder)) {
        places.push([holder as Event, name])
        collect(member)
      }
    }
    collect(told)
    const [holder, name] = places[at % places.length] ?? [{}, '']
    const [other, named] = places[(from ?? 0) % places.length] ?? [{}, '']
    holder[name] = structuredClone(from === null ? value : other[named])
  }
  return told
}

const { Tool, ran } = registryWithTools()
const ended: Outcome[] = []
Tool.on('call:end', (outcome) => void ended.push(outcome))
const seen = { good: 0, bad: 0 }

fuzz(
  'REQ-6a, REQ-8 whatever values the events of a stream have: an error with a code of a Request, and what ran is in the result once',
  200,
  fc.record({
    api: fc.constantFrom<keyof typeof forms>('messages', 'responses', 'chat'),
    parts: fc.array(part, { minLength: 1, maxLength: 3 }),
    oddities: fc.array(oddity, { minLength: 1, maxLength: 3 }),
    early: fc.constantFrom('safe', 'all', 'none'),
  }),
  async ({ api, parts, oddities, early }) => {
    ran.length = 0
    ended.length = 0
    const answer = { sameIds: false, usage: {} }
    const whole = ({ before, parts: told, after }: ReturnType<(typeof forms)['chat']>): Event[] => [
      ...before,
      ...told.flat(),
      ...after,
    ]
    const odd = withOddities(whole(forms[api]({ ...answer, parts })), oddities)
    const end = { ...answer, parts: [{ kind: 'text', pieces: 1 }], said: '{"output":"done"}' } as const
    const answers = [odd, whole(forms[api](end))]
    const create = async () => streamOf(answers.shift() ?? [])
    const client = { chat: { completions: { create } }, responses: { create }, messages: { create } }
    const result: unknown = await Agent({
      ...({ model: 'm', client, api, mode: 'native', stream: true, early, tools: Tool } as const),
      output: { type: 'string' },
      retry: { attempts: 2, backoff: 0 },
    }).catch((error: unknown) => error)
    const isBad = result instanceof Error
    seen[isBad ? 'bad' : 'good']++
    if (isBad && !isCallsheetError(result)) throw result
    if (isBad)
      expect(['internal', 'invalid_call', 'unknown_tool']).not.toContain((result as { code?: string }).code)
    const { outcomes } = (isBad ? (result as { result?: unknown }).result : result) as AgentResult
    const ids = outcomes.map(({ id }) => id)
    expect(new Set(ids).size, 'each id once').toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining(ended.map(({ id }) => id)))
    expect(ended.filter(({ attempts }) => attempts > 0)).toHaveLength(ran.length)
  },
)

async function* streamOf(events: readonly Event[]) {
  for (const event of events) {
    yield event
    await undefined
  }
}

test('the runs above ended both ways', () => {
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0)
})
