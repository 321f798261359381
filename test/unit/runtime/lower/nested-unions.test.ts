import { isDeepStrictEqual } from 'node:util'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { assert, property, integer as seeds } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DialectName, dialectNames } from '../../../../runtime/dialects/dialect-name.ts'
import { isExclusive } from '../../../../runtime/lower/exclusive.ts'
import { lower } from '../../../../runtime/lower/lower.ts'
import type { JsonSchema, Schema } from '../../../../runtime/schema/schema.ts'
import { often, runs } from '../../../runs.ts'
import { Random } from './random-schema.ts'
import { tighten } from './relax.ts'
import { Impossible, sample } from './sample.ts'

const ajv = new Ajv2020({ strict: false, ownProperties: true, code: { optimize: false } })

/** What goes over a dialect and comes back must be what it was, and of what comes back nothing may be new. */
function checkMeaning(dialect: DialectName, schema: JsonSchema, values: readonly unknown[]): number {
  const lowered = lower(schema, dialect)
  const isMeant: ValidateFunction = ajv.compile(tighten(schema, lowered.losses))
  const isAnswer = ajv.compile(lowered.schema)
  let checked = 0
  for (const value of values) {
    if (!isMeant(value)) continue
    checked++
    const form = lowered.toLowered(value)
    const back = lowered.lift(form)
    if (isAnswer(form) && isDeepStrictEqual(back, value)) continue
    throw new Error(JSON.stringify({ dialect, schema, sent: lowered.schema, value, form, back }))
  }
  return checked
}

const string: JsonSchema = { type: 'string' }

function closed(
  properties: Record<string, Schema>,
  required: string[] = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false }
}

const reported: [name: string, union: JsonSchema, values: unknown[]][] = [
  [
    '{ body: string } | { body: unknown }',
    { anyOf: [closed({ body: string }), closed({ body: {} })] },
    [{ body: 'a' }, { body: '[1]' }, { body: [1] }, { body: null }],
  ],
  [
    'string[] | unknown[]',
    { anyOf: [{ type: 'array', items: string }, { type: 'array' }] },
    [['a'], ['1'], [1], [null], [], ['[1]', [1]]],
  ],
  [
    'string | (unknown | null)',
    { anyOf: [string, { anyOf: [{}, { type: 'null' }] }] },
    ['a', '1', 1, null, 'null', { a: 1 }],
  ],
  [
    '{ name, note? } | { name, note?: string | null }',
    {
      anyOf: [
        closed({ name: string, note: string }, ['name']),
        closed({ name: string, note: { type: ['string', 'null'] } }, ['name']),
      ],
    },
    [{ name: 'a' }, { name: 'a', note: null }, { name: 'a', note: 'b' }],
  ],
  [
    '[string, number] | { item1, item2 }',
    {
      anyOf: [
        { type: 'array', prefixItems: [string, { type: 'number' }], items: false, minItems: 2 },
        closed({ item1: string, item2: { type: 'number' } }),
      ],
    },
    [['a', 1], { item1: 'a', item2: 1 }],
  ],
  [
    'record | list of { key, value }',
    {
      anyOf: [
        { type: 'object', additionalProperties: string },
        { type: 'array', items: closed({ key: string, value: string }) },
      ],
    },
    [{}, { a: 'b' }, [], [{ key: 'a', value: 'b' }]],
  ],
  [
    'a fixed word | any word in other capitals',
    { anyOf: [{ const: 'Red' }, { enum: ['red', 'blue'] }, closed({ of: { enum: ['Red'] } })] },
    ['Red', 'red', 'blue', { of: 'Red' }],
  ],
]

