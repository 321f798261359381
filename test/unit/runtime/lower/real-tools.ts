import { plainToolSchema } from '../../../../runtime/schema/plain-schema.ts'
import type { ToolSchema } from '../../../../runtime/schema/schema.ts'
import { mcpServerTools } from '../../../data/mcp-server.ts'

export interface RealTool {
  readonly name: string
  readonly schema: ToolSchema
  readonly activity: string
}

/** The tools of an MCP server, as Tools that are implemented elsewhere. */
export function realTools(): RealTool[] {
  return mcpServerTools().map(({ name, description, inputSchema }) => ({
    name,
    schema: plainToolSchema(name, { ...inputSchema, description }),
    activity: name,
  }))
}
