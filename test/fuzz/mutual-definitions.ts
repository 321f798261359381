import fc from 'fast-check'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'

const names = ['A', 'B', 'C', 'D']

const reference = fc.constantFrom(...names).map((name): Schema => ({ $ref: `#/$defs/${name}` }))
const leaf = fc.constantFrom<Schema>(
  { type: 'null' },
  { type: 'integer' },
  { const: 'a' },
  { enum: ['a', 'b'] },
  { enum: [0, 'a'] },
  { type: ['string', 'null'] },
  { type: 'array', maxItems: 0 },
  true,
)

function partOf(depth: number): fc.Arbitrary<Schema> {
  if (depth === 0) return fc.oneof(reference, leaf)
  const inner = partOf(depth - 1)
  const object = fc
    .record({
      properties: fc.record({ a: inner, b: inner }, { requiredKeys: ['a'] }),
      required: fc.constantFrom<string[]>([], ['a'], ['b']),
      additionalProperties: fc.constantFrom<Schema>(true, true, false, { $ref: '#/$defs/B' }),
    })
    .map((keywords): Schema => ({ type: 'object', ...keywords }))
  const list = fc
    .record({ items: inner, minItems: fc.constantFrom(0, 0, 1) })
    .map((keywords): Schema => ({ type: 'array', ...keywords }))
  const combined = fc
    .tuple(fc.constantFrom('anyOf', 'anyOf', 'oneOf', 'allOf'), fc.tuple(inner, inner))
    .map(([keyword, parts]): Schema => ({ [keyword]: parts }))
  return fc.oneof(
    { weight: 4, arbitrary: reference },
    { weight: 2, arbitrary: leaf },
    { weight: 2, arbitrary: object },
    { weight: 1, arbitrary: list },
    { weight: 2, arbitrary: combined },
    { weight: 1, arbitrary: inner.map((not): Schema => ({ not })) },
  )
}

/** Four definitions, each of which may refer to any, below objects, lists, and combinations. */
export const mutualDefinitions: fc.Arbitrary<JsonSchema> = fc
  .record(Object.fromEntries(names.map((name) => [name, partOf(2)])))
  .map(($defs): JsonSchema => ({ $ref: '#/$defs/A', $defs }))

/** All values up to a depth that are made of the words of {@link mutualDefinitions}; of pairs of deep ones only some. */
export function valuesTo(depth: number): readonly unknown[] {
  if (depth === 0) return [null, 0, 1, 'a', 'b', [], {}]
  const inner = valuesTo(depth - 1)
  const few = inner.slice(0, 20)
  return [
    ...inner,
    ...inner.flatMap((value) => [[value], { a: value }, { b: value }]),
    ...few.flatMap((value) => few.flatMap((other) => [{ a: value, b: other }, [value, other]])),
  ]
}
