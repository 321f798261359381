import type { JsonSchema } from './schema.ts'

/** Returns the schema that a schema's `$ref` leads to; undefined where it leads nowhere. */
export type TargetOf = (schema: JsonSchema) => JsonSchema | undefined
