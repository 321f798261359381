/**
 * What a keyword does: `assertion`, decides which values are valid; `wording`, describes; `content`, says what text holds,
 * which no check reads; `document`, is about the schema as a document; `dynamic`, refers to what is only known while a
 * value is checked; `older`, says what 2020-12 says otherwise.
 */
export type KeywordKind = 'assertion' | 'wording' | 'content' | 'document' | 'dynamic' | 'older'

/** What the value of a keyword is. `items`: a schema, or a list of them as draft-07 writes a tuple. */
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

/** How schemas stand at a keyword: one, a list of them, or a map. */
export type SchemaPlace = 'single' | 'list' | 'map'

/** A type of JSON that keywords speak of; `number` includes integers. */
export type SpokenType = 'string' | 'number' | 'array' | 'object'

/** What is to know of a keyword. */
export interface Keyword {
  readonly name: string
  readonly kind: KeywordKind
  readonly value: KeywordValue
  /** The types that it speaks of: a value of another type passes it. Undefined for any type. */
  readonly about?: readonly SpokenType[]
  /** How schemas stand in its value; undefined where it holds none. */
  readonly place?: SchemaPlace | undefined
  /** Its schemas look at the same value as the schema that it stands in. */
  readonly inPlace?: true
  /** One of its schemas can allow nothing and mean it: as one of several ways, or as what must not be. */
  readonly mayAllowNothing?: true
  /** The end of a range that it is. */
  readonly bound?: 'lower' | 'upper'
  /** Without this keyword beside it, it says nothing. */
  readonly beside?: string
  /** Draft-07 cannot say it. */
  readonly isLater?: true
}

const string: Row = { value: 'text', about: ['string'] }
const number: Row = { value: 'number', about: ['number'] }
const array: Row = { value: 'schema', about: ['array'] }
const object: Row = { value: 'schema', about: ['object'] }
const count: Row = { value: 'count' }
const branch: Row = { value: 'schema', inPlace: true, mayAllowNothing: true }

/**
 * Every keyword of JSON Schema that Callsheet knows: 2020-12, and what older drafts and OpenAPI wrote. The one such list:
 * a new keyword is a line here. Doc comments and findings go by this order.
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

/** What a line of the table says; the rest of a {@link Keyword} follows from where it stands. */
type Row = Omit<Keyword, 'name' | 'kind' | 'place'>
