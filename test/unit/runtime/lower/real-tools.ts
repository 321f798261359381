import { readFileSync } from 'node:fs'
import { plainToolSchema } from '../../../../runtime/schema/plain-schema.ts'
import type { JsonSchema, ToolSchema } from '../../../../runtime/schema/schema.ts'
import { hasRealTools, realToolsFile } from '../../../shared-data.ts'

interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
}

export interface RealTool {
  readonly name: string
  readonly schema: ToolSchema
  readonly activity: string
}

/** The 117 tools of github/github-mcp-server, as Tools that are implemented elsewhere; none where they are not at hand. */
export function realTools(): RealTool[] {
  if (!hasRealTools) return []
  const { tools } = JSON.parse(readFileSync(realToolsFile, 'utf8')) as { tools: ListedTool[] }
  return tools.map(({ name, description, inputSchema }) => ({
    name,
    schema: plainToolSchema(name, { ...inputSchema, description }),
    activity: name,
  }))
}
