import type { JsonSchema, Schema } from '../../../../runtime/schema/schema.ts'
import { RandomSource } from '../../../../runtime/testing/random-source.ts'

/** Two schemas that are alike or not: the second is the first with some changes, or another one. */
export interface Pair {
  readonly first: Schema
  readonly second: Schema
  readonly definitions: readonly [Record<string, Schema>, Record<string, Schema>]
}

/** Makes a pair; the same for the same seed. */
export function randomPair(seed: number): Pair {
  const random = new RandomSource(seed)
  const definitions = { Node: nodeDefinition(random), Word: leaf(random) }
  if (random.chance(0.05)) return { ...closedPair(random), definitions: [definitions, definitions] }
  const first = schemaOf(random, 3)
  if (random.chance(0.15)) {
    return {
      first,
      second: schemaOf(random, 3),
      definitions: [definitions, { Node: nodeDefinition(random), Word: leaf(random) }],
    }
  }
  const changed: Record<string, Schema> = random.chance(0.2)
    ? { ...definitions, Word: changedSchema(definitions.Word, random) }
    : definitions
  let second: Schema = changedSchema(first, random)
  if (random.chance(0.4)) second = changedSchema(second, random)
  return { first, second, definitions: [definitions, changed] }
}

/** One that refuses what is not evaluated, and the same without what evaluates; with a pattern `additionalProperties` cannot say it. */
function closedPair(random: RandomSource): Pick<Pair, 'first' | 'second'> {
  const second = {
    type: 'object',
    patternProperties: { '^x-': leaf(random) },
    unevaluatedProperties: random.pick<Schema>([false, leaf(random)]),
  }
  const parts = list(random, 1, 2, () => objectOf(random, 1))
  return { first: { ...second, [random.pick(['allOf', 'anyOf', 'oneOf'])]: parts }, second }
}

const names = ['a', 'b', 'c', 'kind']

