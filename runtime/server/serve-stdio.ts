import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import type { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { CallsheetError, isCallsheetError } from '../errors.ts'
import { aFunction, omitRules } from '../problems/field-rule.ts'
import { type OptionRules, requireArgument, requireOptionsOf } from '../problems/option-problems.ts'
import { Admission } from './admission.ts'
import { CallRunner, type ServedRunOptions } from './call-runner.ts'
import { Ending } from './ending.ts'
import { atMost } from './in-time.ts'
import { limitsOf, type ServerLimits } from './limits.ts'
import { loadMcpSdk, loadMcpStdio } from './load-mcp-sdk.ts'
import { lastAnswers, mcpServerFactory } from './mcp.ts'
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
  /** Receives internal errors, which are hidden from the client. Default: `console.error`, which writes to standard error. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Replaces `process.stdout` as the output to the client, for a process that has replaced it. */
  readonly output?: ((text: string) => void) | undefined
}

const serveStdioRules: OptionRules<ServeStdioOptions> = {
  ...omitRules(toolServerRules, 'authorize', 'hosts', 'origins', 'store', 'contracts', 'basePath'),
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
  const { name = 'callsheet', version = '0.0.0', run = {}, onError = reportFault } = options
  const limits = limitsOf(options.limits)
  const admission = new Admission(limits)
  const once = new OnceRunner(memoryStore(), limits, onError)
  const runner = new CallRunner({ tools, limits, admission, once, options: run })
  const [sdk, stdio] = await Promise.all([loadMcpSdk(), loadMcpStdio()])
  const { output } = options
  // Loaded through the process, so that bundlers for browsers do not try to resolve it.
  const { PassThrough, Writable } = process.getBuiltinModule('node:stream')
  const writable =
    output &&
    new Writable({
      write(chunk, _encoding, done) {
        output(String(chunk))
        done()
      },
    })
  const closing = new Ending()
  const factory = mcpServerFactory(sdk, { name, version, tools, runner, closing }, () => ({
    principal: undefined,
  }))
  // Hide the end of input from the SDK, which would stop responding: a shell pipe closes its input and still reads the output.
  const input = process.stdin.pipe(new PassThrough(), { end: false })
  const stdout = writable ?? process.stdout
  // The SDK listens once for each answer that is not read yet: Node would take a burst of them for a leak.
  stdout.setMaxListeners(0)
  const transport = new stdio.StdioServerTransport(input, stdout)
  const unanswered = new Unanswered(transport)
  const connection = stdio.serveStdio(factory, {
    transport,
    onerror: (error) => onError(isMalformed(error) ? noMessage() : error),
  })
  const close = async (drainTime?: number): Promise<void> => {
    await admission.drain(drainTime)
    closing.abort(new Error('The server is closed.'))
    runner.close()
    await unanswered.none(lastAnswers)
    // The last response is only written at the end of this turn of the event loop.
    await new Promise<void>((resolve) => setImmediate(resolve))
    await connection.close()
    // Ignore further input, and do not let it keep the process alive.
    process.stdin.unpipe(input).pause()
  }
  const closed = new Promise<void>((resolve) => {
    // The SDK only reads whole lines, and the last one may lack its end.
    process.stdin.once('end', () => input.write('\n', () => setImmediate(resolve))).once('close', resolve)
    void unanswered.whenClosed.then(resolve)
  })
  const ended = closed.then(async () => {
    const latest = Date.now() + limits.drainTime
    await unanswered.none(limits.drainTime)
    await close(Math.max(0, latest - Date.now()))
  })
  ended.catch(onError)
  return { closed, close: () => (process.stdin.readableEnded ? ended : close()) }
}

/** Tracks the requests of a connection without a response. */
class Unanswered {
  readonly #ids = new Set<unknown>()
  #whenNone: (() => void) | undefined
  /** Resolves when the transport is closed. It closes itself if the output is gone, or a message is longer than the SDK reads. */
  readonly whenClosed: Promise<void>

  /** Observes a transport; must be called before anything else listens to it. */
  constructor(transport: StdioServerTransport) {
    let handle: StdioServerTransport['onmessage']
    Object.defineProperty(transport, 'onmessage', {
      get: () => (message: JSONRPCMessage) => {
        this.#come(message)
        handle?.(message)
      },
      set: (listener: StdioServerTransport['onmessage']) => {
        handle = listener
      },
    })
    const send = transport.send.bind(transport)
    transport.send = async (message) => {
      try {
        await send(message)
      } finally {
        if ('id' in message && !('method' in message)) this.#forget(message.id)
      }
    }
    this.whenClosed = new Promise((resolve) => {
      const close = transport.close.bind(transport)
      transport.close = () => {
        this.#forgetAll()
        resolve()
        return close()
      }
    })
  }

  /** Resolves when there are none, or after the time limit. */
  async none(time: number): Promise<void> {
    if (this.#ids.size === 0) return
    await atMost(time, (done) => {
      this.#whenNone = done
    })
  }

  #come(message: JSONRPCMessage): void {
    if (!('method' in message)) return
    // Subscriptions never end, and cancelled requests get no response.
    if ('id' in message && message.method !== 'subscriptions/listen') this.#ids.add(message.id)
    if (message.method === 'notifications/cancelled') this.#forget(message.params?.requestId)
  }

  #forget(id: unknown): void {
    this.#ids.delete(id)
    if (this.#ids.size === 0) this.#whenNone?.()
  }

  #forgetAll(): void {
    this.#ids.clear()
    this.#whenNone?.()
  }
}

/**
 * True for the error of the SDK for a line that is JSON and no message of JSON-RPC. It lists the problems of every kind
 * of message.
 */
function isMalformed({ name }: Error): boolean {
  return name === 'ZodError' || name === '$ZodError'
}

function noMessage(): CallsheetError {
  return new CallsheetError(
    'malformed_json',
    'A line of the input is JSON, but no message of JSON-RPC, and was ignored.',
  )
}

function reportFault(error: unknown): void {
  // The client's mistake.
  if (isCallsheetError(error) && error.code === 'malformed_json') {
    console.error(`callsheet: ${error.message}`)
    return
  }
  console.error('callsheet: the server failed.', error)
}
