import type { Tool as McpTool } from '@modelcontextprotocol/server'
import { requireServedNames } from './require-served-names.ts'

/** Which Tools reach what anybody can see or systems of others: all, none, or those of these names. */
export type OpenWorld = boolean | readonly string[]

/** @throws CallsheetError `invalid_options` if a name is misspelt, since its Tool would be told to reach nothing. */
export function requireOpenWorld(openWorld: OpenWorld | undefined, served?: readonly string[]): void {
  if (Array.isArray(openWorld)) requireServedNames('openWorld', openWorld, served)
}

/** Says in the hints of a Tool whether it reaches the open world, if the server's owner has said so. */
export function withOpenWorld(tool: McpTool, openWorld: OpenWorld | undefined): McpTool {
  if (openWorld === undefined) return tool
  const openWorldHint = typeof openWorld === 'boolean' ? openWorld : openWorld.includes(tool.name)
  return { ...tool, annotations: { ...tool.annotations, openWorldHint } }
}
