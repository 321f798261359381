import fc from 'fast-check'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'

type Part = fc.Arbitrary<Schema>

const definitionNames = ['A', 'B', 'toString', 'x-y']
const types = ['string', 'number', 'integer', 'object', 'array', 'null', 'boolean']
const patterns = [
  '^a',
  'b$',
  '^.$',
  '^\\p{L}+$',
  '.',
  '^$',
  'a|b',
  '\\d',
  '^[^a]',
  '^.{2}$',
  '^(?!b)',
  '^[[a]+$',
]

const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'k') },
  { weight: 1, arbitrary: fc.constantFrom('then', 'toString', '0', 'a/b', '~', '%25', '😀', 'length') },
)
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 3 })

const scalar = fc.constantFrom<unknown>(
  ...['a', 'b', '', 'ab', '😀', '\ud800', 'é', 'e\u0301', '1', 'null'],
  ...[0, -0, 1, -1, 0.1, 0.3, 0.30000000000000004, 1.1, 1e21, 5e-324, 2 ** 53, -1.5, 100, 19.99],
  ...[null, true, false],
)
const json: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  // Without `toString`, which Ajv calls where it compares values.
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.constantFrom('a', 'b', 'then', 'length'), scalar, {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  },
)
const count = fc.nat(2)
const bound = fc.constantFrom(0, 1, -1, 0.5, 1e308, -1e308, 2 ** 53, 5e-324, -0, 2, 3)

/** A keyword, and for some its companions, of any of those that Callsheet checks. */
function keywordOf(schema: Part): fc.Arbitrary<object> {
  const list = fc.array(schema, { minLength: 1, maxLength: 3 })
  const byName = fc.dictionary(name, schema, { minKeys: 1, maxKeys: 3, noNullPrototype: true })
  const one = (keyword: string, value: fc.Arbitrary<unknown>) => value.map((given) => ({ [keyword]: given }))
  const closing = fc.oneof(fc.constant(false), schema)
  return fc.oneof(
    one(
      'type',
      fc.oneof(
        fc.constantFrom(...types),
        fc.uniqueArray(fc.constantFrom(...types), { minLength: 1, maxLength: 3 }),
      ),
    ),
    one('const', json),
    one('enum', fc.array(json, { minLength: 1, maxLength: 4 })),
    ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((keyword) => one(keyword, bound)),
    one('multipleOf', fc.constantFrom(1, 2, 0.1, 0.01, 0.3, 1.5, 1e-7, 1e20, 5e-324, 1e308)),
    ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map((keyword) =>
      one(keyword, count),
    ),
    one('pattern', fc.constantFrom(...patterns)),
    one('uniqueItems', fc.boolean()),
    one('properties', byName),
    one('properties', byName),
    one('required', names),
    one('additionalProperties', closing),
    one(
      'patternProperties',
      fc.dictionary(fc.constantFrom(...patterns), schema, { minKeys: 1, maxKeys: 2, noNullPrototype: true }),
    ),
    one('propertyNames', schema),
    one('unevaluatedProperties', closing),
    one('dependentRequired', fc.dictionary(name, names, { minKeys: 1, maxKeys: 2, noNullPrototype: true })),
    one('dependentSchemas', byName),
    one('items', schema),
    one('prefixItems', list),
    fc.record({ contains: schema, minContains: count, maxContains: count }, { requiredKeys: ['contains'] }),
    one('unevaluatedItems', closing),
    ...['allOf', 'anyOf', 'oneOf'].map((keyword) => one(keyword, list)),
    one('not', schema),
    fc.tuple(schema, schema, schema).map(([condition, positive, negative]) =>
      Object.fromEntries([
        ['if', condition],
        ['then', positive],
        ['else', negative],
      ]),
    ),
    one('$ref', fc.constantFrom('#', ...definitionNames.map((definition) => `#/$defs/${definition}`))),
  )
}

