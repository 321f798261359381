import { definitionReferences, type References } from '../../runtime/check-tree/references.ts'
import { unknownFormats, unsupportedSchema as unsupported } from '../../runtime/check-tree/supported.ts'
import type { Unsupported } from '../../runtime/check-tree/unsupported.ts'
import type { Schema } from '../../runtime/schema/schema.ts'

export type { Unsupported }

/**
 * Finds everything in a normalised schema that generated checks would not read as JSON Schema says. Each is an error of
 * generation: a schema is refused rather than checked wrongly.
 */
export function unsupportedSchema(
  schema: unknown,
  definitions: Readonly<Record<string, Schema>>,
): Unsupported[] {
  const references = known.get(definitions) ?? definitionReferences(definitions)
  known.set(definitions, references)
  return unsupported(schema, references)
}

/** One object for all schemas over a table of definitions, since what was found out about it is kept with it. */
const known = new WeakMap<Readonly<Record<string, Schema>>, References>()

/** Formats that are not asserted since nobody knows them, as a warning of generation. */
export { unknownFormats }