function schemaOf(random: RandomSource, depth: number): Schema {
  const roll = random.between(0, depth > 0 ? 19 : 9)
  if (roll < 10) return leaf(random)
  if (roll < 14) return objectOf(random, depth)
  if (roll < 16) return arrayOf(random, depth)
  if (roll < 17) return { anyOf: list(random, 1, 3, () => schemaOf(random, depth - 1)) }
  if (roll < 18) return { oneOf: tagged(random, depth) }
  if (roll < 19) return { allOf: [objectOf(random, depth - 1), objectOf(random, depth - 1)] }
  return random.pick<Schema>([
    {
      if: { properties: { a: { const: 1 } }, required: ['a'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['b'] },
      else: { required: ['c'] },
    },
    { not: leaf(random) },
    {
      type: 'object',
      properties: { kind: { enum: ['x', 'y'] } },
      if: { properties: { kind: { const: 'x' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { a: leaf(random) } },
    },
  ])
}

function leaf(random: RandomSource): Schema {
  return random.pick<() => Schema>([
    () => ({
      type: 'string',
      ...some(random, { minLength: random.between(0, 3), maxLength: random.between(2, 6) }),
    }),
    () => ({
      type: 'string',
      pattern: random.pick(['^[a-z]+$', '^a', '\\d', '^x{2,4}$']),
      ...some(random, { minLength: 2 }),
    }),
    () => ({ type: 'string', format: random.pick(['date', 'uuid', 'email', 'nonsense']) }),
    () => ({
      type: random.pick(['integer', 'number']),
      ...some(random, {
        minimum: random.between(-2, 2),
        maximum: random.between(2, 9),
        exclusiveMinimum: random.between(-3, 1),
        multipleOf: random.pick([1, 2, 3, 6, 0.5]),
      }),
    }),
    () => ({
      enum: list(random, 1, 4, () => random.pick<unknown>(['x', 'y', 'z', 1, 2, null, true, { a: 1 }, [1]])),
    }),
    () => ({ const: random.pick<unknown>(['x', 1, null, { a: 1 }]) }),
    () => ({
      type: random.pick([
        ['string', 'null'],
        ['integer', 'boolean'],
        ['number', 'string', 'null'],
      ]),
    }),
    () => ({ type: random.pick(['boolean', 'null', 'object', 'array']) }),
    () =>
      random.pick<Schema>([
        true,
        {},
        { $ref: '#/$defs/Word' },
        { $ref: '#/$defs/Node' },
        { minLength: 1 },
        { minimum: 3 },
        { required: ['a'] },
      ]),
    () => ({ type: 'string', nullable: true }),
  ])()
}

function objectOf(random: RandomSource, depth: number): JsonSchema {
  const properties = Object.fromEntries(
    list(random, 0, 3, () => [random.pick(names), schemaOf(random, depth - 1)] as const),
  )
  return {
    type: 'object',
    properties,
    required: names.filter((name) => random.chance(Object.hasOwn(properties, name) ? 0.5 : 0.05)),
    ...(random.chance(0.5) && {
      additionalProperties: random.pick<Schema>([false, false, { type: 'string' }, true]),
    }),
    ...some(random, { minProperties: random.between(0, 2), maxProperties: random.between(1, 4) }, 0.1),
    ...(random.chance(0.1) && { patternProperties: { [random.pick(['^a', 'b$', '^x-'])]: leaf(random) } }),
    ...(random.chance(0.07) && {
      propertyNames: random.pick<Schema>([
        { maxLength: 4 },
        { pattern: '^[a-z]' },
        { enum: ['a', 'b', 'c'] },
      ]),
    }),
    ...(random.chance(0.08) && { dependentRequired: { a: ['b'] } }),
    ...(random.chance(0.05) && { dependentSchemas: { b: { properties: { c: leaf(random) } } } }),
  }
}

function arrayOf(random: RandomSource, depth: number): JsonSchema {
  return {
    type: 'array',
    ...(random.chance(0.8) && { items: schemaOf(random, depth - 1) }),
    ...(random.chance(0.25) && { prefixItems: list(random, 1, 2, () => schemaOf(random, depth - 1)) }),
    ...some(
      random,
      { minItems: random.between(0, 2), maxItems: random.between(1, 4), uniqueItems: true },
      0.3,
    ),
    ...(random.chance(0.12) && {
      contains: leaf(random),
      ...some(random, { minContains: random.between(0, 2), maxContains: random.between(1, 3) }),
    }),
  }
}

function tagged(random: RandomSource, depth: number): Schema[] {
  return ['x', 'y', 'z'].slice(0, random.between(2, 3)).map((kind) => {
    const object = objectOf(random, depth - 1)
    return {
      ...object,
      properties: { ...object.properties, kind: { const: kind } },
      required: [...new Set([...(object.required ?? []), 'kind'])],
    }
  })
}

function nodeDefinition(random: RandomSource): JsonSchema {
  return {
    type: 'object',
    properties: {
      word: leaf(random),
      next: random.pick<Schema>([
        { $ref: '#/$defs/Node' },
        { anyOf: [{ type: 'null' }, { $ref: '#/$defs/Node' }] },
      ]),
      all: { type: 'array', items: { $ref: '#/$defs/Node' } },
    },
    ...(random.chance(0.5) && { additionalProperties: false }),
  }
}

/** The schema with one thing changed, at any depth. */
function changedSchema(schema: Schema, random: RandomSource): Schema {
  if (typeof schema === 'boolean' || random.chance(0.05)) return leaf(random)
  const copy = structuredClone(schema)
  const inner: (() => void)[] = []
  for (const map of [copy.properties, copy.patternProperties]) {
    for (const key of Object.keys(map ?? {})) {
      inner.push(() => {
        if (map) map[key] = changedSchema(map[key] as Schema, random)
      })
    }
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const) {
    const branches = copy[keyword]
    branches?.forEach((_, index) => {
      inner.push(() => {
        branches[index] = changedSchema(branches[index] as Schema, random)
      })
    })
    if (branches && keyword !== 'allOf' && branches.length > 1) inner.push(() => void branches.pop())
    if (branches && keyword === 'anyOf')
      inner.push(
        () => void branches.push(leaf(random)),
        () => void branches.reverse(),
      )
  }
  if (copy.items !== undefined && !Array.isArray(copy.items))
    inner.push(() => {
      copy.items = changedSchema(copy.items as Schema, random)
    })
  if (inner.length > 0 && random.chance(0.6)) {
    random.pick(inner)()
    return copy
  }
  return changedHere(copy, random)
}

function changedHere(copy: JsonSchema, random: RandomSource): JsonSchema {
  const numeric = Object.keys(copy).filter((keyword) => typeof copy[keyword] === 'number')
  const change = random.between(0, 6)
  if (change < 2 && numeric.length > 0) {
    const keyword = random.pick(numeric)
    const moved = Number(copy[keyword]) + random.pick([-1, 1, 2])
    copy[keyword] =
      keyword === 'multipleOf'
        ? random.pick([1, 2, 3, 6])
        : /min|max/.test(keyword) && !/imum|Imum/.test(keyword)
          ? Math.max(0, moved)
          : moved
    return copy
  }
  if (copy.type === 'object') {
    const properties = { ...copy.properties }
    const known = Object.keys(properties)
    if (change === 2)
      return {
        ...copy,
        properties: { ...properties, d: leaf(random) },
        ...(random.chance(0.5) && { required: [...(copy.required ?? []), 'd'] }),
      }
    if (change === 3 && known.length > 0) {
      const name = random.pick(known)
      const { [name]: _, ...rest } = properties
      return { ...copy, properties: rest, required: (copy.required ?? []).filter((each) => each !== name) }
    }
    if (change === 4) return { ...copy, required: random.chance(0.5) ? [] : known }
    return { ...copy, additionalProperties: random.pick<Schema>([true, false, { type: 'string' }]) }
  }
  if (copy.enum)
    return {
      ...copy,
      enum: change < 4 ? [...copy.enum, 'new'] : copy.enum.slice(0, Math.max(1, copy.enum.length - 1)),
    }
  if (copy.type === 'string')
    return {
      ...copy,
      ...random.pick<JsonSchema>([
        { minLength: 1 },
        { maxLength: 4 },
        { pattern: '^[a-z]' },
        { format: 'date' },
        { type: 'integer' },
      ]),
    }
  if (copy.type === 'integer') return { ...copy, type: 'number' }
  if (copy.type === 'array')
    return {
      ...copy,
      ...random.pick<JsonSchema>([
        { uniqueItems: true },
        { minItems: 1 },
        { maxItems: 2 },
        { contains: { type: 'string' } },
      ]),
    }
  return random.pick<JsonSchema>([
    { ...copy, description: 'new' },
    { anyOf: [copy, { type: 'null' }] },
    { ...copy, minLength: 2 },
  ])
}

function some(random: RandomSource, keywords: JsonSchema, share: number = 0.4): JsonSchema {
  return Object.fromEntries(Object.entries(keywords).filter(() => random.chance(share)))
}

function list<Item>(random: RandomSource, least: number, most: number, make: () => Item): Item[] {
  return Array.from({ length: random.between(least, most) }, make)
}
