import { isJsonObject } from '../json/json.ts'
import { keywordOf } from '../keywords/keywords.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { forEachChildSchema, mapChildSchemas } from '../schema/schema-children.ts'

/**
 * Writes a 2020-12 schema so that who reads it as draft-07 refuses nothing that it takes: clients of version 1 of the MCP SDK
 * hold an output against its schema that way, and throw a result away that does not fit. What only 2020-12 can say is left out.
 */
export function forBothDrafts(schema: Schema): Schema {
  if (!isJsonObject(schema)) return schema
  const spelt: JsonSchema = mapChildSchemas(schema, forBothDrafts)
  // Draft-07 does not know `prefixItems`, and takes `items` for what is asked of every item.
  const { prefixItems, items, maxItems } = spelt
  if (prefixItems && items !== undefined) {
    delete spelt.items
    if (items === false) spelt.maxItems = Math.min(prefixItems.length, Number(maxItems ?? prefixItems.length))
    else spelt.unevaluatedItems = items
  }
  // Nor does it know `minContains`, and always asks for one.
  if (spelt.minContains === 0) {
    for (const keyword of ['contains', 'minContains', 'maxContains', 'unevaluatedItems'])
      delete spelt[keyword]
  }
  // Where a schema is turned round, whoever takes more for it refuses more.
  if (saysMore(schema.not)) delete spelt.not
  if (saysMore(schema.if)) for (const keyword of ['if', 'then', 'else']) delete spelt[keyword]
  if (spelt.oneOf && schema.oneOf?.some(saysMore)) {
    spelt.anyOf ??= spelt.oneOf
    delete spelt.oneOf
  }
  return spelt
}

/** Whether a schema has what draft-07 does not know, or may lead there. */
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
