import { canonicalJson } from '../json/canonical-json.ts'
import { tellListener } from '../problems/tell-listener.ts'
import { Admission } from './admission.ts'
import type { AdmittedRequest } from './admitted-request.ts'
import { BodyBudget, type HeldBody } from './body-budget.ts'
import { CallEndpoints } from './call-endpoints.ts'
import { CallRunner, type ServedRunOptions } from './call-runner.ts'
import { shortDigest } from './contract-hash.ts'
import { Ending } from './ending.ts'
import { type Answer, jsonAnswer, type ServerRequest } from './exchange.ts'
import { Gate, type GateOptions } from './gate.ts'
import { inTime } from './in-time.ts'
import { limitsOf, type ServerLimits } from './limits.ts'
import { listableTools } from './listable-tools.ts'
import { type AnswerMcp, mcpRequests } from './mcp-requests.ts'
import { requireOpenWorld } from './open-world.ts'
import { openApiDocument } from './openapi.ts'
import { memoryStore, type OutcomeStore } from './outcome-store.ts'
import { problemAnswer, ServerProblem } from './problem-response.ts'
import type { KnownContracts } from './require-contract.ts'
import { requireServedNames } from './require-served-names.ts'
import { answerByRoute, answerWith, type Routes } from './routes.ts'
import { OnceRunner } from './run-once.ts'
import { type ServableTool, servedTools } from './served-tools.ts'
import { whenRead } from './when-read.ts'

/** Options of `toolServer`. */
export interface ToolServerOptions extends GateOptions {
  /** The server's name for clients. Default: `callsheet`. */
  readonly name?: string | undefined
  /** The server's version for clients. Default: `0.0.0`. */
  readonly version?: string | undefined
  /** What MCP clients tell their models of all its Tools together, such as which to call first. Default: nothing. */
  readonly instructions?: string | undefined
  /**
   * Whether Tools reach what anybody can see or systems of others, such as mail, posts and payments: all of them, none, or those
   * of these names. MCP clients are told of each Tool (`openWorldHint`), which some directories of connectors demand. Default: nothing
   * is said.
   */
  readonly openWorld?: boolean | readonly string[] | undefined
  /** Its limits. */
  readonly limits?: Partial<ServerLimits> | undefined
  /** Stores Outcomes by their Call's id, so that each Call runs once. Default: in memory, for an hour. */
  readonly store?: OutcomeStore | undefined
  /**
   * Earlier contracts, by Tool, whose callers are served too; `callsheet diff` tells whether that is safe. Default:
   * callers with another contract are refused.
   */
  readonly contracts?: KnownContracts | undefined
  /** The base path, without a trailing slash: `/agents/tools`. Default: none. */
  readonly basePath?: string | undefined
  /** Options of every Call, as of `Tool.run`: retries, a policy, a model, hooks. */
  readonly run?: ServedRunOptions | undefined
  /** Receives internal errors, which are hidden from clients. Default: `console.error`. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** Answers requests for the Tools of a registry, independent of the kind of server. */
export class ToolHandler {
  readonly #tools: ServableTool
  readonly #options: ToolServerOptions
  readonly #limits: ServerLimits
  /** The server's data for clients. */
  readonly #about: { readonly name: string; readonly version: string }
  readonly #gate: Gate
  readonly #admission: Admission
  readonly #store: OutcomeStore
  readonly #once: OnceRunner
  readonly #runner: CallRunner
  readonly #bodies: BodyBudget
  /** Not an `AbortController`: Cloudflare Workers cannot create one outside of a request, where the server is created. */
  readonly #closing = new Ending()
  readonly #calls: CallEndpoints
  #mcp: Promise<AnswerMcp> | undefined
  #closed: Promise<void> | undefined
  readonly #routes: Routes = {
    health: { methods: ['GET', 'HEAD'], answer: () => this.#health() },
    tools: { methods: ['GET', 'HEAD'], answer: (admitted) => this.#list(admitted) },
    'tools/*': {
      methods: ['POST'],
      answer: (admitted, name) => this.#calls.answerByName(admitted, name),
    },
    calls: { methods: ['POST'], answer: (admitted) => this.#calls.answer(admitted) },
    'openapi.json': { methods: ['GET', 'HEAD'], answer: (admitted) => this.#openApi(admitted) },
    mcp: {
      methods: ['GET', 'POST', 'DELETE'],
      answer: async (admitted) => (await this.#mcpHandler())(admitted),
    },
  }

  constructor(tools: ServableTool, options: ToolServerOptions) {
    this.#tools = tools
    this.#options = options
    const { name = 'callsheet', version = '0.0.0' } = options
    this.#about = { name, version }
    this.#limits = limitsOf(options.limits)
    requireServedNames('contracts', Object.keys(options.contracts ?? {}), tools.names)
    requireOpenWorld(options.openWorld, tools.names)
    this.#gate = new Gate(options, this.#limits)
    this.#admission = new Admission(this.#limits)
    this.#bodies = new BodyBudget(this.#limits)
    this.#store = options.store ?? memoryStore()
    this.#once = new OnceRunner(this.#store, this.#limits, (error) => this.#report(error))
    this.#runner = new CallRunner({
      tools,
      limits: this.#limits,
      admission: this.#admission,
      once: this.#once,
      options: options.run ?? {},
    })
    this.#calls = new CallEndpoints({
      tools,
      runner: this.#runner,
      limits: this.#limits,
      contracts: options.contracts,
      closing: this.#closing,
      reportFault: (error) => this.#reportFault(error),
    })
  }

