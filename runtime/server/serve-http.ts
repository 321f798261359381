import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CallsheetError } from '../errors.ts'
import { port, someText } from '../problems/field-rule.ts'
import { type OptionRules, requireArgument, requireOptionsOf } from '../problems/option-problems.ts'
import { isLoopback } from './gate.ts'
import { limitsOf, type ServerLimits } from './limits.ts'
import { lingerTime, NodeRequest } from './node-request.ts'
import { PendingCount } from './pending-count.ts'
import { sendAnswer } from './send-answer.ts'
import type { ServableTool } from './served-tools.ts'
import { servableTool, toolServerRules } from './server-option-rules.ts'
import { ToolHandler, type ToolServerOptions } from './tool-handler.ts'

/** Options of {@link serveHttp}. */
export interface ServeHttpOptions extends ToolServerOptions {
  /** The port; 0 picks a free one. Default: 3000. */
  readonly port?: number | undefined
  /** The address to listen on. Default: `127.0.0.1`. Any other than loopback requires `authorize`. */
  readonly host?: string | undefined
}

const serveHttpRules: OptionRules<ServeHttpOptions> = {
  ...toolServerRules,
  port,
  host: someText,
}

/** A listening server. */
export interface HttpServer {
  /** Its URL, without a path. */
  readonly url: string
  /** Stops accepting connections and Calls, waits for running Calls within the limits, and closes every connection. */
  close(): Promise<void>
}

/** The backlog of connections: with Node's default of 511, some of 2,000 simultaneous clients are refused. */
const backlog = 4_096

/** Interval in milliseconds at which idle and slow connections are checked. */
const checkEvery = 1_000

/** The response to clients that use the server as a proxy. */
const noTunnel =
  'HTTP/1.1 405 Method Not Allowed\r\nallow: GET, HEAD, POST, DELETE, OPTIONS\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'

/**
 * Serves the Tools of a registry over HTTP and MCP on Node. Gives the same responses as `toolServer`, with less
 * overhead and with limits on connections.
 *
 * @throws CallsheetError `invalid_options`; the error of `listen` if it cannot listen.
 * @example
 * import { serveHttp } from 'callsheet/server'
 * import './activities.js'
 * import { Tool } from './generated/index.js'
 *
 * const server = await serveHttp(Tool, { name: 'weather', port: 3000 })
 * console.log(server.url)
 */
export async function serveHttp(tools: ServableTool, options: ServeHttpOptions = {}): Promise<HttpServer> {
  requireArgument('serveHttp', tools, servableTool)
  requireOptionsOf('serveHttp', options, serveHttpRules)
  const { host: given = '127.0.0.1', port: at = 3000, ...served } = options
  // URLs write IPv6 addresses in brackets, sockets without.
  const host = given.replace(/^\[(.*)\]$/, '$1')
  if (!isLoopback(host) && !served.authorize) {
    throw new CallsheetError(
      'invalid_options',
      `A server that listens on ${host} is reached from other machines, and needs the option "authorize": a function of the request that returns who asks, or undefined.`,
    )
  }
  const limits = limitsOf(served.limits)
  const door = new FrontDoor(new ToolHandler(tools, served), limits)
  await door.listen(host, at)
  return door
}

/** Manages the sockets of a server, their requests and limits. */
class FrontDoor implements HttpServer {
  readonly #handler: ToolHandler
  readonly #limits: ServerLimits
  readonly #server: Server
  #url = ''
  /** Requests whose responses are not sent yet. */
  readonly #unanswered = new PendingCount()

  constructor(handler: ToolHandler, limits: ServerLimits) {
    this.#handler = handler
    this.#limits = limits
    // Loaded through the process, so that bundlers for browsers do not try to resolve it.
    const { createServer } = process.getBuiltinModule('node:http')
    this.#server = createServer(
      {
        headersTimeout: limits.headTime,
        requestTimeout: limits.headTime + limits.bodyTime,
        keepAliveTimeout: limits.idleTime,
        connectionsCheckingInterval: Math.min(checkEvery, limits.headTime),
        // Of two equal headers Node uses the first, while a proxy in front of it may use the last.
        joinDuplicateHeaders: true,
      },
      (incoming, outgoing) => void this.#exchange(incoming, outgoing),
    )
    this.#server.maxConnections = limits.connections
    // Without this listener Node sends `100 Continue` at once; it should be sent when the body is needed.
    this.#server.on('checkContinue', (incoming, outgoing) => void this.#exchange(incoming, outgoing))
    // Without this listener Node silently drops the connection.
    this.#server.on('connect', (_incoming, socket) => socket.end(noTunnel))
  }

  get url(): string {
    return this.#url
  }

  async listen(host: string, port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ host, port, backlog }, resolve)
    })
    const { port: taken } = this.#server.address() as AddressInfo
    this.#url = `http://${host.includes(':') ? `[${host}]` : host}:${taken}`
  }

  async close(): Promise<void> {
    this.#server.close()
    try {
      await this.#handler.close()
    } finally {
      // Not for clients that do not read.
      await this.#unanswered.none(lingerTime)
      this.#server.closeAllConnections()
    }
  }

  async #exchange(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    this.#unanswered.begin()
    const request = new NodeRequest(incoming, outgoing)
    try {
      if (request.isBehind && !(await request.turn())) return
      await sendAnswer(await this.#handler.answer(request), outgoing, this.#limits)
    } catch (error) {
      // Nothing awaits this; closing the connection at least tells the client that there is no response.
      outgoing.destroy()
      console.error('callsheet: an answer could not be sent.', error)
    } finally {
      request.finish()
      this.#unanswered.end()
    }
  }
}
