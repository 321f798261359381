import { isDeepStrictEqual } from 'node:util'
import { isCallsheetError, type Outcome } from 'callsheet'
import { Agent, type AgentResult } from 'callsheet/agent'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { registryWithTools } from '../unit/runtime/agent/tools.ts'
import { fuzz } from './campaign.ts'
import { type Answer, type Event, forms, type Part } from './streamed-answer.ts'

const pings = { type: 'object', effects: 'write', properties: { note: { type: 'string' } } } as const
const hidden = { type: 'object', effects: 'write', properties: { n: { type: 'number' } } } as const

/** What goes wrong with the events between the first and the last. */
const mishap = fc.record({
  kind: fc.constantFrom('twice', 'drop', 'swap', 'move', 'renumber', 'rename', 'repeat later'),
  at: fc.nat(200),
  to: fc.nat(200),
})
type Mishap = typeof mishap extends fc.Arbitrary<infer Kind> ? Kind : never

function mishappened(events: readonly Event[], mishaps: readonly Mishap[]): Event[] {
  const told = [...events]
  for (const { kind, at: given, to: aim } of mishaps) {
    if (told.length === 0) break
    const at = given % told.length
    const to = aim % told.length
    const event = told[at] as Event
    switch (kind) {
      case 'twice':
        told.splice(at, 0, event)
        break
      case 'repeat later':
        told.splice(to, 0, event)
        break
      case 'drop':
        told.splice(at, 1)
        break
      case 'swap':
        told.splice(at, 2, ...told.slice(at, at + 2).reverse())
        break
      case 'move':
        told.splice(to, 0, ...told.splice(at, 1))
        break
      case 'renumber':
        told[at] = JSON.parse(
          JSON.stringify(event).replaceAll(/"(index|output_index)":\d+/g, `"$1":${aim % 6}`),
        )
        break
      default:
        told[at] = JSON.parse(JSON.stringify(event).replaceAll(/"([tci])\d+"/g, `"$1${aim % 6}"`))
    }
  }
  return told
}

/** Puts the events of several parts into one another; those of each part stay in order. */
function interleaved(parts: readonly (readonly Event[])[], turns: readonly number[]): Event[] {
  const queues = parts.map((events) => [...events])
  const told: Event[] = []
  for (let turn = 0; queues.some((queue) => queue.length > 0); turn++) {
    const open = queues.filter((queue) => queue.length > 0)
    const queue = open[(turns[turn % turns.length] ?? 0) % open.length] as Event[]
    told.push(queue.shift() as Event)
  }
  return told
}

async function* streamOf(events: readonly Event[]) {
  for (const event of events) {
    yield event
    await undefined
  }
}

/** Ends a run, in each API's own words. */
const ending: Answer = {
  parts: [{ kind: 'text', pieces: 2 }],
  sameIds: false,
  usage: {},
  said: '{"output":"done"}',
}

const part = fc.record({
  kind: fc.constantFrom<Part['kind']>(
    'add',
    'pay',
    'pay',
    'ping',
    'hidden',
    'unknown',
    'text',
    'thinking',
    'bad arguments',
  ),
  pieces: fc.integer({ min: 1, max: 4 }),
})

const { Tool, Activity, ran } = registryWithTools()
Tool.register('ping', { ...pings })
Tool.register('hidden', { ...hidden })
Activity.register('ping', ({ note }) => void ran.push(['ping', note]))
Activity.register('hidden', ({ n }) => void ran.push(['hidden', n]))
const ended: Outcome[] = []
Tool.on('call:end', (outcome) => void ended.push(outcome))

