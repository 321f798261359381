import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildModel } from '../../../../codegen/build/build-model.ts'
import { checkModel } from '../../../../codegen/check/check-model.ts'
import { importTools } from '../../../../codegen/import/import-tools.ts'
import type { Finding } from '../../../../codegen/model.ts'
import { isJsonObject } from '../../../../runtime/json/json.ts'
import type { JsonSchema, Schema, ToolSchema } from '../../../../runtime/schema/schema.ts'
import { often, runs } from '../../../runs.ts'
import { compare, compile } from './compare-schemas.ts'
import { argumentsSchema, evaluateDefinitions } from './evaluate-definitions.ts'
import { likelyValid, mutated, seeded } from './sample-values.ts'

const name = fc.constantFrom('a', 'b', 'odd key', 'constructor', '_from', 'x-y')
const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'odd key', 'x-y'), { maxLength: 2 })
const small = fc.integer({ min: 0, max: 2 })
const annotations = some({
  description: fc.string(),
  title: fc.string(),
  default: fc.jsonValue({ maxDepth: 1 }),
})
const strings = { minLength: small, maxLength: small, pattern: fc.constantFrom('^a', '\\d', "it's`") }
const numbers = {
  minimum: small,
  maximum: small,
  exclusiveMinimum: small,
  multipleOf: fc.constantFrom(1, 2, 0.5),
}

/** Each keyword present or not. */
function some(keywords: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> {
  return fc.record(keywords, { requiredKeys: [] })
}

function together(...parts: fc.Arbitrary<object>[]): fc.Arbitrary<JsonSchema> {
  return fc.tuple(...parts).map((all) => Object.assign({}, ...all))
}

function arrays(depth: number): Record<string, fc.Arbitrary<unknown>> {
  return {
    items: schemaOf(depth),
    prefixItems: schemasOf(depth),
    minItems: small,
    maxItems: small,
    uniqueItems: fc.boolean(),
    contains: schemaOf(depth),
    unevaluatedItems: fc.boolean(),
  }
}

function objects(depth: number): Record<string, fc.Arbitrary<unknown>> {
  return {
    properties: fc.dictionary(name, schemaOf(depth), { maxKeys: 3 }),
    required: names,
    additionalProperties: schemaOf(depth),
    patternProperties: fc.dictionary(fc.constantFrom('^a', '.', '^.*$'), schemaOf(depth), { maxKeys: 2 }),
    propertyNames: fc.constantFrom({ maxLength: 3 }, true),
    minProperties: small,
    maxProperties: small,
    dependentRequired: fc.dictionary(name, names, { maxKeys: 1 }),
    dependentSchemas: fc.dictionary(name, schemaOf(depth), { maxKeys: 1 }),
    unevaluatedProperties: fc.boolean(),
  }
}

function combinations(depth: number): fc.Arbitrary<object> {
  const inner = schemaOf(depth)
  const keywords = {
    anyOf: schemasOf(depth),
    allOf: schemasOf(depth),
    oneOf: schemasOf(depth),
    not: inner,
    if: inner,
  }
  return fc.tuple(some(keywords), fc.option(inner)).map(([all, consequence]) => {
    return consequence === null ? all : { ...all, ...Object.fromEntries([['then', consequence]]) }
  })
}

function schemasOf(depth: number): fc.Arbitrary<Schema[]> {
  return fc.array(schemaOf(depth), { minLength: 1, maxLength: 2 })
}

/** A schema with at most `depth` levels of schemas inside. */
function schemaOf(depth: number): fc.Arbitrary<Schema> {
  const typed = (
    type: string | string[],
    keywords: Record<string, fc.Arbitrary<unknown>>,
  ): fc.Arbitrary<Schema> => together(annotations, fc.constant({ type }), some(keywords))
  const data = fc.jsonValue({ maxDepth: 1 })
  const enumeration = fc.uniqueArray(data, {
    minLength: 1,
    maxLength: 3,
    selector: (value) => JSON.stringify(value),
  })
  const leaf = fc.oneof(
    fc.boolean(),
    annotations as fc.Arbitrary<Schema>,
    together(annotations, fc.record({ const: data })),
    together(annotations, fc.record({ enum: enumeration })),
    typed('string', strings),
    typed('number', numbers),
    typed('integer', numbers),
    typed('boolean', {}),
    typed('null', {}),
    together(annotations, fc.constant({ $ref: '#/$defs/Shared' })),
  )
  if (depth === 0) return leaf
  const inner = depth - 1
  return fc.oneof(
    leaf,
    typed('array', arrays(inner)),
    typed('object', objects(inner)),
    typed(['string', 'integer', 'array', 'object'], {
      ...strings,
      ...numbers,
      ...arrays(inner),
      ...objects(inner),
    }),
    together(annotations, combinations(inner)),
    together(fc.constant({ type: 'object' }), some(objects(inner)), combinations(inner)),
    together(some({ ...numbers, ...objects(inner) })),
  )
}

const root = together(
  annotations,
  some(objects(1)),
  fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: combinations(1) }),
  fc.constant({ $defs: { Shared: { type: ['string', 'null'], maxLength: 2 } } }),
)

