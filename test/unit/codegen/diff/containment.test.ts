import { describe, expect, test } from 'vitest'
import { judgedGaps } from '../../../../codegen/diff/compare/gaps.ts'
import { Conjunction } from '../../../../codegen/diff/containment/conjunction.ts'
import { proveContained } from '../../../../codegen/diff/containment/prove.ts'
import { type Contained, Universe } from '../../../../codegen/diff/containment/universe.ts'
import { findCounterexample } from '../../../../codegen/diff/values/counterexample.ts'
import { Instances } from '../../../../codegen/diff/values/instances.ts'
import type { JsonSchema, Schema } from '../../../../runtime/schema/schema.ts'
import { RandomSource } from '../../../../runtime/testing/random-source.ts'
import { randomValue } from '../../../../runtime/testing/random-value.ts'
import { compileWithAjv } from '../../../ajv.ts'
import { runs } from '../../../runs.ts'
import { randomPair } from './random-pair.ts'

const pairs = Number(process.env.CALLSHEET_DIFF_PAIRS ?? runs(100))
const valuesPerPair = Number(process.env.CALLSHEET_DIFF_VALUES ?? 400)

describe('DIFF-2: a wire verdict is proven', () => {
  test(`of ${pairs} random pairs, what is compatible is never refuted and what breaks shows an example that Ajv confirms`, () => {
    const tally = { safe: 0, breaks: 0, unknown: 0 }
    for (let seed = 1; seed <= pairs; seed++) {
      const { first, second, definitions } = randomPair(seed)
      const universe = new Universe(
        { schema: first, definitions: definitions[0] },
        { schema: second, definitions: definitions[1] },
      )
      if (universe.obstacle !== undefined) continue
      const [accepts, takes] = [ajv(first, definitions[0]), ajv(second, definitions[1])]
      const isRefuted = (value: unknown): boolean =>
        accepts(value) === true && takes(value) === false && !isDisputed(first, second, value)
      const gaps = proveContained(universe)
      if (gaps.length === 0) {
        tally.safe++
        for (const value of values(first, universe, definitions[0], seed))
          expect(isRefuted(value), `seed ${seed}: ${JSON.stringify(value)}`).toBe(false)
        continue
      }
      const [example] = gaps.flatMap((gap) => findCounterexample(universe, gap, { left: 300_000 }) ?? [])
      tally[example ? 'breaks' : 'unknown']++
      if (example && !isDisputed(first, second, example.value))
        expect(isRefuted(example.value), `seed ${seed}: ${JSON.stringify(example)}`).toBe(true)
    }
    const decided = tally.safe + tally.breaks
    expect(tally.safe).toBeGreaterThan(pairs / 5)
    expect(tally.breaks).toBeGreaterThan(pairs / 5)
    // What nobody can tell is honest, and rare.
    expect(tally.unknown).toBeLessThan(decided / 8)
  })

  test('two runs find the same gaps and the same examples', () => {
    for (let seed = 1; seed <= runs(60); seed++) {
      const { first, second, definitions } = randomPair(seed)
      const run = (): string =>
        JSON.stringify(
          judgedGaps(
            { schema: first, definitions: definitions[0] },
            { schema: second, definitions: definitions[1] },
          ),
        )
      expect(run()).toBe(run())
    }
  })
})

