import type { JsonSchema, Schema } from '../../../../runtime/schema/schema.ts'

/** A small seeded generator, so that a failing seed is all there is to repeat. */
export class Random {
  #state: number
  constructor(seed: number) {
    this.#state = seed >>> 0
  }
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }
  chance(share: number): boolean {
    return this.next() < share
  }
  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.below(values.length)]
    if (value === undefined) throw new Error('nothing to pick from')
    return value
  }
}

const names = ['id', 'name', 'kind', 'size', 'tags', 'note', 'meta', 'at']
const definitionNames = ['Node', 'Part', 'Word']

/** Schemas of the kinds that TypeBox can make, and of those that people write by hand; normalised. */
export function randomSchema(random: Random): JsonSchema {
  const $defs: Record<string, Schema> = {
    Word: random.pick<JsonSchema>([
      { type: 'string', minLength: 1 },
      { type: 'string', enum: ['a', 'b'] },
    ]),
    Part: object(random, 1, true),
    Node: {
      type: 'object',
      properties: {
        label: { type: 'string' },
        children: { type: 'array', items: { $ref: '#/$defs/Node' }, maxItems: 2 },
        parent: random.pick<JsonSchema>([
          { $ref: '#/$defs/Node' },
          { anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }] },
        ]),
      },
      required: random.chance(0.5) ? ['label', 'children'] : ['label'],
      additionalProperties: false,
    },
  }
  return { ...object(random, 3, true), $defs }
}

function node(random: Random, depth: number): Schema {
  const annotations: JsonSchema = {
    ...(random.chance(0.3) && { description: `About ${random.below(100)}.` }),
    ...(random.chance(0.05) && { title: 'Title' }),
    ...(random.chance(0.05) && { default: random.below(9) }),
  }
  const schema = bare(random, depth)
  return typeof schema === 'boolean' ? schema : { ...schema, ...annotations }
}

function bare(random: Random, depth: number): Schema {
  const roll = random.below(depth > 0 ? 34 : 15)
  if (roll < 4) return string(random)
  if (roll < 7) return numeric(random)
  if (roll < 8) return { type: 'boolean' }
  if (roll < 10) return constant(random)
  if (roll < 11) return { $ref: `#/$defs/${random.pick(definitionNames)}` }
  if (roll < 12) return random.pick<Schema>([true, {}, { type: 'null' }, { not: {} }, { type: 'object' }])
  if (roll < 13)
    return {
      type: random.pick([
        ['string', 'null'],
        ['string', 'integer'],
        ['boolean', 'number', 'null'],
      ]),
    }
  if (roll < 15) return { anyOf: [string(random), { type: 'null' }] }
  if (roll < 20) return object(random, depth - 1, false)
  if (roll < 23) return list(random, depth)
  if (roll < 25) return record(random, depth)
  if (roll < 27) return tuple(random, depth)
  if (roll < 29) return union(random, depth)
  if (roll < 31) return intersection(random, depth)
  if (roll < 32) {
    return {
      type: ['object', 'array', 'null'],
      properties: { a: node(random, depth - 1) },
      items: string(random),
    }
  }
  if (roll < 33) return { $ref: `#/$defs/Part`, required: ['id'] }
  return refined(random, depth)
}

function string(random: Random): JsonSchema {
  return random.pick<() => JsonSchema>([
    () => ({ type: 'string' }),
    () => ({ type: 'string', minLength: random.below(3), maxLength: 3 + random.below(5) }),
    () => ({ type: 'string', pattern: random.pick(patterns) }),
    () => ({ type: 'string', format: random.pick(Object.keys(formats)) }),
    () => ({ type: 'string', pattern: '^[a-z]+$', minLength: 2 }),
  ])()
}

/** Patterns with a way to write what they match. */
export const patterns = ['^[a-z]+$', 'x', '^a|b$', '^(?=a)[a-c]+$']
export const matching: Readonly<Record<string, readonly string[]>> = {
  '^[a-z]+$': ['abc', 'q', 'zz'],
  x: ['x', 'axb', '1x'],
  '^a|b$': ['a1', '1b', 'ab'],
  '^(?=a)[a-c]+$': ['abc', 'a'],
  '^k[0-9]+$': ['k1', 'k22'],
}
export const formats: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2026-03-04T05:06:07Z'],
  date: ['2026-03-04'],
  email: ['jane@example.com'],
  uri: ['https://example.com/a'],
  uuid: ['3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
  ipv4: ['10.0.0.1'],
}

function numeric(random: Random): JsonSchema {
  const type = random.pick(['integer', 'number'])
  return random.pick<JsonSchema>([
    { type },
    { type, minimum: 0, maximum: 5 },
    { type, exclusiveMinimum: 0, exclusiveMaximum: 4 },
    { type, multipleOf: 2 },
  ])
}

