import { jsonSchemaOf } from './plain-goal.ts'

/** Schemas that were found to be JSON. Composing reads the same ones at every turn. */
const known = new WeakSet<object>()

/**
 * Refuses a schema that is read as it is and would be half-read, such as one of a validation library.
 *
 * @throws CallsheetError `unsupported_schema`.
 */
export function requireJsonSchema(schema: unknown, whose: string): void {
  if (!known.has(Object(schema))) jsonSchemaOf(schema, whose)
  known.add(Object(schema))
}
