import type { Schema } from '../schema/schema.ts'
import type { References } from './references.ts'

/**
 * True when the schema says by itself that there must be a value. False where that is not evident, which costs no more
 * than a less telling problem.
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