const part: Part = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.oneof(
      fc.boolean(),
      fc.constantFrom<Schema>({}, ...types.map((type) => ({ type }))),
      json.map((value) => ({ const: value })),
    ),
    fc
      .array(keywordOf(tie('schema')), { minLength: 1, maxLength: 4 })
      .map((keywords) => Object.assign({}, ...keywords)),
  ) as Part,
})).schema

/** Schemas of every keyword that is checked, with definitions that refer to each other, to themselves and to the root. */
export const everyKeywordSchema: fc.Arbitrary<JsonSchema> = fc
  .tuple(part, fc.tuple(...definitionNames.map(() => part)))
  .map(([root, definitions]) => ({
    ...(typeof root === 'boolean' ? { allOf: [root] } : root),
    $defs: Object.fromEntries(
      definitionNames.map((definition, index) => [definition, definitions[index] as Schema]),
    ),
  }))

/** What a value is made by: a list of numbers, each of which decides one choice, from the start again at its end. */
export const choices: fc.Arbitrary<readonly number[]> = fc.array(fc.nat(99), { minLength: 6, maxLength: 24 })

/** A value that comes near to what a schema asks: random ones would fail at the first type. */
export function nearValue(schema: JsonSchema, given: readonly number[]): unknown {
  let at = 0
  const next = (): number => given[at++ % given.length] ?? 0
  const pick = <Value>(list: readonly Value[]): Value => list[next() % list.length] as Value
  const followed = (reference: string): Schema =>
    reference === '#' ? schema : (schema.$defs?.[reference.slice('#/$defs/'.length)] ?? true)
  const loose = (): unknown =>
    pick<unknown>(['a', '', 1, 0.3, null, true, -1.5, [], {}, ['a', 1], { a: 1 }, { k: 'a', b: [] }, '😀'])

  function near(of: Schema, depth: number): unknown {
    if (typeof of === 'boolean' || depth === 0 || next() < 10) return loose()
    if (of.$ref !== undefined && next() < 70) return near(followed(of.$ref), depth - 1)
    if (of.const !== undefined && next() < 80) return of.const
    if (of.enum && next() < 80) return pick(of.enum)
    const inPlace = [of.anyOf, of.oneOf, of.allOf, of.if, of.then, of.else].flatMap(
      (each) => (each ?? []) as Schema[],
    )
    const inner = inPlace.length > 0 && next() < 60 ? near(pick(inPlace), depth - 1) : undefined
    const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner)
    const asksItems = [of.items, of.prefixItems, of.contains, of.unevaluatedItems].some(
      (each) => each !== undefined,
    )
    if (
      isObject ||
      (inner === undefined && (of.properties || of.required || of.patternProperties || !asksItems))
    ) {
      if (!isObject && !of.properties && !of.required && !of.patternProperties) return scalarNear(of)
      const members = Object.entries(of.properties ?? {}).filter(() => next() < 80)
      return {
        ...Object.fromEntries((of.required ?? []).filter(() => next() < 85).map((each) => [each, loose()])),
        ...(isObject && inner),
        ...Object.fromEntries(members.map(([each, member]) => [each, near(member, depth - 1)])),
        ...(next() < 25 && { [pick(['a', 'b', 'k', 'z', 'ab'])]: loose() }),
      }
    }
    if (inner !== undefined && !Array.isArray(inner)) return inner
    const rest = [of.items, of.contains, of.unevaluatedItems].filter((each) => each !== undefined) as Schema[]
    const tail = Array.from({ length: next() % 3 }, () =>
      rest.length > 0 ? near(pick(rest), depth - 1) : loose(),
    )
    return [...((of.prefixItems ?? []) as Schema[]).map((each) => near(each, depth - 1)), ...tail]
  }

  function scalarNear(of: JsonSchema): unknown {
    const limits = [of.minimum, of.maximum, of.exclusiveMinimum, of.exclusiveMaximum, of.multipleOf].filter(
      (each) => typeof each === 'number',
    )
    if (limits.length === 0) return loose()
    const limit = pick(limits)
    return pick([limit, limit * 3, limit + 1, limit - 1, limit / 10, limit * 7])
  }

  return JSON.parse(JSON.stringify(near(schema, 5)) ?? 'null')
}
