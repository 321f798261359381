import { definitionName } from '../json/definition-reference.ts'
import { isJsonObject, own } from '../json/json.ts'
import type { Schema } from '../schema/schema.ts'

/** Replaces a schema that is only a reference to one of its definitions by that definition: clients look at the root. */
export function withOwnRoot(schema: Schema): Schema {
  if (typeof schema !== 'object') return schema
  const { $ref, ...rest } = schema
  const name = definitionName($ref)
  const definition = name === undefined ? undefined : own(schema.$defs ?? {}, name)
  return isJsonObject(definition) ? { ...definition, ...rest } : schema
}
