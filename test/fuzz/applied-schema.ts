import fc from 'fast-check'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'

/** The last only in values: no schema may name it. */
const names = ['a', 'b', 'constructor', 'ä', '0', '__proto__']
const definitionNames = ['A', 'B', 'C']
const name = fc.constantFrom(...names.slice(0, -1))
/** Overlapping: several of them apply to one property. */
const patterns = ['^.$', 'a|b', '^[^c]', '', '_', '^(a|0)$']

/** An object whose members are own ones whatever they are called, as JSON has them. */
const own = (entries: readonly (readonly [string, unknown])[]): object =>
  JSON.parse(
    `{${[...new Map(entries)].map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)}}`,
  )

const leaf = fc.constantFrom<Schema>(
  ...[true, { type: 'number' }, { type: 'string' }, { type: 'object' }, { type: 'array' }, { type: 'null' }],
  ...[{ const: { a: 1 } }, { const: [1, { b: null }] }, { enum: [1, 'x', null, { a: [1] }, [], {}, -0] }],
  ...[{ minProperties: 1 }, { required: ['a'] }, { maxItems: 1 }, { type: ['object', 'array', 'number'] }],
  ...[{ required: ['constructor'] }],
)

type Part = fc.Arbitrary<Schema>

/** A keyword and what it holds: schemas for the same value, or for parts of it. */
function keywordOf(same: Part, inner: Part): fc.Arbitrary<object> {
  const listOf = (schema: Part) => fc.array(schema, { minLength: 1, maxLength: 3 })
  const byName = (keys: fc.Arbitrary<string>, schema: Part) =>
    fc.array(fc.tuple(keys, schema), { minLength: 1, maxLength: 3 }).map(own)
  const one = (keyword: string, value: fc.Arbitrary<unknown>) => value.map((given) => ({ [keyword]: given }))
  return fc.oneof(
    one('properties', byName(name, inner)),
    one('properties', byName(name, inner)),
    one('patternProperties', byName(fc.constantFrom(...patterns), inner)),
    ...['additionalProperties', 'items', 'contains'].map((each) => one(each, inner)),
    one('prefixItems', listOf(inner)),
    one('dependentSchemas', byName(name, same)),
    one('not', same),
    ...['allOf', 'anyOf', 'oneOf'].map((each) => one(each, listOf(same))),
    fc.tuple(same, same, same).map(([condition, positive, negative]) =>
      Object.fromEntries([
        ['if', condition],
        ['then', positive],
        ['else', negative],
      ]),
    ),
    leaf.map((given) => (given === true ? {} : (given as object))),
  )
}

const schemaOf = (references: readonly string[], keyword: fc.Arbitrary<object>): Part => {
  const keywords = fc
    .array(keyword, { minLength: 1, maxLength: 4 })
    .map((list) => Object.assign({}, ...list) as JsonSchema)
  const to = references.map((each): Schema => ({ $ref: `#/$defs/${each}` }))
  return fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    { weight: 2, arbitrary: to.length > 0 ? fc.constantFrom(...to) : leaf },
    { weight: 1, arbitrary: leaf },
    { weight: 4, arbitrary: keywords },
  ) as Part
}

/** A definition that applies to the same value only those after it, so that it ends, and any of them to its parts. */
const definitionOf = (index: number): Part =>
  fc.letrec<{ same: Schema; inner: Schema; root: Schema }>((tie) => {
    const [same, inner] = [tie('same') as Part, tie('inner') as Part]
    const keyword = keywordOf(same, inner)
    return {
      inner: schemaOf(definitionNames, keywordOf(inner, inner)),
      same: schemaOf(definitionNames.slice(index + 1), keyword),
      root: fc
        .array(keyword, { minLength: 2, maxLength: 4 })
        .map((list) => Object.assign({}, ...list) as JsonSchema),
    }
  }).root as Part

/** Definitions that refer to each other by every keyword that applies one schema to a part, or to the whole, of a value. */
export const appliedSchema: fc.Arbitrary<JsonSchema> = fc
  .tuple(definitionOf(0), definitionOf(1), definitionOf(2))
  .map(([A, B, C]) => ({ $ref: '#/$defs/A', $defs: { A, B, C } }))

const end = fc.constantFrom<unknown>(1, 'x', null, {}, [], true, { a: 1 }, [1, { b: null }], { a: [1] })

/** One value within the other, by the members and items that the schemas above speak of. */
export const nestedValue: fc.Arbitrary<(levels: number) => unknown> = fc
  .tuple(fc.array(fc.tuple(fc.nat(8), fc.nat(4)), { minLength: 1, maxLength: 5 }), end, end)
  .map(([ways, innermost, beside]) => (levels) => {
    let value = innermost
    for (let level = 0; level < levels; level++) {
      const [way, more] = ways[level % ways.length] as [number, number]
      if (way >= names.length) value = more > 2 ? [beside, value] : [value]
      else
        value = own([
          ...(more > 1 ? [[names[more] as string, beside] as const] : []),
          [names[way] as string, value],
        ])
    }
    return value
  })
