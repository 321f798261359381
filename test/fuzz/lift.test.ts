import { dialectNames, isCallsheetError, type JsonSchema, type LoweredSchema, lower } from 'callsheet'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import { canonicalJson } from '../../runtime/json/canonical-json.ts'
import { often } from '../runs.ts'
import { fuzz } from './campaign.ts'
import { choices, everyKeywordSchema, nearValue } from './every-keyword-schema.ts'
import { hostileJson } from './hostile-json.ts'
import { overlappingSchema } from './overlapping-schema.ts'
import { recursiveCase } from './recursive-schema.ts'

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

test('the schemas and values above are of every kind', () => {
  // Few of the schemas are beyond a dialect.
  expect(seen.refused).toBeGreaterThan(often(4))
  expect(Math.min(seen.lowered, seen.thereAndBack)).toBeGreaterThan(often(100))
})
