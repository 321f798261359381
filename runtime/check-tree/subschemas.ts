import { isJsonObject, own } from '../json/json.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { childPointer, forEachChildSchema, isSchema } from '../schema/schema-children.ts'

/** A schema inside a schema. */
export interface Subschema {
  readonly keyword: string
  /** JSON pointer from the schema that it is in. */
  readonly pointer: string
  readonly schema: Schema
}

/**
 * The schemas directly inside a schema that a validator looks at: not that of `contentSchema`, which annotates, but those
 * of draft-07's `dependencies`. Anything that should be a schema and is not is left out.
 */
export function subschemas(schema: JsonSchema): Subschema[] {
  const found: Subschema[] = []
  forEachSubschema(schema, (child, keyword, key) => {
    found.push({ keyword, pointer: childPointer(keyword, key), schema: child })
  })
  return found
}

/** Visits what {@link subschemas} lists. */
export function forEachSubschema(
  schema: JsonSchema,
  visit: (child: Schema, keyword: string, key: string | undefined) => void,
): void {
  forEachChildSchema(schema, (child, keyword, key) => {
    if (keyword !== 'contentSchema') visit(child, keyword, key)
  })
  const dependencies = own(schema, 'dependencies')
  if (!isJsonObject(dependencies)) return
  for (const [name, value] of Object.entries(dependencies)) {
    if (isSchema(value)) visit(value, 'dependencies', name)
  }
}
