import type { JsonSchema } from '../../runtime/schema/schema.ts'

const object = (
  properties: Record<string, JsonSchema>,
  required: string[],
  more: JsonSchema = {},
): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
  ...more,
})
const integer: JsonSchema = { type: 'integer' }
const string: JsonSchema = { type: 'string' }
const record = (more: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties: integer, ...more })
const format = (name: string): JsonSchema => ({ type: 'string', format: name })
const pattern = (source: string): JsonSchema => ({ type: 'string', pattern: source })

/** What each keyword can mean, with values on both sides of it: an engine must read the lowered schema as we do. */
export const readings: readonly (readonly [schema: JsonSchema, values: readonly unknown[]])[] = [
  [{ type: 'integer', minimum: 0, maximum: 100 }, [0, 100, 50, 101, -1, 1.5]],
  [{ type: 'integer', minimum: -12, maximum: 7 }, [-13, -12, -5, 0, 7, 8]],
  [{ type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 }, [1, 9, 0, 10]],
  [{ type: 'integer', minimum: 3 }, [3, 2, -5, 40]],
  [{ type: 'integer', minimum: -5 }, [-5, -6, 0]],
  [{ type: 'integer', maximum: -9 }, [-9, -5, -50]],
  [{ type: 'integer', exclusiveMinimum: 0 }, [1, 0, -1, 77]],
  [{ type: 'integer', maximum: 1 }, [1, 0, -9, 2]],
  [{ type: 'integer', minimum: 1.5, maximum: 3.5 }, [2, 3]],
  [{ type: 'integer', minimum: -1e20, maximum: 1e20 }, [0, 1]],
  [{ type: 'number' }, [0, -1.5, 1e21]],
  [string, ['', 'a', '"', '\\', '\n', 'é', '†', '😀', '\u0001', '/']],
  [{ ...string, minLength: 2, maxLength: 3 }, ['ab', '"\n', '😀😀', '†\\']],
  [pattern('^[a-z]+$'), ['abc', 'A', '']],
  [pattern('^\\d{2}-\\w$'), ['12-a', '1-a', '12-', '12-_']],
  [pattern('^[\\w.+-]+@x$'), ['a.b@x', '@x']],
  [pattern('^(?:ab|é)+$'), ['abé', 'a']],
  [pattern('^[éa]+$'), ['a', 'é', 'aé', 'b']],
  [pattern('^[一-龥]+-[à-ü]$'), ['中-é', '中文-ü', 'a-é']],
  [pattern('^.*$'), ['', '"', '\n', '\\']],
  [pattern('^[^a]$'), ['b', '"', '\n']],
  [pattern('^a\\\\b$'), ['a\\b']],
  [pattern('^\\p{L}(?=b)b\\b$'), ['ab']],
  [format('date'), ['2024-02-28', '2024-13-01', 'x']],
  [format('time'), ['10:20:30Z', '10:20:30.5+01:00', 'x']],
  [format('date-time'), ['2024-02-03T10:20:30Z', '2024-02-03T10:20:30.123+01:00', 'x']],
  [format('duration'), ['P1D', 'PT1H', 'P1Y2M3DT4H5M6S', 'P2W', 'x']],
  [format('email'), ['a@b.co', 'x']],
  [format('hostname'), ['a.example.com', '-a']],
  [format('ipv4'), ['1.2.3.4', '256.1.1.1']],
  [format('ipv6'), ['::1', '2001:db8::1', '1:2:3:4:5:6:7:8', 'x']],
  [format('uuid'), ['0b6f1c9e-3d1c-4f57-9a0e-5e2f7a1d9c44', 'x']],
  [format('uri'), ['https://a.b/c?d=e#f', 'mailto:a@b', 'x']],
  [format('uri-reference'), ['/a/b', 'x']],
  [format('uri-template'), ['/a/{b}', '/a/{b']],
  [format('json-pointer'), ['', '/a/b']],
  [{ type: 'array', items: integer, minItems: 1, maxItems: 2 }, [[], [1], [1, 2], [1, 2, 3], ['x']]],
  [{ type: 'array', items: integer, maxItems: 0 }, [[], [1]]],
  [{ type: 'array', items: integer, minItems: 2 }, [[1], [1, 2], [1, 2, 3, 4]]],
  [{ type: 'array' }, [[], [1, 'a', { b: [null] }]]],
  [
    { type: 'array', prefixItems: [integer, string], items: false, minItems: 2 },
    [[1, 'a'], [1], [1, 'a', 2], ['a', 1]],
  ],
  [{ type: 'array', prefixItems: [integer], items: string, minItems: 1 }, [[1], [1, 'a', 'b'], [1, 2]]],
  [{ enum: ['a', 1, null, true] }, ['a', 1, null, true, 'b', false]],
  [{ enum: ['é', '"q"', '\n', 'a\\b'] }, ['é', '"q"', '\n', 'a\\b', 'q']],
  [{ const: '†' }, ['†', 'x']],
  [{ const: 1.5 }, [1.5, 1]],
  [{ const: { a: 1 } }, [{ a: 1 }, { a: 2 }]],
  [{ type: ['string', 'null'] }, ['a', null, 1]],
  [{ type: ['string', 'integer'], maxLength: 2, minimum: 3 }, ['ab', 3]],
  [record({}), [{}, { a: 1 }, { a: 1, b: 2 }, { a: 'x' }, { 'é"': 1 }]],
  [record({ minProperties: 1 }), [{}, { a: 1 }]],
  [record({ maxProperties: 1 }), [{}, { a: 1 }, { a: 1, b: 2 }]],
  [
    object({ a: integer, b: string, c: { type: 'boolean' } }, ['b']),
    [{ b: 'x' }, { a: 1, b: 'x' }, { a: 1, b: 'x', c: true }, { b: 'x', c: false }, { a: 1 }],
  ],
  [object({ a: integer, b: string }, []), [{}, { a: 1 }, { b: 'x' }, { a: 1, b: 'x' }]],
  [
    object({ a: integer }, [], { additionalProperties: string }),
    [{}, { a: 1 }, { a: 1, z: 'x' }, { z: 'x' }, { z: 1 }],
  ],
  [object({ 'é†': integer, "it's": integer }, ['é†']), [{ 'é†': 1 }, { 'é†': 1, "it's": 2 }, {}]],
  [object({ 'a"b': integer, 'a\\b': integer, 'a\nb': integer }, ['a"b']), ['{"a\\"b":1}']],
  [{ anyOf: [string, { type: 'integer', minimum: 1 }] }, ['a', 1, 0, null]],
  [{ oneOf: [string, integer] }, ['a', 3, null]],
  [{ allOf: [{ type: 'integer', minimum: 1 }, { maximum: 5 }] }, [1, 5, 6]],
  [{}, [1, 'a', null, { a: [1] }, [{}], true]],
  [{ type: 'null' }, [null, 0]],
  [{ type: 'boolean' }, [true, false, 'true']],
  [{ $ref: '#/$defs/Node' }, [{ v: 1 }, { v: 1, next: { v: 2 } }, { next: 1 }]],
]

/** Definitions that {@link readings} refer to. */
export const definitions: Record<string, JsonSchema> = {
  Node: object({ v: integer, next: { $ref: '#/$defs/Node' } }, ['v']),
}

/** Texts that are no JSON strings; no schema may let one through, since an answer that holds it cannot be read. */
export const brokenStrings: readonly string[] = [
  '"""',
  '"\n"',
  '"\t"',
  '"\u0001"',
  '"\\"',
  '"a"b"',
  '"/\\"',
  '"http://a"b"',
]