describe('hostile contracts', () => {
  const judge = (first: unknown, second: unknown, definitions: Record<string, Schema> = {}) =>
    judgedGaps({ schema: first as Schema, definitions }, { schema: second as Schema, definitions })

  test('what is no schema is not decided, and says why', () => {
    const [gap] = judge({ type: 5 }, { type: 'string' })
    expect(gap).toMatchObject({ verdict: 'unknown', keyword: 'unreadable' })
    expect(gap?.wants).toMatch(/type must be/)
  })

  test('a pattern that can hang is found by a matcher that cannot (CALL-11a)', () => {
    const slow = { type: 'string', pattern: '^(a+)+$' }
    const [gap] = judge({ type: 'string', maxLength: 60 }, { ...slow, maxLength: 60 })
    expect(gap).toMatchObject({ verdict: 'breaks' })
    // A regular expression would take the age of the universe for this name.
    const name = `${'a'.repeat(40)}!`
    const named = { type: 'object', patternProperties: { '^(a+)+$': { type: 'string' } } }
    expect(judge(named, { ...named, properties: { [name]: { type: 'string' } } })[0]).toMatchObject({
      verdict: 'breaks',
      location: [name],
    })
  })

  test('a pattern that can hang and that no other matcher can find is never run', () => {
    const slow = '^(a+)+\\1$'
    expect(judge({ type: 'string', pattern: slow }, { type: 'string', maxLength: 40 })[0]).toMatchObject({
      verdict: 'unknown',
    })
    expect(
      judge({ type: 'object', patternProperties: { [slow]: true } }, { type: 'object' })[0],
    ).toMatchObject({ verdict: 'unknown' })
  })

  test('a reference that leads back to itself at once is not followed', () => {
    expect(judge({ $ref: '#/$defs/A' }, true, { A: { $ref: '#/$defs/A' } })[0]).toMatchObject({
      verdict: 'unknown',
    })
  })

  test('two recursive schemas are compared to the end', () => {
    const list = (item: Schema): Record<string, Schema> => ({
      Node: {
        type: 'object',
        properties: { item, next: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/Node' }] } },
        required: ['item', 'next'],
      },
    })
    const side = (item: Schema) => ({ schema: { $ref: '#/$defs/Node' }, definitions: list(item) })
    expect(judgedGaps(side({ type: 'integer' }), side({ type: 'number' }))).toEqual([])
    expect(judgedGaps(side({ type: 'number' }), side({ type: 'integer' }))).toMatchObject([
      { verdict: 'breaks', location: ['item'] },
    ])
  })

  test('a union behind a reference loses a branch: found, not taken as given', () => {
    const side = (...branches: Schema[]) => ({
      schema: { $ref: '#/$defs/U' },
      definitions: { U: { anyOf: branches } },
    })
    const gaps = judgedGaps(side({ type: 'string' }, { type: 'integer' }), side({ type: 'string' }))
    expect(gaps).toMatchObject([{ verdict: 'breaks', example: { value: 1 } }])
  })

  const closed = { unevaluatedProperties: false }
  const x = { X: { properties: { a: true } } }
  test.each<[string, Schema, Schema]>([
    [
      'properties of a part that lets all of them through',
      { type: 'object', allOf: [{ properties: { a: true }, additionalProperties: true }], ...closed },
      { type: 'object', allOf: [{ properties: { a: true } }], ...closed },
    ],
    [
      'items that are all let through',
      { type: 'array', items: true, unevaluatedItems: false },
      { type: 'array', unevaluatedItems: false },
    ],
    [
      'properties that a reference names',
      { enum: [{ a: 1 }], $ref: '#/$defs/X', ...closed },
      { type: 'string' },
    ],
  ])('what is evaluated is not refused as unevaluated: %s', (_what, first, second) => {
    expect(judge(first, second, x)).not.toEqual([])
  })

  const named = (name: string): Schema => ({ properties: { [name]: true }, required: [name] })
  const extra = { type: 'object', patternProperties: { '^x': true }, ...closed }
  test.each<[string, Schema, Schema]>([
    ['a union', { ...extra, anyOf: [named('b'), named('c')] }, extra],
    ['a union of one', { ...extra, oneOf: [named('b')] }, extra],
    [
      'a reference',
      { ...extra, type: ['object', 'null'], $ref: '#/$defs/X' },
      { ...extra, type: ['object', 'null'] },
    ],
    [
      'a reference, beside a union',
      { ...extra, not: named('q'), $ref: '#/$defs/X' },
      { ...extra, not: named('q') },
    ],
  ])('what looked at properties is no longer there, so that they are refused: %s', (_what, first, second) => {
    expect(judge(first, second, x)).toMatchObject([{ verdict: 'breaks' }])
  })

  const number = { type: 'number' }
  const text = { type: 'string' }
  test.each<[holds: boolean, Schema, Schema]>([
    [false, { ...number, maximum: 5 }, { exclusiveMaximum: 5 }],
    [true, { ...number, exclusiveMaximum: 5 }, { maximum: 5 }],
    [true, { ...number, maximum: 4 }, { exclusiveMaximum: 5 }],
    [false, { ...number, minimum: 5 }, { exclusiveMinimum: 5 }],
    [true, { ...number, exclusiveMinimum: 5 }, { minimum: 5 }],
    [false, number, { multipleOf: 1 }],
    [true, { type: 'integer' }, { multipleOf: 1 }],
    [true, { ...number, multipleOf: 6 }, { multipleOf: 3 }],
    [false, { ...number, multipleOf: 3 }, { multipleOf: 6 }],
    [true, { ...number, multipleOf: 0.5 }, { multipleOf: 0.25 }],
    [false, { ...number, multipleOf: 0.3 }, { multipleOf: 0.1 }],
    [false, { type: 'integer' }, { format: 'int32' }],
    [true, { ...text, format: 'date', maxLength: 20 }, { maxLength: 10 }],
    [false, { ...text, format: 'uri', maxLength: 20 }, { maxLength: 10 }],
    [false, { ...text, format: 'ipv4' }, { minLength: 8 }],
    [true, { ...text, format: 'ipv4' }, { minLength: 7, maxLength: 15 }],
    [false, { ...text, format: 'ipv6' }, { minLength: 3 }],
    [false, { ...text, format: 'email' }, { minLength: 6 }],
    [false, { ...text, format: 'time' }, { minLength: 10 }],
    [false, { ...text, format: 'uuid' }, { maxLength: 36 }],
    [false, { ...text, format: 'date-time' }, { maxLength: 25 }],
    [false, text, { if: { maxLength: 3 }, else: { pattern: '^a' } }],
    [false, text, JSON.parse('{ "if": { "maxLength": 3 }, "then": { "pattern": "^a" } }')],
    [true, { ...text, maxLength: 2 }, { if: { maxLength: 3 }, else: false }],
    [false, { ...text, maxLength: 4 }, { if: { maxLength: 3 }, else: false }],
    [true, { type: 'array', maxItems: 1 }, { uniqueItems: true }],
    [false, { type: 'array', maxItems: 2 }, { uniqueItems: true }],
    [false, { type: 'array', prefixItems: [text], items: number, minItems: 1 }, { contains: number }],
    [
      true,
      { type: 'array', prefixItems: [text], items: number, minItems: 1 },
      { contains: { type: ['string', 'number'] } },
    ],
    [false, { type: 'array', contains: number, minContains: 1 }, { contains: number, minContains: 2 }],
    [true, { type: 'array', contains: number, minContains: 2 }, { contains: number, minContains: 1 }],
    [false, { type: 'array', items: number }, { contains: number }],
    [false, { type: 'array', contains: number, maxContains: 3 }, { contains: number, maxContains: 2 }],
    [false, { type: 'array', contains: { const: 1 }, maxContains: 1 }, { contains: number, maxContains: 1 }],
    [false, { type: 'object', required: ['a'] }, { minProperties: 2 }],
    [true, { type: 'object', required: ['a', 'b'] }, { minProperties: 2 }],
    [false, { type: 'object' }, { dependentSchemas: { a: { required: ['b'] } } }],
    [true, { type: 'object', properties: { a: false } }, { dependentSchemas: { a: { required: ['b'] } } }],
    [
      false,
      { type: 'object', properties: { aa: true }, additionalProperties: false },
      { propertyNames: { maxLength: 1 } },
    ],
    [
      true,
      { type: 'object', properties: { a: true }, additionalProperties: false },
      { propertyNames: { maxLength: 1 } },
    ],
    [false, { type: 'object', patternProperties: { '^x': true } }, { patternProperties: { '^x': text } }],
    [
      false,
      { type: 'object', patternProperties: { '^x': text } },
      { patternProperties: { '^y': text }, additionalProperties: number },
    ],
    [false, text, { oneOf: [{ type: 'string' }, { minLength: 2 }] }],
    [true, text, { oneOf: [{ type: 'string' }, { type: 'number' }] }],
    [false, { ...number, multipleOf: 0.21 }, { multipleOf: 0.07 }],
    [
      false,
      { type: 'array', prefixItems: [text], items: number, contains: { type: ['string', 'number'] } },
      { contains: number },
    ],
    [false, { type: 'array', prefixItems: [text], items: number }, { items: number }],
    [true, { type: 'array', prefixItems: [{ const: 1 }], items: number }, { items: number }],
    [false, { type: 'array' }, { unevaluatedItems: false }],
    [
      false,
      { type: 'object', patternProperties: { '^x': text }, additionalProperties: text },
      { patternProperties: { '^y': text }, additionalProperties: number },
    ],
    [
      true,
      { type: 'object', properties: { a: false }, additionalProperties: text },
      { properties: { a: number }, additionalProperties: text },
    ],
  ])('DIFF-2 the bounds of a proof: %s that %j is within %j', (holds, first, second) => {
    const universe = new Universe({ schema: first, definitions: {} }, { schema: second, definitions: {} })
    expect(universe.obstacle).toBeUndefined()
    expect(proveContained(universe).length === 0).toBe(holds)
  })

  test('what refuses unevaluated properties is another schema than what does not, one level down', () => {
    const node = {
      type: 'object',
      properties: { next: { $ref: '#/$defs/Loose' } },
      patternProperties: { '^x': true },
    }
    const definitions: Record<string, Schema> = {
      Loose: node,
      Strict: { ...node, ...closed },
      All: { allOf: [{ $ref: '#/$defs/Strict' }, { properties: { next: { $ref: '#/$defs/All' } } }] },
    }
    const gaps = judge({ $ref: '#/$defs/Strict' }, { $ref: '#/$defs/All' }, definitions)
    expect(gaps).toMatchObject([{ verdict: 'breaks' }])
  })

  test('long lists of values are compared by text', () => {
    const list = (from: number): Schema => ({
      enum: Array.from({ length: 20_000 }, (_, index) => `v${index + from}`),
    })
    expect(judge(list(0), list(0))).toEqual([])
    expect(judge(list(0), list(1))).toMatchObject([{ verdict: 'breaks', example: { value: 'v0' } }])
  })

  test('what would take too many steps is given up, and so not decided', () => {
    const wide = (depth: number, leaf: string): Schema =>
      depth === 0
        ? { type: leaf }
        : {
            anyOf: Array.from({ length: 6 }, (_, at) => ({
              type: 'object',
              properties: { [`p${at}`]: wide(depth - 1, leaf) },
            })),
          }
    expect(judge(wide(4, 'string'), wide(4, 'integer'))).not.toEqual([])
  })

  test('a difference behind more properties than a proof has steps is not taken for none', () => {
    const names = Array.from({ length: 21_000 }, (_, at) => `p${String(at).padStart(5, '0')}`)
    const side = (last: Schema): Schema => ({
      type: 'object',
      properties: Object.fromEntries(
        names.map((name, at) => [name, at === 20_999 ? last : { type: 'string' }]),
      ),
    })
    const universe = new Universe(
      { schema: side({ type: 'string' }), definitions: {} },
      { schema: side({ type: 'integer' }), definitions: {} },
    )
    expect(proveContained(universe)).toContainEqual({
      location: [expect.stringMatching(/^p/)],
      keyword: 'size',
      wants: undefined,
    })
  })
})

function* values(
  schema: Schema,
  universe: Universe,
  $defs: Record<string, Schema>,
  seed: number,
): Generator<unknown> {
  let left = valuesPerPair
  const made = new Instances({ left: 300_000 }).matching(new Conjunction([universe.first], universe), [
    universe.second,
  ])
  for (const value of made) {
    if (--left < valuesPerPair / 4) break
    yield value
  }
  if (typeof schema === 'boolean') return
  for (; left > 0; left--) {
    try {
      yield randomValue({ ...schema, $defs }, new RandomSource(seed * 100_000 + left))
    } catch {
      return // chance finds no value of this schema; those that were made have been looked at
    }
  }
}

function ajv(schema: Schema, $defs: Record<string, Schema>): (value: unknown) => unknown {
  return compileWithAjv(typeof schema === 'boolean' ? schema : { ...schema, $defs })
}

/** Ajv takes an empty array for one that contains something, where there are tuples. */
function isDisputed(first: Schema, second: Schema, value: unknown): boolean {
  return JSON.stringify([first, second]).includes('"contains"') && JSON.stringify(value).includes('[]')
}

test('CALL-11a what no value can be made for is asked once, where each level requires the next twice', () => {
  const sides = (['string', 'integer'] as const).map(
    (type): { schema: Schema; definitions: Record<string, Schema> } => {
      const definitions: Record<string, Schema> = { D18: { type } }
      for (let level = 0; level < 18; level++) {
        const next = { $ref: `#/$defs/D${level + 1}` }
        definitions[`D${level}`] = { type: 'object', properties: { a: next, b: next }, required: ['a', 'b'] }
      }
      return { schema: { $ref: '#/$defs/D0' }, definitions }
    },
  )
  const universe = new Universe(...(sides as [(typeof sides)[0], (typeof sides)[0]]))
  const [gap] = proveContained(universe)
  const before = process.cpuUsage()
  expect(findCounterexample(universe, gap, { left: 300_000 })).toBeUndefined()
  // Half a second; minutes, when each level asked the next twice.
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(10)
})

describe('DIFF-2 proofs of definitions that refer to each other', () => {
  const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` })
  const from = (definitions: Record<string, Schema>) => ({ schema: ref('A'), definitions })

  test('what was proven while a goal was assumed is proven no more once that goal is refuted', () => {
    const definitions = (a: Schema): Record<string, Schema> => ({
      A: { anyOf: [ref('D'), { oneOf: [{ enum: [0, 'a'] }, ref('B')] }] },
      B: ref('D'),
      C: { type: 'array', items: ref('B') },
      D: { type: 'object', properties: { a } },
    })
    const [wide, narrow] = [
      definitions({ anyOf: [ref('C'), { type: 'integer' }] }),
      definitions({ anyOf: [ref('C')] }),
    ]
    expect(proveContained(new Universe(from(wide), from(narrow)))).not.toEqual([])
    expect(proveContained(new Universe(from(narrow), from(wide)))).toEqual([])
  })

  test('the same where the refuted goal is the first of several branches', () => {
    const definitions = (b: Schema): Record<string, Schema> => ({
      A: ref('C'),
      B: { type: 'object', properties: { a: ref('D') }, required: ['b'] },
      C: {
        anyOf: [
          { type: 'object', properties: { a: { const: 'a' } }, required: ['b'] },
          { type: 'object', properties: { a: ref('B'), b } },
        ],
      },
      D: {
        type: 'object',
        properties: { a: { allOf: [ref('A'), ref('C')] }, b: ref('D') },
        required: ['a'],
        additionalProperties: ref('B'),
      },
    })
    const more: Schema = { type: 'object', properties: { a: ref('A') }, required: ['a'] }
    const [wide, narrow] = [definitions(ref('C')), definitions({ allOf: [ref('C'), more] })]
    expect(proveContained(new Universe(from(wide), from(narrow)))).not.toEqual([])
    expect(proveContained(new Universe(from(narrow), from(wide)))).toEqual([])
  })

  test('a definition like that of JSON Schema, with itself in every part, is compared to the end', () => {
    const [self, list] = [ref('A'), { type: 'array', items: ref('A'), minItems: 1 }]
    const named: Schema = { type: 'object', additionalProperties: self }
    const texts: Schema = { type: 'array', items: { type: 'string' } }
    const alike = (names: string, schema: Schema): Record<string, Schema> =>
      Object.fromEntries(names.split(' ').map((name) => [name, schema]))
    const metaSchema = (comment: Schema) => {
      const properties: Record<string, Schema> = {
        comment,
        ...alike('additionalItems contains additionalProperties propertyNames if then else not', self),
        ...alike('allOf anyOf oneOf', list),
        ...alike('definitions properties patternProperties', named),
        items: { anyOf: [self, list] },
        dependencies: { type: 'object', additionalProperties: { anyOf: [self, texts] } },
      }
      const schema: Schema = { type: 'object', properties }
      return { schema, definitions: { A: { anyOf: [schema, { type: 'boolean' }] } } }
    }
    const [wide, narrow] = [metaSchema({ type: 'string' }), metaSchema({ type: 'string', minLength: 3 })]
    expect(proveContained(new Universe(narrow, wide))).toEqual([])
    expect(proveContained(new Universe(wide, narrow))).not.toEqual([])
  })
})

test('DIFF-2 a chain of definitions that no stack can follow is not told, and ends nothing', () => {
  const chain = (last: string) => {
    const definitions: Record<string, Schema> = { D2000: { type: last } }
    for (let level = 0; level < 2000; level++) {
      const next = { $ref: `#/$defs/D${level + 1}` }
      definitions[`D${level}`] = { type: 'object', properties: { next } }
    }
    return { schema: { $ref: '#/$defs/D0' }, definitions }
  }
  expect(judgedGaps(chain('string'), chain('number'))).toMatchObject([
    { keyword: 'size', verdict: 'unknown' },
  ])
  expect(judgedGaps(chain('string'), chain('string'))).toEqual([])
})

