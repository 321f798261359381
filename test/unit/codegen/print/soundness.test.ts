import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isJsonObject } from '../../../../runtime/json/json.ts'
import type { Schema } from '../../../../runtime/schema/schema.ts'
import { often, runs } from '../../../runs.ts'
import { compile } from './compile.ts'
import { printType } from './print-type.ts'
import { anySchema, anyValue, exactSchema } from './random-schema.ts'
import { valueType } from './value-type.ts'

const seed = Number(process.env.FC_SEED ?? 20261120)
// Own properties, as the project reads them: by Ajv's default `required: ['toString']` is met by every object.
const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true })

interface Subject {
  readonly schema: Schema
  readonly value: unknown
  readonly valid: boolean
}

/** For each schema a few values of either kind, as far as the small world has them. */
function subjects(schemas: fc.Arbitrary<Schema>, count: number): Subject[] {
  const values = fc.sample(anyValue, { seed, numRuns: 400 })
  return fc.sample(schemas, { seed, numRuns: count }).flatMap((schema, at) => {
    const validate = ajv.compile(schema)
    const chosen = new Map<string, Subject>()
    const left = { true: 6, false: 4 }
    for (let tried = 0; tried < 120; tried++) {
      const value = values[(at * 37 + tried) % values.length]
      const valid = validate(value)
      const key = JSON.stringify(value)
      if (chosen.has(key) || left[`${valid}`]-- <= 0) continue
      chosen.set(key, { schema, value, valid })
    }
    return [...chosen.values()]
  })
}

interface Check {
  readonly subject: Subject
  readonly type: string
  readonly valueType: string
  readonly fits: boolean
}

/** The first few subjects whose printed type says something else of the value than `fits`. */
function misjudged(checks: readonly Check[]): object[] {
  const head = [
    "import type { Reference } from 'callsheet/wiring'",
    "import type * as Types from './types.js'",
    'export type Used = Reference',
    'type Fits<Value, Type> = [Value] extends [Type] ? true : false',
  ]
  const lines = checks.map(
    ({ valueType, fits }, at) => `export const c${at}: Fits<${valueType}, Types.T${at}> = ${fits}`,
  )
  const types = checks.map(({ type }, at) => `export type T${at} = ${type}`)
  const { errors } = compile({
    'checks.ts': [...head, ...lines].join('\n'),
    'types.ts': [
      "import type { Reference } from 'callsheet/wiring'",
      'export type Used = Reference',
      ...types,
    ].join('\n'),
  })
  return errors.slice(0, 5).map((error) => {
    const at = Number(/checks\.ts\((\d+),/.exec(error)?.[1]) - 1 - head.length
    const check = checks[at]
    return check
      ? {
          seed,
          schema: JSON.stringify(check.subject.schema),
          type: check.type,
          value: check.valueType,
          error,
        }
      : { error }
  })
}

it('GEN-1 every value that the validator accepts has the printed type', () => {
  const valid = subjects(anySchema, runs(260)).filter((subject) => subject.valid)
  expect(valid.length).toBeGreaterThan(often(500))
  const checks = valid.map((subject) => ({
    subject,
    type: printType(subject.schema),
    valueType: valueType(subject.value),
    fits: true,
  }))
  expect(misjudged(checks)).toEqual([])
})

it('GEN-1 where a type can say all that a schema says, no other value has it', () => {
  const checks = subjects(exactSchema, runs(160)).map((subject) => ({
    subject,
    type: printType(subject.schema),
    valueType: valueType(subject.value),
    fits: subject.valid,
  }))
  expect(checks.filter(({ fits }) => !fits).length).toBeGreaterThan(often(200))
  expect(misjudged(checks)).toEqual([])
})

it('REF-1 a valid value with References in any places has the written type', () => {
  const valid = subjects(anySchema, runs(160)).filter(
    ({ valid, value }) => valid && typeof value === 'object',
  )
  const checks = valid.map((subject, at) => ({
    subject,
    type: printType(subject.schema, { mode: 'written' }),
    valueType: withReferences(subject.value, at),
    fits: true,
  }))
  expect(checks.filter((check) => check.valueType.includes('Reference')).length).toBeGreaterThan(often(100))
  expect(misjudged(checks)).toEqual([])
})

/** The value's type with every second or third member or item replaced by a Reference. */
function withReferences(value: unknown, salt: number): string {
  let count = salt
  const place = (part: unknown): string => (count++ % (2 + (salt % 2)) === 0 ? 'Reference' : inner(part))
  function inner(part: unknown): string {
    if (Array.isArray(part)) return `[${part.map(place).join(', ')}]`
    if (!isJsonObject(part)) return valueType(part)
    return `{ ${Object.entries(part)
      .map(([name, member]) => `${JSON.stringify(name)}: ${place(member)}`)
      .join('; ')} }`
  }
  return inner(value)
}
