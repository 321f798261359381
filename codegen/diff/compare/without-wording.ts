import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'
import { mapChildSchemas } from '../../../runtime/schema/schema-children.ts'
import { annotations } from '../../build/same-schema.ts'

const wording: ReadonlySet<string> = new Set(annotations)

/** A schema without what only describes: titles, descriptions, defaults, examples. */
export function withoutWording<Given extends Schema>(schema: Given): Given {
  if (typeof schema === 'boolean') return schema
  const copy: JsonSchema = mapChildSchemas(schema, withoutWording)
  for (const keyword of Object.keys(copy)) if (wording.has(keyword)) delete copy[keyword]
  return copy as Given
}