test('DIFF-2 an example is found in the last branch of a tagged union', () => {
  const branch = (kind: string, members: Record<string, Schema>, required: readonly string[]): Schema => ({
    type: 'object',
    properties: { kind: { const: kind }, ...members },
    required: ['kind', ...required],
  })
  const using = (required: readonly string[]): Schema => ({
    type: 'object',
    properties: {
      by: {
        anyOf: [branch('name', { name: { type: 'string' } }, ['name']), branch('id', { id: {} }, required)],
      },
    },
  })
  const gaps = judgedGaps({ schema: using([]), definitions: {} }, { schema: using(['id']), definitions: {} })
  expect(gaps.map(({ example }) => example)).toEqual([{ value: { by: { kind: 'id' } } }])
})

describe('DIFF-2 definitions that each refer to the next twice do not multiply the work', () => {
  const length = 30
  const chain = (link: (next: JsonSchema) => JsonSchema, last: JsonSchema): Contained => {
    const links = Array.from({ length }, (_, index) => [`d${index}`, link({ $ref: `#/$defs/d${index + 1}` })])
    return {
      schema: { type: 'object', properties: { at: { $ref: '#/$defs/d0' } }, required: ['at'] },
      definitions: Object.fromEntries([...links, [`d${length}`, last]]),
    }
  }

  test.each<[string, (next: JsonSchema) => JsonSchema]>([
    ['all of', (next) => ({ allOf: [next, next] })],
    ['any of', (next) => ({ anyOf: [next, next] })],
    ['members', (next) => ({ type: 'object', properties: { a: next, b: next }, required: ['a', 'b'] })],
    ['a pair', (next) => ({ type: 'array', prefixItems: [next, next], minItems: 2 })],
    [
      'names by pattern',
      (next) => ({ type: 'object', additionalProperties: next, patternProperties: { '^a': next } }),
    ],
    ['a contained item', (next) => ({ type: 'array', contains: next, items: next })],
    ['conditions', (next) => ({ if: next, else: next, ...Object.fromEntries([['then', next]]) })],
    ['a member that is the next or null', nextOrNull],
  ])(
    '%s',
    (_what, link) => {
      const started = performance.now()
      const gaps = judgedGaps(chain(link, { type: 'string' }), chain(link, { type: 'string', maxLength: 5 }))
      // A hang guard: it was minutes, or never.
      expect(performance.now() - started).toBeLessThan(30_000)
      expect(gaps.length).toBeGreaterThan(0)
    },
    60_000,
  )

  test.each<[string, (next: JsonSchema) => JsonSchema]>([
    ['a pair', (next) => ({ type: 'array', prefixItems: [next, next], contains: next })],
    ['a member that is the next or null', nextOrNull],
  ])(
    'nor exhaust the steps of a proof: %s',
    (_what, link) => {
      const narrow = chain(link, { type: 'string', maxLength: 5 })
      expect(judgedGaps(narrow, chain(link, { type: 'string', maxLength: 10 }))).toEqual([])
    },
    60_000,
  )
})

function nextOrNull(next: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: { a: next, b: { anyOf: [next, { type: 'null' }] } },
    required: ['a', 'b'],
  }
}
