import type { JsonSchema, ToolSchema } from './schema.ts'

/** Returns a Tool's schema without the options for policies and people (TOOL-9); keeps `references`, which affects its Calls. */
export function withoutOptions(tool: ToolSchema): JsonSchema {
  const { effects, enabled, parser, parameters, examples, ...rest } = tool
  return rest
}
