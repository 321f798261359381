import fc from 'fast-check'
import { expect, test } from 'vitest'
import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import { mergeRoot } from '../../runtime/schema/merge-root.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { often } from '../runs.ts'
import { fuzz } from './campaign.ts'
import { made } from './made.ts'

const seen = { merged: 0, valid: 0, invalid: 0 }

const value = fc.constantFrom<Schema>({ type: 'string' }, { type: 'number' }, { minLength: 2 }, true, false)
const further = fc.constantFrom<Schema | undefined>(undefined, undefined, true, false, { type: 'number' })
const names = ['a', 'b', 'c', 'xa'] as const
const seldom = <Value>(value: Value) => fc.nat(9).map((at) => (at === 0 ? structuredClone(value) : undefined))
const shape: fc.Arbitrary<JsonSchema> = fc
  .record({
    properties: fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 2 }),
    required: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 1 }),
    additionalProperties: further,
    unevaluatedProperties: further,
    patternProperties: seldom({ '^x': { type: 'number' } }),
    if: seldom({ required: ['a'] }),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: seldom({ required: ['b'] }),
    anyOf: seldom([{ properties: { c: { type: 'string' } } }, { required: ['a'] }]),
  })
  .map((keywords) => JSON.parse(JSON.stringify(keywords)) as JsonSchema)

/** An intersection, whose parts are intersections or references in their turn. */
const root = fc
  .tuple(shape, shape, shape, shape, fc.nat(3))
  .map(([one, two, three, own, form]): JsonSchema => {
    const { properties, ...beside } = own
    if (form === 0) return { $ref: '#/$defs/One', ...beside, $defs: { One: one } }
    if (form === 1) return { allOf: [one, two], ...beside }
    if (form === 2) return { allOf: [one, { allOf: [two, three] }], ...beside }
    return {
      allOf: [{ $ref: '#/$defs/One' }, { ...two, $ref: '#/$defs/Three' }],
      ...beside,
      $defs: { One: one, Three: three },
    }
  })

const call = fc.dictionary(fc.constantFrom(...names, 'z'), fc.constantFrom('x', 'long', 1), { maxKeys: 4 })

fuzz(
  'TOOL-1 a root that is merged says what it said as an intersection, or is refused',
  400,
  fc.tuple(root, fc.array(call, { minLength: 6, maxLength: 12 })),
  ([schema, values]) => {
    let refused = false
    const targetOf = ({ $ref }: JsonSchema) =>
      schema.$defs?.[$ref?.replace('#/$defs/', '') ?? ''] as JsonSchema
    const merged = mergeRoot(schema, targetOf, () => {
      refused = true
    })
    const before = made(() => interpretCheck(schema))
    const after = made(() => interpretCheck(merged))
    if (refused || !before || !after) return
    seen.merged++
    for (const each of values) {
      const verdict = before(each)
      expect(after(each), JSON.stringify({ schema, merged, each })).toBe(verdict)
      if (verdict) seen.valid++
      else seen.invalid++
    }
  },
)

test('the roots above are merged, and judge both ways', () => {
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(often(10))
})
