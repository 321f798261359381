import { toStrictJsonSchema } from 'openai/lib/transform'
import { describe, expect, test } from 'vitest'
import { compose } from '../../../../runtime/compose/compose.ts'
import { isCallsheetError } from '../../../../runtime/errors.ts'
import { lower } from '../../../../runtime/lower/lower.ts'
import { lowerTools } from '../../../../runtime/native/native-tools.ts'
import type { JsonSchema, Schema } from '../../../../runtime/schema/schema.ts'
import { corpusTools } from './corpus-tools.ts'
import { Random, randomSchema } from './random-schema.ts'
import { realTools } from './real-tools.ts'

/** The `openai` package refuses what the API refuses, and adds what is missing: unchanged means nothing was wrong. */
function expectStrict(schema: JsonSchema): void {
  const strict = toStrictJsonSchema(schema as Parameters<typeof toStrictJsonSchema>[0])
  expect(JSON.stringify(strict)).toBe(JSON.stringify(schema))
}

const property = (schema: Schema, required = true): JsonSchema => ({
  type: 'object',
  properties: { it: schema },
  ...(required && { required: ['it'] }),
  additionalProperties: false,
})
const node: JsonSchema = {
  type: 'object',
  properties: { next: { $ref: '#/$defs/Node' }, label: { type: 'string' } },
  required: ['label'],
  additionalProperties: false,
}

describe('REQ-5 openai output passes toStrictJsonSchema of the openai package unchanged', () => {
  test.each<{ name: string; given: JsonSchema }>([
    { name: 'an optional string', given: property({ type: 'string' }, false) },
    { name: 'an optional constant', given: property({ const: 'x' }, false) },
    { name: 'an optional enum', given: property({ enum: ['a', 'b'] }, false) },
    { name: 'an optional object', given: property(property({ type: 'string' }), false) },
    { name: 'an optional nullable', given: property({ type: ['string', 'null'] }, false) },
    {
      name: 'an optional reference',
      given: { ...property({ $ref: '#/$defs/Node' }, false), $defs: { Node: node } },
    },
    {
      name: 'a described reference',
      given: { ...property({ $ref: '#/$defs/Node', description: 'The first.' }), $defs: { Node: node } },
    },
    { name: 'a record', given: property({ type: 'object', additionalProperties: { type: 'number' } }) },
    {
      name: 'an open object',
      given: property({ type: 'object', properties: { a: {} }, additionalProperties: true }),
    },
    { name: 'an untyped value', given: property({}) },
    { name: 'any object', given: property({ type: 'object' }) },
    { name: 'a list of anything', given: property({ type: 'array' }) },
    { name: 'a tuple', given: property({ type: 'array', prefixItems: [{ type: 'string' }], items: false }) },
    { name: 'oneOf', given: property({ oneOf: [{ type: 'string' }, { type: 'number' }] }) },
    {
      name: 'allOf',
      given: property({ allOf: [property({ type: 'string' }), { properties: { it: { minLength: 1 } } }] }),
    },
    { name: 'not', given: property({ type: 'string', not: { const: 'x' } }) },
    { name: 'uniqueItems', given: property({ type: 'array', items: { type: 'string' }, uniqueItems: true }) },
    {
      name: 'a typed object with a union beside it',
      given: { ...property({ type: 'string' }), anyOf: [{ required: ['it'] }] },
    },
    { name: 'a root that is a union', given: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    { name: 'a root that is a reference', given: { $ref: '#/$defs/Node', $defs: { Node: node } } },
  ])('$name', ({ given }) => expectStrict(lower(given, 'openai').schema))

  test('124 tools of an MCP server, composed and as native tools', () => {
    const tools = realTools()
    expectStrict(lower(compose(tools, { output: property({ type: 'string' }) }), 'openai').schema)
    for (const { parameters } of lowerTools(tools, 'openai-responses').tools)
      expectStrict(parameters as JsonSchema)
  })

  test('the sample corpus, with outputs, composed', () => {
    expectStrict(lower(compose(corpusTools(40)), 'openai').schema)
  })

  test('random schemas', () => {
    for (let seed = 1; seed <= 150; seed++) {
      try {
        expectStrict(lower(randomSchema(new Random(seed)), 'openai').schema)
      } catch (error) {
        if (!isCallsheetError(error)) throw error
      }
    }
  })
})
