import type { JsonSchema, Schema } from './schema.ts'

/** Returns the object form of a schema: `{}` for `true`, `{ not: {} }` for `false`. */
export function objectSchema(schema: Schema): JsonSchema {
  if (typeof schema !== 'boolean') return schema
  return schema ? {} : { not: {} }
}
