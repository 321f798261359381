import { Vessel } from 'callsheet/agent'
import { describe, expect, test } from 'vitest'
import { interpretCheck } from '../../../../runtime/check-tree/interpret.ts'
import { dialectNames } from '../../../../runtime/dialects/dialect-name.ts'
import { lower } from '../../../../runtime/lower/lower.ts'
import type { JsonSchema } from '../../../../runtime/schema/schema.ts'
import { RandomSource } from '../../../../runtime/testing/random-source.ts'
import { randomValue } from '../../../../runtime/testing/random-value.ts'
import {
  errorsOf,
  isReferenceProblem,
  kinds,
  type PlannedCall,
  plain,
  randomTools,
  referencesIn,
  registryOf,
  typedPlan,
} from '../../../data/random-plans.ts'
import { runs } from '../../../runs.ts'

const dialects = dialectNames.filter((name) => name !== 'mcp')
const seeds = Array.from({ length: Number(process.env.PLAN_SEEDS ?? runs(40)) }, (_, index) => index + 1)

describe('REF-5 plans with References, for random Tool sets', () => {
  test.each(['auto', 'deep'] as const)(
    '%s: what the types accept and the runtime carries out, every dialect can say, and it replays',
    { timeout: 120_000 },
    async (references) => {
      let count = 0
      for (const seed of seeds) {
        const random = new RandomSource(seed)
        const tools = randomTools(random)
        const { Tool, composed } = registryOf(tools, random, { references })
        const lowered = dialects.map((name) => ({ name, ...lower(composed, name) }))
        const checks = lowered.map(({ schema }) => interpretCheck(schema))
        for (let round = 0; round < 3; round++) {
          const calls = typedPlan(tools, random, { isDeep: references === 'deep' })
          count += referencesIn(calls).length
          const { outcomes } = await Tool.plan(calls)
          expect(
            outcomes.map((outcome) => outcome?.error),
            `seed ${seed}: ${JSON.stringify(calls)}`,
          ).toEqual(calls.map(() => undefined))
          const solution = { calls }
          lowered.forEach(({ name, toLowered, lift }, at) => {
            const said = toLowered(solution)
            const what = `seed ${seed}, ${name}: ${JSON.stringify(said)}`
            expect(checks[at]?.(said), what).toBe(true)
            expect(lift(said), what).toEqual(solution)
          })
          const saved = JSON.stringify(new Vessel({ schema: composed, context: [], solution, model: 'm' }))
          const replayed = new Vessel(JSON.parse(saved)).replay().calls
          expect(replayed).toEqual(calls)
          const again = await Tool.plan(replayed)
          const outputs = (of: typeof outcomes): unknown[] => of.map((outcome) => outcome?.output)
          expect(outputs(again.outcomes)).toEqual(outputs(outcomes))
        }
      }
      expect(count).toBeGreaterThan(seeds.length)
    },
  )

  test.each(dialects)(
    '%s: what the schema accepts runs, or is refused with a problem of a Reference',
    { timeout: 120_000 },
    async (dialect) => {
      let [ran, refused] = [0, 0]
      for (const seed of seeds) {
        const random = new RandomSource(seed)
        const tools = randomTools(random)
        const { Tool, composed } = registryOf(tools, random)
        const { schema, lift, toLowered } = lower(composed, dialect)
        const isSaid = interpretCheck(schema)
        const admits = (call: PlannedCall): boolean => isSaid(toLowered({ calls: [call] }))
        const { calls: said } = lift(randomValue(schema, random)) as {
          readonly calls: readonly PlannedCall[]
        }
        const calls = said.map((call, index) => {
          const takes = tools.find(({ name }) => name === call._tool)?.takes ?? []
          return withReferences(
            { ...call, _outputPath: `†state.w${index}` },
            takes,
            said.length,
            admits,
            random,
          )
        })
        for (const error of await errorsOf(() => Tool.plan(calls))) {
          if (error === undefined) ran++
          else {
            refused++
            expect(
              isReferenceProblem(error, calls),
              `seed ${seed}: ${JSON.stringify({ error, calls })}`,
            ).toBe(true)
          }
        }
      }
      expect(ran).toBeGreaterThan(0)
      expect(refused).toBeGreaterThan(0)
    },
  )
})

/**
 * The Call as a model that reads descriptions would write it: with References wherever the schema admits one, also in the
 * place of what a dialect cannot forbid, such as text for a number under Gemini's.
 */
function withReferences(
  given: PlannedCall,
  takes: readonly number[],
  count: number,
  admits: (call: PlannedCall) => boolean,
  random: RandomSource,
): PlannedCall {
  let call = given
  takes.forEach((kind, at) => {
    const name = `p${at}`
    const isValue =
      interpretCheck(kinds[kind] as JsonSchema)(call[name]) &&
      referencesIn([{ _tool: '', value: call[name] }]).length === 0
    if (isValue && random.chance(0.5)) return
    const referring = { ...call, [name]: `†state.w${random.between(0, count)}` }
    if (admits(referring)) call = referring
    else if (!isValue) call = { ...call, [name]: plain(randomValue(kinds[kind] as JsonSchema, random)) }
  })
  return call
}