test('GEN-10 random schemas: the same instances are valid', async () => {
  const schemas = fc.sample(root, { numRuns: runs(240), seed: 11 })
  const counts = await compare(
    schemas.map((schema, index) => ({ name: `tool${index}`, schema })),
    12,
  )
  expect(counts.valid).toBeGreaterThan(often(20))
  expect(counts.invalid).toBeGreaterThan(often(300))
})

test('GEN-10 what is refused as unsatisfiable has no value, at its place', () => {
  const schemas = fc.sample(root, { numRuns: runs(200), seed: 12 })
  const random = seeded(3)
  let refused = 0
  for (const schema of schemas) {
    const { findings } = importTools({ tools: [{ name: 'x', inputSchema: schema }] }, { open: true })
    for (const { rule, pointer = '', message } of findings) {
      if (rule !== 'import-unsatisfiable') continue
      const part = partAt({ type: 'object', ...schema }, pointer)
      refused++
      if (typeof part === 'boolean') expect(part).toBe(false)
      else {
        const check = compile({ ...part, $defs: schema.$defs })
        for (let round = 0; round < 30; round++) {
          const value = likelyValid(part, random, schema)
          expect({ message, value, valid: check(value) }).toEqual({ message, value, valid: false })
        }
      }
    }
  }
  expect(refused).toBeGreaterThan(often(20))
})

test('GEN-10 parameters are imported closed: what the definition accepts, the source accepts too', async () => {
  const schemas = fc.sample(root, { numRuns: runs(160), seed: 13 })
  const sources = schemas.map((inputSchema, index) => ({ name: `tool${index}`, inputSchema }))
  const tools = await evaluateDefinitions(importTools({ tools: sources }).files)
  expect(refusedByGenerate(tools)).toEqual([])
  const random = seeded(5)
  const counts = { accepted: 0, refused: 0 }
  for (const { name, inputSchema } of sources) {
    const tool = tools.get(name)
    if (!tool) continue
    const [original, imported] = [compile({ type: 'object', ...inputSchema }), compile(argumentsSchema(tool))]
    for (let round = 0; round < 15; round++) {
      const value = likelyValid({ type: 'object', ...inputSchema }, random)
      for (const each of [value, mutated(value, random)]) {
        if (!isJsonObject(each)) continue
        if (imported(each))
          expect({ inputSchema, each, ok: original(each) }).toMatchObject({ each, ok: true })
        counts[imported(each) ? 'accepted' : 'refused']++
      }
    }
  }
  expect(counts.accepted).toBeGreaterThan(often(25))
  expect(counts.refused).toBeGreaterThan(often(60))
})

/** What would stop every generation, of the definitions as they were written. */
function refusedByGenerate(tools: ReadonlyMap<string, ToolSchema>): Finding[] {
  const at = { file: 'tools.ts', line: 1, column: 1 }
  const definitions = [...tools].map(([name, value]) => ({ kind: 'tool' as const, name, value, at }))
  const { model, findings } = buildModel(definitions)
  return [...findings, ...checkModel(model, definitions)].filter(({ severity }) => severity === 'error')
}

function partAt(schema: Schema, pointer: string): Schema {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], schema) as Schema
}
