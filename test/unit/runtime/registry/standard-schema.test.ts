import { Ajv } from 'ajv'
import { type JsonSchema, tool } from 'callsheet'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toDraft07 } from '../../../../runtime/schema/draft-07.ts'
import { plainToolSchema } from '../../../../runtime/schema/plain-schema.ts'
import {
  asToolObject,
  type StandardResult,
  type ToolObject,
} from '../../../../runtime/schema/standard-schema.ts'
import { toolFacts } from '../../../../runtime/schema/tool-facts.ts'
import { registeredEntry } from '../../../../runtime/tools/registered-entry.ts'
import type { GeneratedTool } from '../../../../runtime/tools/tool-entry.ts'
import { toolObjects } from '../../../../runtime/tools/tool-objects.ts'

const declared = tool(
  'place',
  {
    at: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false, minItems: 2 },
    name: { type: 'string', minLength: 2 },
    _outputPath: { type: 'string' },
    _output: { type: 'string' },
  },
  { description: 'Puts a name on a place.' },
)
const schema = plainToolSchema('place', declared)
const entry = registeredEntry('place', schema, undefined)
const checks = await entry.loadChecks()

const valid = { at: [1, 2], name: 'Oslo' }
const cases: [string, unknown, (string | number)[][]][] = [
  ['valid arguments, without the meta-field that the Tool requires', valid, []],
  ['a whole Call', { _tool: 'place', _outputPath: '†state.x', ...valid }, []],
  ['every problem with its path', { at: [1, 'two'], name: 'x' }, [['at', '1'], ['name']]],
  ['what is missing', {}, [['at'], ['name']]],
  ['what is not declared', { ...valid, extra: 1 }, [['extra']]],
  ['no object', 'Oslo', [[]]],
]

describe('GEN-9 Standard Schema', () => {
  test.each(cases)('%s', async (_what, value, want) => {
    const now = asToolObject(entry.schema, checks)['~standard'].validate(value)
    const later = asToolObject(entry.schema, () => Promise.resolve(checks))['~standard'].validate(value)
    expect(now).not.toBeInstanceOf(Promise)
    expect(later).toBeInstanceOf(Promise)
    for (const result of [now as StandardResult<unknown>, await later]) {
      if (want.length === 0) expect(result).toEqual({ value })
      else expect(result.issues?.map(({ path }) => path).sort()).toEqual(want)
    }
  })

  test('is hidden: JSON and comparison see the schema alone, which nobody can change', () => {
    const object = asToolObject(entry.schema, checks)
    expect(JSON.stringify(object)).toBe(JSON.stringify(entry.schema))
    expect({ ...object }).toEqual(entry.schema)
    expect(object['~standard']).toMatchObject({ version: 1, vendor: 'callsheet' })
    expect(Object.isFrozen(object)).toBe(true)
  })

  test('the objects of generated wiring have it, and are made once', async () => {
    const generated: GeneratedTool = {
      facts: toolFacts('place', schema),
      text: JSON.stringify(schema),
      load: async () => ({ checks }),
    }
    const objects = toolObjects([generated]) as Record<string, ToolObject>
    expect(objects.place).toBe(objects.place)
    expect(await objects.place?.['~standard'].validate(valid)).toEqual({ value: valid })
  })
})

