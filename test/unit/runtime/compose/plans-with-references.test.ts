import { createRegistry, tool } from 'callsheet'
import { Vessel } from 'callsheet/agent'
import { describe, expect, test } from 'vitest'
import { interpretCheck } from '../../../../runtime/check-tree/interpret.ts'
import { compose } from '../../../../runtime/compose/compose.ts'
import { dialectNames } from '../../../../runtime/dialects/dialect-name.ts'
import { isCallsheetError } from '../../../../runtime/errors.ts'
import { lower } from '../../../../runtime/lower/lower.ts'
import type { JsonSchema } from '../../../../runtime/schema/schema.ts'
import { RandomSource } from '../../../../runtime/testing/random-source.ts'
import { randomValue } from '../../../../runtime/testing/random-value.ts'

type Call = { readonly _tool: string; readonly [name: string]: unknown }

const number: JsonSchema = { type: 'number' }
/** Kinds of values; an output fits a parameter of the same kind. */
const kinds: readonly JsonSchema[] = [
  number,
  { type: 'integer', minimum: 0, maximum: 9 },
  { type: 'boolean' },
  { type: 'string' },
  { type: 'string', pattern: '^[a-c]+$' },
  { enum: ['red', 'blue', 'green'] },
  { anyOf: [number, { type: 'null' }] },
  { type: 'array', items: number, maxItems: 3 },
  { type: 'object', properties: { x: number }, required: ['x'], additionalProperties: false },
  { type: 'array', prefixItems: [number, { type: 'string' }], items: false, minItems: 2 },
]

interface RandomTool {
  readonly name: string
  readonly takes: readonly number[]
  readonly gives: number
}

/** Every Tool writes; its parameters and its output are of random kinds. */
function randomTools(random: RandomSource): RandomTool[] {
  const kind = (): number => random.between(0, kinds.length - 1)
  return Array.from({ length: random.between(2, 6) }, (_, index) => ({
    name: `tool${index}`,
    takes: Array.from({ length: random.between(0, 3) }, kind),
    gives: kind(),
  }))
}

function registryOf(tools: readonly RandomTool[], random: RandomSource) {
  const schemas = tools.map(({ name, takes, gives }) =>
    tool(name, {
      ...Object.fromEntries(takes.map((kind, at) => [`p${at}`, kinds[kind] as JsonSchema])),
      _outputPath: { type: 'string' },
      _output: kinds[gives] as JsonSchema,
    }),
  )
  const { Tool, Activity } = createRegistry({
    tools: Object.fromEntries(tools.map(({ name }, at) => [name, schemas[at]])) as Record<string, object>,
  })
  for (const { name, gives } of tools) {
    Activity.register(name, () => randomValue(kinds[gives] as JsonSchema, random))
  }
  return { Tool, composed: compose(schemas, { activities: 'same-name' }) }
}

/** A plan as the types take it: each Reference is to a write of the same kind. */
function typedPlan(tools: readonly RandomTool[], random: RandomSource): Call[] {
  const written: { readonly path: string; readonly kind: number }[] = []
  const calls = Array.from({ length: random.between(1, 6) }, (_, index): Call => {
    const { name, takes, gives } = random.pick(tools)
    const parameters = takes.map((kind, at): [string, unknown] => {
      const fitting = written.filter((each) => each.kind === kind)
      const value =
        fitting.length > 0 && random.chance(0.7)
          ? random.pick(fitting).path
          : literal(randomValue(kinds[kind] as JsonSchema, random))
      return [`p${at}`, value]
    })
    const path = `†state.w${index}`
    written.push({ path, kind: gives })
    return { ...envelope(name), _outputPath: path, ...Object.fromEntries(parameters) }
  })
  return random.shuffled(calls)
}

function envelope(name: string) {
  return { _tool: name, _reasoningForCall: 'So.', _activity: name }
}

/** Text that begins like a Reference is no value of a typed plan. */
function literal(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/^†+/, '') : value
}

const dialects = dialectNames.filter((name) => name !== 'mcp')
const seeds = Array.from({ length: Number(process.env.PLAN_SEEDS ?? 40) }, (_, index) => index + 1)

describe('REF-5 plans with References, for random Tool sets', () => {
  test('what the types accept and the runtime carries out, every dialect can say, and it replays', {
    timeout: 120_000,
  }, async () => {
    let references = 0
    for (const seed of seeds) {
      const random = new RandomSource(seed)
      const tools = randomTools(random)
      const { Tool, composed } = registryOf(tools, random)
      const lowered = dialects.map((name) => ({ name, ...lower(composed, name) }))
      const checks = lowered.map(({ schema }) => interpretCheck(schema))
      for (let round = 0; round < 3; round++) {
        const calls = typedPlan(tools, random)
        references += JSON.stringify(calls)
          .split('"p')
          .filter((part) => part.includes('":"†')).length
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
        const vessel = new Vessel({ schema: composed, context: [], solution, model: 'm' })
        expect(vessel.replay().calls).toEqual(calls)
      }
    }
    expect(references).toBeGreaterThan(seeds.length)
  })

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
        const admits = (call: Call): boolean => isSaid(toLowered({ calls: [call] }))
        const { calls: said } = lift(randomValue(schema, random)) as { readonly calls: readonly Call[] }
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
  given: Call,
  takes: readonly number[],
  count: number,
  admits: (call: Call) => boolean,
  random: RandomSource,
): Call {
  let call = given
  takes.forEach((kind, at) => {
    const name = `p${at}`
    const isValue =
      interpretCheck(kinds[kind] as JsonSchema)(call[name]) && call[name] === literal(call[name])
    if (isValue && random.chance(0.5)) return
    const referring = { ...call, [name]: `†state.w${random.between(0, count)}` }
    if (admits(referring)) call = referring
    else if (!isValue) call = { ...call, [name]: randomValue(kinds[kind] as JsonSchema, random) }
  })
  return call
}

interface Failed {
  readonly code: string
  readonly call?: Call
  readonly problems: readonly { readonly path: string }[]
}

/** One entry for each Call; a plan that is refused as a whole is one error. */
async function errorsOf(
  run: () => Promise<{
    readonly outcomes: readonly ({ readonly call: unknown; readonly error?: unknown } | undefined)[]
  }>,
): Promise<(Failed | undefined)[]> {
  try {
    const { outcomes } = await run()
    return outcomes.flatMap((outcome) => {
      if (!outcome) return []
      if (outcome.error === undefined) return [undefined]
      const { code, problems = [] } = outcome.error as Failed
      return [{ code, problems, call: outcome.call as Call }]
    })
  } catch (thrown) {
    if (!isCallsheetError(thrown)) throw thrown
    return [{ code: thrown.code, problems: thrown.problems ?? [] }]
  }
}

/** Every problem has to be at a Reference: one that leads nowhere, in a circle, or to a value of another type. */
function isReferenceProblem({ code, call, problems }: Failed, calls: readonly Call[]): boolean {
  if (['unresolved_reference', 'invalid_path', 'plan_cycle'].includes(code)) return true
  if (code !== 'invalid_call' || problems.length === 0) return false
  return problems.every(({ path }) => {
    const [, first = '', second = ''] = path.split('/')
    const value = call ? call[first] : calls[Number(first)]?.[second]
    return typeof value === 'string' && value.startsWith('†')
  })
}
