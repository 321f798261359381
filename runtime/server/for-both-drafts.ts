import { isJsonObject } from '../json/json.ts'
import { keywordOf } from '../keywords/keywords.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { forEachChildSchema, mapChildSchemas } from '../schema/schema-children.ts'

/**
 * Rewrites a 2020-12 schema so that a draft-07 validator refuses nothing that it accepts: clients of version 1 of the
 * MCP SDK validate outputs in that way and drop results that do not fit. Constraints that only 2020-12 can express are
 * left out, and so is `$schema`: Claude Desktop refuses a schema that names draft-07 (anthropics/claude-code#86142).
 *
 * @param reads Whether clients can read a pattern. Those that they cannot are left out as well.
 */
export function forBothDrafts(schema: Schema, reads: (pattern: string) => boolean = () => true): Schema {
  if (!isJsonObject(schema)) return schema
  const spelt: JsonSchema = mapChildSchemas(schema, (child) => forBothDrafts(child, reads))
  delete spelt.$schema
  const isMore = (part: unknown): boolean => saysMore(part, reads)
  if (typeof spelt.pattern === 'string' && !reads(spelt.pattern)) delete spelt.pattern
  const { patternProperties = {} } = spelt
  const names = Object.entries(patternProperties).filter(([pattern]) => reads(pattern))
  if (names.length < Object.keys(patternProperties).length) {
    // What had such a name is one of the others now, of which nothing can be said.
    spelt.patternProperties = Object.fromEntries(names)
    spelt.additionalProperties = true
  }
  // Draft-07 does not know `prefixItems`, and applies `items` to every item.
  const { prefixItems, items, maxItems } = spelt
  if (prefixItems && items !== undefined) {
    delete spelt.items
    if (items === false) spelt.maxItems = Math.min(prefixItems.length, Number(maxItems ?? prefixItems.length))
    else spelt.unevaluatedItems = items
  }
  // It does not know `minContains` either, and always requires one.
  if (spelt.minContains === 0) {
    for (const keyword of ['contains', 'minContains', 'maxContains', 'unevaluatedItems'])
      delete spelt[keyword]
  }
  // In a negated schema, accepting more means refusing more.
  if (isMore(schema.not)) delete spelt.not
  if (schema.maxContains !== undefined && isMore(schema.contains)) delete spelt.maxContains
  if (isMore(schema.if)) for (const keyword of ['if', 'then', 'else']) delete spelt[keyword]
  if (spelt.oneOf && schema.oneOf?.some(isMore)) {
    spelt.anyOf ??= spelt.oneOf
    delete spelt.oneOf
  }
  return spelt
}

/** True if a schema has a keyword that draft-07 does not know, or a pattern that clients do not, or may reference such a schema. */
function saysMore(schema: unknown, reads: (pattern: string) => boolean): boolean {
  if (!isJsonObject(schema)) return false
  const { pattern, patternProperties = {} } = schema as JsonSchema
  let isMore =
    Object.keys(schema).some((keyword) => laterWords.has(keyword) || keywordOf(keyword)?.isLater) ||
    [pattern, ...Object.keys(patternProperties)].some((each) => typeof each === 'string' && !reads(each))
  forEachChildSchema(schema, (child) => {
    isMore ||= saysMore(child, reads)
  })
  return isMore
}

const laterWords: ReadonlySet<string> = new Set([
  '$ref',
  'prefixItems',
  'dependentRequired',
  'dependentSchemas',
])
