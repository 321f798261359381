import { Admission } from './admission.ts'
import { CallRunner, type ServedRunOptions } from './call-runner.ts'
import { limitsOf, type ServerLimits } from './limits.ts'
import { mcpServerFactory } from './mcp.ts'
import { memoryStore } from './outcome-store.ts'
import { OnceRunner } from './run-once.ts'
import type { ServableTool } from './served-tools.ts'

/** Options of {@link serveStdio}. */
export interface ServeStdioOptions {
  readonly name?: string
  readonly version?: string
  readonly limits?: Partial<ServerLimits>
  readonly run?: ServedRunOptions
  /** Told of faults that the client is told nothing of. Default: `console.error`, which writes to standard error. */
  readonly onError?: (error: unknown) => void
}

/** A running server on standard input and output. */
export interface StdioServer {
  /** Waits for the Calls that run, and closes the connection. */
  close(): Promise<void>
}

/**
 * Serves the Tools of a registry over MCP on standard input and output, in both current revisions of the protocol. Standard output is
 * the connection's: whatever else writes to it breaks the connection.
 *
 * Takes `@modelcontextprotocol/server`.
 *
 * @example
 * import { serveStdio } from 'callsheet/server'
 * await serveStdio(Tool, { name: 'weather', version: '1.0.0' })
 */
export async function serveStdio(tools: ServableTool, options: ServeStdioOptions = {}): Promise<StdioServer> {
  const { name = 'callsheet', version = '0.0.0', run = {}, onError = reportFault } = options
  const limits = limitsOf(options.limits)
  const admission = new Admission(limits)
  const runner = new CallRunner(tools, limits, admission, new OnceRunner(memoryStore()), run)
  const [sdk, stdio] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ])
  const factory = mcpServerFactory(sdk, { name, version, tools, runner }, () => undefined)
  const connection = stdio.serveStdio(factory, { onerror: onError })
  return {
    close: async () => {
      await admission.drain()
      runner.close()
      await connection.close()
    },
  }
}

function reportFault(error: unknown): void {
  console.error('callsheet: the server failed.', error)
}
