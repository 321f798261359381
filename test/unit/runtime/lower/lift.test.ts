import { isDeepStrictEqual } from 'node:util'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { assert, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compose } from '../../../../runtime/compose/compose.ts'
import { type DialectName, dialectNames } from '../../../../runtime/dialects/dialect-name.ts'
import { isCallsheetError } from '../../../../runtime/errors.ts'
import { composedBranches } from '../../../../runtime/lower/composed-tools.ts'
import { type LoweredSchema, lower } from '../../../../runtime/lower/lower.ts'
import type { JsonSchema, Schema } from '../../../../runtime/schema/schema.ts'
import { often, runs, someOf } from '../../../runs.ts'
import { corpusTools } from './corpus-tools.ts'
import { Random, randomSchema } from './random-schema.ts'
import { realTools } from './real-tools.ts'
import { relax, tighten } from './relax.ts'
import { Impossible, sample } from './sample.ts'

/**
 * The oracle. `ownProperties`: a property called `constructor` that is absent is absent. Nearly all the time of these
 * tests is its compiling, and more than half of that is polish of code that is run a few dozen times.
 */
const ajv = new Ajv2020({ strict: false, allErrors: true, ownProperties: true, code: { optimize: false } })
addFormats.default(ajv)

/** By their text: what dialects have in common is compiled once. */
const oracles = new Map<string, ValidateFunction>()

function compiled(schema: JsonSchema): ValidateFunction {
  const text = JSON.stringify(schema)
  const known = oracles.get(text)
  if (known) return known
  const validate = ajv.compile(schema)
  oracles.set(text, validate)
  return validate
}

/** How many values were checked: answers lifted, and meant values given a form. */
interface Checked {
  answers: number
  values: number
}

/** Checks one schema both ways, with `tries` values each. */
function checkBothWays(dialect: DialectName, schema: JsonSchema, tries: number, random: Random): Checked {
  const before = JSON.stringify(schema)
  const lowered = lower(schema, dialect)
  expect(JSON.stringify(schema)).toBe(before)
  const isMeant = compiled(tighten(schema, lowered.losses))
  const isUpToLosses = compiled(relax(schema, lowered.losses, lowered.standIns))
  const isAnswer = compiled(lowered.schema)
  const checked: Checked = { answers: 0, values: 0 }
  for (let attempt = 0; attempt < tries; attempt++) {
    const answer = sampled(lowered.schema, random)
    if (answer && isAnswer(answer.value)) {
      checked.answers++
      const text = JSON.stringify(answer.value)
      const lifted = lowered.lift(answer.value)
      expect(JSON.stringify(answer.value)).toBe(text)
      if (!isUpToLosses(lifted)) {
        throw failure('a lifted answer is invalid', schema, lowered, {
          answer: answer.value,
          lifted,
          errors: isUpToLosses.errors,
        })
      }
    }
    const meant = sampled(schema, random)
    if (meant && isMeant(meant.value)) {
      checked.values++
      const form = lowered.toLowered(meant.value)
      const back = lowered.lift(form)
      if (!isAnswer(form) || !isDeepStrictEqual(back, meant.value)) {
        throw failure('a value has no form', schema, lowered, {
          meant: meant.value,
          form,
          back,
          errors: isAnswer.errors,
        })
      }
    }
  }
  return checked
}

function sampled(schema: JsonSchema, random: Random): { value: unknown } | undefined {
  try {
    return { value: sample(schema, schema, random) }
  } catch (error) {
    if (error instanceof Impossible) return undefined
    throw error
  }
}

function failure(what: string, declared: JsonSchema, lowered: LoweredSchema, details: object): Error {
  const { dialect, schema, losses } = lowered
  return new Error(JSON.stringify({ what, dialect, declared, schema, losses, ...details }))
}

