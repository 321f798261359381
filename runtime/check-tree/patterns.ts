import type { Schema } from '../schema/schema.ts'
import { forEachSubschema } from './subschemas.ts'

/** Returns the patterns in a schema, for strings and for property names. */
export function patternsIn(schema: Schema, found: Set<string> = new Set()): Set<string> {
  if (typeof schema === 'boolean') return found
  if (typeof schema.pattern === 'string') found.add(schema.pattern)
  for (const pattern of Object.keys(schema.patternProperties ?? {})) found.add(pattern)
  forEachSubschema(schema, (child) => {
    patternsIn(child, found)
  })
  return found
}
