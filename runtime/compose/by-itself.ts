import { definitionName } from '../json/definition-reference.ts'
import { isJsonObject, own } from '../json/json.ts'
import type { Schema } from '../schema/schema.ts'
import { reachable } from './definitions.ts'

/** A schema that is nothing but a reference to a definition of its own, with that definition in its place: clients look at the root. */
export function withOwnRoot(schema: Schema): Schema {
  if (typeof schema !== 'object') return schema
  const { $ref, ...rest } = schema
  const name = definitionName($ref)
  const definition = name === undefined ? undefined : own(schema.$defs ?? {}, name)
  return isJsonObject(definition) ? { ...definition, ...rest } : schema
}

/** References that do not name a definition of the schema's own root, or could stand for another place. */
const otherReference = /"\$(?:id|anchor|dynamicRef)"|"\$ref":"(?!#\/\$defs\/[^"/%~]+")/

/**
 * Leaves out definitions that only the other half of a Tool refers to: clients of MCP show a model what it can send, and would spend
 * tokens on what comes back.
 */
export function withNeededDefinitions<Given extends Schema>(schema: Given): Given {
  if (typeof schema !== 'object' || !schema.$defs || otherReference.test(JSON.stringify(schema)))
    return schema
  const { $defs, ...rest } = schema
  const needed = reachable(rest, new Map(Object.entries($defs)))
  return { ...rest, ...(needed.length > 0 && { $defs: Object.fromEntries(needed) }) } as Given
}
