import { describe, expect, test } from 'vitest'
import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import { compose } from '../../runtime/compose/compose.ts'
import { isJsonObject, type JsonObject } from '../../runtime/json/json.ts'
import { composedBranches, composedTools } from '../../runtime/lower/composed-tools.ts'
import { lower } from '../../runtime/lower/lower.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { RandomSource } from '../../runtime/testing/random-source.ts'
import { randomValue } from '../../runtime/testing/random-value.ts'
import { corpusTools } from '../unit/runtime/lower/corpus-tools.ts'
import { type RealTool, realTools } from '../unit/runtime/lower/real-tools.ts'
import { isInstalled } from './installed.ts'
import { brokenStrings, definitions, readings } from './readings.ts'
import { tenWaysWrong, text } from './ten-ways-wrong.ts'
import { xgrammarOf } from './xgrammar.ts'

const seed = Number(process.env.ENGINE_SEED ?? 11)

describe.skipIf(!isInstalled('@mlc-ai/web-xgrammar'))('XGrammar', () => {
  test.each([
    [20, corpusTools],
    [100, corpusTools],
    // The build aborts above 400 KB of schema, which 500 Tools of the full mix pass.
    [500, flatTools],
  ])(
    'REQ-5 %d Tools: lets valid answers through, and none of ten kinds of wrong ones',
    {
      timeout: 120_000,
    },
    async (count, toolsOf) => {
      const random = new RandomSource(seed)
      const { schema } = lower(compose(toolsOf(count)), 'xgrammar')
      const [branches, names] = [composedBranches(schema) as JsonSchema[], composedTools(schema)]
      const isValid = interpretCheck(schema)
      const engine = await xgrammarOf(schema)
      const found: Record<string, number> = { valid: 0, ...zeros(Object.keys(tenWaysWrong)) }
      const mistaken: string[] = []

      const tried = random.shuffled(branches.map((_, index) => index)).slice(0, 60)
      for (const index of tried) {
        const branch = branches[index] ?? {}
        const call = randomValue({ ...branch, ...(schema.$defs && { $defs: schema.$defs }) }, random)
        if (!isJsonObject(call)) throw new Error('a Call is an object')
        found.valid = (found.valid ?? 0) + 1
        expect(isValid({ calls: [call] }), `seed ${seed}`).toBe(true)
        if (!(await engine.accepts(text(call)))) mistaken.push(`refused ${text(call)}`)

        const otherTool = String(names[(index + 1) % count])
        for (const [kind, makeWrong] of Object.entries(tenWaysWrong)) {
          const wrong = makeWrong({ call, branch, otherTool })
          // Two Tools may have one shape: then another name makes a valid Call.
          if (wrong === undefined || (kind === 'the name of another Tool' && isValid(parse(wrong)))) continue
          found[kind] = (found[kind] ?? 0) + 1
          if (await engine.accepts(wrong)) mistaken.push(`let through (${kind}) ${wrong}`)
        }
      }
      engine.dispose()
      expect(mistaken, `seed ${seed}`).toEqual([])
      for (const [kind, times] of Object.entries(found)) expect(times, kind).toBeGreaterThanOrEqual(5)
    },
  )

  test.each(readings)(
    'REQ-5 reads %j, lowered, as we do, and lets no broken JSON through',
    async (value, values) => {
      const $defs = value.$ref === undefined ? undefined : definitions
      const declared: JsonSchema = {
        type: 'object',
        properties: { value },
        required: ['value'],
        additionalProperties: false,
        ...($defs && { $defs }),
      }
      const { schema } = lower(declared, 'xgrammar')
      const isValid = interpretCheck(schema)
      const engine = await xgrammarOf(schema)
      for (const given of values) {
        const answer = { value: given }
        expect(await engine.accepts(JSON.stringify(answer)), JSON.stringify(answer)).toBe(isValid(answer))
      }
      for (const broken of brokenStrings) {
        expect(await engine.accepts(`{"value":${broken}}`), broken).toBe(false)
      }
      engine.dispose()
    },
  )

  test('knows what it reads more narrowly than JSON Schema, so that a change in it is seen', async () => {
    const tuple: JsonSchema = { type: 'array', prefixItems: [{ type: 'integer' }], items: false }
    const [ofTuple, ofInteger] = [await xgrammarOf(tuple), await xgrammarOf({ type: 'integer' })]
    expect(await ofTuple.accepts('[]')).toBe(false)
    expect(await ofInteger.accepts('1e21')).toBe(false)
  })

  test('knows what it reads more widely than JSON Schema', async () => {
    const ofDate = await xgrammarOf({ type: 'string', format: 'date' })
    expect(await ofDate.accepts('"2024-11-31"')).toBe(true)
  })

  test('REQ-5 117 real tools: lets a valid Call of each through', async () => {
    const random = new RandomSource(seed)
    const { schema } = lower(compose(realTools()), 'xgrammar')
    const engine = await xgrammarOf(schema)
    const { $defs = {} } = schema
    const calls = composedBranches(schema).map((branch) =>
      randomValue({ ...(branch as JsonSchema), $defs }, random),
    )
    const refused: string[] = []
    for (const call of calls) {
      if (!(await engine.accepts(text(call as JsonObject)))) refused.push(text(call as JsonObject))
    }
    engine.dispose()
    expect(refused, `seed ${seed}`).toEqual([])
  })
})

/** The corpus without what is nested, and without outputs. */
function flatTools(count: number): RealTool[] {
  return corpusTools(count).map((tool) => {
    const isFlat = ([name, member]: [string, unknown]): boolean =>
      name !== '_output' && !/"type":"(?:object|array)"/.test(JSON.stringify(member))
    const properties = Object.fromEntries(Object.entries(tool.schema.properties ?? {}).filter(isFlat))
    const required = tool.schema.required?.filter((name) => Object.hasOwn(properties, name)) ?? []
    return { ...tool, schema: { ...tool.schema, properties, required } }
  })
}

function zeros(names: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, 0]))
}

function parse(wrong: string): unknown {
  try {
    return JSON.parse(wrong)
  } catch {
    return undefined
  }
}
