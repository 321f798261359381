import {
  compose,
  dialectNames,
  isCallsheetError,
  type JsonSchema,
  type LoweredSchema,
  lower,
} from 'callsheet'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import { canonicalJson } from '../../runtime/json/canonical-json.ts'
import { composedBranches } from '../../runtime/lower/composed-tools.ts'
import type { Schema, ToolSchema } from '../../runtime/schema/schema.ts'
import { often } from '../runs.ts'
import { Random, randomSchema } from '../unit/runtime/lower/random-schema.ts'
import { relaxUnions } from '../unit/runtime/lower/relax.ts'
import { Impossible, sample } from '../unit/runtime/lower/sample.ts'
import { fuzz } from './campaign.ts'
import { choices, everyKeywordSchema, nearValue } from './every-keyword-schema.ts'
import { hostileJson } from './hostile-json.ts'
import { made } from './made.ts'
import { overlappingSchema } from './overlapping-schema.ts'
import { recursiveCase } from './recursive-schema.ts'
import { unevaluatedSchema } from './unevaluated-schema.ts'

const seen = { lowered: 0, refused: 0, thereAndBack: 0 }

function lowered(schema: JsonSchema, dialect: (typeof dialectNames)[number]): LoweredSchema | undefined {
  try {
    return lower(schema, dialect)
  } catch (error) {
    if (!isCallsheetError(error)) throw error
    expect(error.code).toBe('unsupported_schema')
    seen.refused++
    return undefined
  }
}

const given = fc.record({
  schema: fc.oneof(
    everyKeywordSchema,
    recursiveCase.map(({ schema }) => schema),
    overlappingSchema.map((schema): JsonSchema => (typeof schema === 'boolean' ? {} : schema)),
    unevaluatedSchema,
  ),
  recipes: fc.array(choices, { minLength: 4, maxLength: 4 }),
  hostile: fc.array(hostileJson, { minLength: 4, maxLength: 4 }),
  dialect: fc.constantFrom(...dialectNames),
})

fuzz(
  'REQ-5 any schema in any dialect: a value goes there and comes back the same, and no answer makes it throw',
  300,
  given,
  ({ schema: value, recipes, hostile, dialect }) => {
    const { $defs, ...it } = value
    const schema: JsonSchema = {
      type: 'object',
      properties: { it },
      required: ['it'],
      additionalProperties: false,
      ...($defs && { $defs }),
    }
    const form = lowered(schema, dialect)
    if (!form) return
    seen.lowered++
    const near = recipes.map((recipe) => ({ it: nearValue(value, recipe) }))
    for (const answer of [
      ...near,
      ...near.map((each) => JSON.stringify(each)),
      ...hostile,
      ...hostile.map((each) => ({ it: each })),
    ]) {
      const before = JSON.stringify(answer)
      const lifted = form.lift(answer)
      expect(form.lift(answer)).toEqual(lifted)
      form.toLowered(answer)
      expect(JSON.stringify(answer)).toBe(before)
    }
    let check: ReturnType<typeof interpretCheck>
    try {
      check = interpretCheck(schema)
    } catch {
      return
    }
    for (const each of near.filter((candidate) => check(candidate))) {
      const back = form.lift(form.toLowered(each))
      // In the order of the schema, which says nothing.
      if (!check(back) || canonicalJson(back) !== canonicalJson(each)) {
        expect(
          form.losses.length,
          JSON.stringify({ dialect, schema, each, sent: form.toLowered(each), back }),
        ).toBeGreaterThan(0)
      }
      seen.thereAndBack++
    }
  },
)

const answered = { exact: 0, lossy: 0 }

fuzz(
  'REQ-5, REQ-5a any schema in any dialect: what an answer breaks once it is lifted is what the losses list',
  300,
  fc.record({
    part: fc.oneof(
      given.map(({ schema }) => schema),
      fc.nat().map((number) => randomSchema(new Random(number))),
    ),
    dialect: fc.constantFrom(...dialectNames),
    isRequired: fc.boolean(),
    recipes: fc.array(choices, { minLength: 8, maxLength: 8 }),
    seed: fc.nat(),
  }),
  ({ part: { $defs, ...it }, dialect, isRequired, recipes, seed }) => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { it, other: it },
      required: isRequired ? ['it'] : [],
      additionalProperties: false,
      ...($defs && { $defs }),
    }
    // What these see is not the same once the schemas around them are merged, and no number is a multiple of the smallest.
    if (/5e-324/.test(JSON.stringify(schema))) return
    const form = lowered(schema, dialect)
    const sent = form && made(() => interpretCheck(form.schema))
    const check = form && made(() => interpretCheck(relaxUnions(schema, form.losses, form.standIns)))
    if (!sent || !check) return
    const random = new Random(seed)
    const near = recipes.map((recipe) => nearValue(form.schema, recipe))
    for (const answer of [...near, ...near.flatMap(() => sampled(form.schema, random))].filter((each) =>
      sent(each),
    )) {
      answered[form.losses.length === 0 ? 'exact' : 'lossy']++
      const lifted = form.lift(answer)
      expect(check(lifted), JSON.stringify({ dialect, schema, losses: form.losses, answer, lifted })).toBe(
        true,
      )
    }
  },
)

