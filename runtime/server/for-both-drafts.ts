import { isJsonObject } from '../json/json.ts'
import { keywordOf } from '../keywords/keywords.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { forEachChildSchema, mapChildSchemas } from '../schema/schema-children.ts'

/**
 * Rewrites a 2020-12 schema so that a draft-07 validator refuses nothing that it accepts: clients of version 1 of the
 * MCP SDK validate outputs in that way and drop results that do not fit. Constraints that only 2020-12 can express are
 * left out.
 */
export function forBothDrafts(schema: Schema): Schema {
  if (!isJsonObject(schema)) return schema
  const spelt: JsonSchema = mapChildSchemas(schema, forBothDrafts)
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
  if (saysMore(schema.not)) delete spelt.not
  if (saysMore(schema.if)) for (const keyword of ['if', 'then', 'else']) delete spelt[keyword]
  if (spelt.oneOf && schema.oneOf?.some(saysMore)) {
    spelt.anyOf ??= spelt.oneOf
    delete spelt.oneOf
  }
  return spelt
}

/** True if a schema has a keyword that draft-07 does not know, or may reference such a schema. */
function saysMore(schema: unknown): boolean {
  if (!isJsonObject(schema)) return false
  let isMore = Object.keys(schema).some((keyword) => laterWords.has(keyword) || keywordOf(keyword)?.isLater)
  forEachChildSchema(schema, (child) => {
    isMore ||= saysMore(child)
  })
  return isMore
}

const laterWords: ReadonlySet<string> = new Set([
  '$ref',
  'prefixItems',
  'dependentRequired',
  'dependentSchemas',
])
