import { isJsonObject } from '../json/json.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { mapChildSchemas } from '../schema/schema-children.ts'

/**
 * Gives each list `items`. VS Code leaves out a tool in which one has none, and the APIs of OpenAI and Gemini refuse a whole request
 * (microsoft/vscode#248810, db-lyon/ue-mcp#936). Those of a tuple are what any of its places takes. A schema accepts no less than before.
 *
 * @param schema As `forBothDrafts` writes it: the length of a closed tuple is its `maxItems`.
 */
export function withItems(schema: Schema): Schema {
  if (!isJsonObject(schema)) return schema
  const spelt: JsonSchema = mapChildSchemas(schema, withItems)
  const { type, prefixItems, items, maxItems } = spelt
  if (isJsonObject(items) || !(prefixItems || [type].flat().includes('array'))) return spelt
  if (items === false) return { ...spelt, items: {}, maxItems: 0 }
  const isClosed = prefixItems && Number(maxItems) <= prefixItems.length
  return { ...spelt, items: isClosed ? anyOf(prefixItems) : (restOf(spelt) ?? {}) }
}

/** What the items of a tuple beyond its places may be, with what those are. */
function restOf({ prefixItems, unevaluatedItems }: JsonSchema): JsonSchema | undefined {
  return prefixItems && isJsonObject(unevaluatedItems) ? anyOf([...prefixItems, unevaluatedItems]) : undefined
}

function anyOf(schemas: readonly Schema[]): JsonSchema {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
  const [first, ...others] = different
  if (different.includes(true) || !isJsonObject(first)) return {}
  return others.length > 0 ? { anyOf: different } : first
}
