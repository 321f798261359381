import { aFunction, omitRules } from '../problems/field-rule.ts'
import { type OptionRules, requireArgument, requireOptionsOf } from '../problems/option-problems.ts'
import { Admission } from './admission.ts'
import { CallRunner, type ServedRunOptions } from './call-runner.ts'
import { limitsOf, type ServerLimits } from './limits.ts'
import { loadMcpSdk, loadMcpStdio } from './load-mcp-sdk.ts'
import { mcpServerFactory } from './mcp.ts'
import { memoryStore } from './outcome-store.ts'
import { OnceRunner } from './run-once.ts'
import type { ServableTool } from './served-tools.ts'
import { servableTool, toolServerRules } from './server-option-rules.ts'

/** Options of {@link serveStdio}. */
export interface ServeStdioOptions {
  readonly name?: string | undefined
  readonly version?: string | undefined
  readonly limits?: Partial<ServerLimits> | undefined
  readonly run?: ServedRunOptions | undefined
  /** Told of faults that the client is told nothing of. Default: `console.error`, which writes to standard error. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Writes to the client in place of `process.stdout`, for a process that has put something else in its place. */
  readonly output?: ((text: string) => void) | undefined
}

const serveStdioRules: OptionRules<ServeStdioOptions> = {
  ...omitRules(toolServerRules, 'authorize', 'hosts', 'origins', 'store', 'contracts', 'basePath'),
  output: aFunction,
}

/** A running server on standard input and output. */
export interface StdioServer {
  /** Resolves when the client has closed its end. */
  readonly closed: Promise<void>
  /** Waits for the Calls that run and for their answers, and closes the connection. */
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
  requireArgument('serveStdio', tools, servableTool)
  requireOptionsOf('serveStdio', options, serveStdioRules)
  const { name = 'callsheet', version = '0.0.0', run = {}, onError = reportFault } = options
  const limits = limitsOf(options.limits)
  const admission = new Admission(limits)
  const runner = new CallRunner(tools, limits, admission, new OnceRunner(memoryStore(), limits, onError), run)
  const [sdk, stdio] = await Promise.all([loadMcpSdk(), loadMcpStdio()])
  const { output } = options
  // Asked of the process, so that a bundler for browsers does not look for it.
  const { Writable } = process.getBuiltinModule('node:stream')
  const writable =
    output &&
    new Writable({
      write(chunk, _encoding, done) {
        output(String(chunk))
        done()
      },
    })
  const factory = mcpServerFactory(sdk, { name, version, tools, runner }, () => undefined)
  const transport = new stdio.StdioServerTransport(process.stdin, writable ?? process.stdout)
  const connection = stdio.serveStdio(factory, { transport, onerror: onError })
  const closed = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve)
  })
  return {
    closed,
    close: async () => {
      await admission.drain()
      runner.close()
      // What ended last is on its way to the client until this turn is over.
      await new Promise<void>((resolve) => setImmediate(resolve))
      await connection.close()
    },
  }
}

function reportFault(error: unknown): void {
  console.error('callsheet: the server failed.', error)
}
