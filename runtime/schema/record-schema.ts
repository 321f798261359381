import { isJsonObject } from '../json/json.ts'
import type { JsonSchema, Schema } from './schema.ts'

/** Patterns that match any key; TypeBox uses the first one for records. */
export const anyKey: ReadonlySet<string> = new Set(['^.*$', '^(.*)$', '.*', ''])

/**
 * Rewrites a record, which TypeBox expresses as a pattern that matches any key, with `additionalProperties`: TypeScript types can
 * express that, and more providers accept it. Unlike the pattern it also covers keys with a line break.
 */
export function plainRecord(schema: JsonSchema): JsonSchema {
  const { patternProperties, ...rest } = schema
  if (!isJsonObject(patternProperties) || Object.keys(rest.properties ?? {}).length > 0) return schema
  const [[pattern, value] = ['^', undefined], ...others] = Object.entries(patternProperties)
  if (!anyKey.has(pattern) || others.length > 0) return schema
  return { ...rest, additionalProperties: value as Schema }
}
