import { isJsonObject, own } from '../json/json.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { childPointer, forEachChildSchema, isSchema } from '../schema/schema-children.ts'

/** A subschema and its position. */
export interface Subschema {
  readonly keyword: string
  /** JSON pointer relative to the parent schema. */
  readonly pointer: string
  readonly schema: Schema
}

/**
 * Lists the direct subschemas that a validator applies: without `contentSchema`, which is an annotation, but including those of
 * draft-07's `dependencies`. Values that should be schemas but are not are left out.
 */
export function subschemas(schema: JsonSchema): Subschema[] {
  const found: Subschema[] = []
  forEachSubschema(schema, (child, keyword, key) => {
    found.push({ keyword, pointer: childPointer(keyword, key), schema: child })
  })
  return found
}

/** Calls `visit` for each result of {@link subschemas}. */
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
