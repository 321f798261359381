import fc from 'fast-check'
import { expect, test } from 'vitest'
import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import { inlineReferences } from '../../runtime/schema/inline-references.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { referredDefinitions } from '../../runtime/schema/schema-children.ts'
import { often } from '../runs.ts'
import { fuzz } from './campaign.ts'
import { choices, everyKeywordSchema, nearValue } from './every-keyword-schema.ts'
import { made } from './made.ts'

const ref = (name: string | number): JsonSchema => ({ $ref: `#/$defs/${name}` })

/** A schema of every keyword whose references all lead to one definition. */
const part = everyKeywordSchema.map(({ $defs: _, ...schema }) => {
  const text = JSON.stringify(schema).replaceAll(/"\$(?:ref|dynamicRef)":"[^"]*"/g, '"$ref":"#/$defs/C"')
  return JSON.parse(text.replaceAll(/"\$(?:id|anchor|dynamicAnchor)"/g, '"x-name"')) as JsonSchema
})
const beside = fc.constantFrom<JsonSchema>(
  {},
  { description: 'One of two.' },
  { type: 'string' },
  { unevaluatedProperties: false },
  { allOf: [{ minLength: 1 }], title: 'Both' },
)

/** Definitions that refer to others, with keywords beside the references. */
const schemas: fc.Arbitrary<JsonSchema> = fc
  .tuple(part, part, beside, beside, fc.boolean())
  .map(([first, second, third, fourth, isCircle]) => ({
    ...first,
    ...third,
    ...(isCircle ? ref('B') : ref('A')),
    $defs: {
      A: second,
      B: { properties: { a: { ...ref('A'), ...fourth }, ...(isCircle && { b: ref('B') }) }, items: ref('C') },
      C: { type: ['string', 'object'], properties: { c: true } },
    },
  }))

const seen = { inlined: 0, without: 0, taken: 0, refused: 0 }

fuzz(
  'SERVE-2 a schema with its definitions in place has the same verdict',
  300,
  fc.tuple(fc.oneof(schemas, everyKeywordSchema), fc.array(choices, { minLength: 6, maxLength: 6 })),
  ([schema, recipes]) => {
    const check = made(() => interpretCheck(schema))
    if (!check) return
    const inlined = inlineReferences(schema)
    const before = referredDefinitions({ ...schema, $defs: {} })
    const after = referredDefinitions(inlined)
    if (after.size < before.size) seen.inlined++
    if (before.size > 0 && after.size === 0) {
      expect(inlined).not.toHaveProperty('$defs')
      seen.without++
    }
    const other = interpretCheck(inlined)
    for (const recipe of recipes) {
      const value = nearValue(schema, recipe)
      const isTaken = check(value)
      seen[isTaken ? 'taken' : 'refused']++
      expect(other(value), JSON.stringify({ schema, inlined, value })).toBe(isTaken)
    }
  },
)

test('definitions were put in place, and values taken and refused', () => {
  expect(seen.inlined, JSON.stringify(seen)).toBeGreaterThan(often(40))
  expect(seen.without, JSON.stringify(seen)).toBeGreaterThan(often(20))
  expect(seen.taken, JSON.stringify(seen)).toBeGreaterThan(often(100))
  expect(seen.refused, JSON.stringify(seen)).toBeGreaterThan(often(100))
})

test.each<[string, number, (index: number) => JsonSchema]>([
  ['which double at every level', 60, (index) => ({ allOf: [ref(index + 1), ref(index + 1)] })],
  ['in a chain', 5_000, (index) => ({ not: ref(index + 1) })],
  ['in a circle', 5_000, (index) => ({ items: ref((index + 1) % 5_000) })],
])('definitions %s stay, in no time', (_what, count, definition) => {
  const names = Array.from({ length: count }, (_, index) => index)
  const $defs = { ...Object.fromEntries(names.map((index) => [index, definition(index)])), [count]: {} }
  const schema = { properties: { a: ref(0) }, $defs } as JsonSchema
  const began = performance.now()
  expect(referredDefinitions(inlineReferences(schema)).has('0')).toBe(true)
  expect(performance.now() - began).toBeLessThan(2_000)
})
