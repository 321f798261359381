import type { Call } from 'callsheet'
import { Agent, LoopError, type ModelClient } from 'callsheet/agent'
import { describe, expect, test } from 'vitest'
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

async function run(client: ModelClient): Promise<{ ran: Call[]; result: unknown }> {
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
