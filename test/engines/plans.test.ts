import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import { lower } from '../../runtime/lower/lower.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { RandomSource } from '../../runtime/testing/random-source.ts'
import {
  errorsOf,
  isReferenceProblem,
  kinds,
  type PlannedCall,
  type RandomTool,
  randomTools,
  referencesIn,
  registryOf,
  typedPlan,
} from '../data/random-plans.ts'
import { isInstalled } from './installed.ts'
import { type LlamaServer, serveLlama } from './llama.ts'
import { xgrammarOf } from './xgrammar.ts'

const sets = Number(process.env.ENGINE_SETS ?? 12)
const rounds = Number(process.env.ENGINE_ROUNDS ?? 4)
const seeds = Array.from({ length: sets }, (_, index) => index + 1)

/**
 * What the engines say as JSON Schema does. XGrammar takes the 31st for a day of any month; the grammar of our own that
 * llama.cpp is given gives names of its own to the members of a record.
 */
const sayable = {
  xgrammar: kinds.filter(({ format }) => format === undefined),
  'llama.cpp': kinds.filter(({ additionalProperties }) => typeof additionalProperties !== 'object'),
}
/** The grammar of our own lets lists be this long. */
const longestPlan = { xgrammar: 6, 'llama.cpp': 3 }

/** An engine held to one schema. */
interface Held {
  accepts(text: string): Promise<boolean>
  /** An answer of a model that chooses at random; undefined where it did not come to an end. */
  write(seed: number): Promise<string | undefined>
  dispose(): void
}

describe.skipIf(!isInstalled('@mlc-ai/web-xgrammar'))('XGrammar', () => {
  suite('xgrammar', async (schema) => {
    const engine = await xgrammarOf(schema)
    return { ...engine, write: (seed) => engine.write(new RandomSource(seed)) }
  })
})

describe.skipIf(!isInstalled('node-llama-cpp'))('llama.cpp', () => {
  let server: LlamaServer
  let client: OpenAI
  beforeAll(async () => {
    server = await serveLlama()
    client = new OpenAI({ apiKey: 'none', baseURL: server.baseURL })
  })
  afterAll(() => server.close())

  suite('llama.cpp', async (schema) => ({
    accepts: (text) => server.accepts(schema, text),
    async write(seed) {
      const answer = await client.chat.completions.create({
        model: 'tiny',
        messages: [{ role: 'user', content: 'Plan something.' }],
        seed,
        response_format: { type: 'json_schema', json_schema: { name: 'solution', schema: { ...schema } } },
      })
      const [choice] = answer.choices
      return choice?.finish_reason === 'stop' ? (choice.message.content ?? undefined) : undefined
    },
    dispose: () => undefined,
  }))
})

function suite(dialect: 'xgrammar' | 'llama.cpp', hold: (schema: JsonSchema) => Promise<Held>): void {
  const eachSet = seeds.map((seed) => {
    const random = new RandomSource(seed)
    return { seed, random, tools: randomTools(random, sayable[dialect]) }
  })

  test('REF-5 takes plans with References that types and runtime take, and none that is malformed', {
    timeout: 180_000,
  }, async () => {
    let taken = 0
    const found: Record<string, number> = {}
    for (const { seed, random, tools } of eachSet) {
      const { composed } = registryOf(tools, random, { pathOf })
      const { schema, toLowered } = lower(composed, dialect)
      const engine = await hold(schema)
      for (let round = 0; round < rounds; round++) {
        const calls = typedPlan(tools, random, { most: longestPlan[dialect] }).map((call) =>
          atItsPath(call, tools),
        )
        const said = JSON.stringify(toLowered({ calls }))
        expect(await engine.accepts(said), `seed ${seed}: ${said}`).toBe(true)
        taken += referencesIn(calls).length
        for (const [kind, text] of Object.entries(malformed(said))) {
          if (text === undefined || isValidUnder(schema, text)) continue
          found[kind] = (found[kind] ?? 0) + 1
          expect(await engine.accepts(text), `seed ${seed}, ${kind}: ${text}`).toBe(false)
        }
      }
      engine.dispose()
    }
    expect(taken).toBeGreaterThan(sets)
    for (const kind of Object.keys(malformed(''))) expect(found[kind] ?? 0, kind).toBeGreaterThan(2)
  })

  test('REF-5 what it writes, with References, runs or is refused with a problem of a Reference', {
    timeout: 300_000,
  }, async () => {
    const count = { ran: 0, refused: 0, references: 0 }
    for (const { seed, random, tools } of eachSet) {
      const { Tool, composed } = registryOf(tools, random, { pathOf })
      const { schema, lift } = lower(composed, dialect)
      const engine = await hold(schema)
      for (let round = 0; round < rounds; round++) {
        const text = await engine.write(seed * 1000 + round)
        if (text === undefined) continue
        expect(isValidUnder(schema, text), `seed ${seed}: ${text}`).toBe(true)
        const { calls } = lift(JSON.parse(text)) as { readonly calls: readonly PlannedCall[] }
        count.references += referencesIn(calls).length
        for (const error of await errorsOf(() => Tool.plan(calls))) {
          if (error === undefined) count.ran++
          else {
            count.refused++
            expect(
              isReferenceProblem(error, calls),
              `seed ${seed}: ${JSON.stringify({ error, calls })}`,
            ).toBe(true)
          }
        }
      }
      engine.dispose()
    }
    for (const [what, times] of Object.entries(count)) expect(times, what).toBeGreaterThan(sets / 2)
  })
}

function pathOf({ name }: RandomTool): string {
  return `†state.w${name.slice('tool'.length)}`
}

/** The Call with the path that its Tool fixes; what it reads is then what some Tool writes, or nothing. */
function atItsPath(call: PlannedCall, tools: readonly RandomTool[]): PlannedCall {
  const tool = tools.find(({ name }) => name === call._tool)
  return tool ? { ...call, _outputPath: pathOf(tool) } : call
}

/** Answers of which one Reference is malformed, or stands where none may. */
function malformed(said: string): Record<string, string | undefined> {
  const change = (pattern: RegExp, by: string): string | undefined =>
    pattern.test(said) ? said.replace(pattern, by) : undefined
  return {
    'no dagger': change(/("p\d":")†/, '$1'),
    'nothing behind the dagger': change(/("p\d":"†)[^"]+"/, '$1"'),
    'a quote inside': change(/("p\d":"†state)[^"]+"/, '$1."w"'),
    'a line break inside': change(/("p\d":"†state)[^"]+"/, '$1.\n"'),
    'no quotes': change(/("p\d":)"(†[^"]+)"/, '$1$2'),
    'a Reference for a path that is fixed': change(/("_outputPath":")[^"]+"/, '$1†state.elsewhere"'),
    'a Reference for the name of a Tool': change(/("_tool":")[^"]+"/, '$1†state.w0"'),
  }
}

function isValidUnder(schema: JsonSchema, text: string): boolean {
  try {
    return interpretCheck(schema)(JSON.parse(text))
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return false
    throw thrown
  }
}