function sampled(schema: JsonSchema, random: Random): unknown[] {
  try {
    return [sample(schema, schema, random)]
  } catch (error) {
    if (error instanceof Impossible || error instanceof RangeError) return []
    throw error
  }
}

const part = fc.oneof(
  everyKeywordSchema,
  recursiveCase.map(({ schema }) => schema),
  overlappingSchema.map((schema): JsonSchema => (typeof schema === 'boolean' ? {} : schema)),
  fc.nat().map((number) => randomSchema(new Random(number))),
)

const tool = (name: string): fc.Arbitrary<ToolSchema> =>
  fc
    .record({ part, isRequired: fc.boolean(), isClosed: fc.boolean(), hasOutput: fc.boolean() })
    .map(({ part: { $defs, ...it }, isRequired, isClosed, hasOutput }) => ({
      type: 'object',
      properties: { _tool: { const: name }, it, ...(hasOutput && { _output: it }) },
      required: ['_tool', ...(isRequired ? ['it'] : [])],
      ...(isClosed && { additionalProperties: false }),
      ...($defs && { $defs: $defs as Record<string, Schema> }),
    }))

const composedSeen = { answers: 0, exact: 0, values: 0 }

fuzz(
  'REQ-1, REQ-5 Tools composed, in any dialect: a Solution goes there and comes back the same, and an answer that nothing was lost on is one',
  100,
  fc.record({
    tools: fc.tuple(tool('one'), tool('two'), tool('three')),
    count: fc.integer({ min: 1, max: 3 }),
    dialect: fc.constantFrom(...dialectNames),
    options: fc.record({
      references: fc.constantFrom('auto', 'deep', 'none'),
      explicitOutput: fc.constantFrom('keep', 'omit'),
    }),
    recipes: fc.array(choices, { minLength: 8, maxLength: 8 }),
  }),
  ({ tools, count, dialect, options, recipes }) => {
    const composed = compose(tools.slice(0, count), options)
    const form = lowered(composed, dialect)
    const declared = made(() => interpretCheck(composed))
    const sent = form && made(() => interpretCheck(form.schema))
    if (!sent || !declared) return
    // What is sent as an object or a list alone, though other values pass as well, has a null that means absence.
    const isNarrowed = form.losses.some(({ keyword, value }) => keyword === 'type' && value === undefined)
    for (const recipe of recipes) {
      const answer = nearSolution(form.schema, recipe)
      if (sent(answer)) {
        composedSeen.answers++
        const lifted = form.lift(answer)
        if (form.losses.length === 0) {
          composedSeen.exact++
          expect(declared(lifted), JSON.stringify({ dialect, composed, answer, lifted })).toBe(true)
        }
      }
      const meant = nearSolution(composed, recipe)
      const told = form.toLowered(meant)
      // What the dialect has no room for has no form either, and the losses say so.
      if (isNarrowed || !declared(meant) || !sent(told)) continue
      composedSeen.values++
      const shown = JSON.stringify({ dialect, composed, meant, told })
      expect(canonicalJson(form.lift(told)), shown).toBe(canonicalJson(meant))
    }
  },
)

/** A Solution of one Call that comes near to what a composed schema asks: random ones would fail on the way in. */
function nearSolution(schema: JsonSchema, recipe: readonly number[]): unknown {
  const branches = composedBranches(schema)
  const branch = branches[(recipe[0] ?? 0) % branches.length]
  if (typeof branch !== 'object') return { calls: [] }
  const fields = Object.entries(branch.properties ?? {}).flatMap(([name, field], at) => {
    if (!branch.required?.includes(name) && (recipe[1] ?? 0) % 2 === 0) return []
    const inner = { allOf: [field], $defs: schema.$defs ?? {} }
    const [rest, isText] = [recipe.slice(at % recipe.length), name === '_reasoningForCall']
    const fixed = typeof field === 'object' ? (field.const ?? field.enum?.[0]) : undefined
    return [[name, isText ? 'Since.' : name === 'it' || name === '_output' ? nearValue(inner, rest) : fixed]]
  })
  return { calls: [Object.fromEntries(fields)] }
}

test('the schemas and values above are of every kind', () => {
  // Few of the schemas are beyond a dialect.
  expect(seen.refused).toBeGreaterThan(often(4))
  expect(Math.min(seen.lowered, seen.thereAndBack)).toBeGreaterThan(often(100))
  expect(Math.min(...Object.values(answered))).toBeGreaterThan(often(200))
  for (const count of Object.values(composedSeen)) expect(count).toBeGreaterThan(often(20))
})
