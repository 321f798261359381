import { isJsonObject } from '../json/json.ts'
import type { JsonSchema, Schema } from './schema.ts'

/** Patterns that any key matches; TypeBox writes a record as the first. */
export const anyKey: ReadonlySet<string> = new Set(['^.*$', '^(.*)$', '.*', ''])

/**
 * Spells a record, which TypeBox writes as a pattern that any key matches, with `additionalProperties`: types can say
 * that, and providers take it more often. Keys with a line break, which the pattern leaves out, count as well.
 */
export function plainRecord(schema: JsonSchema): JsonSchema {
  const { patternProperties, ...rest } = schema
  if (!isJsonObject(patternProperties) || Object.keys(rest.properties ?? {}).length > 0) return schema
  const [[pattern, value] = ['^', undefined], ...others] = Object.entries(patternProperties)
  if (!anyKey.has(pattern) || others.length > 0) return schema
  return { ...rest, additionalProperties: value as Schema }
}
