import { isJsonObject, own } from '../json/json.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { childPointer, forEachChildSchema, isSchema } from '../schema/schema-children.ts'

/** Keywords whose subschemas look at the same value as the schema itself. */
export const inPlaceKeywords: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'dependencies',
  'dependentSchemas',
  'else',
  'if',
  'not',
  'oneOf',
  'then',
])

/** A schema inside a schema. */
export interface Subschema {
  readonly keyword: string
  /** JSON pointer from the schema that it is in. */
  readonly pointer: string
  readonly schema: Schema
}

/**
 * The schemas directly inside a schema that a validator looks at: not that of `contentSchema`, which annotates, but those
 * of draft-07's `dependencies`. What is no schema, where one should be, is left out.
 */
export function subschemas(schema: JsonSchema): Subschema[] {
  const found: Subschema[] = []
  const add = (child: Schema, keyword: string, key?: string) => {
    if (keyword === 'contentSchema') return
    found.push({ keyword, pointer: childPointer(keyword, key), schema: child })
  }
  forEachChildSchema(schema, add)
  const dependencies = own(schema, 'dependencies')
  if (!isJsonObject(dependencies)) return found
  for (const [name, value] of Object.entries(dependencies)) {
    if (isSchema(value)) add(value, 'dependencies', name)
  }
  return found
}
