import type { McpRequestContext } from '@modelcontextprotocol/server'
import { canonicalJson } from '../json/canonical-json.ts'
import { Admission } from './admission.ts'
import { type CallRequest, idempotencyKey, readCallRequest } from './call-request.ts'
import { CallRunner, type ServedRunOptions } from './call-runner.ts'
import { hashOf } from './contract-hash.ts'
import { eventStream } from './event-stream.ts'
import { Gate, type GateOptions, type Principal } from './gate.ts'
import { limitsOf, type ServerLimits } from './limits.ts'
import { loadMcpSdk } from './load-mcp-sdk.ts'
import { mcpServerFactory } from './mcp.ts'
import { openApiDocument } from './openapi.ts'
import { memoryStore, type OutcomeStore } from './outcome-store.ts'
import { callProblemResponse, problemResponse, ServerProblem } from './problem-response.ts'
import { readJsonBody } from './read-json-body.ts'
import { requireContract } from './require-contract.ts'
import { OnceRunner } from './run-once.ts'
import { type ServableTool, servedTools } from './served-tools.ts'

/** Options of {@link toolServer}. */
export interface ToolServerOptions extends GateOptions {
  /** What clients are told it is called. Default: `callsheet`. */
  readonly name?: string | undefined
  /** Its version, which clients are told. Default: `0.0.0`. */
  readonly version?: string | undefined
  /** What it takes at the most. */
  readonly limits?: Partial<ServerLimits> | undefined
  /** Remembers Outcomes by the id of their Call, so that each runs once. Default: in memory, for an hour. */
  readonly store?: OutcomeStore | undefined
  /** The path under which it is mounted, without a slash at the end: `/agents/tools`. Default: none. */
  readonly basePath?: string | undefined
  /** Options of every Call, as `Tool.run` takes them: retries, a policy, a model, hooks. */
  readonly run?: ServedRunOptions | undefined
  /** Told of faults that callers are told nothing of. Default: `console.error`. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** A web-standard handler of the Tools of a registry. */
export interface ToolServer {
  (request: Request): Promise<Response>
  /** The same, for runtimes that take `{ fetch }`. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Takes no more Calls, waits for those that run as long as the limits say, and lets go of everything. */
  close(): Promise<void>
}

/**
 * Serves the Tools of a registry (SERVE-1): over HTTP (`POST /calls`, `POST /tools/{name}`, `GET /tools`, `GET /openapi.json`,
 * `GET /health`) and over MCP (`/mcp`, with `@modelcontextprotocol/server` installed).
 *
 * Answers under loopback names alone, unless `hosts` says others; those take `authorize`.
 *
 * @throws CallsheetError `invalid_options`.
 * @example
 * import { serve } from '@hono/node-server'
 * import { toolServer } from 'callsheet/server'
 * import './activities.js'
 * import { Tool } from './generated/index.js'
 *
 * serve({ fetch: toolServer(Tool), hostname: '127.0.0.1', port: 3000 })
 */
export function toolServer(tools: ServableTool, options: ToolServerOptions = {}): ToolServer {
  const server = new Server(tools, options)
  const handle = (request: Request): Promise<Response> => server.handle(request)
  return Object.assign(handle, { fetch: handle, close: () => server.close() })
}

class Server {
  readonly #tools: ServableTool
  readonly #options: ToolServerOptions
  readonly #limits: ServerLimits
  readonly #gate: Gate
  readonly #admission: Admission
  readonly #store: OutcomeStore
  readonly #runner: CallRunner
  readonly #closing = new AbortController()
  /** What runs for requests, to be aborted when the server is closed. */
  readonly #ending = new Set<AbortController>()
  #mcp: Promise<(request: Request, principal: Principal | undefined) => Promise<Response>> | undefined

  constructor(tools: ServableTool, options: ToolServerOptions) {
    this.#tools = tools
    this.#options = options
    this.#limits = limitsOf(options.limits)
    this.#gate = new Gate(options)
    this.#admission = new Admission(this.#limits)
    this.#store = options.store ?? memoryStore()
    this.#runner = new CallRunner(
      tools,
      this.#limits,
      this.#admission,
      new OnceRunner(this.#store),
      options.run ?? {},
    )
  }