describe.each(dialectNames)(
  'REQ-5 %s: lifted answers are valid up to the listed losses, and every value has a form',
  (dialect) => {
    test('random schemas', () => {
      const total: Checked = { answers: 0, values: 0 }
      assert(
        property(integer(), (seed) => {
          const random = new Random(seed)
          try {
            const checked = checkBothWays(dialect, randomSchema(random), 18, random)
            total.answers += checked.answers
            total.values += checked.values
          } catch (error) {
            // A schema that no value satisfies is refused, and rightly so.
            if (!isCallsheetError(error) || error.code !== 'unsupported_schema') throw error
          }
        }),
        // The same schemas for every dialect, and on every machine; LOWER_RUNS and LOWER_SEED go looking for others.
        { numRuns: Number(process.env.LOWER_RUNS ?? runs(50)), seed: Number(process.env.LOWER_SEED ?? 1) },
      )
      expect(total.answers).toBeGreaterThanOrEqual(often(200))
      expect(total.values).toBeGreaterThanOrEqual(often(200))
    })

    test.each([
      ['tools of an MCP server', someOf(realTools())],
      ['the sample corpus', corpusTools(13)],
    ])('%s, composed', (_name, tools) => {
      // One small composed schema for every few Tools: Ajv takes a second for all of them in one.
      const random = new Random(11)
      const total: Checked = { answers: 0, values: 0 }
      for (let start = 0; start < tools.length; start += 13) {
        const composed = compose(tools.slice(start, start + 13), { output: { type: ['string', 'null'] } })
        const checked = checkBothWays(dialect, composed, 25, random)
        total.answers += checked.answers
        total.values += checked.values
      }
      expect(total.answers).toBeGreaterThanOrEqual(tools.length)
      expect(total.values).toBeGreaterThanOrEqual(tools.length)
    })
  },
)

test('REQ-5 all 124 tools of an MCP server in one schema: each branch is lowered as it is alone', () => {
  const tools = realTools()
  for (const dialect of dialectNames) {
    const whole = composedBranches(lower(compose(tools), dialect).schema)
    const alone = tools.flatMap((tool) => composedBranches(lower(compose([tool]), dialect).schema))
    expect(whole).toEqual(alone)
  }
})

test('REQ-5 lowering is deterministic, and its time grows with the Tools and no faster', () => {
  const tools = realTools()
  const lowered = (given: typeof tools): string => JSON.stringify(lower(compose(given), 'openai').schema)
  expect(lowered(tools)).toBe(lowered(tools))
  const named = [0, 1, 2, 3].flatMap((copy) =>
    tools.map((tool) => ({ ...tool, name: `${tool.name}_${copy}` })),
  )
  // Processor time: the clock also counts what else the machine does meanwhile.
  const time = (given: typeof tools): number => {
    const times = [0, 1, 2, 3, 4].map(() => {
      const started = process.cpuUsage()
      lowered(given)
      return process.cpuUsage(started).user
    })
    return Math.min(...times)
  }
  // Four times as many; sixteen times would be the square.
  expect(time(named) / time(tools)).toBeLessThan(10)
})

describe('REQ-5 alternatives of oneOf are not compared pair by pair', () => {
  const object = (name: string, value: Schema): JsonSchema => ({
    type: 'object',
    properties: { [name]: value },
    required: [name],
  })
  const alternatives: Record<string, [losses: number, make: (index: number) => JsonSchema]> = {
    'with a tag': [0, (index) => object('kind', { const: `k${index}` })],
    'with lists of values': [
      0,
      (index) => ({ enum: Array.from({ length: 20 }, (_, at) => index * 20 + at) }),
    ],
    'of two types': [0, (index) => (index % 2 ? { const: `s${index}` } : object('kind', { const: index }))],
    // Those would have to be.
    'that nothing tells apart': [1, (index) => object(`p${index}`, true)],
    'with a tag within': [1, (index) => object('a', object('kind', { const: index }))],
  }
  test.each(Object.entries(alternatives))('%s', (_what, [losses, make]) => {
    const it = { oneOf: Array.from({ length: 1500 }, (_, index) => make(index)) }
    const started = process.cpuUsage()
    const lowered = lower(object('it', it), 'openai')
    // Pair by pair the lists took 20 s.
    expect(process.cpuUsage(started).user).toBeLessThan(4_000_000)
    expect(lowered.losses.filter(({ keyword }) => keyword === 'oneOf')).toHaveLength(losses)
  })

  test('a value of two alternatives is still seen, wherever they stand', () => {
    const isLossy = (...oneOf: JsonSchema[]): boolean =>
      lower(object('it', { oneOf }), 'openai').losses.some(({ keyword }) => keyword === 'oneOf')
    const tagged = (value: number): JsonSchema => object('kind', { enum: [value, value] })
    expect(isLossy(tagged(1), tagged(2), { type: 'string' })).toBe(false)
    expect(isLossy(tagged(1), tagged(2), tagged(1))).toBe(true)
    expect(isLossy(tagged(1), tagged(2), { type: ['object', 'null'], properties: {} })).toBe(true)
    expect(isLossy(tagged(1), { type: 'string' }, { enum: ['x', 1] })).toBe(true)
  })
})

