import { isKnownFormat } from '../../../runtime/checks/formats.ts'
import { definitionName, definitionRef } from '../../../runtime/json/definition-reference.ts'
import { isJsonObject, own } from '../../../runtime/json/json.ts'
import { isAssertion } from '../../../runtime/keywords/keywords.ts'
import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'
import { mapChildSchemas } from '../../../runtime/schema/schema-children.ts'

/**
 * Normalises a schema to the fewest keywords with the same meaning: removes annotations, and unifies alternative spellings
 * (`const`, `nullable`, draft-07's tuples and `dependencies`).
 *
 * @param rename Maps a definition's name to its unique name among the definitions of both sides.
 */
export function plainAssertions(schema: Schema, rename: (name: string) => string): Schema {
  if (typeof schema === 'boolean') return schema
  const plain = mapChildSchemas(withoutDraft07(schema), (child) => plainAssertions(child, rename))
  const name = definitionName(plain.$ref)
  if (name !== undefined) plain.$ref = definitionRef(rename(name))
  unifyValues(plain)
  unifyEvaluated(plain)
  dropIdle(plain)
  for (const keyword of Object.keys(plain)) if (!isAssertion(keyword)) delete plain[keyword]
  if (Object.keys(plain).length === 0) return true
  return plain.not === true && Object.keys(plain).length === 1 ? false : plain
}

function withoutDraft07(schema: JsonSchema): JsonSchema {
  const { dependencies, dependentRequired, ...rest } = schema
  if (Array.isArray(rest.items)) {
    rest.prefixItems = rest.items
    delete rest.items
    if (rest.additionalItems !== undefined) rest.items = rest.additionalItems
  }
  const lists = [dependencies, dependentRequired].flatMap((each) =>
    isJsonObject(each) ? Object.entries(each) : [],
  )
  if (lists.length === 0) return rest
  const schemas: Record<string, Schema> = { ...(rest.dependentSchemas as Record<string, Schema> | undefined) }
  for (const [name, dependency] of lists) {
    const more = (Array.isArray(dependency) ? { required: dependency } : dependency) as Schema
    schemas[name] = Object.hasOwn(schemas, name) ? { allOf: [schemas[name] as Schema, more] } : more
  }
  return { ...rest, dependentSchemas: schemas }
}

/** Rewrites `const` as an `enum` of one, and `nullable` as a type. */
function unifyValues(plain: JsonSchema): void {
  if (Object.hasOwn(plain, 'const')) {
    const { const: value, enum: listed } = plain
    plain.enum = [value]
    if (listed) plain.allOf = [...(plain.allOf ?? []), { enum: listed }]
    delete plain.const
  }
  if (plain.type !== undefined) {
    const types = [plain.type].flat()
    plain.type = [...new Set(plain.nullable === true ? [...types, 'null'] : types)].sort()
  }
}

/** Rewrites `unevaluatedProperties` over an `allOf` of plain objects as the equivalent `additionalProperties`. */
function unifyEvaluated(plain: JsonSchema): void {
  const { unevaluatedProperties } = plain
  if (unevaluatedProperties === undefined) return
  const parts = [plain, ...(plain.allOf ?? [])]
  const others = 'anyOf oneOf if dependentSchemas $ref patternProperties additionalProperties not'.split(' ')
  const isPlain = parts.every(
    (part) =>
      isJsonObject(part) &&
      others.every((keyword) => part[keyword] === undefined) &&
      (part === plain || (part.allOf === undefined && part.unevaluatedProperties === undefined)),
  )
  if (!isPlain) return
  const names = parts.flatMap((part) => Object.keys((part as JsonSchema).properties ?? {}))
  const properties = Object.fromEntries(
    names.map((name) => [name, own(plain.properties ?? {}, name) ?? true] as [string, Schema]),
  )
  plain.properties = properties
  plain.additionalProperties = unevaluatedProperties as Schema
  delete plain.unevaluatedProperties
}

/**
 * Removes keywords that accept everything. Keeps `additionalProperties` and `items`: what they accept counts as evaluated
 * for an `unevaluatedProperties` around them.
 */
function dropIdle(plain: JsonSchema): void {
  const idle: Readonly<Record<string, (value: unknown) => boolean>> = {
    unevaluatedItems: (value) => value === true,
    unevaluatedProperties: (value) => value === true,
    propertyNames: (value) => value === true,
    required: (value) => Array.isArray(value) && value.length === 0,
    properties: (value) => isJsonObject(value) && Object.keys(value).length === 0,
    patternProperties: (value) => isJsonObject(value) && Object.keys(value).length === 0,
    uniqueItems: (value) => value === false,
    minLength: (value) => value === 0,
    minItems: (value) => value === 0,
    minProperties: (value) => value === 0,
    format: (value) => typeof value === 'string' && !isKnownFormat(value),
    not: (value) => value === false,
  }
  for (const [keyword, lets] of Object.entries(idle)) if (lets(plain[keyword])) delete plain[keyword]
  if (plain.then === undefined && plain.else === undefined) delete plain.if
  if (plain.if === undefined) {
    delete plain.then
    delete plain.else
  }
}
