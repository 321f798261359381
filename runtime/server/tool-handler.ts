import type { Message } from '../context/message.ts'
import { CallsheetError, type ErrorData } from '../errors.ts'
import { canonicalJson } from '../json/canonical-json.ts'
import { isJsonObject } from '../json/json.ts'
import { nearest } from '../problems/nearest.ts'
import { briefly } from '../problems/problem.ts'
import { suggest } from '../problems/suggest.ts'
import { tellListener } from '../problems/tell-listener.ts'
import { Admission } from './admission.ts'
import type { AdmittedRequest } from './admitted-request.ts'
import { BodyBudget } from './body-budget.ts'
import { type CallRequest, idempotencyKey, readCallRequest } from './call-request.ts'
import { CallRunner, type Follower, type ServedRunOptions } from './call-runner.ts'
import { shortDigest } from './contract-hash.ts'
import { Ending, type StopSignal } from './ending.ts'
import { eventStream } from './event-stream.ts'
import { type Answer, jsonAnswer, type ServerRequest } from './exchange.ts'
import { Gate, type GateOptions, type Principal } from './gate.ts'
import { inTime } from './in-time.ts'
import { limitsOf, type ServerLimits } from './limits.ts'
import { type AnswerMcp, mcpRequests } from './mcp-requests.ts'
import { openApiDocument } from './openapi.ts'
import { memoryStore, type OutcomeStore } from './outcome-store.ts'
import { pass, passedHeader } from './passed-servers.ts'
import { callProblemAnswer, problemAnswer, ServerProblem } from './problem-response.ts'
import { readJsonBody } from './read-json-body.ts'
import { contractHeader, type KnownContracts, requireContract } from './require-contract.ts'
import { OnceRunner } from './run-once.ts'
import { type ServableTool, servedTools } from './served-tools.ts'
import { wantsEvents } from './wants-events.ts'
import { whenRead } from './when-read.ts'

