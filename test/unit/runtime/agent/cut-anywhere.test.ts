import type { Call } from 'callsheet'
import { Agent, type AgentOptions, LoopError, type ModelClient } from 'callsheet/agent'
import { describe, expect, test } from 'vitest'
import { answerForms } from '../../../../runtime/testing/answer-forms.ts'
import { cutUp, type ModelAnswer } from '../../../../runtime/testing/model-answer.ts'
import { registryWithTools } from './tools.ts'

/** An answer with everything that could pass for the end of a Call. */
const answer = JSON.stringify({
  calls: [
    { _tool: 'note', text: 'a }, {"_tool":"pay","amount":9} \\" ] …é' },
    { _tool: 'pay', amount: 1 },
    { _tool: 'note', text: '', more: [{ deep: {} }, []] },
  ],
  output: null,
})

/** Where each Call of the answer is complete: found by parsing what stands before, and by nothing of the runtime. */
const ends = Array.from(answer, (_, at) => at + 1).filter((end) => {
  try {
    const before = JSON.parse(`${answer.slice(0, end)}]}`) as { calls: unknown[] }
    return before.calls.length > 0 && answer.charAt(end - 1) === '}'
  } catch {
    return false
  }
})

/** How the server leaves after so much of the answer. */
const leavings = {
  'the connection is lost': () => {
    throw new TypeError('terminated')
  },
  'the stream just ends': () => [],
  'the model is at its limit': () => [{ choices: [{ delta: {}, finish_reason: 'length' }] }],
  'the model refuses': () => [{ choices: [{ delta: { refusal: 'No.' }, finish_reason: 'stop' }] }],
  'the model says that it is done': () => [{ choices: [{ delta: {}, finish_reason: 'stop' }] }],
} as const

/** A client whose answer comes in pieces of `length` and ends after `cut` characters. */
function clientThatLeaves(cut: number, length: number, leave: () => readonly object[]): ModelClient {
  async function* stream(): AsyncGenerator<object> {
    for (let at = 0; at < cut; at += length) {
      yield { choices: [{ delta: { content: answer.slice(at, Math.min(cut, at + length)) } }] }
    }
    yield* leave()
  }
  return { chat: { completions: { create: async () => stream() } } }
}

async function run(
  client: ModelClient,
  options: Partial<AgentOptions> = {},
): Promise<{ ran: Call[]; result: unknown }> {
  const { Tool, Activity } = registryWithTools()
  const ran: Call[] = []
  Tool.register('note', {
    type: 'object',
    properties: { text: { type: 'string' }, more: {}, _output: {} },
    required: ['text'],
  })
  Activity.register('note', (call) => ran.push(call))
  Activity.register('pay', (call) => ran.push(call))
  const result = await Agent({
    model: 'm',
    client,
    tools: Tool,
    output: { type: 'string' },
    stream: true,
    early: 'all',
    maxTurns: 1,
    retry: { attempts: 1 },
    ...options,
  }).catch((error: unknown) => error)
  return { ran, result }
}

describe('REQ-7 an answer that is cut at any character', () => {
  test('the answer has its Calls where this test thinks', () => {
    expect(ends.map((end) => answer.slice(end, end + 1))).toEqual([',', ',', ']'])
  })

  // Every character in turn; all the ways to leave around the ends of Calls, elsewhere one after the other.
  const isNear = (cut: number): boolean => ends.some((end) => Math.abs(end - cut) <= 1)

  test.each(Object.entries(leavings).map(([how, leave], place) => ({ how, leave, place })))(
    '$how: what was complete has run once, and nothing else',
    async ({ leave, place }) => {
      for (let cut = 0; cut < answer.length; cut++) {
        if (cut % 5 !== place && !isNear(cut)) continue
        const { ran, result } = await run(clientThatLeaves(cut, 1 + (cut % 7), leave))
        const complete = ends.filter((end) => end <= cut).length
        expect({ cut, ran: ran.length }).toEqual({ cut, ran: complete })
        if (!(result instanceof LoopError)) throw new Error('expected a LoopError', { cause: result })
        expect(result.code === 'interrupted').toBe(complete > 0)
        expect(result.result.outcomes).toHaveLength(complete)
      }
    },
  )
})

/** The same Calls as the provider's own, with a text before them. */
const native: ModelAnswer = {
  text: 'I }] "pay".',
  toolCalls: (JSON.parse(answer) as { calls: Call[] }).calls.map(({ _tool, ...given }) => ({
    name: _tool,
    arguments: JSON.stringify(given),
  })),
}

/** How many calls a server has said to the end in these events, by what its API says about that. */
const saidToTheEnd = {
  chat: (events: readonly string[]) =>
    events.filter((event) => event.includes('"id":"call_')).length - (events.some(hasEnded) ? 0 : 1),
  responses: (events: readonly string[]) =>
    events.filter((event) => /"response.output_item.done".*"function_call"/.test(event)).length,
  messages: (events: readonly string[]) =>
    events.filter((event, at) => /content_block_stop/.test(event) && /input_json/.test(events[at - 1] ?? ''))
      .length,
} as const

function hasEnded(event: string): boolean {
  return event.includes('"finish_reason":"tool_calls"')
}

describe.each(['chat', 'responses', 'messages'] as const)(
  'REQ-7 own tool calls cut at any event over %s',
  (api) => {
    test.each(
      Object.entries({
        'the connection is lost': leavings['the connection is lost'],
        'the stream just ends': leavings['the stream just ends'],
      }),
    )('%s: what was complete has run once, and nothing else', async (_how, leave) => {
      for (const length of [5, 64]) {
        const events = answerForms[api].events(native, 'm', cutUp(native, length)).map(({ data }) => data)
        const last = events.findIndex((event) =>
          /"finish_reason":"tool|response.completed|message_delta/.test(JSON.stringify(event)),
        )
        for (let cut = 0; cut <= last; cut++) {
          const sent = events.slice(0, cut)
          const create = async (): Promise<AsyncGenerator> =>
            (async function* () {
              yield* sent
              yield* leave()
            })()
          const client = { chat: { completions: { create } }, responses: { create }, messages: { create } }
          const { ran, result } = await run(client, { api, mode: 'native' })
          const complete = Math.max(0, saidToTheEnd[api](sent.map((event) => JSON.stringify(event))))
          expect({ cut, ran: ran.length }).toEqual({ cut, ran: complete })
          if (!(result instanceof LoopError)) throw new Error('expected a LoopError', { cause: result })
          expect(result.code).toBe(complete > 0 ? 'interrupted' : 'connection_failed')
          expect(result.result.outcomes).toHaveLength(complete)
        }
      }
    })
  },
)
