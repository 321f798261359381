import fc from 'fast-check'
import type { Schema } from '../../../../runtime/schema/schema.ts'
import { conditional } from './conditional.ts'

const names = ['a', 'b', 'c-d', 'then']
const scalars = ['x', 'y', '', 0, 1, -1.5, true, false, null]

/** Values of a small world, so that a random one often meets a random schema. */
export const anyValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 4, arbitrary: fc.constantFrom(...scalars) },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    { weight: 3, arbitrary: objects(tie('value')) },
  ),
})).value

/**
 * Schemas of which a type says all: membership of the type is validity. They have no keyword that only a validator
 * can check, and say of every object that it may have further members, since structural types allow those always.
 */
export const exactSchema: fc.Arbitrary<Schema> = schemas(false)

/** Schemas with every keyword that the printer reads or must do without. */
export const anySchema: fc.Arbitrary<Schema> = schemas(true)

function schemas(loose: boolean): fc.Arbitrary<Schema> {
  return fc.letrec<{ schema: Schema; object: Schema }>((tie) => {
    const schema = tie('schema')
    const open = fc.record({
      type: fc.constant('object'),
      properties: objects(schema),
      required: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
      additionalProperties: loose ? fc.oneof(fc.boolean(), schema) : fc.constant(true),
    })
    const list = fc.record({ type: fc.constant('array'), items: schema })
    const tuple = fc
      .record({
        prefixItems: fc.array(schema, { minLength: 1, maxLength: 2 }),
        items: fc.oneof(fc.constant(false), schema),
        minItems: fc.nat(2),
      })
      .map(({ prefixItems, items, minItems }) => ({
        type: 'array',
        prefixItems,
        items,
        minItems: loose ? minItems : Math.min(minItems, prefixItems.length),
      }))
    const leaf = fc.oneof(
      fc.constantFrom<Schema>(
        { type: 'string' },
        { type: 'number' },
        { type: 'boolean' },
        { type: 'null' },
        true,
      ),
      fc.constantFrom<Schema>({ type: ['string', 'null'] }, { type: ['number', 'boolean'] }),
      fc
        .uniqueArray(fc.constantFrom(...scalars), { minLength: 1, maxLength: 3 })
        .map((values) => ({ enum: values })),
      anyValue.map((value) => ({ const: value })),
    )
    const fragments = fc.oneof(
      fc.record({ required: fc.constantFrom(['a'], ['b', 'c-d']) }),
      fc.record({ properties: objects(schema) }),
      fc.record({ patternProperties: fc.record({ '^[ab]': schema }), additionalProperties: schema }),
      fc.record({ propertyNames: fc.constant({ maxLength: 1 }) }),
      fc.constantFrom<Schema>(
        { minLength: 1 },
        { minimum: 0 },
        { maxItems: 1 },
        { minProperties: 1 },
        {},
        false,
      ),
      fc.constantFrom<Schema>({ type: 'integer' }, { type: 'string', nullable: true }),
      fc.record({ not: schema }),
      fc.tuple(schema, schema).map(([condition, met]) => conditional(condition, met)),
      fc.tuple(schema, schema, schema).map((parts) => conditional(...parts)),
      fc.record({ type: fc.constant('array'), contains: schema }),
    )
    const several = fc.array(schema, { minLength: 1, maxLength: 3 })
    const either = several.map((parts) => ({ anyOf: parts }))
    const combined = fc.oneof(
      several.map((parts) => ({ oneOf: parts })),
      several.map((parts) => ({ allOf: parts })),
      fc.tuple(open, fragments).map(([whole, part]) => ({ ...Object(whole), ...Object(part) })),
      fc.tuple(open, either).map(([whole, part]) => ({ ...whole, ...part })),
      fc.tuple(leaf, either).map(([whole, part]) => ({ ...Object(whole), ...part })),
    )
    return {
      object: open,
      schema: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        leaf,
        ...(loose ? [open, list, tuple, either, fragments, combined] : [open, list, tuple, either]),
      ),
    }
  }).schema
}

function objects<Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Record<string, Value>> {
  const entries = fc.uniqueArray(fc.tuple(fc.constantFrom(...names), values), {
    selector: ([name]) => name,
    maxLength: 3,
  })
  return entries.map((members) => Object.fromEntries(members))
}
