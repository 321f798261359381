import { Agent, type AgentResult, LoopError, type OpenAIClient } from 'callsheet/agent'
import { randomModel, type TestModel } from 'callsheet/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { registryWithTools } from './tools.ts'

/** A model whose every so many'th answer breaks off: in its stream after some events, or as a whole. */
function unreliable(model: TestModel, every: number, after: number): OpenAIClient {
  let asked = 0
  const flaky =
    (create: (body: never) => PromiseLike<unknown>) =>
    async (body: never): Promise<unknown> => {
      const answer = await create(body)
      if (++asked % every !== 0) return answer
      if (!(body as { stream?: boolean }).stream) throw new TypeError('fetch failed')
      return brokenOff(answer as AsyncIterable<unknown>, after)
    }
  return {
    chat: { completions: { create: flaky(model.chat.completions.create) } },
    responses: {
      create: flaky((body) => (model.responses as NonNullable<OpenAIClient['responses']>).create(body)),
    },
  }
}

async function* brokenOff(events: AsyncIterable<unknown>, after: number): AsyncGenerator<unknown> {
  let count = 0
  for await (const event of events) {
    if (count++ === after) throw new TypeError('terminated')
    yield event
  }
}

describe('REQ-7 REQ-8 whatever a model says and wherever its answers break off', () => {
  test('every Call has one Outcome, none runs twice, and what was spent adds up', async () => {
    const codes = new Set<string>()
    const options = fc.record({
      seed: fc.integer({ min: 1, max: 1e6 }),
      api: fc.constantFrom('chat' as const, 'responses' as const),
      mode: fc.constantFrom('composed' as const, 'native' as const),
      stream: fc.boolean(),
      early: fc.constantFrom('none' as const, 'safe' as const, 'all' as const),
      concurrency: fc.integer({ min: 1, max: 4 }),
      maxCalls: fc.integer({ min: 0, max: 30 }),
    })
    const property = fc.asyncProperty(
      options,
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 0, max: 20 }),
      async ({ seed, ...given }, every, after) => {
        const { Tool, ran } = registryWithTools()
        const begun: string[] = []
        Tool.on('call:start', ({ id }) => begun.push(id))
        const client = unreliable(randomModel({ seed }), every, after)
        const ended: AgentResult | LoopError = await Agent({
          model: 'm',
          client,
          tools: Tool,
          output: { type: 'integer', minimum: 0 },
          maxTurns: 4,
          retry: { attempts: 2, backoff: 0 },
          ...given,
        }).catch((error: unknown) => {
          if (error instanceof LoopError) return error
          throw error
        })
        const { outcomes, spent } = ended instanceof LoopError ? ended.result : ended
        if (ended instanceof LoopError) codes.add(ended.code)
        const ids = outcomes.map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        expect(new Set(begun).size).toBe(begun.length)
        expect(begun.every((id) => ids.includes(id))).toBe(true)
        expect(ran).toHaveLength(
          outcomes.filter(({ tool, status }) => tool !== 'judge' && status === 'succeeded').length,
        )
        expect(ids.length).toBeLessThanOrEqual(given.maxCalls)
        expect(spent.turns).toBeLessThanOrEqual(4)
      },
    )
    await fc.assert(property, { numRuns: 200, seed: 4 })
    // Else the runs would all have been of one kind.
    expect([...codes].sort()).toEqual(expect.arrayContaining(['interrupted', 'limit_reached', 'stalled']))
  })
})
