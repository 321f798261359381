import { CallsheetError } from '../errors.ts'

export type McpSdk = typeof import('@modelcontextprotocol/server')
export type McpStdio = typeof import('@modelcontextprotocol/server/stdio')

/**
 * Loads the official SDK of the Model Context Protocol, an optional peer, on first use.
 *
 * @throws CallsheetError `invalid_options` if it is not installed.
 */
export async function loadMcpSdk(): Promise<McpSdk> {
  try {
    return await import('@modelcontextprotocol/server')
  } catch (cause) {
    throw notInstalled(cause)
  }
}

/** Loads its transport over standard input and output. */
export async function loadMcpStdio(): Promise<McpStdio> {
  try {
    return await import('@modelcontextprotocol/server/stdio')
  } catch (cause) {
    throw notInstalled(cause)
  }
}

function notInstalled(cause: unknown): CallsheetError {
  return new CallsheetError(
    'invalid_options',
    'Speaking MCP takes the package "@modelcontextprotocol/server", which is not installed. Run: npm install @modelcontextprotocol/server.',
    { cause },
  )
}
