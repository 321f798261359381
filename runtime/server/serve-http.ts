import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CallsheetError } from '../errors.ts'
import { port, someText } from '../problems/field-rule.ts'
import { type OptionRules, requireArgument, requireOptionsOf } from '../problems/option-problems.ts'
import { isLoopback } from './gate.ts'
import { atMost } from './in-time.ts'
import { limitsOf, type ServerLimits } from './limits.ts'
import { lingerTime, NodeRequest } from './node-request.ts'
import { sendAnswer } from './send-answer.ts'
import type { ServableTool } from './served-tools.ts'
import { servableTool, toolServerRules } from './server-option-rules.ts'
import { ToolHandler, type ToolServerOptions } from './tool-handler.ts'

/** Options of {@link serveHttp}. */
export interface ServeHttpOptions extends ToolServerOptions {
  /** The port; 0 for a free one. Default: 3000. */
  readonly port?: number | undefined
  /** The address to listen on. Default: `127.0.0.1`. One that others reach takes `authorize`. */
  readonly host?: string | undefined
}

const serveHttpRules: OptionRules<ServeHttpOptions> = {
  ...toolServerRules,
  port,
  host: someText,
}

/** A server that listens. */
export interface HttpServer {
  /** Where, as a URL without a path. */
  readonly url: string
  /** Takes no more connections and no more Calls, waits for those that run as long as the limits say, and ends every connection. */
  close(): Promise<void>
}

/** Connections that may wait to be accepted: with Node's own 511, some of 2,000 clients at once are turned away. */
const backlog = 4_096

/** How often connections are looked at that say nothing or too little, in milliseconds. */
const checkEvery = 1_000

/** The answer to clients that take the server for a proxy. */
const noTunnel =
  'HTTP/1.1 405 Method Not Allowed\r\nallow: GET, HEAD, POST, DELETE, OPTIONS\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'

/**
 * Serves the Tools of a registry over HTTP and MCP on Node, as `toolServer` does in other servers: the same answers, with less between
 * them and the socket, and with limits on what connections may do.
 *
 * @throws CallsheetError `invalid_options`; what `listen` throws where it cannot listen.
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
  // As a URL writes an address of IPv6, which sockets take without its brackets.
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

/** The sockets of a server, what is asked over them, and what they may take. */
class FrontDoor implements HttpServer {
  readonly #handler: ToolHandler
  readonly #limits: ServerLimits
  readonly #server: Server
  #url = ''
  /** Requests whose answers are not sent yet. */
  #open = 0
  #whenAnswered: (() => void) | undefined

  constructor(handler: ToolHandler, limits: ServerLimits) {
    this.#handler = handler
    this.#limits = limits
    // Asked of the process, so that a bundler for browsers does not look for it.
    const { createServer } = process.getBuiltinModule('node:http')
    this.#server = createServer(
      {
        headersTimeout: limits.headTime,
        requestTimeout: limits.headTime + limits.bodyTime,
        keepAliveTimeout: limits.idleTime,
        connectionsCheckingInterval: Math.min(checkEvery, limits.headTime),
        // Of two headers of one name Node would take the first, and a proxy in front of it perhaps the last.
        joinDuplicateHeaders: true,
      },
      (incoming, outgoing) => void this.#exchange(incoming, outgoing),
    )
    this.#server.maxConnections = limits.connections
    // Node would ask for every body that a client asks about: it is asked for when somebody wants it.
    this.#server.on('checkContinue', (incoming, outgoing) => void this.#exchange(incoming, outgoing))
    // Without somebody who listens Node drops the connection and says nothing.
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
      await this.#answered()
      this.#server.closeAllConnections()
    }
  }

  async #exchange(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    this.#open += 1
    const request = new NodeRequest(incoming, outgoing)
    try {
      if (request.isBehind && !(await request.turn())) return
      await sendAnswer(await this.#handler.answer(request), outgoing, this.#limits)
    } catch (error) {
      // Nobody waits for this: without an answer the client at least learns that there is none.
      outgoing.destroy()
      console.error('callsheet: an answer could not be sent.', error)
    } finally {
      request.finish()
      this.#open -= 1
      if (this.#open === 0) this.#whenAnswered?.()
    }
  }

  /** Waits until the last answer is sent, and not for readers that do not read. */
  async #answered(): Promise<void> {
    if (this.#open === 0) return
    await atMost(lingerTime, (done) => {
      this.#whenAnswered = done
    })
  }
}