test.each<DialectName>(['openai', 'mistral', 'anthropic'])(
  'CALL-11a a Call of a thousand Tools is not compared with each of them: %s',
  (dialect) => {
    const schema = (name: string): JsonSchema => ({
      type: 'object',
      name,
      properties: { _tool: { const: name }, text: { type: 'string' }, count: { type: 'integer' } },
      required: ['_tool', 'text'],
      additionalProperties: false,
    })
    const names = Array.from({ length: 1000 }, (_, index) => `tool${index}`)
    const { lift, toLowered } = lower(compose(names.map(schema)), dialect)
    let looks = 0
    const counted = (call: object): object =>
      new Proxy(call, {
        getOwnPropertyDescriptor(from, name) {
          looks++
          return Reflect.getOwnPropertyDescriptor(from, name)
        },
      })
    for (const name of ['tool999', 'TOOL999', 'nobody']) {
      const call = { _tool: name, text: 'a', count: 1 }
      expect(toLowered({ calls: [counted(call)] })).toEqual({ calls: [call] })
      // Anthropic does not keep the capitals of fixed values.
      const meant = dialect === 'anthropic' && name === 'TOOL999' ? { ...call, _tool: 'tool999' } : call
      expect(lift({ calls: [counted(call)] })).toEqual({ calls: [meant] })
    }
    expect(looks).toBeLessThan(200)
  },
)

// Some servers ignore the schema, and some models leave out what every Call of a Tool has in common.
test.each([1, 2])('REQ-5 a Call without its _activity is lifted as one of its Tool, of %i Tools', (count) => {
  const tools = ['read', 'list'].slice(0, count).map(
    (name): JsonSchema => ({
      type: 'object',
      properties: { _tool: { const: name }, of: { type: 'string' }, limit: { type: 'integer' } },
      required: ['_tool', 'of'],
      additionalProperties: false,
    }),
  )
  const { lift } = lower(compose(tools), 'openai')
  expect(lift({ calls: [{ _tool: 'read', of: 'a', limit: null }], output: null })).toEqual({
    calls: [{ _tool: 'read', of: 'a' }],
    output: null,
  })
})

test('REQ-5 a union is told apart beside a definition, of another Tool, that cannot be checked', () => {
  const closed = (properties: Record<string, Schema>): JsonSchema => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  })
  const filter = { $ref: '#/$defs/Filter' }
  const shapes = [
    closed({ and: { type: 'array', items: filter } }),
    closed({ of: { type: 'string' }, is: {} }),
  ]
  const schema: JsonSchema = {
    ...closed({ filter, other: { $ref: '#/$defs/Other' } }),
    $defs: {
      Filter: { anyOf: shapes },
      Other: closed({ code: { type: 'string', pattern: '^(?:[a-z]{1,1000}-?){1,50}$' } }),
    },
  }
  const other = { code: 'a' }
  const answer = { filter: { of: 'x', is: '[1]' }, other }
  expect(lower(schema, 'openai').lift(answer)).toEqual({ filter: { of: 'x', is: [1] }, other })
})
