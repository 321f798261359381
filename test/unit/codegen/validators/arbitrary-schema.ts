import fc from 'fast-check'
import type { JsonSchema, Schema } from '../../../../runtime/schema/schema.ts'

/** Few names, so that schemas and values meet; some that every object inherits, some that need escaping. */
const name = fc.constantFrom('a', 'b', 'kind', 'toString', 'a/b', "it's", 'long name')
const scalar = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'ab', '😀', 'x-1', '2026-03-04', 'a@b.co', '__proto__'),
  fc.constantFrom(0, -0, 1, 2, 3, 1.5, -1, 10, 0.3, 1e21),
  fc.constantFrom(true, false, null),
)

/** JSON values that are likely to be near some schema of {@link schema}. */
export const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value

const count = fc.constantFrom(0, 1, 2, 3)
const limit = fc.constantFrom(-1, 0, 1, 2.5, 3)
const pattern = fc.constantFrom('^a', 'b$', '^.$', '[0-9]', '^x-')
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array')

/** Keywords that hold no schema, each with its values. */
const plain: Record<string, fc.Arbitrary<unknown>> = {
  type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
  const: fc.oneof(scalar, fc.constant({ a: 1 }), fc.constant([1, 'a'])),
  enum: fc.uniqueArray(fc.oneof(scalar, fc.constant({ a: 1 }), fc.constant([])), {
    minLength: 1,
    maxLength: 4,
  }),
  minimum: limit,
  maximum: limit,
  exclusiveMinimum: limit,
  exclusiveMaximum: limit,
  multipleOf: fc.constantFrom(1, 2, 0.1, 0.5),
  minLength: count,
  maxLength: count,
  pattern,
  format: fc.constantFrom('email', 'date', 'uri', 'int32', 'double', 'password', 'no-such-format'),
  minItems: count,
  maxItems: count,
  minContains: count,
  maxContains: count,
  uniqueItems: fc.boolean(),
  required: fc.uniqueArray(name, { maxLength: 3 }),
  minProperties: count,
  maxProperties: count,
  dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), {
    maxKeys: 2,
    noNullPrototype: true,
  }),
}

/** Keywords that hold schemas. */
function nesting(inner: fc.Arbitrary<Schema>): Record<string, fc.Arbitrary<unknown>> {
  const list = fc.array(inner, { minLength: 1, maxLength: 3 })
  const map = fc.dictionary(name, inner, { maxKeys: 3, noNullPrototype: true })
  return {
    properties: map,
    additionalProperties: inner,
    patternProperties: fc.dictionary(pattern, inner, { maxKeys: 2, noNullPrototype: true }),
    propertyNames: inner,
    dependentSchemas: map,
    unevaluatedProperties: inner,
    items: inner,
    prefixItems: list,
    contains: inner,
    unevaluatedItems: inner,
    anyOf: list,
    oneOf: list,
    allOf: list,
    not: inner,
    ...Object.fromEntries(['if', 'then', 'else'].map((keyword) => [keyword, inner])),
    $ref: fc.constantFrom('#/$defs/First', '#/$defs/Second'),
  }
}

const nested: fc.Arbitrary<Schema> = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { arbitrary: fc.boolean(), weight: 1 },
    { arbitrary: someOf(plain), weight: 4 },
    { arbitrary: someOf({ ...plain, ...nesting(tie('schema')) }), weight: 6 },
  ),
})).schema

/** Normalised schemas with two definitions, which may refer to each other. */
export const schema: fc.Arbitrary<JsonSchema> = fc
  .record({ root: nested, First: nested, Second: nested })
  .map(({ root, First, Second }) => ({
    ...(typeof root === 'object' ? root : { allOf: [root] }),
    $defs: { First, Second },
  }))

/** A schema with up to four of the keywords. */
function someOf(keywords: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<JsonSchema> {
  return fc
    .uniqueArray(fc.constantFrom(...Object.keys(keywords)), { minLength: 1, maxLength: 4 })
    .chain((chosen) =>
      fc.record(
        Object.fromEntries(chosen.map((keyword) => [keyword, keywords[keyword] ?? fc.constant(true)])),
      ),
    )
}
