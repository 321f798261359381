import { CallsheetError } from '../errors.ts'
import { briefly } from '../problems/problem.ts'
import type { HeldBytes, ServerRequest } from './exchange.ts'
import { hostNamed } from './hosts-and-origins.ts'
import { inTime } from './in-time.ts'
import type { ServerLimits } from './limits.ts'
import { ServerProblem } from './problem-response.ts'
import { type OAuthOptions, ProtectedResource } from './protected-resource.ts'

/** An authenticated caller. Its `id` separates its idempotency keys from those of others. */
export interface Principal {
  readonly id: string
  readonly [claim: string]: unknown
}

/** Authenticates a request; `undefined` is refused with 401. */
export type Authorize = (request: Request) => Principal | undefined | Promise<Principal | undefined>

/** Who may reach a server. */
export interface GateOptions {
  readonly authorize?: Authorize | undefined
  /**
   * Host names, without port, under which the server can be reached in addition to loopback. Requires `authorize`: without it, only
   * this machine can use the server.
   */
  readonly hosts?: readonly string[] | undefined
  /** Origins (`https://app.example`) of pages that may call it, in addition to loopback. */
  readonly origins?: readonly string[] | undefined
  /**
   * Tells OAuth clients where to get a token for this server, such as MCP clients that the user adds it to by its address alone.
   * Requires `authorize`, which verifies the tokens. Default: clients are not told.
   */
  readonly oauth?: OAuthOptions | undefined
}

/** Admits or refuses requests by host, origin and credentials. */
export class Gate {
  readonly #authorize: Authorize | undefined
  /** What clients are told of where to get a token. */
  readonly resource: ProtectedResource | undefined
  readonly #limits: ServerLimits
  readonly #hosts: ReadonlySet<string>
  readonly #origins: ReadonlySet<string>

  /** @throws CallsheetError `invalid_options` for `hosts` or `oauth` without `authorize`. */
  constructor({ authorize, hosts = [], origins = [], oauth }: GateOptions, limits: ServerLimits) {
    if ((hosts.length > 0 || oauth) && !authorize) {
      const what =
        hosts.length > 0 ? `answers under ${hosts.join(', ')}` : 'tells clients where to get a token'
      throw new CallsheetError(
        'invalid_options',
        `A server that ${what} needs the option "authorize": a function of the request that returns who asks, or undefined.`,
      )
    }
    this.#authorize = authorize
    this.resource = oauth && new ProtectedResource(oauth)
    this.#limits = limits
    this.#hosts = new Set(hosts.map((host) => hostNamed(host) ?? host))
    this.#origins = new Set(origins)
  }

  /**
   * @returns The caller, if there is an `authorize`.
   * @throws ServerProblem `forbidden_host`, `forbidden_origin`, `unauthorized`; CallsheetError `timeout`.
   */
  admit(request: ServerRequest, held?: HeldBytes): Promise<Principal> | undefined {
    this.#admitHost(request)
    this.#admitOrigin(request)
    return this.#authorize && this.#requirePrincipal(this.#authorize, request, held)
  }

  async #requirePrincipal(
    authorize: Authorize,
    request: ServerRequest,
    held?: HeldBytes,
  ): Promise<Principal> {
    const asked = request.webRequest(this.#limits, held)
    const principal = await inTime(() => authorize(asked), this.#limits.hookTime, '"authorize"')
    if (principal) return requireId(principal)
    throw new ServerProblem('unauthorized', 'The request has no valid credentials.', {
      headers: { 'www-authenticate': this.resource?.challenge(request) ?? 'Bearer' },
    })
  }

  #admitHost(request: ServerRequest): void {
    // DNS rebinding: a page whose own host name resolves to this machine sends that name as the host.
    const foreign = hostsOf(request).find((host) => !isLoopback(host) && !this.#hosts.has(host))
    if (foreign !== undefined) {
      throw new ServerProblem(
        'forbidden_host',
        `This server does not answer as "${foreign.slice(0, 100)}". Its option "hosts" says under which names it does.`,
      )
    }
  }

  #admitOrigin(request: ServerRequest): void {
    const origin = request.header('origin')
    if (origin !== undefined && !this.#origins.has(origin) && !isLoopback(hostOfPage(origin))) {
      throw new ServerProblem(
        'forbidden_origin',
        `Pages of "${origin.slice(0, 100)}" may not call this server. Its option "origins" lists which may.`,
      )
    }
  }

  /** Returns the headers that let a page of an admitted origin read the response. */
  corsHeaders(request: ServerRequest): Record<string, string> {
    const origin = request.header('origin')
    if (origin === undefined || !(this.#origins.has(origin) || isLoopback(hostOfPage(origin)))) return {}
    return {
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'retry-after, www-authenticate, mcp-session-id',
      vary: 'origin',
    }
  }
}

/** Returns the hosts that the client requested: in the `host` header, if the adapter passes it on, and in an absolute target. */
function hostsOf(request: ServerRequest): string[] {
  const header = request.header('host')
  const host = header === undefined ? request.urlHost.toLowerCase() : hostIn(header)
  const { targetHost } = request
  return targetHost === undefined ? [host] : [host, hostIn(targetHost)]
}

function hostIn(header: string): string {
  const [, plain] = /^(localhost|127\.0\.0\.1)(?::\d{1,5})?$/.exec(header) ?? []
  if (plain !== undefined) return plain
  // Accept only a name and a port: in a URL, `evil.example@localhost` would be parsed as localhost.
  return /^[\w.:[\]-]+$/.test(header) ? hostnameOf(`http://${header}`) : ''
}

/** Requires the caller's `id`: without it, callers would share idempotency keys. */
function requireId(principal: Principal): Principal {
  const { id } = principal as { readonly id?: unknown }
  if (typeof id === 'string' && id !== '' && !/\p{Surrogate}/u.test(id)) return principal
  // Not an error of Callsheet: clients would see it, with a part of the principal.
  throw new TypeError(`"authorize" returned a principal without an "id" that is a text: got ${briefly(id)}.`)
}

/**
 * Returns the host of an origin as browsers send it. Pages with other schemes, such as those of a packaged app, can have the host
 * `localhost` wherever they come from.
 */
function hostOfPage(origin: string): string {
  if (!/^https?:/.test(origin) || !URL.canParse(origin)) return ''
  const url = new URL(origin)
  return url.origin === origin ? url.hostname : ''
}

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase() : ''
}

/** True for loopback names and addresses. */
export function isLoopback(hostname: string): boolean {
  return (
    /^localhost$/i.test(hostname) ||
    hostname === '[::1]' ||
    hostname === '::1' ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname)
  )
}