describe.each(dialectNames)('REQ-5 %s: a nested union keeps its meaning both ways', (dialect) => {
  test.each(reported)('%s', (_name, union, values) => {
    const places: JsonSchema[] = [
      closed({ it: union }),
      closed({ it: { type: 'array', items: union } }),
      closed({ it: { anyOf: [union, { type: 'null' }] } }, []),
    ]
    const at = [values, values.map((value) => [value]), values]
    places.forEach((schema, place) => {
      const checked = checkMeaning(
        dialect,
        schema,
        (at[place] ?? []).map((it) => ({ it })),
      )
      expect(checked).toBe(values.length)
    })
  })

  test('random unions of branches that look alike', () => {
    let checked = 0
    assert(
      property(seeds(), (seed) => {
        const random = new Random(seed)
        const schema: JsonSchema = { ...closed({ it: union(random, 3) }), $defs: definitions(random) }
        const values: unknown[] = []
        for (let count = 0; count < 24; count++) {
          try {
            values.push(sample(schema, schema, random))
          } catch (error) {
            if (!(error instanceof Impossible)) throw error
          }
        }
        checked += checkMeaning(dialect, schema, values)
      }),
      { numRuns: Number(process.env.LOWER_RUNS ?? runs(60)), seed: Number(process.env.LOWER_SEED ?? 7) },
    )
    expect(checked).toBeGreaterThan(often(300))
  })
})

function definitions(random: Random): Record<string, Schema> {
  return {
    Tree: closed({
      label: leaf(random),
      children: { type: 'array', items: { $ref: '#/$defs/Tree' }, maxItems: 2 },
    }),
    Word: random.pick<Schema>([string, {}, { type: ['string', 'null'] }]),
  }
}

function union(random: Random, depth: number): JsonSchema {
  const first = branch(random, depth)
  // The second branch is the first with one part changed, which is where readings get mixed up.
  const second = random.chance(0.7) ? changed(first, random, depth) : branch(random, depth)
  const third = random.chance(0.3) ? [branch(random, depth)] : []
  return { anyOf: [first, second, ...third] }
}

function branch(random: Random, depth: number): JsonSchema {
  if (depth === 0) return leaf(random)
  return random.pick<() => JsonSchema>([
    () => leaf(random),
    () => closed({ body: branch(random, depth - 1) }, random.chance(0.5) ? ['body'] : []),
    () => closed({ name: string, note: branch(random, depth - 1) }, ['name']),
    () => ({ type: 'array', items: branch(random, depth - 1), maxItems: 2 }),
    () => ({
      type: 'array',
      prefixItems: [branch(random, depth - 1), branch(random, depth - 1)],
      items: false,
      minItems: 1 + random.below(2),
    }),
    () => ({ type: 'object', additionalProperties: branch(random, depth - 1) }),
    () => closed({ key: string, value: branch(random, depth - 1) }),
    () => closed({ item1: branch(random, depth - 1), item2: branch(random, depth - 1) }, ['item1']),
    () => ({ ...closed({ name: string }), additionalProperties: branch(random, depth - 1) }),
    () => ({ $ref: `#/$defs/${random.pick(['Tree', 'Word'])}` }),
    () => union(random, depth - 1),
  ])()
}

function leaf(random: Random): JsonSchema {
  return random.pick<JsonSchema>([
    string,
    string,
    {},
    { type: 'null' },
    { type: 'number' },
    { type: ['string', 'null'] },
    { enum: ['Red', 'Green'] },
    { enum: ['red', 'a'] },
    { type: 'object' },
    { const: { a: [1] } },
  ])
}

/** The same schema with one part swapped, dropped from `required`, or made nullable. */
function changed(schema: JsonSchema, random: Random, depth: number): JsonSchema {
  const { properties, items, prefixItems, additionalProperties } = schema
  const deeper = (part: Schema | undefined): Schema =>
    typeof part === 'object' && random.chance(0.5)
      ? changed(part, random, Math.max(0, depth - 1))
      : branch(random, Math.max(0, depth - 1))
  if (properties && random.chance(0.8)) {
    const name = random.pick(Object.keys(properties))
    const required = random.chance(0.5) ? schema.required : schema.required?.filter((other) => other !== name)
    return {
      ...schema,
      properties: { ...properties, [name]: deeper(properties[name]) },
      required: required ?? [],
    }
  }
  if (prefixItems && random.chance(0.8))
    return { ...schema, prefixItems: prefixItems.map((item) => deeper(item)) }
  if (typeof items === 'object' && !Array.isArray(items)) return { ...schema, items: deeper(items) }
  if (typeof additionalProperties === 'object') {
    return { ...schema, additionalProperties: deeper(additionalProperties) }
  }
  return random.chance(0.5) ? { anyOf: [schema, { type: 'null' }] } : branch(random, depth)
}

