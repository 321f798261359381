import { keywordOf } from '../keywords/keywords.ts'
import type { JsonSchema, Schema } from './schema.ts'
import { mapChildSchemas } from './schema-children.ts'

/** Copies a schema without its annotations: titles, descriptions, defaults, examples. */
export function withoutWording<Given extends Schema>(schema: Given): Given {
  if (typeof schema === 'boolean') return schema
  const copy: JsonSchema = mapChildSchemas(schema, withoutWording)
  for (const keyword of Object.keys(copy)) if (keywordOf(keyword)?.kind === 'wording') delete copy[keyword]
  return copy as Given
}
