import { createRegistry, type Outcome } from 'callsheet'
import { Agent, type LoopError, Request, type Turn } from 'callsheet/agent'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import { compose } from '../../runtime/compose/compose.ts'
import type { JsonObject } from '../../runtime/json/json.ts'
import { lower } from '../../runtime/lower/lower.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { RandomSource } from '../../runtime/testing/random-source.ts'
import { randomValue } from '../../runtime/testing/random-value.ts'
import { corpusTools } from '../unit/runtime/lower/corpus-tools.ts'
import type { RealTool } from '../unit/runtime/lower/real-tools.ts'
import { isInstalled } from './installed.ts'
import { type LlamaServer, serveLlama } from './llama.ts'

const rounds = Number(process.env.ENGINE_ROUNDS ?? 16)

describe.skipIf(!isInstalled('node-llama-cpp'))(
  'llama.cpp, with random weights, through the openai client',
  () => {
    let server: LlamaServer
    let client: OpenAI
    beforeAll(async () => {
      server = await serveLlama()
      client = new OpenAI({ apiKey: 'none', baseURL: server.baseURL })
    })
    afterAll(() => server.close())

    test.each([20, 100, 500])(
      'REQ-5, REQ-6, CALL-8 %d Tools: every answer is valid, lifts, runs, and comes back as one Outcome per Call',
      { timeout: 180_000 },
      async (count) => {
        const tools = corpusTools(count)
        const { schema, lift } = lower(compose(tools, { explicitOutput: 'omit' }), 'llama.cpp')
        const isAnswer = interpretCheck(schema)
        const { Tool, ran } = registryOf(tools)
        const outcomes: Outcome[] = []
        let calls = 0
        for (let seed = 1; seed <= rounds; seed++) {
          const answer = await client.chat.completions.create({
            model: 'tiny',
            messages: [{ role: 'user', content: 'Do something.' }],
            seed,
            response_format: {
              type: 'json_schema',
              json_schema: { name: 'solution', schema: { ...schema } },
            },
          })
          const [choice] = answer.choices
          expect(choice?.finish_reason, `seed ${seed}`).toBe('stop')
          const given: unknown = JSON.parse(choice?.message.content ?? '')
          expect(isAnswer(given), `seed ${seed}: ${choice?.message.content}`).toBe(true)
          for (const call of (lift(given) as { calls: JsonObject[] }).calls) {
            calls++
            outcomes.push(await Tool.run(call as { _tool: string }))
          }
        }
        const failed = outcomes.filter(({ status }) => status !== 'succeeded')
        expect(failed.map(({ error, call }) => ({ error, call }))).toEqual([])
        expect(outcomes).toHaveLength(calls)
        const explicit = outcomes.filter(({ mode }) => mode === 'explicit')
        expect(ran()).toBe(explicit.length)
        expect(calls).toBeGreaterThanOrEqual(rounds / 4)
        expect(new Set(outcomes.map(({ tool }) => tool)).size).toBeGreaterThanOrEqual(5)
      },
    )

    test('REQ-6, REQ-8 a Request and the loop run on it as on any server', { timeout: 60_000 }, async () => {
      const tools = corpusTools(20).map((tool) => ({ ...tool, activity: tool.name }))
      const { Tool, ran } = registryOf(tools)
      const options = { model: 'tiny', client, dialect: 'llama.cpp', mode: 'composed', tools: Tool } as const
      const output = {
        type: 'object',
        properties: { done: { type: 'boolean' } },
        required: ['done'],
        additionalProperties: false,
      }
      const { solution } = await Request({ ...options, output })
      expect(solution).toHaveProperty('calls')
      // Noise may not reach a goal: then the loop ends at its limit, with the Outcomes of every turn.
      const turns: Turn[] = []
      const ended = await Agent({
        ...options,
        output,
        maxTurns: 12,
        onTurn: (turn) => turns.push(turn),
      }).catch((error: LoopError) => {
        expect(error.code).toBe('limit_reached')
        return error.result
      })
      expect(ended.turns).toEqual(turns)
      expect(ended.outcomes.length).toBeGreaterThan(0)
      expect(ended.outcomes.map(({ status }) => status)).toEqual(ended.outcomes.map(() => 'succeeded'))
      expect(ran()).toBe(ended.outcomes.length)
    })
  },
)

/** A registry of the Tools; their Activities return a random valid output. */
function registryOf(tools: readonly RealTool[]) {
  const registry = createRegistry({
    tools: Object.fromEntries(tools.map(({ name, schema }) => [name, schema])),
    // Latent Calls are asked for their output: any valid one.
    model: { answer: async ({ output }) => randomValue(output as JsonSchema, new RandomSource(5)) },
  })
  let count = 0
  for (const { name, schema, activity } of tools) {
    if (activity === '') continue
    const output = schema.properties?._output
    const value = typeof output === 'object' ? randomValue(output, new RandomSource(count)) : undefined
    registry.Activity.register(name, () => {
      count++
      return value
    })
  }
  return { ...registry, ran: () => count }
}
