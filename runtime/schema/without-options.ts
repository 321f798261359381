import type { JsonSchema, ToolSchema } from './schema.ts'

/** A Tool's schema without the options that policies and people read (TOOL-9): what it says of its Calls, and of text in them. */
export function withoutOptions(tool: ToolSchema): JsonSchema {
  const { effects, enabled, parser, parameters, examples, ...rest } = tool
  return rest
}
