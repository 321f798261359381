import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { brokenOff, lateBody } from './body-problems.ts'
import { countBody, countedBody } from './count-body.ts'
import type { HeldBytes, ServerRequest } from './exchange.ts'
import { joinChunks } from './join-chunks.ts'
import type { ServerLimits } from './limits.ts'
import { ServerProblem } from './problem-response.ts'
import { readWebBody } from './web-exchange.ts'

/** What a path mostly is: nothing that a URL parser would change. */
const plainPath = /^(?:\/[\w$-][\w$.-]*)+$/

/** How long a body that nobody wants may go on coming, in milliseconds, so that its sender has time to read why. */
export const lingerTime = 1_000

/** Why work for a client that left is stopped. */
export const clientLeft = 'The client closed the connection.'

/** What is asked over one connection; one listener for all of it, as a client may send hundreds of requests at once. */
interface Connection {
  /** Requests that have no whole answer yet. */
  readonly open: Set<NodeRequest>
  last: NodeRequest | undefined
}

const connections = new WeakMap<Socket, Connection>()

/**
 * A request on a socket of Node's, as the server reads requests. Costs what is asked of it: a web-standard request, a URL and a
 * signal are made for those alone who want one.
 */
export class NodeRequest implements ServerRequest {
  readonly method: string
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  readonly #connection: Connection
  /** The request before it that has no whole answer yet. */
  #before: NodeRequest | undefined
  #listeners: Set<(reason: unknown) => void> | undefined
  #webRequest: Request | undefined
  /** True once somebody reads the body by way of the web-standard request. */
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

  /** True for a request that came before the one before it was answered. */
  get isBehind(): boolean {
    return this.#before !== undefined
  }

  /**
   * Waits for the requests before it on its connection: the answers of a thousand that come at once would all be in memory.
   *
   * @returns False where nobody waits for it any more.
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
    // Without the header nobody said which host was meant.
    return ''
  }

  /** @throws ServerProblem `bad_request` for a target that is neither a path nor a URL. */
  get targetHost(): string | undefined {
    const { url = '' } = this.#incoming
    return url.startsWith('/') ? undefined : urlOf(url, 'localhost').host
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  body(limits: ServerLimits, held?: HeldBytes): Uint8Array | Promise<Uint8Array> {
    // Counted as it was pulled.
    if (this.#isPulled && this.#webRequest) return readWebBody(this.#webRequest, limits)
    this.#invite()
    const length = Number(this.#incoming.headers['content-length'])
    // Small bodies come together with the head: then there is nothing to wait for.
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

  /** The connection is gone. */
  leave(): void {
    for (const listener of this.#listeners ?? []) listener(new Error(clientLeft))
  }

  /** The answer is on its way: nobody has to hear any more that the client left, and what is left of the body is not wanted. */
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

  /** A client that asked whether it may send its body is told so when somebody wants it. */
  #invite(): void {
    const { headers, httpVersion } = this.#incoming
    // A client of HTTP/1.0 would take it for the answer.
    if (headers.expect !== undefined && httpVersion === '1.1') this.#outgoing.writeContinue()
  }

  /** The body as a stream, which leaves it alone until somebody reads. */
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

/** Lets the rest of a body come for a moment, unread, and then closes: at once, and the answer would be lost with it. */
function letGo(incoming: IncomingMessage): void {
  incoming.resume()
  const timer = setTimeout(() => {
    if (!incoming.complete) incoming.socket.destroy()
  }, lingerTime)
  timer.unref()
}

/** Reads a body while it comes, no longer and no further than it may. */
function arrivingBody(
  incoming: IncomingMessage,
  limits: ServerLimits,
  held: HeldBytes | undefined,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    const count = countBody(limits, held)
    let length = 0
    const stop = (): void => {
      clearTimeout(timer)
      incoming.off('data', take).off('end', end).off('close', breakOff)
    }
    const refuse = (problem: unknown): void => {
      stop()
      reject(problem)
    }
    const take = (chunk: Uint8Array): void => {
      length += chunk.byteLength
      chunks.push(chunk)
      try {
        count(chunk.byteLength)
      } catch (problem) {
        refuse(problem)
      }
    }
    const end = (): void => {
      stop()
      resolve(joinChunks(chunks, length))
    }
    const breakOff = (): void => refuse(brokenOff(undefined))
    const timer = setTimeout(() => refuse(lateBody(limits)), limits.bodyTime)
    incoming.on('data', take).on('end', end).on('close', breakOff)
    if (incoming.destroyed) breakOff()
  })
}
