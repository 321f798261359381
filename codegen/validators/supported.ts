import { definitionReferences, type References } from '../../runtime/check-tree/references.ts'
import { unsupportedSchema } from '../../runtime/check-tree/supported.ts'
import type { Unsupported } from '../../runtime/check-tree/unsupported.ts'
import type { Schema } from '../../runtime/schema/schema.ts'

/**
 * Finds everything in a normalised schema that generated checks would not validate as JSON Schema defines. Each is an
 * error: a schema is refused rather than checked wrongly.
 */
export function unsupportedDefinition(
  schema: unknown,
  definitions: Readonly<Record<string, Schema>>,
): Unsupported[] {
  const references = known.get(definitions) ?? definitionReferences(definitions)
  known.set(definitions, references)
  return unsupportedSchema(schema, references)
}

/** Returns one object for all schemas over a table of definitions, since it caches what was found out about them. */
const known = new WeakMap<Readonly<Record<string, Schema>>, References>()
