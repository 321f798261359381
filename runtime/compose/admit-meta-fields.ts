import { isJsonObject, type JsonObject } from '../json/json.ts'
import { keywordNames } from '../keywords/keywords.ts'
import { isFreeField, type MetaField, metaFieldNames } from '../schema/meta-fields.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'

/** Keywords by which closed schemas can refuse the object that they stand in; a closed `not` cannot. */
const inPlace = keywordNames(({ kind, inPlace, name }) => kind === 'assertion' && inPlace && name !== 'not')

const always: readonly MetaField[] = metaFieldNames.filter(isFreeField)
/** `_tool`, `_reasoningForCall` and `_activity`, which every composed Call has. */
const alwaysPresent = 3

/**
 * Keeps a Tool's whole-object keywords from refusing the fields that the system adds: a closed schema in its `allOf`
 * would forbid `_tool`, and `maxProperties` would count it (CALL-1a).
 */
export function admitMetaFields(branch: JsonSchema): JsonSchema {
  const admitted: Record<string, unknown> = { ...branch }
  if (typeof branch.minProperties === 'number') admitted.minProperties = branch.minProperties + alwaysPresent
  if (typeof branch.maxProperties === 'number') admitted.maxProperties = branch.maxProperties + always.length
  if (branch.propertyNames !== undefined) {
    admitted.propertyNames = { anyOf: [branch.propertyNames, { type: 'string', enum: [...always] }] }
  }
  for (const keyword of inPlace) {
    if (branch[keyword] !== undefined) admitted[keyword] = openNested(branch[keyword])
  }
  return admitted as JsonSchema
}

/** Opens closed schemas for the added fields, in a list, a map, or one schema. */
function openNested(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(openNested)
  if (!isJsonObject(value)) return value
  const schema: JsonObject = { ...value }
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== true) {
    const fields: [string, Schema][] = always.map((name) => [name, true])
    schema.properties = Object.fromEntries([
      ...fields,
      ...Object.entries((value as JsonSchema).properties ?? {}),
    ])
  }
  for (const keyword of inPlace) {
    if (schema[keyword] !== undefined) schema[keyword] = openNested(schema[keyword])
  }
  return schema
}
