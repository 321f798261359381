import { isCallsheetError } from '../errors.ts'
import { aFunction, omitRules } from '../problems/field-rule.ts'
import { type OptionRules, requireArgument, requireOptionsOf } from '../problems/option-problems.ts'
import { Admission } from './admission.ts'
import { CallRunner, type ServedRunOptions } from './call-runner.ts'
import { Ending } from './ending.ts'
import { limitsOf, type ServerLimits } from './limits.ts'
import { loadMcpSdk, loadMcpStdio } from './load-mcp-sdk.ts'
import { lastAnswers, mcpServerFactory } from './mcp.ts'
import { requireOpenWorld } from './open-world.ts'
import { memoryStore } from './outcome-store.ts'
import { OnceRunner } from './run-once.ts'
import type { ServableTool } from './served-tools.ts'
import { servableTool, toolServerRules } from './server-option-rules.ts'
import { StdioTransport } from './stdio-transport.ts'

/** Options of {@link serveStdio}. */
export interface ServeStdioOptions {
  readonly name?: string | undefined
  readonly version?: string | undefined
  /** What clients tell their models of all its Tools together, such as which to call first. Default: nothing. */
  readonly instructions?: string | undefined
  /** Whether its Tools reach the open world, as of `toolServer`: all, none, or those of these names. Default: nothing is said. */
  readonly openWorld?: boolean | readonly string[] | undefined
  readonly limits?: Partial<ServerLimits> | undefined
  readonly run?: ServedRunOptions | undefined
  /** Receives internal errors, which are hidden from the client. Default: `console.error`, which writes to standard error. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Replaces `process.stdout` as the output to the client, for a process that has replaced it. */
  readonly output?: ((text: string) => void) | undefined
}

const serveStdioRules: OptionRules<ServeStdioOptions> = {
  ...omitRules(toolServerRules, 'authorize', 'hosts', 'origins', 'oauth', 'store', 'contracts', 'basePath'),
  output: aFunction,
}

/** A running server on standard input and output. */
export interface StdioServer {
  /**
   * Resolves when the client has closed its end, or the connection broke. Earlier requests are still answered, within
   * `limits.drainTime`.
   */
  readonly closed: Promise<void>
  /** Waits for running Calls and their responses, and closes the connection. */
  close(): Promise<void>
}

/**
 * Serves the Tools of a registry over MCP on standard input and output, in both current revisions of the protocol.
 * Standard output belongs to the connection: any other output breaks it.
 *
 * Requires `@modelcontextprotocol/server`.
 *
 * @example
 * import { serveStdio } from 'callsheet/server'
 * await serveStdio(Tool, { name: 'weather', version: '1.0.0' })
 */
export async function serveStdio(tools: ServableTool, options: ServeStdioOptions = {}): Promise<StdioServer> {
  requireArgument('serveStdio', tools, servableTool)
  requireOptionsOf('serveStdio', options, serveStdioRules)
  requireOpenWorld(options.openWorld, tools.names)
  const {
    name = 'callsheet',
    version = '0.0.0',
    instructions,
    openWorld,
    run = {},
    onError = reportFault,
  } = options
  const limits = limitsOf(options.limits)
  const admission = new Admission(limits)
  const once = new OnceRunner(memoryStore(), limits, onError)
  const runner = new CallRunner({ tools, limits, admission, once, options: run })
  const [sdk, stdio] = await Promise.all([loadMcpSdk(), loadMcpStdio()])
  const closing = new Ending()
  const served = { name, version, instructions, openWorld, tools, runner, closing, tellsChanges: true }
  const factory = mcpServerFactory(sdk, served, () => ({ principal: undefined }))
  const transport = new StdioTransport(sdk, options.output)
  const connection = stdio.serveStdio(factory, { transport, onerror: onError })
  const close = async (drainTime?: number): Promise<void> => {
    await admission.drain(drainTime)
    closing.abort(new Error('The server is closed.'))
    runner.close()
    await transport.allAnswered(lastAnswers)
    // The last response is only written at the end of this turn of the event loop.
    await new Promise<void>((resolve) => setImmediate(resolve))
    await connection.close()
  }
  const ended = transport.ended.then(async () => {
    const latest = performance.now() + limits.drainTime
    await transport.allAnswered(limits.drainTime)
    await close(Math.max(0, latest - performance.now()))
  })
  ended.catch(onError)
  return { closed: transport.ended, close: () => (process.stdin.readableEnded ? ended : close()) }
}

function reportFault(error: unknown): void {
  // The client's mistake.
  if (isCallsheetError(error) && error.code === 'malformed_json') {
    console.error(`callsheet: ${error.message}`)
    return
  }
  console.error('callsheet: the server failed.', error)
}
