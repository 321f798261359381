import type { JsonSchema } from '../../runtime/schema/schema.ts'

/** A Tool for the OpenAPI tests: parameters, an output, and values of both. */
export interface Described {
  readonly parameters: JsonSchema
  readonly sent: Readonly<Record<string, unknown>>
  readonly output?: JsonSchema
  readonly answer?: unknown
}

const text: JsonSchema = { type: 'string' }
const number: JsonSchema = { type: 'number' }

function object(properties: Record<string, JsonSchema | boolean>, more: JsonSchema = {}): JsonSchema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
    ...more,
  }
}

const node: JsonSchema = object(
  { name: text, nodes: { type: 'array', items: { $ref: '#/$defs/Node' } } },
  { required: ['name'] },
)

/** Schemas with all kinds of keywords, names and references. */
export const described: Readonly<Record<string, Described>> = {
  empty: { parameters: object({}), sent: {} },
  'Deep.name.of-many_parts': { parameters: object({ a: text }), sent: { a: '' }, output: text, answer: '' },
  nullable: {
    parameters: object({ a: { type: ['string', 'null'] } }),
    sent: { a: null },
    output: { type: ['number', 'null'] },
    answer: null,
  },
  constants: {
    parameters: object({ a: { const: 'x' }, b: { enum: ['y', 1, null, true] } }),
    sent: { a: 'x', b: null },
    output: { const: 5 },
    answer: 5,
  },
  numbers: {
    parameters: object({ a: { type: 'integer', exclusiveMinimum: 0, multipleOf: 5 } }),
    sent: { a: 10 },
    output: { type: 'number', maximum: 1.5 },
    answer: 1.25,
  },
  tuple: {
    parameters: object({ a: { type: 'array', prefixItems: [text, number], items: false, minItems: 2 } }),
    sent: { a: ['x', 1] },
    output: { type: 'array', items: { type: 'array', items: number } },
    answer: [[1], []],
  },
  tagged: {
    parameters: object({
      shape: {
        oneOf: [object({ kind: { const: 'circle' }, radius: number }), object({ kind: { const: 'dot' } })],
      },
    }),
    sent: { shape: { kind: 'circle', radius: 2 } },
    output: { anyOf: [text, number, { type: 'null' }] },
    answer: 'round',
  },
  both: {
    parameters: object({ a: { allOf: [{ type: 'object', properties: { b: text } }, { required: ['b'] }] } }),
    sent: { a: { b: 'x' } },
  },
  records: {
    parameters: object({ counts: { type: 'object', additionalProperties: { type: 'integer' } } }),
    sent: { counts: { a: 1, 'b c': 2 } },
    output: { type: 'object', additionalProperties: text },
    answer: { x: 'y' },
  },
  open: {
    parameters: { type: 'object', properties: { a: text } },
    sent: { a: 'x' },
    output: {},
    answer: { anything: [1, 'two', null] },
  },
  recursive: {
    parameters: object({ root: { $ref: '#/$defs/Node' } }, { $defs: { Node: node } }),
    sent: { root: { name: 'a', nodes: [{ name: 'b' }] } },
    output: { $ref: '#/$defs/Node', $defs: { Node: node } },
    answer: { name: 'a', nodes: [{ name: 'b', nodes: [] }] },
  },
  oddNames: {
    parameters: object({ 'with space': text, 'x-y': text, $ref: text, '1st': text, é: text, default: text }),
    sent: { 'with space': 'a', 'x-y': 'b', $ref: 'c', '1st': 'd', é: 'e', default: 'f' },
  },
  oddDefinitions: {
    parameters: object(
      {
        a: { $ref: '#/$defs/a~1b%20c' },
        b: { $ref: '#/$defs/%C3%A9' },
        c: { $ref: '#/properties/d' },
        d: number,
      },
      { $defs: { 'a/b c': text, é: number } },
    ),
    sent: { a: 'x', b: 1, c: 2, d: 3 },
  },
  conditional: {
    parameters: object(
      { mode: { enum: ['on', 'off'] }, level: number },
      {
        required: ['mode'],
        if: { properties: { mode: { const: 'on' } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
        then: { required: ['level'] },
      },
    ),
    sent: { mode: 'on', level: 3 },
    output: { not: { type: 'null' } },
    answer: 1,
  },
  described: {
    parameters: object({
      a: {
        type: 'string',
        description: 'Ends a comment: */ and has `ticks` and {braces}.',
        format: 'date-time',
        examples: ['2031-05-06T07:08:09Z'],
        default: '2031-05-06T07:08:09Z',
        deprecated: true,
      },
    }),
    sent: { a: '2031-05-06T07:08:09Z' },
  },
}
