import fc from 'fast-check'
import type { Schema } from '../../runtime/schema/schema.ts'

type Part = fc.Arbitrary<Schema>

const leaf: Part = fc.constantFrom<Schema>(
  { type: 'string' },
  { type: 'number' },
  { type: 'integer' },
  { type: 'null' },
  { type: 'boolean' },
  { type: ['string', 'number'] },
  { const: 'a' },
  { const: 1 },
  { enum: ['a', 'b'] },
  { minimum: 1 },
  { minLength: 2 },
  true,
)
const names = ['k', 'a', 'b']

/** Schemas of few names and few values, so that alternatives overlap: tags that shapes share, kinds alike, one name in all. */
export const overlappingSchema: Part = fc.letrec<{ schema: Schema }>((tie) => {
  const inner = tie('schema')
  const list = (minLength: number) => fc.array(inner, { minLength, maxLength: 4 })
  const members = (maxKeys: number, of: Part = inner) =>
    fc.dictionary(fc.constantFrom(...names), of, { maxKeys, noNullPrototype: true })
  const tag: Part = fc.constantFrom<Schema>(
    { const: 'a' },
    { const: 'b' },
    { enum: ['a', 'b'] },
    { enum: ['b', 1] },
    { const: null },
  )
  const shape = fc.record(
    {
      type: fc.constant('object'),
      properties: fc.record({ k: tag, a: inner }),
      required: fc.constantFrom(['k'], ['k', 'a']),
      additionalProperties: fc.boolean(),
      nullable: fc.constant(true),
    },
    { requiredKeys: ['type', 'properties', 'required'] },
  )
  const tagInPart = fc.oneof(
    tag,
    fc.record({ allOf: fc.tuple(tag) }),
    fc.record({ allOf: fc.tuple(tag, tag), type: fc.constant('string') }),
  )
  const part = fc.record(
    { properties: fc.record({ k: tagInPart, a: inner }), required: fc.constant(['k']) },
    { requiredKeys: ['properties'] },
  )
  // The tag is in parts of the shapes; that it is required, and of an object, may stand in other parts, or around the union.
  const shapeOfParts = fc.record({ allOf: fc.tuple(fc.oneof(shape, part), part) })
  const parts = fc.array(fc.oneof(part, shapeOfParts), { minLength: 2, maxLength: 4 })
  const around = {
    type: fc.constant('object'),
    required: fc.constant(['k']),
    nullable: fc.constant(true),
    unevaluatedProperties: fc.constant(false),
  }
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      leaf,
      shape,
      fc.record({ type: fc.constant('object'), properties: members(3), required: fc.subarray(names) }),
      fc.record({ oneOf: fc.array(shape, { minLength: 2, maxLength: 4 }) }),
      fc.record({ ...around, oneOf: parts }, { requiredKeys: ['oneOf'] }),
      fc.record({ ...around, anyOf: parts }, { requiredKeys: ['anyOf'] }),
      fc.record({ oneOf: list(1) }),
      fc.record({ anyOf: list(1) }),
      fc.record({ allOf: list(1) }),
      fc.record({ oneOf: list(2), anyOf: list(1) }),
      fc.record({ not: inner }),
      fc.tuple(inner, inner, inner).map(([condition, positive, negative]) =>
        Object.fromEntries([
          ['if', condition],
          ['then', positive],
          ['else', negative],
        ]),
      ),
      fc.record({ type: fc.constant('array'), items: inner, contains: inner }, { requiredKeys: ['type'] }),
      fc.record(
        { anyOf: list(1), properties: members(1), unevaluatedProperties: fc.constant(false) },
        { requiredKeys: ['unevaluatedProperties'] },
      ),
      fc.record({ dependentSchemas: members(2), patternProperties: members(1) }, { requiredKeys: [] }),
    ) as Part,
  }
}).schema

/** Values of the same few names. */
export const overlappingValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<unknown>('a', 'b', 'ab', 1, 2, 0.5, null, true),
    fc.dictionary(fc.constantFrom(...names, 'c'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
})).value
