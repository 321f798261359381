import fc from 'fast-check'
import { expect, test } from 'vitest'
import { proveContained } from '../../codegen/diff/containment/prove.ts'
import { Universe } from '../../codegen/diff/containment/universe.ts'
import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import { isJsonObject } from '../../runtime/json/json.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { fuzz, often } from './campaign.ts'
import { choices, everyKeywordSchema, nearValue } from './every-keyword-schema.ts'
import { made } from './made.ts'
import { overlappingSchema, overlappingValue } from './overlapping-schema.ts'
import { recursiveCase } from './recursive-schema.ts'

const seen = { safe: 0, open: 0, taken: 0 }

const schema: fc.Arbitrary<JsonSchema> = fc.oneof(
  everyKeywordSchema,
  overlappingSchema.map((each): JsonSchema => (typeof each === 'boolean' ? { allOf: [each] } : each)),
  recursiveCase.map((each) => each.schema),
)

/** The schema with one of its parts, wherever it stands, replaced, loosened or tightened. */
function changed(given: JsonSchema, at: number, how: number): JsonSchema {
  const copy = structuredClone(given)
  const parts: JsonSchema[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isJsonObject(value)) return
    parts.push(value as JsonSchema)
    Object.values(value).forEach(visit)
  }
  visit(copy)
  const part = parts[at % parts.length] ?? copy
  const keywords = Object.keys(part).filter((key) => key !== '$defs')
  const keyword = keywords[how % (keywords.length || 1)]
  if (keyword === undefined) return { ...copy, minProperties: 1 }
  const value = part[keyword]
  if (typeof value === 'number') part[keyword] = value + 1
  else if (Array.isArray(value) && value.length > 1) part[keyword] = value.slice(1)
  else delete part[keyword]
  return copy
}

const pair = fc
  .tuple(schema, schema, fc.nat(), fc.nat(), fc.boolean(), fc.boolean())
  .map(([first, other, at, how, isOther, isTurned]): [JsonSchema, JsonSchema] => {
    const second = isOther ? other : changed(first, at, how)
    return isTurned ? [second, first] : [first, second]
  })

fuzz(
  'DIFF-2 what is called compatible is: each value that the one schema takes, the other takes as well',
  60,
  fc.tuple(
    pair,
    fc.array(choices, { minLength: 12, maxLength: 12 }),
    fc.array(overlappingValue, { minLength: 6, maxLength: 6 }),
  ),
  ([[first, second], recipes, others]) => {
    const [accepts, takes] = [made(() => interpretCheck(first)), made(() => interpretCheck(second))]
    if (!accepts || !takes) return
    const { $defs: before = {}, ...old } = first
    const { $defs: after = {}, ...now } = second
    const universe = new Universe(
      { schema: old as Schema, definitions: before },
      { schema: now as Schema, definitions: after },
    )
    if (universe.obstacle !== undefined) return
    if (proveContained(universe).length > 0) return void seen.open++
    seen.safe++
    const values = recipes.flatMap((recipe) => [nearValue(first, recipe), nearValue(second, recipe)])
    for (const value of [...values, ...others]) {
      if (!accepts(value)) continue
      seen.taken++
      expect(takes(value), JSON.stringify({ first, second, value })).toBe(true)
    }
  },
)

test('the pairs above are of both kinds', () => {
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(often(10))
})
