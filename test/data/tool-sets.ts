import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ListedTool, mcpServerTools } from './mcp-server.ts'

/**
 * A folder with public data that is too large, or not ours, to be committed: `json-schema-test-suite/` (the official
 * suite, a folder per draft) and `github-mcp-tools.json` (a `tools/list` result). Tests that need it are skipped without
 * it, and the end of the run names them.
 */
const dataFolder: string | undefined = process.env.CALLSHEET_TEST_DATA

function dataPath(name: string): string | undefined {
  if (dataFolder === undefined) return undefined
  const path = join(dataFolder, name)
  return existsSync(path) ? path : undefined
}

/** The folder of a draft in the official suite, where it is at hand. */
export function suiteFolder(draft: string): string | undefined {
  return dataPath(`json-schema-test-suite/${draft}`)
}

const github = dataPath('github-mcp-tools.json')

/** The tools of a server in use, where they are at hand. */
export const githubTools: readonly ListedTool[] | undefined = github
  ? (JSON.parse(readFileSync(github, 'utf8')) as { tools: ListedTool[] }).tools
  : undefined

/** Both sets, for `test.for(toolSets)`: the second is empty, and its tests are skipped, where it is not at hand. */
export const toolSets: readonly { readonly name: string; readonly tools: readonly ListedTool[] }[] = [
  { name: 'the made-up MCP server', tools: mcpServerTools() },
  { name: 'github-mcp-server', tools: githubTools ?? [] },
]
