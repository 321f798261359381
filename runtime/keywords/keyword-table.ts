/**
 * What a keyword does. `assertion` decides which values are valid. `wording` describes. `content` declares what a string
 * contains, which no check reads. `document` is about the schema as a document. `dynamic` refers to a schema that is only
 * known during validation. `older` comes from an earlier draft; 2020-12 has another keyword for it.
 */
export type KeywordKind = 'assertion' | 'wording' | 'content' | 'document' | 'dynamic' | 'older'

/** The kind of value a keyword has. `items`: a schema, or an array of schemas, which is how draft-07 writes a tuple. */
export type KeywordValue =
  | 'any'
  | 'count'
  | 'dependencies'
  | 'draft'
  | 'flag'
  | 'items'
  | 'list'
  | 'names'
  | 'namesByName'
  | 'nullable'
  | 'number'
  | 'pattern'
  | 'positive'
  | 'schema'
  | 'schemas'
  | 'schemasByName'
  | 'schemasByPattern'
  | 'text'
  | 'type'
  | 'values'

/** How a keyword holds subschemas: one, an array, or a map by name. */
export type SchemaPlace = 'single' | 'list' | 'map'

/** A JSON type that keywords apply to; `number` includes integers. */
export type SpokenType = 'string' | 'number' | 'array' | 'object'

/** The facts about a keyword. */
export interface Keyword {
  readonly name: string
  readonly kind: KeywordKind
  readonly value: KeywordValue
  /** The types the keyword applies to: values of other types pass. Undefined for all types. */
  readonly about?: readonly SpokenType[]
  /** How its value holds subschemas; undefined if it holds none. */
  readonly place?: SchemaPlace | undefined
  /** Its subschemas apply to the same value as the schema that contains the keyword. */
  readonly inPlace?: true
  /** A subschema that allows no value is legitimate here: as one of several alternatives, or as what is forbidden. */
  readonly mayAllowNothing?: true
  /** Which end of a range it is. */
  readonly bound?: 'lower' | 'upper'
  /** The keyword has no effect unless this one is in the same schema. */
  readonly beside?: string
  /** Draft-07 has no equivalent. */
  readonly isLater?: true
}

const string: Row = { value: 'text', about: ['string'] }
const number: Row = { value: 'number', about: ['number'] }
const array: Row = { value: 'schema', about: ['array'] }
const object: Row = { value: 'schema', about: ['object'] }
const count: Row = { value: 'count' }
const branch: Row = { value: 'schema', inPlace: true, mayAllowNothing: true }

/**
 * Every keyword of JSON Schema that Callsheet knows: those of 2020-12, of older drafts and of OpenAPI. The only such list: a
 * new keyword is one line here. Doc comments and findings list keywords in this order.
 */
export const keywordTable: Readonly<Record<KeywordKind, Readonly<Record<string, Row>>>> = {
  assertion: {
    $ref: { value: 'text' },
    type: { value: 'type' },
    const: { value: 'any' },
    enum: { value: 'values' },
    format: { value: 'text', about: ['string', 'number'] },
    pattern: { ...string, value: 'pattern' },
    minimum: { ...number, bound: 'lower' },
    maximum: { ...number, bound: 'upper' },
    exclusiveMinimum: { ...number, bound: 'lower' },
    exclusiveMaximum: { ...number, bound: 'upper' },
    multipleOf: { ...number, value: 'positive' },
    minLength: { ...string, ...count, bound: 'lower' },
    maxLength: { ...string, ...count, bound: 'upper' },
    minItems: { ...array, ...count, bound: 'lower' },
    maxItems: { ...array, ...count, bound: 'upper' },
    uniqueItems: { ...array, value: 'flag' },
    minProperties: { ...object, ...count, bound: 'lower' },
    maxProperties: { ...object, ...count, bound: 'upper' },
    properties: { ...object, value: 'schemasByName' },
    required: { ...object, value: 'names' },
    additionalProperties: { ...object, mayAllowNothing: true },
    patternProperties: { ...object, value: 'schemasByPattern', mayAllowNothing: true },
    propertyNames: object,
    unevaluatedProperties: { ...object, mayAllowNothing: true, isLater: true },
    dependentRequired: { ...object, value: 'namesByName' },
    dependentSchemas: { ...object, value: 'schemasByName', inPlace: true },
    items: { ...array, value: 'items', mayAllowNothing: true },
    prefixItems: { ...array, value: 'schemas' },
    contains: { ...array, mayAllowNothing: true },
    minContains: {
      ...array,
      value: 'count',
      bound: 'lower',
      beside: 'contains',
      isLater: true,
    },
    maxContains: { ...array, value: 'count', bound: 'upper', beside: 'contains', isLater: true },
    unevaluatedItems: { ...array, mayAllowNothing: true, isLater: true },
    allOf: { value: 'schemas', inPlace: true },
    anyOf: { ...branch, value: 'schemas' },
    oneOf: { ...branch, value: 'schemas' },
    not: branch,
    if: branch,
    // biome-ignore lint/suspicious/noThenProperty: a keyword's name in a table that nobody awaits
    then: { ...branch, beside: 'if' },
    else: { ...branch, beside: 'if' },
  },
  wording: {
    title: { value: 'text' },
    description: { value: 'text' },
    default: { value: 'any' },
    examples: { value: 'list' },
    deprecated: { value: 'flag' },
    readOnly: { value: 'flag' },
    writeOnly: { value: 'flag' },
    $comment: { value: 'text' },
  },
  content: {
    contentEncoding: string,
    contentMediaType: string,
    contentSchema: { ...string, value: 'schema' },
  },
  document: {
    $schema: { value: 'draft' },
    $id: { value: 'text' },
    id: { value: 'any' },
    $defs: { value: 'schemasByName' },
    $anchor: { value: 'text' },
    $dynamicAnchor: { value: 'text' },
    $vocabulary: { value: 'any' },
  },
  dynamic: { $dynamicRef: { value: 'text', isLater: true }, $recursiveRef: { value: 'text' } },
  older: {
    additionalItems: array,
    definitions: { value: 'schemasByName' },
    dependencies: { ...object, value: 'dependencies', inPlace: true },
    nullable: { value: 'nullable' },
  },
}

/** One line of the table; the other fields of a {@link Keyword} follow from its position in it. */
type Row = Omit<Keyword, 'name' | 'kind' | 'place'>