/** What the pieces of arguments add up to, by their place, where an API gives them in pieces alone. */
function argumentsIn(events: readonly Event[]): Record<string, string> {
  const joined: Record<string, string> = {}
  const over = new Set<unknown>()
  // What comes after the end of its block was not there when its Call was complete.
  const inTime = events.filter(({ type, index }) => {
    if (type === 'content_block_stop') over.add(index)
    return type !== 'content_block_delta' || !over.has(index)
  })
  const pieces = JSON.stringify(inTime).matchAll(
    /"index":(\d+),"(?:delta":\{"type":"input_json_delta","partial_json|function":\{(?:"name":"\w+",)?"arguments)":("(?:[^"\\]|\\.)*")/g,
  )
  for (const [, place = '', piece = ''] of pieces) joined[place] = (joined[place] ?? '') + JSON.parse(piece)
  return joined
}

let finished = 0
let failed = 0

fuzz(
  'REQ-7 however the events of a stream come: what runs was said, was offered, ran once and is in the result once',
  200,
  fc.record({
    api: fc.constantFrom<keyof typeof forms>('messages', 'responses', 'chat'),
    parts: fc.array(part, { maxLength: 5 }),
    sameIds: fc.boolean(),
    usage: fc.constantFrom<unknown>(undefined, null, {}, 'many', {
      input_tokens: 3,
      output_tokens: 2,
      prompt_tokens: 3,
      completion_tokens: 2,
    }),
    early: fc.constantFrom('safe', 'all', undefined),
    turns: fc.option(fc.array(fc.nat(4), { minLength: 1, maxLength: 12 }), { nil: undefined }),
    mishaps: fc.oneof(fc.constant<Mishap[]>([]), fc.array(mishap, { maxLength: 4 })),
    attempts: fc.constantFrom(1, 2),
    endsEmpty: fc.boolean(),
  }),
  async ({ api, parts, sameIds, usage, early, turns, mishaps: drawn, attempts, endsEmpty }) => {
    ran.length = 0
    ended.length = 0
    const told = forms[api]({ parts, sameIds, usage, endsEmpty })
    const inner = turns ? interleaved(told.parts, turns) : told.parts.flat()
    // Without a list of the items at the end, an item with another place or id is another item.
    const areItems = api === 'responses' && endsEmpty
    const mishaps = areItems ? drawn.filter(({ kind }) => kind !== 'renumber' && kind !== 'rename') : drawn
    const events = [...told.before, ...mishappened(inner, mishaps), ...told.after]
    const end = forms[api](ending)
    let asked = 0
    const create = async () =>
      streamOf(asked++ === 0 ? events : [...end.before, ...end.parts.flat(), ...end.after])
    const client = { chat: { completions: { create } }, responses: { create }, messages: { create } }
    const result: unknown = await Agent({
      model: 'm',
      client,
      api,
      mode: 'native',
      stream: true,
      ...(early && { early }),
      tools: Tool,
      without: ['hidden', 'judge'],
      output: { type: 'string' },
      maxTurns: 3,
      retry: { attempts, backoff: 0 },
    }).catch((error: unknown) => error)

    const isError = result instanceof Error
    if (isError) {
      failed++
      if (!isCallsheetError(result)) throw result
      expect(result.code).not.toBe('internal')
    } else finished++
    const { outcomes = [] } =
      (isError ? (result as { result?: AgentResult }).result : (result as AgentResult)) ?? {}
    const toldIds = outcomes.map(({ id }) => id).filter((id) => !id.includes('.rejected.'))
    expect(toldIds.sort()).toEqual(ended.map(({ id }) => id).sort())
    expect(new Set(toldIds).size, 'each id once').toBe(toldIds.length)
    expect(ended.filter(({ attempts: started }) => started > 0)).toHaveLength(ran.length)

    const wanted = parts.flatMap((each, at): string[] => {
      if (each.kind === 'add') return [JSON.stringify(['add', at, 1])]
      if (each.kind === 'pay') return [JSON.stringify(['pay', at])]
      return each.kind === 'ping' ? [JSON.stringify(['ping', `note ${at}`])] : []
    })
    const done = ran.map((each) => JSON.stringify(each))
    expect(done.filter((each) => /hidden/.test(each))).toEqual([])
    // In the other two APIs the arguments are what the pieces add up to.
    const areSaidWhole =
      api === 'responses' || isDeepStrictEqual(argumentsIn(events), argumentsIn(told.parts.flat()))
    if (areSaidWhole) expect(wanted).toEqual(expect.arrayContaining(done))
    expect(new Set(done).size, `twice: ${done.join(' ')}`).toBe(done.length)
    // Two mishaps may repeat a whole call, which is one.
    if (api === 'messages' && !isError && attempts === 1 && mishaps.length < 2) {
      const begun = events.filter(
        ({ content_block: block }) => (block as Event | undefined)?.type === 'tool_use',
      )
      expect(outcomes, 'no Call of a run that ended well is lost').toHaveLength(begun.length)
    }
    if (mishaps.length === 0) {
      if (wanted.length > 0) expect(isError, String(result)).toBe(false)
      expect(done.sort()).toEqual(wanted.sort())
    }
  },
)

test('the runs above ended both ways', () => {
  expect([finished > 0, failed > 0]).toEqual([true, true])
})