/** Options of `toolServer`. */
export interface ToolServerOptions extends GateOptions {
  /** What clients are told it is called. Default: `callsheet`. */
  readonly name?: string | undefined
  /** Its version, which clients are told. Default: `0.0.0`. */
  readonly version?: string | undefined
  /** What it takes at the most. */
  readonly limits?: Partial<ServerLimits> | undefined
  /** Remembers Outcomes by the id of their Call, so that each runs once. Default: in memory, for an hour. */
  readonly store?: OutcomeStore | undefined
  /**
   * Contracts of before, by Tool, whose callers it serves as well; `callsheet diff` says whether that is safe. Default: those of
   * another contract than its own are refused.
   */
  readonly contracts?: KnownContracts | undefined
  /** The path under which it is mounted, without a slash at the end: `/agents/tools`. Default: none. */
  readonly basePath?: string | undefined
  /** Options of every Call, as `Tool.run` takes them: retries, a policy, a model, hooks. */
  readonly run?: ServedRunOptions | undefined
  /** Told of faults that callers are told nothing of. Default: `console.error`. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** What the server has at a path. */
interface Route {
  readonly methods: readonly string[]
  /** @param rest The part of the path that is given, as it stands there. */
  readonly answer: (admitted: AdmittedRequest, rest: string) => Answer | Promise<Answer>
}

/** Answers requests for the Tools of a registry, whichever way they come. */
export class ToolHandler {
  readonly #tools: ServableTool
  readonly #options: ToolServerOptions
  readonly #limits: ServerLimits
  readonly #gate: Gate
  readonly #admission: Admission
  readonly #store: OutcomeStore
  readonly #runner: CallRunner
  readonly #bodies: BodyBudget
  /** No `AbortController`: Cloudflare's workers make none outside of a request, and a server is made there. */
  readonly #closing = new Ending()
  /** What runs for requests, to be aborted when the server is closed. */
  readonly #ending = new Set<Ending>()
  /** Tells it from others that a Call passes. Made with the first request: Cloudflare's workers make no random one before. */
  #id: string | undefined
  #mcp: Promise<AnswerMcp> | undefined
  /** By path; `*` stands for one part that is given. */
  readonly #routes: Readonly<Record<string, Route>> = {
    health: { methods: ['GET', 'HEAD'], answer: () => this.#health() },
    tools: { methods: ['GET', 'HEAD'], answer: (admitted) => this.#list(admitted) },
    'tools/*': {
      methods: ['POST'],
      answer: (admitted, name) => this.#callByName(decodedName(name), admitted),
    },
    calls: { methods: ['POST'], answer: (admitted) => this.#calls(admitted) },
    'openapi.json': { methods: ['GET', 'HEAD'], answer: (admitted) => this.#openApi(admitted) },
    mcp: {
      methods: ['GET', 'POST', 'DELETE'],
      answer: async (admitted) => (await this.#mcpHandler())(admitted),
    },
  }

  constructor(tools: ServableTool, options: ToolServerOptions) {
    this.#tools = tools
    this.#options = options
    this.#limits = limitsOf(options.limits)
    requireNames(tools.names, options.contracts)
    this.#gate = new Gate(options, this.#limits)
    this.#admission = new Admission(this.#limits)
    this.#bodies = new BodyBudget(this.#limits)
    this.#store = options.store ?? memoryStore()
    this.#runner = new CallRunner(
      tools,
      this.#limits,
      this.#admission,
      new OnceRunner(this.#store, this.#limits, (error) => this.#report(error)),
      options.run ?? {},
    )
  }

  async answer(request: ServerRequest): Promise<Answer> {
    const held = this.#bodies.open()
    let answer: Answer
    try {
      const principal = request.method === 'OPTIONS' ? undefined : await this.#gate.admit(request, held)
      answer = await this.#route({ request, principal, held })
    } catch (error) {
      this.#reportFault(error)
      answer = problemAnswer(error)
    }
    // What watches whether a server is up asks for the head alone.
    if (request.method === 'HEAD' && typeof answer.body === 'string') answer = { ...answer, body: null }
    if (answer.body instanceof ReadableStream) {
      answer = { ...answer, body: whenRead(answer.body, () => held.release()) }
    } else held.release()
    Object.assign(answer.headers, this.#gate.corsHeaders(request))
    answer.headers['x-content-type-options'] = 'nosniff'
    // Who asks decides what there is, by whatever header says so: no cache between gives one caller's answer to another.
    if (this.#options.authorize) answer.headers['cache-control'] ??= 'private, no-store'
    return answer
  }

  async close(): Promise<void> {
    await this.#admission.drain()
    this.#closing.abort(new Error('The server is closed.'))
    for (const ending of this.#ending) ending.abort(this.#closing.reason)
    this.#runner.close()
    await inTime(this.#store.close?.(), this.#limits.hookTime, 'The store')
  }

  /** Reports what is no fault of the client's. */
  #reportFault(error: unknown): void {
    if (!(error instanceof ServerProblem)) this.#report(error)
  }

  #report(error: unknown): void {
    const { onError } = this.#options
    if (onError) tellListener('onError', onError, error)
    else console.error('callsheet: the server failed.', error)
  }

  async #route(admitted: AdmittedRequest): Promise<Answer> {
    const { request } = admitted
    const path = pathOf(request, this.#options.basePath ?? '')
    const [, first = '', second, ...more] = path.split('/')
    const shape = second === undefined ? first : `${first}/*`
    const route = more.length === 0 && Object.hasOwn(this.#routes, shape) ? this.#routes[shape] : undefined
    if (!route)
      throw new ServerProblem(
        'not_found',
        `There is nothing at ${path.slice(0, 100)}. GET /openapi.json says what there is.`,
      )
    const { methods } = route
    if (request.method === 'OPTIONS')
      return preflight(methods, request.header('access-control-request-headers'))
    if (!methods.includes(request.method)) {
      throw new ServerProblem(
        'method_not_allowed',
        `${path.slice(0, 100)} takes ${methods.join(', ')}, got ${request.method.slice(0, 20)}.`,
        { headers: { allow: methods.join(', ') } },
      )
    }
    return route.answer(admitted, second ?? '')
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
    const { name = 'callsheet', version = '0.0.0', authorize, basePath = '' } = this.#options
    const tools = await servedTools(this.#tools, principal)
    return jsonAnswer(
      openApiDocument(tools, { title: name, version, isProtected: authorize !== undefined, basePath }),
    )
  }

  async #calls({ request, principal, held }: AdmittedRequest): Promise<Answer> {
    const body = await readJsonBody(request, this.#limits, held)
    this.#id ??= globalThis.crypto.randomUUID()
    const requested = {
      ...readCallRequest(body, request, this.#limits),
      passed: pass(request.header(passedHeader), this.#id),
    }
    const known = request.header(contractHeader)
    if (known !== undefined) {
      const calls = requested.calls.map(({ call }) => call)
      const { context } = requested
      await requireContract(known, this.#tools, principal, { calls, context }, this.#options.contracts)
    }
    if (wantsEvents(request.header('accept'))) {
      const ending = new Ending()
      return eventStream(
        (follower) =>
          this.#during(request, () => this.#runRequested(requested, principal, ending, follower), ending),
        (reason) => ending.abort(reason),
        (error) => this.#reportFault(error),
      )
    }
    return jsonAnswer(
      await this.#during(request, (signal) => this.#runRequested(requested, principal, signal)),
    )
  }

  #runRequested(
    requested: CallRequest,
    principal: Principal | undefined,
    signal: StopSignal,
    follower?: Follower,
  ): Promise<unknown> {
    const { strategy } = requested
    if (strategy) return this.#runner.runGroup({ ...requested, strategy }, principal, signal, follower)
    const [only] = requested.calls
    if (!only) throw new ServerProblem('bad_request', 'The request has no Call.')
    return this.#runner.runOne(only, requested, principal, signal, follower)
  }

  async #callByName(name: string, { request, principal, held }: AdmittedRequest): Promise<Answer> {
    const body = await readJsonBody(request, this.#limits, held)
    if (!isJsonObject(body)) {
      throw new ServerProblem(
        'bad_request',
        `Expected the parameters of "${name.slice(0, 100)}" as a JSON object.`,
      )
    }
    if (body._tool !== undefined && body._tool !== name) {
      const path = `/tools/${encodeURIComponent(name)}`
      throw new ServerProblem(
        'bad_request',
        `The body names the Tool ${briefly(body._tool)}, and ${path.slice(0, 100)} runs another one. Leave \`_tool\` out, or send the Call to /calls.`,
      )
    }
    const id = idempotencyKey(request)
    // The body is nobody else's, and a copy of it costs more than its check.
    const call = Object.assign(body, { _tool: name })
    const known = request.header(contractHeader)
    const context: Message[] = []
    if (known !== undefined)
      await requireContract(
        known,
        this.#tools,
        principal,
        { calls: [call], context },
        this.#options.contracts,
      )
    const outcome = await this.#during(request, (signal) =>
      this.#runner.runOne({ call, id }, { context, references: false }, principal, signal),
    )
    if (outcome.status !== 'succeeded') return callProblemAnswer(outcome.error ?? withoutError)
    return outcome.output === undefined
      ? { status: 204, headers: {}, body: null }
      : jsonAnswer(outcome.output)
  }

  /** Does work for a request under a signal that is aborted when its client leaves or the server is closed. */
  async #during<Result>(
    request: ServerRequest,
    work: (signal: StopSignal) => Promise<Result>,
    ending = new Ending(),
  ): Promise<Result> {
    const forget = request.onLeave((reason) => ending.abort(reason))
    this.#ending.add(ending)
    if (this.#closing.aborted) ending.abort(this.#closing.reason)
    try {
      return await work(ending)
    } finally {
      this.#ending.delete(ending)
      forget()
    }
  }

  #mcpHandler(): Promise<AnswerMcp> {
    const { name = 'callsheet', version = '0.0.0' } = this.#options
    this.#mcp ??= mcpRequests({
      name,
      version,
      tools: this.#tools,
      runner: this.#runner,
      limits: this.#limits,
      closing: this.#closing,
      report: (error) => this.#report(error),
    })
    return this.#mcp
  }
}

/**
 * Refuses contracts of a misspelt Tool. One that no Tool is near may be of a Tool that is gone.
 *
 * @throws CallsheetError `invalid_options`.
 */
function requireNames(names: readonly string[] = [], contracts: KnownContracts = {}): void {
  for (const name of Object.keys(contracts)) {
    const near = names.includes(name) ? [] : nearest(name, names)
    if (near.length === 0) continue
    throw new CallsheetError(
      'invalid_options',
      `\`contracts\` are for a Tool ${briefly(name)}, which is not served.${suggest(near)}`,
    )
  }
}

/** What a store that was written by something else has kept of a failure. */
const withoutError: ErrorData = {
  name: 'CallsheetError',
  code: 'internal',
  message: 'The Call did not succeed, and its record does not say why.',
}

function decodedName(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new ServerProblem('bad_request', `"${segment.slice(0, 100)}" is not the name of a Tool.`)
  }
}

/** The path below the one that the server is mounted at. */
function pathOf(request: ServerRequest, basePath: string): string {
  if (basePath !== '' && request.path !== basePath && !request.path.startsWith(`${basePath}/`))
    throw new ServerProblem('not_found', `This server is at ${basePath}.`)
  const path = request.path.slice(basePath.length)
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/**
 * A browser asks whether a page of another origin may call; whether it really may is decided with the request itself. So any headers will do:
 * which of them name who asks, `authorize` knows.
 */
function preflight(methods: readonly string[], headers: string | undefined): Answer {
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': headers && /^[\w, -]+$/.test(headers) ? headers : 'content-type',
      'access-control-max-age': '600',
    },
    body: null,
  }
}
