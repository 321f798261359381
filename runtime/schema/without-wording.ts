import type { JsonSchema, Schema } from './schema.ts'
import { mapChildSchemas } from './schema-children.ts'

/** Keywords that describe and do not constrain; two uses of one schema may differ in them. */
export const annotations: readonly string[] = [
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
]

const wording: ReadonlySet<string> = new Set(annotations)

/** Copies a schema without what only describes: titles, descriptions, defaults, examples. */
export function withoutWording<Given extends Schema>(schema: Given): Given {
  if (typeof schema === 'boolean') return schema
  const copy: JsonSchema = mapChildSchemas(schema, withoutWording)
  for (const keyword of Object.keys(copy)) if (wording.has(keyword)) delete copy[keyword]
  return copy as Given
}
