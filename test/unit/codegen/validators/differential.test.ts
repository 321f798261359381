import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { invalidValue, makeTools, randomSource, validValue } from '../../../../bench/corpus.mjs'
import { interpretCheck } from '../../../../runtime/check-tree/interpret.ts'
import type { Problem } from '../../../../runtime/errors.ts'
import type { Schema } from '../../../../runtime/schema/schema.ts'
import type { Check } from '../../../../runtime/schema/validator.ts'
import { toolSets } from '../../../data/tool-sets.ts'
import { often, runs, someOf } from '../../../runs.ts'
import { ajvCheck } from './ajv.ts'
import { schema, value } from './arbitrary-schema.ts'
import { compiled } from './evaluate.ts'

describe('GEN-11 compiled and interpreted checks give the verdict of Ajv', () => {
  test('random schemas and values', () => {
    let compared = 0
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 4, maxLength: 12 }), (given, values) => {
        const check = refusedOr(() => compiled(given))
        const twin = refusedOr(() => interpretCheck(given))
        expect(check === undefined, 'both refuse, or neither').toBe(twin === undefined)
        if (!check || !twin) return
        const ajv = ajvCheck(given)
        for (const each of values) {
          const want = isMisreadByAjv(given, each) ? undefined : ajvVerdict(ajv, each)
          compared += want === undefined ? 0 : 1
          expect(verdicts(check, each), JSON.stringify({ schema: given, value: each })).toEqual(
            verdicts(twin, each),
          )
          expect(check(each), JSON.stringify({ schema: given, value: each })).toBe(want ?? check(each))
        }
      }),
      { numRuns: runs(200) },
    )
    expect(compared).toBeGreaterThan(often(500))
  })

  test('a oneOf of which several shapes may take one value of the tag, or any', () => {
    const tagged = (values: string[], member: string) => ({
      type: 'object',
      properties: { op: { enum: values }, [member]: { type: 'number' } },
      required: ['op'],
    })
    const schemas: Schema[] = [
      { oneOf: [tagged(['add'], 'a'), tagged(['sub'], 'b'), tagged(['sub', 'div'], 'c')] },
      { oneOf: [tagged(['add'], 'a'), tagged(['sub'], 'b'), { type: 'object', required: ['c'] }] },
      {
        oneOf: [
          tagged(['add'], 'a'),
          tagged(['sub'], 'b'),
          { type: 'string' },
          { type: 'string', minLength: 2 },
        ],
      },
      { oneOf: [tagged(['add'], 'a'), tagged(['sub'], 'b'), { type: 'string' }, { type: 'number' }] },
    ]
    const values = ['add', 'sub', 'div', 'mul'].flatMap((op) => [{ op }, { op, c: 1 }, { op, b: 'x', c: 1 }])
    for (const given of schemas) {
      const [check, twin, ajv] = [compiled(given), interpretCheck(given), ajvCheck(given)]
      for (const each of [...values, 'a', 'ab', 1, { c: 1 }]) {
        const message = JSON.stringify({ schema: given, value: each })
        expect(verdicts(check, each), message).toEqual(verdicts(twin, each))
        expect(check(each), message).toBe(ajv(each))
      }
    }
  })

  test('alternatives with a tag that allow null as well', () => {
    const shape = (kind: string, nullable: boolean) => ({
      type: 'object',
      nullable,
      properties: { kind: { const: kind } },
      required: ['kind'],
    })
    for (const keyword of ['anyOf', 'oneOf']) {
      for (const [first, second] of [
        [true, false],
        [true, true],
      ] as const) {
        const given = { [keyword]: [shape('a', first), shape('b', second), shape('c', false)] }
        const [check, twin, ajv] = [compiled(given), interpretCheck(given), ajvCheck(given)]
        for (const each of [null, { kind: 'a' }, { kind: 'b' }, { kind: 'x' }, {}, 'a']) {
          const message = JSON.stringify({ schema: given, value: each })
          expect(verdicts(check, each), message).toEqual(verdicts(twin, each))
          expect(check(each), message).toBe(ajv(each))
        }
      }
    }
  })

  test('the synthetic corpus: valid values, and values with one defect', () => {
    const random = randomSource(7)
    for (const { parameters, output } of makeTools(25, 3)) {
      const [check, twin, ajv] = [compiled(parameters), interpretCheck(parameters), ajvCheck(parameters)]
      for (let round = 0; round < 6; round++) {
        const [valid, invalid] = [validValue(parameters, random), invalidValue(parameters, random)]
        expect(verdicts(check, valid)).toEqual({ valid: true, problems: [] })
        expect(verdicts(check, invalid)).toEqual(verdicts(twin, invalid))
        expect([check(invalid), twin(valid)]).toEqual([ajv(invalid), true])
      }
      expect(compiled(output)(validValue(output, random))).toBe(true)
    }
  })

  test.for(toolSets)('the tools of $name, with values near what they take', ({ tools }, { skip }) => {
    skip(tools.length === 0, 'not at hand')
    for (const { name, inputSchema } of someOf(tools)) {
      const [check, twin, ajv] = [compiled(inputSchema), interpretCheck(inputSchema), ajvCheck(inputSchema)]
      for (const each of valuesNear(inputSchema)) {
        expect(verdicts(check, each), name).toEqual(verdicts(twin, each))
        expect(check(each), `${name} ${JSON.stringify(each)}`).toBe(ajv(each))
      }
    }
  })
})

/** Objects with each property in turn given a value of every type. */
function valuesNear({ properties = {} }: Exclude<Schema, boolean>): unknown[] {
  const some = ['x', 1, 1.5, -1, 1e6, true, null, [], ['x'], [1], {}, undefined]
  const full = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, sample(property)]),
  )
  const one = Object.keys(properties).flatMap((name) => some.map((each) => ({ ...full, [name]: each })))
  return [null, [], 'text', {}, full, { ...full, extra: 1 }, ...one]
}

function sample(property: Schema): unknown {
  if (typeof property === 'boolean') return 1
  if (property.enum) return property.enum[0]
  return (
    { string: 'x', number: 1, integer: 1, boolean: true, array: [], object: {} }[String(property.type)] ??
    null
  )
}

function verdicts(check: Check, each: unknown): { valid: boolean; problems: Problem[] } {
  const problems: Problem[] = []
  const valid = check(each, '', problems)
  expect(problems.length === 0, 'a wrong value has a problem, a right one none').toBe(valid)
  return { valid, problems }
}

/**
 * Ajv itself throws for some schemas and values: its comparison of objects calls `toString` of the value, where that
 * is data, and its record of evaluated properties is sometimes undefined. Then there is nothing to compare with.
 */
function ajvVerdict(ajv: (value: unknown) => unknown, each: unknown): boolean | undefined {
  try {
    return ajv(each) === true
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/**
 * Ajv 8 takes inherited names such as `toString` for evaluated where it looks them up in an object, and takes an empty
 * array for one that contains something where it stops at the first error, as inside `not` and `if`.
 */
function isMisreadByAjv(given: Schema, each: unknown): boolean {
  const [schemaText, valueText] = [JSON.stringify(given), JSON.stringify(each)]
  return (
    (schemaText.includes('"unevaluatedProperties"') && valueText.includes('toString')) ||
    (schemaText.includes('"contains"') && valueText.includes('[]'))
  )
}

function refusedOr(make: () => Check): Check | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof Error && (error.message.startsWith('refused') || 'code' in error)) return undefined
    throw error
  }
}
