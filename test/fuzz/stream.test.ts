import { Request } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import fc from 'fast-check'
import OpenAI from 'openai'
import { expect } from 'vitest'
import { add, pay, registryWithTools } from '../unit/runtime/agent/tools.ts'
import { fuzz } from './campaign.ts'

/** Numbers and words that are several bytes long, so that a boundary can fall inside a character. */
const calls = fc.array(
  fc.oneof(
    fc
      .tuple(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
      .map(([left, right]) => add(left, right)),
    fc.nat().map(pay),
    fc.constantFrom('é†☃😀', '"}]', '\\', '{"calls":[').map((text) => ({ _tool: 'judge', text })),
  ),
  { maxLength: 4 },
)

/** Sends a recorded answer again in pieces of other lengths. */
function inPieces(bytes: Uint8Array<ArrayBuffer>, lengths: readonly number[]): ReadableStream<Uint8Array> {
  let at = 0
  let piece = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      const length = lengths[piece++ % lengths.length] ?? 1
      controller.enqueue(bytes.slice(at, at + length))
      at += length
    },
  })
}

fuzz(
  'REQ-6, REQ-7 the bytes of an answer may be cut anywhere: the same Solution, each Call once and in order',
  25,
  fc.record({
    given: calls,
    lengths: fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 12 }),
    api: fc.constantFrom('chat' as const, 'responses' as const),
  }),
  async ({ given, lengths, api }) => {
    const { Tool } = registryWithTools()
    const model = scriptedModel([{ calls: given }])
    const server = await model.listen()
    const client = new OpenAI({
      apiKey: 'none',
      baseURL: server.baseURL,
      maxRetries: 0,
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        const bytes = new Uint8Array(await response.arrayBuffer())
        return new Response(inPieces(bytes, lengths), response)
      },
    })
    try {
      const streamed: unknown[] = []
      const { solution } = await Request({
        model: 'm',
        client,
        api,
        tools: Tool,
        stream: true,
        start: (call) => void streamed.push(call),
      })
      const plain = solution.calls.map(({ _reasoningForCall, _activity, ...call }) => call)
      expect(plain).toEqual(JSON.parse(JSON.stringify(given)))
      expect(streamed).toEqual(solution.calls)
    } finally {
      await server.close()
    }
  },
)