function constant(random: Random): JsonSchema {
  return random.pick<JsonSchema>([
    { const: 'Fixed' },
    { type: 'string', const: 'one' },
    { const: random.pick([1, 2.5, true, null]) },
    { enum: ['Red', 'green', 'blue'] },
    { type: 'string', enum: ['x', 'y'] },
    { enum: [1, 'two', null, true] },
    { enum: [1, 2, 3] },
    { const: { a: [1] } },
    { enum: [[1], 'flat'] },
  ])
}

function object(random: Random, depth: number, isNamed: boolean): JsonSchema {
  const properties: Record<string, Schema> = isNamed ? { id: { type: 'string' } } : {}
  for (let count = random.below(4); count > 0; count--) {
    const name = random.chance(0.03) ? 'constructor' : random.pick(names)
    properties[name] = node(random, depth)
  }
  const required = Object.keys(properties).filter(() => random.chance(0.5))
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...random.pick<JsonSchema>([
      {},
      { additionalProperties: false },
      { additionalProperties: false },
      { additionalProperties: random.chance(0.5) ? true : string(random) },
    ]),
  }
}

function list(random: Random, depth: number): JsonSchema {
  return {
    type: 'array',
    ...(random.chance(0.9) && { items: node(random, depth - 1) }),
    ...(random.chance(0.3) && { minItems: random.below(3) }),
    ...(random.chance(0.3) && { maxItems: 2 + random.below(2) }),
    ...(random.chance(0.1) && { uniqueItems: true }),
  }
}

function record(random: Random, depth: number): JsonSchema {
  const value = node(random, depth - 1)
  return random.pick<JsonSchema>([
    { type: 'object', additionalProperties: value },
    { type: 'object', patternProperties: { '^.*$': value } },
    { type: 'object', patternProperties: { '^k[0-9]+$': value }, additionalProperties: false },
    { type: 'object', patternProperties: { '^k[0-9]+$': value } },
    { type: 'object', additionalProperties: value, propertyNames: { enum: ['k1', 'k2'] }, minProperties: 1 },
    { type: 'object', additionalProperties: value, maxProperties: 2 },
  ])
}

function tuple(random: Random, depth: number): JsonSchema {
  const prefixItems = [node(random, depth - 1), node(random, depth - 1)]
  return random.pick<JsonSchema>([
    { type: 'array', prefixItems, minItems: 2, items: false },
    { type: 'array', prefixItems, items: false },
    { type: 'array', prefixItems, minItems: 1, items: string(random), maxItems: 4 },
  ])
}

function union(random: Random, depth: number): JsonSchema {
  const tagged = (tag: string): JsonSchema => {
    const { properties, required = [], ...rest } = object(random, depth - 1, false)
    const { kind, ...others } = properties ?? {}
    return {
      ...rest,
      properties: { kind: { type: 'string', const: tag }, ...others },
      required: ['kind', ...required.filter((name) => name !== 'kind')],
    }
  }
  return random.pick<() => JsonSchema>([
    () => ({ anyOf: [node(random, depth - 1), node(random, depth - 1)] }),
    () => ({ oneOf: [tagged('a'), tagged('b')] }),
    () => ({ anyOf: [tagged('a'), tagged('b'), { type: 'null' }] }),
    () => ({ oneOf: [{ type: 'string' }, numeric(random)] }),
    () => ({ oneOf: [{ type: 'integer' }, { type: 'number', minimum: 3 }] }),
  ])()
}

function intersection(random: Random, depth: number): JsonSchema {
  const open = (): JsonSchema => {
    const { additionalProperties, ...rest } = object(random, depth - 1, false)
    return rest
  }
  return random.pick<() => JsonSchema>([
    () => ({ allOf: [open(), open()], unevaluatedProperties: false }),
    () => ({ allOf: [open(), object(random, depth - 1, false)] }),
    () => ({ allOf: [{ $ref: '#/$defs/Part' }, open()] }),
    () => ({
      allOf: [{ type: 'string', minLength: 1 }, { maxLength: 4, pattern: '^[a-z]+$' }, { pattern: 'x' }],
    }),
  ])()
}

function refined(random: Random, depth: number): JsonSchema {
  return random.pick<() => JsonSchema>([
    () => ({ ...object(random, depth - 1, true), not: { required: ['note', 'meta'] } }),
    () => ({ ...object(random, depth - 1, true), anyOf: [{ required: ['id'] }, { required: ['kind'] }] }),
    () => ({
      type: 'object',
      properties: { id: { type: 'string' } },
      anyOf: [{ properties: { extra: numeric(random) }, required: ['extra'] }, { required: ['id'] }],
    }),
    () => ({ type: 'string', anyOf: [{ minLength: 3 }, { enum: ['a', 'b'] }] }),
    () => ({ ...list(random, depth), contains: { type: 'string' } }),
    () => ({ ...object(random, depth - 1, true), if: { required: ['id'] }, else: { required: ['name'] } }),
    () => ({ ...object(random, depth - 1, true), minProperties: 1, dependentRequired: { id: ['name'] } }),
  ])()
}
