import fc from 'fast-check'
import { hostileJson, hostileText } from './hostile-json.ts'

const keywords = [
  ...[
    'type',
    'const',
    'enum',
    'title',
    'description',
    'default',
    'examples',
    'deprecated',
    'format',
    'pattern',
  ],
  ...['minimum', 'maximum', 'multipleOf', 'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems'],
  ...['required', 'dependentRequired', 'minProperties', '$ref', '$id', '$anchor', '$schema', '$dynamicRef'],
  ...['tsType', 'tsEnumNames', 'nullable', 'discriminator', 'x-callsheet', '~optional', 'effects', 'parser'],
]
const schemaKeywords = [
  'items',
  'not',
  'additionalProperties',
  'contains',
  'if',
  'then',
  'propertyNames',
  'unevaluatedProperties',
]
const listKeywords = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const mapKeywords = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']

/** Values that some keyword takes. */
const fitting = fc.oneof(
  fc.constantFrom<unknown>(
    'string',
    'number',
    'object',
    'array',
    ['string', 'null'],
    'email',
    '^a',
    '(a+)+$',
    '[',
  ),
  fc.constantFrom<unknown>(
    0,
    1,
    3,
    true,
    '#',
    '#/$defs/a',
    '#/$defs/b',
    'https://example.com/x.json',
    ['a'],
    [],
  ),
  hostileText,
)

/** Schemas that are sometimes right, sometimes nearly, sometimes nonsense. */
export const hostileSchema: fc.Arbitrary<unknown> = fc.letrec((tie) => {
  const some = <Value>(names: readonly string[], value: fc.Arbitrary<Value>): fc.Arbitrary<object> =>
    fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 2, noNullPrototype: true })
  const inner = tie('schema')
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<unknown>({ type: 'string' }, { type: 'integer', minimum: 0 }, true, {
        type: 'boolean',
      }),
      fc.tuple(some(keywords, fitting), some(keywords, hostileJson)).map(laidOver),
      fc
        .tuple(
          fc.constantFrom({}, { type: 'object' }, { type: 'array' }),
          some(keywords, fitting),
          some(schemaKeywords, inner),
          some(listKeywords, fc.array(inner, { minLength: 1, maxLength: 2 })),
          some(mapKeywords, fc.dictionary(hostileText, inner, { maxKeys: 2, noNullPrototype: true })),
        )
        .map(laidOver),
      hostileJson,
    ),
  }
}).schema

function laidOver(parts: readonly object[]): object {
  return Object.assign({}, ...parts)
}
