import { CallsheetError } from '../errors.ts'
import { addPiece, joinPieces } from '../json/byte-pieces.ts'
import { briefly } from '../problems/problem.ts'
import { brokenOff, lateBody } from './body-problems.ts'
import { countBody, countedBody } from './count-body.ts'
import type { Answer, HeldBytes, ServerRequest } from './exchange.ts'
import type { ServerLimits } from './limits.ts'

function isRequest(value: unknown): value is Request {
  return typeof (value as Request | undefined)?.headers?.get === 'function'
}

/** A web-standard request, as an {@link Exchange}. */
export class WebRequest implements ServerRequest {
  #request: Request
  readonly #url: URL
  #isCounted = false

  /** @throws CallsheetError `invalid_options` for what Express and `createServer` pass, or a route of SvelteKit. */
  constructor(request: Request) {
    if (!isRequest(request)) {
      // A route of SvelteKit, Astro or React Router gets an object with the Request in it.
      const fix = isRequest((request as { request?: unknown } | undefined)?.request)
        ? 'Pass its "request".'
        : `In a server of Node's, listen with serveHttp, or hand getRequestListener(server.fetch) of "@hono/node-server" to it.`
      throw new CallsheetError(
        'invalid_options',
        `The handler of toolServer takes a web-standard Request, got ${briefly(request)}. ${fix}`,
      )
    }
    this.#request = request
    this.#url = new URL(request.url)
  }

  get method(): string {
    return this.#request.method
  }

  get path(): string {
    return this.#url.pathname
  }

  get urlHost(): string {
    return this.#url.hostname
  }

  get targetHost(): undefined {
    // The original target is lost, and adapters invent URLs (`http://0.0.0.0:3000/`).
    return undefined
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined
  }

  async body(limits: ServerLimits, held?: HeldBytes): Promise<Uint8Array> {
    const bytes = await readWebBody(this.#request, limits, this.#isCounted ? undefined : held)
    // Adapters for Node make an empty body of one that was read, once a web-standard request is made of it.
    if (bytes.byteLength === 0 && Number(this.header('content-length')) > 0) throw wasRead()
    return bytes
  }

  onLeave(listener: (reason: unknown) => void): () => void {
    const { signal } = this.#request
    const leave = (): void => listener(signal.reason)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    return () => signal.removeEventListener('abort', leave)
  }

  webRequest(limits: ServerLimits, held?: HeldBytes): Request {
    const { body, headers } = this.#request
    // The HTTP server enforces a declared length.
    const isShort = Number(headers.get('content-length') ?? Number.NaN) <= limits.bodyBytes
    if (this.#isCounted || !body || isShort) return this.#request
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
    const next = (): ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']> => {
      reader ??= body.getReader()
      return reader.read()
    }
    const counted = countedBody(next, limits, held)
    this.#request = new Request(this.#request, { body: counted, duplex: 'half' })
    this.#isCounted = true
    return this.#request
  }
}

/** Converts a response to a web-standard one. */
export function responseOf({ status, headers, body }: Answer): Response {
  return new Response(body, { status, headers })
}

/** Converts a web-standard response to the server's form. */
export function answerOf(response: Response): Answer {
  return { status: response.status, headers: Object.fromEntries(response.headers), body: response.body }
}

/** Reads the body of a web-standard request, within its limits. */
export async function readWebBody(
  request: Request,
  limits: ServerLimits,
  held?: HeldBytes,
): Promise<Uint8Array> {
  if (request.bodyUsed) throw wasRead()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lateBody(limits)), limits.bodyTime)
  })
  try {
    // The HTTP server enforces a declared length; reading such a body costs a fifth of counting a stream.
    if (!request.headers.has('content-length')) return await readCounted(request, limits, late, held)
    const bytes = new Uint8Array(await Promise.race([request.arrayBuffer(), late]))
    held?.add(bytes.byteLength)
    return bytes
  } catch (error) {
    throw isUnusable(error) ? wasRead() : brokenOff(error)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * True if a body could not be read because it was read before, which adapters for Node only detect then. Each runtime
 * has its own message.
 */
function isUnusable(error: unknown): boolean {
  return error instanceof TypeError && /unusable|already/i.test(error.message)
}

function wasRead(): CallsheetError {
  return new CallsheetError(
    'invalid_options',
    'The body of the request was read before the server could. Put the server before body parsers; "authorize" and middleware read that of request.clone().',
  )
}

/** Reads a body of unknown length, up to the limit. */
async function readCounted(
  request: Request,
  limits: ServerLimits,
  late: Promise<never>,
  held: HeldBytes | undefined,
): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array()
  const reader = request.body.getReader()
  const chunks: Uint8Array[] = []
  const count = countBody(limits, held)
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late])
      if (done) break
      count(value.byteLength)
      addPiece(chunks, value)
    }
  } catch (error) {
    // The rest is not needed, so a failure to cancel does not matter.
    reader.cancel().catch(() => undefined)
    throw error
  }
  return joinPieces(chunks)
}