  async answer(request: ServerRequest): Promise<Answer> {
    const held = this.#bodies.open()
    let answer: Answer
    try {
      answer = await this.#answer(request, held)
    } catch (error) {
      this.#reportFault(error)
      answer = problemAnswer(error)
    }
    // Health checks send HEAD requests.
    if (request.method === 'HEAD' && typeof answer.body === 'string') answer = { ...answer, body: null }
    if (answer.body instanceof ReadableStream) {
      answer = { ...answer, body: whenRead(answer.body, () => held.release()) }
    } else held.release()
    Object.assign(answer.headers, this.#gate.corsHeaders(request))
    answer.headers['x-content-type-options'] = 'nosniff'
    // Responses depend on the caller, by any header: no cache in between may give one caller's response to another.
    if (this.#options.authorize) answer.headers['cache-control'] ??= 'private, no-store'
    return answer
  }

  async #answer(request: ServerRequest, held: HeldBody): Promise<Answer> {
    const { resource } = this.#gate
    // Read by clients that have no token yet.
    if (resource && request.path === resource.path) {
      const route = { methods: ['GET', 'HEAD'], answer: () => resource.document() }
      return answerWith(route, { request, principal: undefined, held }, request.path)
    }
    const principal = request.method === 'OPTIONS' ? undefined : await this.#gate.admit(request, held)
    return answerByRoute(this.#routes, { request, principal, held }, this.#options.basePath ?? '')
  }

  close(): Promise<void> {
    // A store may not accept to be closed twice.
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    await this.#admission.drain()
    this.#closing.abort(new Error('The server is closed.'))
    this.#runner.close()
    await this.#once.close()
    await inTime(() => this.#store.close?.(), this.#limits.hookTime, 'The store')
  }

  /** Reports errors that the client did not cause. */
  #reportFault(error: unknown): void {
    if (!(error instanceof ServerProblem)) this.#report(error)
  }

  #report(error: unknown): void {
    const { onError } = this.#options
    if (onError) tellListener('onError', onError, error)
    else console.error('callsheet: the server failed.', error)
  }

  #health(): Answer {
    return jsonAnswer({ status: 'ok', running: this.#admission.running, waiting: this.#admission.waiting })
  }

  async #list({ principal }: AdmittedRequest): Promise<Answer> {
    const tools = await servedTools(this.#tools, principal)
    const contract = await shortDigest(canonicalJson(tools.map((tool) => [tool.name, tool.contract])))
    return jsonAnswer({ contract, tools })
  }

  async #openApi({ principal }: AdmittedRequest): Promise<Answer> {
    const { authorize, basePath = '' } = this.#options
    const { name, version } = this.#about
    const tools = await listableTools(await servedTools(this.#tools, principal))
    const writes = (tool: string): boolean =>
      Object.hasOwn(this.#tools.get(tool)?.properties ?? {}, '_outputPath')
    return jsonAnswer(
      openApiDocument(tools, {
        title: name,
        version,
        isProtected: authorize !== undefined,
        basePath,
        writes,
      }),
    )
  }

  #mcpHandler(): Promise<AnswerMcp> {
    this.#mcp ??= mcpRequests({
      ...this.#about,
      instructions: this.#options.instructions,
      openWorld: this.#options.openWorld,
      tools: this.#tools,
      runner: this.#runner,
      limits: this.#limits,
      closing: this.#closing,
      report: (error) => this.#report(error),
    })
    return this.#mcp
  }
}
