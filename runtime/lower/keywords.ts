/** Keywords that tell a reader something and that no value can fail. */
const annotations = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
])

/** The type that a keyword speaks about; a value of any other type passes it. */
const types: Readonly<Record<string, readonly string[]>> = {
  object: [
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'propertyNames',
    'minProperties',
    'maxProperties',
    'dependentRequired',
    'dependentSchemas',
    'unevaluatedProperties',
  ],
  array: [
    'items',
    'prefixItems',
    'additionalItems',
    'minItems',
    'maxItems',
    'uniqueItems',
    'contains',
    'minContains',
    'maxContains',
    'unevaluatedItems',
  ],
  string: [
    'minLength',
    'maxLength',
    'pattern',
    'format',
    'contentEncoding',
    'contentMediaType',
    'contentSchema',
  ],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
}

/** Keywords that a validator enforces, of whatever type. Others, such as `x-…`, annotate. */
const assertions = new Set(
  [
    '$ref',
    'type',
    'const',
    'enum',
    'allOf',
    'anyOf',
    'oneOf',
    'not',
    'if',
    'then',
    'else',
    ...Object.values(types).flat(),
  ].filter((keyword) => !annotations.has(keyword)),
)

export function isAnnotation(keyword: string): boolean {
  return !assertions.has(keyword)
}

export function isAssertion(keyword: string): boolean {
  return assertions.has(keyword)
}

/** The type that a keyword is about; undefined for those that are about any value. */
export function typeOfKeyword(keyword: string): string | undefined {
  return Object.keys(types).find((type) => types[type]?.includes(keyword))
}

/** True when a keyword can matter to a value of `type`. */
export function concernsType(keyword: string, type: string): boolean {
  const about = typeOfKeyword(keyword)
  return about === undefined || about === type || (about === 'number' && type === 'integer')
}
