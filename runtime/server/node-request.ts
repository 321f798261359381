import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addPiece, joinPieces } from '../json/byte-pieces.ts'
import { brokenOff, lateBody } from './body-problems.ts'
import { countBody, countedBody } from './count-body.ts'
import type { HeldBytes, ServerRequest } from './exchange.ts'
import type { ServerLimits } from './limits.ts'
import { ServerProblem } from './problem-response.ts'
import { readWebBody } from './web-exchange.ts'

/** Matches most paths: those that a URL parser would not change. */
const plainPath = /^(?:\/[\w$-][\w$.-]*)+$/

/** How long an unwanted body may continue to arrive, in milliseconds, so that its sender can read the response. */
export const lingerTime = 1_000

/** The abort reason for the work of a client that left. */
export const clientLeft = 'The client closed the connection.'

/** The requests of one connection, with one shared listener, since a client may pipeline hundreds of requests. */
interface Connection {
  /** Requests without a complete response. */
  readonly open: Set<NodeRequest>
  last: NodeRequest | undefined
}

const connections = new WeakMap<Socket, Connection>()

/**
 * A request on a Node socket, as an {@link Exchange}. A web-standard request, a URL and a signal are created only if they are
 * needed.
 */
export class NodeRequest implements ServerRequest {
  readonly method: string
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  readonly #connection: Connection
  /** The previous request of the connection, until its response is complete. */
  #before: NodeRequest | undefined
  #listeners: Set<(reason: unknown) => void> | undefined
  #webRequest: Request | undefined
  /** True once the body is read through the web-standard request. */
  #isPulled = false
  #isRead = false

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.method = incoming.method ?? ''
    this.#incoming = incoming
    this.#outgoing = outgoing
    const connection = connectionOf(incoming.socket)
    this.#connection = connection
    this.#before = connection.open.size > 0 ? connection.last : undefined
    connection.open.add(this)
    connection.last = this
  }

  /** True if the previous request has no complete response yet. */
  get isBehind(): boolean {
    return this.#before !== undefined
  }

  /**
   * Waits for the previous requests of its connection: otherwise the responses to a thousand pipelined requests would
   * all be in memory.
   *
   * @returns False if the client has left.
   */
  async turn(): Promise<boolean> {
    const before = this.#before
    this.#before = undefined
    if (before && !before.#outgoing.writableFinished) {
      await new Promise<void>((resolve) => {
        before.#outgoing.once('finish', resolve)
        this.onLeave(() => resolve())
      })
    }
    return !this.#incoming.socket.destroyed
  }

  /** @throws ServerProblem `bad_request` for a target that is neither a path nor a URL. */
  get path(): string {
    const { url = '' } = this.#incoming
    return plainPath.test(url) ? url : urlOf(url, 'localhost').pathname
  }

  get urlHost(): string {
    // Without the header, the host is unknown.
    return ''
  }

  /** @throws ServerProblem `bad_request` for a target that is neither a path nor a URL. */
  get targetHost(): string | undefined {
    const { url = '' } = this.#incoming
    return url.startsWith('/') ? undefined : urlOf(url, 'localhost').host
  }

  header(name: string): string | undefined {
    // As for an adapter, a header counts as `authorize` has left it.
    if (this.#webRequest) return this.#webRequest.headers.get(name) ?? undefined
    const value = this.#incoming.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  body(limits: ServerLimits, held?: HeldBytes): Uint8Array | Promise<Uint8Array> {
    // The bytes were counted as they were read.
    if (this.#isPulled && this.#webRequest) return readWebBody(this.#webRequest, limits)
    this.#invite()
    const length = Number(this.#incoming.headers['content-length'])
    // Small bodies arrive together with the head: then there is nothing to wait for.
    if (!(length > 0 && this.#incoming.readableLength === length)) return this.#arriving(limits, held)
    this.#isRead = true
    held?.add(length)
    return this.#incoming.read() as Uint8Array
  }

  async #arriving(limits: ServerLimits, held: HeldBytes | undefined): Promise<Uint8Array> {
    const bytes = await arrivingBody(this.#incoming, limits, held)
    this.#isRead = true
    return bytes
  }

  onLeave(listener: (reason: unknown) => void): () => void {
    if (this.#incoming.socket.destroyed) listener(new Error(clientLeft))
    const listeners = this.#listeners ?? new Set()
    this.#listeners = listeners.add(listener)
    return () => listeners.delete(listener)
  }

  webRequest(limits: ServerLimits, held?: HeldBytes): Request {
    this.#webRequest ??= this.#makeWebRequest(limits, held)
    return this.#webRequest
  }

  /** Called when the connection has closed. */
  leave(): void {
    for (const listener of this.#listeners ?? []) listener(new Error(clientLeft))
  }

  /** Called when the response is being sent: drops the listeners for the client's leaving, and the rest of the body. */
  finish(): void {
    this.#connection.open.delete(this)
    if (this.#connection.last === this) this.#connection.last = undefined
    if (!this.#isRead && !this.#incoming.complete) letGo(this.#incoming)
  }

  #makeWebRequest(limits: ServerLimits, held: HeldBytes | undefined): Request {
    const { rawHeaders, url = '', headers } = this.#incoming
    const controller = new AbortController()
    this.onLeave((reason) => controller.abort(reason))
    try {
      const given = new Headers()
      for (let at = 0; at + 1 < rawHeaders.length; at += 2)
        given.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
      const hasBody = this.method !== 'GET' && this.method !== 'HEAD'
      return new Request(urlOf(url, headers.host ?? 'localhost'), {
        method: this.method,
        headers: given,
        signal: controller.signal,
        ...(hasBody && { body: this.#pulledBody(limits, held), duplex: 'half' }),
      })
    } catch (error) {
      if (error instanceof ServerProblem) throw error
      throw new ServerProblem('bad_request', `The request is not HTTP: ${(error as Error).message}.`)
    }
  }

  /** Sends `100 Continue`, if the client expects it, once the body is needed. */
  #invite(): void {
    const { headers, httpVersion } = this.#incoming
    // An HTTP/1.0 client would take it for the response.
    if (headers.expect !== undefined && httpVersion === '1.1') this.#outgoing.writeContinue()
  }

  /** Returns the body as a stream that reads on demand. */
  #pulledBody(limits: ServerLimits, held: HeldBytes | undefined): ReadableStream<Uint8Array> {
    let chunks: AsyncIterator<Uint8Array> | undefined
    const next = (): Promise<IteratorResult<Uint8Array>> => {
      if (!this.#isPulled) this.#invite()
      this.#isPulled = true
      chunks ??= this.#incoming[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
      return chunks.next()
    }
    return countedBody(next, limits, held)
  }
}

/** @throws ServerProblem `bad_request` for a target that is neither a path nor a URL. */
function urlOf(target: string, host: string): URL {
  const text = target.startsWith('/') ? `http://${host}${target}` : target
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return new URL(text)
  throw new ServerProblem('bad_request', `"${target.slice(0, 100)}" is not a path of HTTP.`)
}

function connectionOf(socket: Socket): Connection {
  const known = connections.get(socket)
  if (known) return known
  const connection: Connection = { open: new Set(), last: undefined }
  connections.set(socket, connection)
  socket.once('close', () => {
    for (const request of connection.open) request.leave()
  })
  return connection
}

/** Discards the rest of a body for a moment, then closes the connection. Closing at once would lose the response. */
function letGo(incoming: IncomingMessage): void {
  // A body that `authorize` has begun to read would wait for its reader.
  incoming.removeAllListeners('readable').resume()
  const timer = setTimeout(() => {
    if (!incoming.complete) incoming.socket.destroy()
  }, lingerTime)
  timer.unref()
}

/** Reads a body as it arrives, within its limits of time and size. */
function arrivingBody(
  incoming: IncomingMessage,
  limits: ServerLimits,
  held: HeldBytes | undefined,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    const count = countBody(limits, held)
    const stop = (): void => {
      clearTimeout(timer)
      incoming.off('data', take).off('end', end).off('close', breakOff)
    }
    const refuse = (problem: unknown): void => {
      stop()
      reject(problem)
    }
    const take = (chunk: Uint8Array): void => {
      addPiece(chunks, chunk)
      try {
        count(chunk.byteLength)
      } catch (problem) {
        refuse(problem)
      }
    }
    const end = (): void => {
      stop()
      resolve(joinPieces(chunks))
    }
    const breakOff = (): void => refuse(brokenOff(undefined))
    const timer = setTimeout(() => refuse(lateBody(limits)), limits.bodyTime)
    incoming.on('data', take).on('end', end).on('close', breakOff)
    if (incoming.destroyed) breakOff()
  })
}
