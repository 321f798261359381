import type { Schema } from '../schema/schema.ts'
import type { References } from './references.ts'

/**
 * True if the schema itself evidently rejects a missing value. A wrong false only makes the problem's message less specific.
 */
export function rejectsMissing(
  schema: Schema,
  references: References,
  seen: Set<Schema> = new Set(),
): boolean {
  if (typeof schema === 'boolean' || seen.has(schema)) return schema === false
  if (schema.type !== undefined || schema.enum !== undefined || Object.hasOwn(schema, 'const')) return true
  seen.add(schema)
  const rejects = (subschema: Schema) => rejectsMissing(subschema, references, seen)
  const target = schema.$ref === undefined ? undefined : references.schemaOf(references.nameOf(schema.$ref))
  return (
    (target !== undefined && rejects(target)) ||
    (schema.allOf?.some(rejects) ?? false) ||
    (schema.anyOf?.every(rejects) ?? false) ||
    (schema.oneOf?.every(rejects) ?? false)
  )
}
