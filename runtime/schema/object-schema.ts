import type { JsonSchema, Schema } from './schema.ts'

/** The object that says what a schema says: `{}` for `true`, `{ not: {} }` for `false`, which has no other form. */
export function objectSchema(schema: Schema): JsonSchema {
  if (typeof schema !== 'boolean') return schema
  return schema ? {} : { not: {} }
}