describe('GEN-9 Standard JSON Schema', () => {
  const face = asToolObject(entry.schema, checks)['~standard'].jsonSchema

  test('draft-2020-12: the parameters, and no meta-field', () => {
    expect(face.input({ target: 'draft-2020-12' })).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      description: 'Puts a name on a place.',
      properties: { at: schema.properties?.at, name: schema.properties?.name },
      required: ['at', 'name'],
      additionalProperties: false,
    })
    expect(face.output({ target: 'draft-2020-12' })).toEqual(face.input({ target: 'draft-2020-12' }))
  })

  test('draft-07, which the AI SDK asks for', () => {
    expect(face.input({ target: 'draft-07' })).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
      properties: {
        at: { type: 'array', items: [{ type: 'number' }, { type: 'number' }], additionalItems: false },
      },
    })
  })

  const defined = { In: { type: 'string' }, Deep: { $ref: '#/$defs/In' }, Out: { $ref: '#/$defs/Deep' } }
  test.each<[string, JsonSchema, string[] | undefined]>([
    ['directly', { $ref: '#/$defs/In' }, ['In']],
    ['through another', { items: { $ref: '#/$defs/Deep' } }, ['Deep', 'In']],
    ['not at all', { $ref: '#' }, undefined],
    ['by a path into one, which may lead anywhere', { $ref: '#/$defs/Out/$ref' }, ['In', 'Deep', 'Out']],
  ])('has only the definitions that parameters use %s', (_how, of, names) => {
    const properties = { _tool: { const: 'x' }, of, _output: { $ref: '#/$defs/Out' } }
    const made = asToolObject({ type: 'object', properties, required: ['_tool'], $defs: defined }, checks)
    const { $defs } = made['~standard'].jsonSchema.input({ target: 'draft-2020-12' })
    expect($defs && Object.keys($defs)).toEqual(names)
  })

  test.each(['openapi-3.0', 'draft-04', '__proto__', 'toString'])('%s is refused', (target) => {
    expect(() => face.input({ target })).toThrow(expect.objectContaining({ code: 'unsupported_schema' }))
  })

  const given: [string, JsonSchema, JsonSchema][] = [
    [
      'definitions',
      { $ref: '#/$defs/A~1b', $defs: { 'A/b': { type: 'number' } } },
      { allOf: [{ $ref: '#/definitions/A~1b' }], definitions: { 'A/b': { type: 'number' } } },
    ],
    [
      'a reference beside others in place',
      { $ref: '#/$defs/A', allOf: [{ minProperties: 1 }], $defs: { A: true } },
      { allOf: [{ minProperties: 1 }, { $ref: '#/definitions/A' }], definitions: { A: true } },
    ],
    [
      'a reference alone',
      { properties: { a: { $ref: '#/$defs/A' } } },
      { properties: { a: { $ref: '#/definitions/A' } } },
    ],
    [
      'dependencies',
      {
        dependentRequired: { a: ['b'], c: ['d'] },
        dependentSchemas: { a: { required: ['e'] } },
      },
      { dependencies: { a: { allOf: [{ required: ['e'] }, { required: ['b'] }] }, c: ['d'] } },
    ],
    ['an open tuple', { prefixItems: [{ type: 'null' }] }, { items: [{ type: 'null' }] }],
    ['data', { const: { prefixItems: [1], $defs: {} } }, { const: { prefixItems: [1], $defs: {} } }],
  ]
  test.each(given)('%s', (_what, newer, older) => {
    const before = structuredClone(newer)
    expect(toDraft07(newer)).toEqual(older)
    expect(newer).toEqual(before)
  })

  test.each(['unevaluatedProperties', 'unevaluatedItems', 'minContains', 'maxContains'])(
    '%s cannot be said, at any depth',
    (keyword) => {
      const deep = { properties: { a: { anyOf: [{ [keyword]: 1 }] } } }
      expect(() => toDraft07(deep)).toThrow(expect.objectContaining({ code: 'unsupported_schema' }))
    },
  )

  test('what Ajv says of draft-07 is what Callsheet says of the arguments', async () => {
    const rich = tool('rich', {
      pair: {
        type: 'array',
        prefixItems: [{ $ref: '#/$defs/N' }, { type: 'string' }],
        items: { type: 'boolean' },
      },
      tree: { $ref: '#/$defs/Tree' },
      group: {
        type: 'object',
        dependentRequired: { a: ['b'] },
        dependentSchemas: { b: { required: ['c'] } },
      },
      _output: { type: 'null' },
    })
    const plain = plainToolSchema('rich', {
      ...rich,
      $defs: {
        N: { type: 'integer' },
        Tree: {
          type: 'object',
          properties: { child: { $ref: '#/$defs/Tree' } },
          additionalProperties: false,
        },
      },
    })
    const object = asToolObject(plain, await registeredEntry('rich', plain, undefined).loadChecks())[
      '~standard'
    ]
    const ajv = new Ajv({ strict: false }).compile(object.jsonSchema.input({ target: 'draft-07' }))
    const leaf = fc.oneof(fc.integer(), fc.string({ maxLength: 2 }), fc.boolean(), fc.constant(null))
    const value = fc.record(
      {
        pair: fc.oneof(
          leaf,
          fc.array(leaf, { maxLength: 4 }),
          fc.tuple(fc.integer(), fc.string(), fc.boolean()),
        ),
        tree: fc.oneof(
          leaf,
          fc.constant({ child: { child: {} } }),
          fc.constant({ child: { child: 1 } }),
          fc.constant({ a: 1 }),
        ),
        group: fc.oneof(leaf, fc.dictionary(fc.constantFrom('a', 'b', 'c'), leaf)),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(value, (each) => {
        const { issues } = object.validate(each) as StandardResult<unknown>
        expect(issues === undefined).toBe(ajv(each))
      }),
      { numRuns: 300 },
    )
  })
})
