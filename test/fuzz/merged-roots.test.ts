import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildModel } from '../../codegen/build/build-model.ts'
import { hasError } from '../../codegen/findings/has-error.ts'
import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import { callSchema } from '../../runtime/schema/call-schema.ts'
import { mergeRoot } from '../../runtime/schema/merge-root.ts'
import { plainToolSchema } from '../../runtime/schema/plain-schema.ts'
import type { JsonSchema, Schema, ToolSchema } from '../../runtime/schema/schema.ts'
import { often } from '../runs.ts'
import { define } from '../unit/codegen/build/define.ts'
import { fuzz } from './campaign.ts'
import { made } from './made.ts'

const seen = { merged: 0, valid: 0, invalid: 0 }
const recursive = { valid: 0, invalid: 0 }

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

const nested = fc.letrec<{ call: Record<string, unknown> }>((tie) => ({
  call: fc.dictionary(
    fc.constantFrom(...names, 'n'),
    fc.oneof({ maxDepth: 2 }, fc.constantFrom('x', 'long', 1), tie('call')),
    { maxKeys: 3, noNullPrototype: true },
  ),
})).call

fuzz(
  'TOOL-1 what refers to the target of a root means it without what the root adds, generated and registered',
  300,
  fc.tuple(shape, shape, fc.boolean(), fc.array(nested, { minLength: 6, maxLength: 12 })),
  ([one, beside, isAlone, values]) => {
    const n: JsonSchema = { $ref: '#/$defs/One' }
    const One: JsonSchema = { type: 'object', ...one, properties: { ...one.properties, n } }
    const root: JsonSchema = { type: 'object', ...(!isAlone && beside), ...n, $defs: { One } }
    const before = made(() => interpretCheck(root))
    const { model, findings } = buildModel([define('t', root)])
    const built = { ...model.tools[0]?.schema, $defs: model.definitions } as ToolSchema
    const registered = made(() => plainToolSchema('t', root))
    expect(registered === undefined, JSON.stringify(root)).toBe(hasError(findings))
    if (registered === undefined || !before) return
    for (const check of [built, registered].map((tool) =>
      made(() => interpretCheck(callSchema(tool).schema)),
    )) {
      for (const each of values) {
        const verdict = before(each)
        expect(check?.(each) ?? verdict, JSON.stringify({ root, each })).toBe(verdict)
        recursive[verdict ? 'valid' : 'invalid']++
      }
    }
  },
)

test('the roots above are merged, and judge both ways', () => {
  for (const count of [seen, recursive].flatMap((each) => Object.values(each)))
    expect(count).toBeGreaterThan(often(10))
})
