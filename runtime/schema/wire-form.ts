import { canonicalJson } from '../json/canonical-json.ts'
import { byCodeUnit } from '../json/json.ts'
import type { JsonSchema, Schema, ToolSchema } from './schema.ts'
import { mapChildSchemas } from './schema-children.ts'
import { withoutWording } from './without-wording.ts'

/** Number of hexadecimal digits kept of a contract's SHA-256: 64 bits. */
export const contractDigits = 16

/**
 * Serialises what both sides of a connection must agree on: a Tool's parameters and output, without wording and without options
 * that only one side uses. The generator and servers hash this text, each with its own SHA-256.
 */
export function wireText(tool: ToolSchema): string {
  return canonicalJson(wireForm(tool))
}

/** Returns the schema behind {@link wireText}, to report where two contracts differ. */
function wireForm(tool: ToolSchema): JsonSchema {
  const { effects: _effects, parser: _parser, ...schema } = tool
  return withSortedNames(withoutWording(schema))
}

/** Sorts `required`: its order has no meaning and must not count as a change. In a malformed schema it may be anything. */
function withSortedNames<Given extends Schema>(schema: Given): Given {
  if (typeof schema === 'boolean') return schema
  const copy: JsonSchema = mapChildSchemas(schema, withSortedNames)
  if (Array.isArray(copy.required)) copy.required = [...copy.required].sort(byCodeUnit)
  return copy as Given
}
