import type { Schema, ToolSchema } from './schema.ts'

/** Returns the schema of a Tool's output, with the Tool's definitions. */
export function outputSchema(tool: ToolSchema): Schema | undefined {
  const properties = tool.properties ?? {}
  if (!Object.hasOwn(properties, '_output')) return undefined
  const output = properties._output as Schema
  return typeof output === 'object' && tool.$defs ? { ...output, $defs: tool.$defs } : output
}