  async handle(request: Request): Promise<Response> {
    let response: Response
    try {
      const principal = request.method === 'OPTIONS' ? undefined : await this.#gate.admit(request)
      response = await this.#route(request, principal)
    } catch (error) {
      if (!(error instanceof ServerProblem)) this.#report(error)
      response = problemResponse(error)
    }
    for (const [name, value] of Object.entries(this.#gate.corsHeaders(request)))
      response.headers.set(name, value)
    response.headers.set('x-content-type-options', 'nosniff')
    return response
  }

  async close(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#limits.drainTime)
    })
    await Promise.race([this.#admission.drain(), late])
    clearTimeout(timer)
    this.#closing.abort(new Error('The server is closed.'))
    for (const ending of this.#ending) ending.abort(this.#closing.signal.reason)
    this.#runner.close()
    await this.#store.close?.()
  }

  #report(error: unknown): void {
    if (this.#options.onError) this.#options.onError(error)
    else console.error('callsheet: the server failed.', error)
  }

  async #route(request: Request, principal: Principal | undefined): Promise<Response> {
    const path = pathOf(request, this.#options.basePath ?? '')
    const [, first = '', second, ...more] = path.split('/')
    const shape = second === undefined ? first : `${first}/*`
    const route = more.length === 0 && Object.hasOwn(routes, shape) ? routes[shape] : undefined
    if (!route)
      throw new ServerProblem(
        'not_found',
        `There is nothing at ${path.slice(0, 100)}. GET /openapi.json says what there is.`,
      )
    if (request.method === 'OPTIONS') return preflight(route)
    if (!route.includes(request.method)) {
      throw new ServerProblem(
        'method_not_allowed',
        `${path.slice(0, 100)} takes ${route.join(', ')}, got ${request.method.slice(0, 20)}.`,
        {
          headers: { allow: route.join(', ') },
        },
      )
    }
    if (first === 'health') return this.#health()
    if (first === 'mcp') return (await this.#mcpHandler())(request, principal)
    if (first === 'openapi.json') return this.#openApi(principal)
    if (first === 'calls') return this.#calls(request, principal)
    return second === undefined
      ? this.#list(principal)
      : this.#callByName(decodedName(second), request, principal)
  }

  #health(): Response {
    return Response.json({ status: 'ok', running: this.#admission.running, waiting: this.#admission.waiting })
  }

  async #list(principal: Principal | undefined): Promise<Response> {
    const tools = await servedTools(this.#tools, principal)
    const contract = await hashOf(canonicalJson(tools.map((tool) => [tool.name, tool.contract])))
    return Response.json({ contract, tools })
  }

  async #openApi(principal: Principal | undefined): Promise<Response> {
    const { name = 'callsheet', version = '0.0.0', authorize, basePath = '' } = this.#options
    const tools = await servedTools(this.#tools, principal)
    return Response.json(
      openApiDocument(tools, { title: name, version, isProtected: authorize !== undefined, basePath }),
    )
  }

  async #calls(request: Request, principal: Principal | undefined): Promise<Response> {
    const asked = readCallRequest(await readJsonBody(request, this.#limits), request.headers, this.#limits)
    await requireContract(
      request.headers,
      this.#tools,
      principal,
      asked.calls.map(({ call }) => call),
    )
    if (request.headers.get('accept')?.includes('text/event-stream')) {
      const gone = new AbortController()
      return eventStream(
        (follower) =>
          this.#during(request, (signal) =>
            this.#runAsked(asked, principal, AbortSignal.any([gone.signal, signal]), follower),
          ),
        (reason) => gone.abort(reason),
      )
    }
    return Response.json(await this.#during(request, (signal) => this.#runAsked(asked, principal, signal)))
  }

  #runAsked(
    asked: CallRequest,
    principal: Principal | undefined,
    signal: AbortSignal,
    follower?: Parameters<CallRunner['runOne']>[4],
  ): Promise<unknown> {
    const { strategy } = asked
    if (strategy) return this.#runner.runGroup({ ...asked, strategy }, principal, signal, follower)
    const [only] = asked.calls
    if (!only) throw new ServerProblem('bad_request', 'The request has no Call.')
    return this.#runner.runOne(only, asked, principal, signal, follower)
  }

  async #callByName(name: string, request: Request, principal: Principal | undefined): Promise<Response> {
    const body = await readJsonBody(request, this.#limits)
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new ServerProblem(
        'bad_request',
        `Expected the parameters of "${name.slice(0, 100)}" as a JSON object.`,
      )
    }
    const id = idempotencyKey(request.headers)
    const call = { ...body, _tool: name }
    await requireContract(request.headers, this.#tools, principal, [call])
    const outcome = await this.#during(request, (signal) =>
      this.#runner.runOne(
        { call, ...(id !== undefined && { id }) },
        { context: [], references: false },
        principal,
        signal,
      ),
    )
    if (outcome.status !== 'succeeded' && outcome.error) return callProblemResponse(outcome.error)
    return outcome.output === undefined ? new Response(null, { status: 204 }) : Response.json(outcome.output)
  }

  /** Does work for a request under a signal that is aborted when its client leaves, or the server is closed. */
  async #during<Result>(request: Request, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    // `AbortSignal.any` would do, and take more time than everything else here: it holds its sources weakly.
    const ending = new AbortController()
    const { signal } = request
    const leave = (): void => ending.abort(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    this.#ending.add(ending)
    if (signal.aborted) leave()
    if (this.#closing.signal.aborted) ending.abort(this.#closing.signal.reason)
    try {
      return await work(ending.signal)
    } finally {
      this.#ending.delete(ending)
      signal.removeEventListener('abort', leave)
    }
  }

  #mcpHandler(): Promise<(request: Request, principal: Principal | undefined) => Promise<Response>> {
    this.#mcp ??= this.#loadMcp()
    return this.#mcp
  }

  async #loadMcp(): Promise<(request: Request, principal: Principal | undefined) => Promise<Response>> {
    const sdk = await loadMcpSdk().catch((error: unknown) => {
      this.#report(error)
      throw new ServerProblem('not_found', 'This server does not speak MCP.')
    })
    const principals = new WeakMap<Request, Principal>()
    const { name = 'callsheet', version = '0.0.0' } = this.#options
    const factory = mcpServerFactory(
      sdk,
      { name, version, tools: this.#tools, runner: this.#runner },
      ({ requestInfo }: McpRequestContext) => requestInfo && principals.get(requestInfo),
    )
    const handler = sdk.createMcpHandler(factory, {
      onerror: (error) => this.#report(error),
    })
    this.#closing.signal.addEventListener('abort', () => void handler.close())
    return async (request, principal) => {
      if (principal) principals.set(request, principal)
      if (request.method !== 'POST') return handler.fetch(request)
      // Read here, within the limits that hold for every body.
      return handler.fetch(request, { parsedBody: await readJsonBody(request, this.#limits) })
    }
  }
}

const routes: Readonly<Record<string, readonly string[]>> = {
  health: ['GET'],
  tools: ['GET'],
  'tools/*': ['POST'],
  calls: ['POST'],
  'openapi.json': ['GET'],
  mcp: ['GET', 'POST', 'DELETE'],
}

function decodedName(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new ServerProblem('bad_request', `"${segment.slice(0, 100)}" is not the name of a Tool.`)
  }
}

function pathOf(request: Request, basePath: string): string {
  const { pathname } = new URL(request.url)
  if (basePath !== '' && pathname !== basePath && !pathname.startsWith(`${basePath}/`))
    throw new ServerProblem('not_found', `This server is at ${basePath}.`)
  const path = pathname.slice(basePath.length)
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** A browser asks whether a page of another origin may call; whether it really may is decided with the request itself. */
function preflight(methods: readonly string[]): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers':
        'authorization, content-type, idempotency-key, callsheet-contract, mcp-protocol-version, mcp-method, mcp-name',
      'access-control-max-age': '600',
    },
  })
}
