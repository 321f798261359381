import { definitionName } from '../json/definition-reference.ts'
import { isJsonObject, own } from '../json/json.ts'
import type { Schema } from '../schema/schema.ts'
import { reachable } from './definitions.ts'

/** Replaces a schema that is only a reference to one of its definitions by that definition: clients look at the root. */
export function withOwnRoot(schema: Schema): Schema {
  if (typeof schema !== 'object') return schema
  const { $ref, ...rest } = schema
  const name = definitionName($ref)
  const definition = name === undefined ? undefined : own(schema.$defs ?? {}, name)
  return isJsonObject(definition) ? { ...definition, ...rest } : schema
}

/** Keywords with which references may not resolve to the definitions at the schema's root. */
const otherReference = /"\$(?:id|anchor|dynamicRef)"|"\$ref":"(?!#\/\$defs\/[^"/%~]+")/

/**
 * Drops unreferenced definitions. An MCP client shows the model the input schema, and would waste tokens on definitions that only
 * the output references.
 */
export function withNeededDefinitions<Given extends Schema>(schema: Given): Given {
  if (typeof schema !== 'object' || !schema.$defs || otherReference.test(JSON.stringify(schema)))
    return schema
  const { $defs, ...rest } = schema
  const needed = reachable(rest, new Map(Object.entries($defs)))
  return { ...rest, ...(needed.length > 0 && { $defs: Object.fromEntries(needed) }) } as Given
}
