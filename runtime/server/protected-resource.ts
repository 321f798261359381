import { type Answer, jsonAnswer, type ServerRequest } from './exchange.ts'

/** Where clients get the tokens that `authorize` accepts. */
export interface OAuthOptions {
  /**
   * The address of the MCP endpoint, as clients reach it: `https://tools.example/mcp`. Tokens are issued for it: `authorize` has to
   * refuse those with another audience.
   */
  readonly resource: string
  /** The issuers of tokens, at least one: `https://auth.example`. */
  readonly authorizationServers: readonly string[]
  /** The scopes that clients request. Default: none are named. */
  readonly scopes?: readonly string[] | undefined
}

/**
 * What an OAuth client reads to find out where it gets a token (RFC 9728, which MCP requires of servers with authorization): a
 * document, and a challenge that refers to it.
 */
export class ProtectedResource {
  /** The path of the document, which is independent of the server's base path. */
  readonly path: string
  readonly #options: OAuthOptions
  readonly #challenge: string

  constructor(options: OAuthOptions) {
    const { origin, pathname } = new URL(options.resource)
    const { scopes = [] } = options
    this.path = `/.well-known/oauth-protected-resource${pathname.replace(/\/$/, '')}`
    this.#options = options
    const scope = scopes.length > 0 ? `, scope="${scopes.join(' ')}"` : ''
    this.#challenge = `resource_metadata="${origin}${this.path}"${scope}`
  }

  document(): Answer {
    const { resource, authorizationServers, scopes } = this.#options
    return jsonAnswer({
      resource,
      authorization_servers: authorizationServers,
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
    })
  }

  /** Returns the `www-authenticate` header for a request that is refused. */
  challenge(request: ServerRequest): string {
    // RFC 6750: a request without credentials has made no error.
    const error = request.header('authorization') === undefined ? '' : 'error="invalid_token", '
    return `Bearer ${error}${this.#challenge}`
  }
}
