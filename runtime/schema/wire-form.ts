import { canonicalJson } from '../json/canonical-json.ts'
import { byCodeUnit } from '../json/json.ts'
import type { JsonSchema, Schema, ToolSchema } from './schema.ts'
import { mapChildSchemas } from './schema-children.ts'
import { withoutWording } from './without-wording.ts'

/** Hexadecimal digits that are kept of a contract's SHA-256: 64 bits. */
export const contractDigits = 16

/**
 * What two sides of a connection have to agree on: the parameters and the output of a Tool, without wording and without
 * what only one side goes by. Code generation and servers hash this text, each with the SHA-256 that it has.
 */
export function wireText(tool: ToolSchema): string {
  return canonicalJson(wireForm(tool))
}

/** The schema behind {@link wireText}, for those who say where two contracts differ. */
function wireForm(tool: ToolSchema): JsonSchema {
  const { effects: _effects, parser: _parser, ...schema } = tool
  return withSortedNames(withoutWording(schema))
}

/** The order of required names means nothing, and a change of it would look like one. */
function withSortedNames<Given extends Schema>(schema: Given): Given {
  if (typeof schema === 'boolean') return schema
  const copy = mapChildSchemas(schema, withSortedNames)
  return (copy.required ? { ...copy, required: [...copy.required].sort(byCodeUnit) } : copy) as Given
}