describe('schemas exclude each other only where that is certain', () => {
  const text = { type: 'string' }
  const kind = (value: string): JsonSchema => ({
    type: 'object',
    properties: { kind: { const: value } },
    required: ['kind'],
  })
  const shut = { type: 'object', properties: { a: text }, additionalProperties: false }
  const demanding = { type: 'object', properties: { b: text }, required: ['b'] }
  const whole = { type: 'integer' }
  const definitions: Record<string, JsonSchema> = { Text: text, Loop: { $ref: '#/$defs/Loop' } }
  const list = (bounds: JsonSchema): JsonSchema => ({ type: 'array', ...bounds })
  const deep = (schema: JsonSchema, levels: number): JsonSchema =>
    levels === 0 ? schema : { ...demanding, properties: { b: deep(schema, levels - 1) } }

  test.each<[string, Schema, Schema, boolean]>([
    ['nothing at all', false, true, true],
    ['anything', true, text, false],
    ['values that differ', { enum: ['a'] }, { const: 'b' }, true],
    ['a value and its type', { enum: ['a'] }, text, false],
    ['a type and its value', text, { const: 'a' }, false],
    ['a value of another type', { enum: [1] }, text, true],
    ['objects that say what they are', kind('x'), kind('y'), true],
    [
      'what need not be an object',
      { ...kind('x'), type: ['object', 'string'] },
      { required: ['kind'], properties: { kind: { const: 'y' } } },
      false,
    ],
    ['an object, and what need not be one', kind('x'), { ...kind('y'), type: ['object', 'string'] }, false],
    ['objects that may leave it out', kind('x'), { ...kind('y'), required: [] }, false],
    ['a closed object and one that needs more', shut, demanding, true],
    ['an open object', { ...shut, additionalProperties: true }, demanding, false],
    [
      'an object that takes what it does not name',
      { ...shut, patternProperties: { '^b$': text } },
      demanding,
      false,
    ],
    ['whole numbers and numbers', whole, { type: 'number' }, false],
    ['lists of types that share one', { type: ['string', 'null'] }, { type: ['integer', 'null'] }, false],
    ['values of which one is in both', { enum: ['a', 'b'] }, { enum: ['b', 'c'] }, false],
    ['what a reference leads to', { $ref: '#/$defs/Text' }, whole, true],
    ['a reference that leads to itself', { $ref: '#/$defs/Loop' }, whole, false],
    ['every branch', { anyOf: [text, { type: 'null' }] }, whole, true],
    ['not every branch', { anyOf: [text, whole] }, whole, false],
    ['a list that is too long', list({ minItems: 3 }), list({ maxItems: 2 }), true],
    ['a list that is just long enough', list({ minItems: 2 }), list({ maxItems: 2 }), false],
    ['what lies deep', deep(text, 8), deep(whole, 8), true],
    ['what lies too deep to look', deep(text, 9), deep(whole, 9), false],
  ])('%s', (_what, left, right, is) => {
    const find = (name: string) => definitions[name]
    expect([isExclusive(left, right, find), isExclusive(right, left, find)]).toEqual([is, is])
  })
})

test('what fits no branch is tried once at each level of a recursive union, not twice as often', () => {
  let read = 0
  let value: unknown = {
    get a() {
      read++
      return 'no number'
    },
  }
  for (let level = 0; level < 14; level++) value = { a: value }
  const self = { $ref: '#/$defs/v' }
  const records = [
    { type: 'object', additionalProperties: self },
    { type: 'object', properties: { a: self }, additionalProperties: self },
  ]
  const schema = {
    type: 'object',
    properties: { x: self },
    required: ['x'],
    $defs: { v: { anyOf: [...records, { type: 'number' }] } },
  }
  lower(schema, 'openai').toLowered({ x: value })
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(2000)
})
