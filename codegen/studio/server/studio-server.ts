import type { Call, Message } from '../../../runtime/context/message.ts'
import { dialectNames } from '../../../runtime/dialects/dialect-name.ts'
import { isJsonObject, type JsonObject } from '../../../runtime/json/json.ts'
import { Gate } from '../../../runtime/server/gate.ts'
import { limitsOf, type ServerLimits } from '../../../runtime/server/limits.ts'
import { problemAnswer, ServerProblem } from '../../../runtime/server/problem-response.ts'
import { readJsonBody } from '../../../runtime/server/read-json-body.ts'
import { responseOf, WebRequest } from '../../../runtime/server/web-exchange.ts'
import type { BenchTool, Workbench } from '../bench/workbench.ts'
import { dialectViews } from '../dialect-views.ts'
import type { RunFolder } from '../runs/run-folder.ts'
import { StudioTool } from '../tool-detail.ts'
import type { StudioInfo } from '../wire/tools.ts'
import { callStream } from './call-stream.ts'
import { pageFile, safeHeaders } from './page-files.ts'
import { RunRoutes } from './run-routes.ts'
import { tokenHolders } from './token.ts'

/** Options of {@link studioServer}. */
export interface StudioServerOptions {
  readonly bench: Workbench
  readonly token: string
  /** The folder of recorded runs. */
  readonly runs?: RunFolder | undefined
  /** Called with unexpected errors of the studio. */
  readonly onError: (error: unknown) => void
  /** Aborts running Calls when the studio ends. */
  readonly signal: AbortSignal
}

/** Limits of requests: larger than for models, since people may edit large values. */
const limits: ServerLimits = limitsOf({ bodyBytes: 16_777_216, bodyDepth: 200 })

/**
 * Serves the studio: the files of its page to local clients, and everything below `/api/` to clients with the token (VIEW-1).
 * Requests from pages of other origins are refused, including other local ones.
 */
export function studioServer(options: StudioServerOptions): (request: Request) => Promise<Response> {
  const studio = new Studio(options)
  return (request) => studio.handle(request)
}

class Studio {
  readonly #options: StudioServerOptions
  readonly #files = new Gate({}, limits)
  readonly #api: Gate
  readonly #runs: RunRoutes | undefined
  readonly #tools: ReadonlyMap<string, { readonly bench: BenchTool; readonly studio: StudioTool }>

  constructor(options: StudioServerOptions) {
    this.#options = options
    this.#runs = options.runs && new RunRoutes(options.runs, options.bench, options.signal)
    this.#api = new Gate({ authorize: tokenHolders(options.token) }, limits)
    this.#tools = new Map(
      options.bench.tools.map((tool) => [tool.name, { bench: tool, studio: new StudioTool(tool) }]),
    )
  }

  async handle(request: Request): Promise<Response> {
    try {
      const { pathname } = new URL(request.url)
      requireOwnOrigin(request)
      if (pathname.startsWith('/api/')) {
        await this.#api.admit(new WebRequest(request))
        return withHeaders(await this.#route(pathname.slice('/api/'.length), request))
      }
      await this.#files.admit(new WebRequest(request))
      const file = request.method === 'GET' ? await pageFile(pathname) : undefined
      if (file) return file
      throw new ServerProblem('not_found', `There is nothing at ${pathname.slice(0, 100)}.`)
    } catch (error) {
      if (!(error instanceof ServerProblem)) this.#options.onError(error)
      return withHeaders(responseOf(problemAnswer(error)))
    }
  }

  async #route(path: string, request: Request): Promise<Response> {
    const [room = '', given = '', part = '', ...more] = path.split('/')
    if (room === 'runs') return this.#runsAnswer(path.split('/').slice(1), request)
    const shape = more.length > 0 ? '' : [request.method, room, given && '*', part].filter(Boolean).join(' ')
    switch (shape) {
      case 'GET info':
        return Response.json(this.#info())
      case 'GET tools *':
        return Response.json(this.#tool(given).studio.detail)
      case 'POST tools * check': {
        const { parameters } = await this.#body(request)
        if (!isJsonObject(parameters)) throw expected('the parameters of a Call as "parameters"')
        return Response.json({ problems: this.#tool(given).studio.problems(parameters) })
      }
      case 'POST tools * dialects': {
        const { dialects } = await this.#body(request)
        if (!Array.isArray(dialects)) throw expected('a list of names as "dialects"')
        return Response.json(dialectViews(this.#tool(given).bench, this.#options.bench, dialects.map(String)))
      }
      case 'POST calls':
        return this.#run(await this.#body(request))
      default:
        throw new ServerProblem('not_found', `There is nothing at /api/${path.slice(0, 100)}.`)
    }
  }

  /** Answers a path below `runs`: a run's id, a word, and an optional further segment; `news` refers to the folder. */
  #runsAnswer(segments: readonly string[], request: Request): Promise<Response> {
    const parts = segments.map(decoded)
    const isFolder = parts.length === 1 && parts[0] === 'news'
    const words = parts.map((part, place) => (place % 2 === 0 && !isFolder ? '*' : part))
    if (!this.#runs) throw new ServerProblem('not_found', 'The studio was started without --runs.')
    return this.#runs.answer([request.method, ...words].join(' '), parts, () => this.#body(request))
  }

  #info(): StudioInfo {
    const { bench } = this.#options
    return {
      place: bench.place,
      isRemote: bench.isRemote,
      tools: Array.from(this.#tools.values(), ({ studio }) => studio.line),
      dialects: { configured: bench.dialects, all: dialectNames },
      hasTokens: bench.countTokens !== undefined,
      ...(this.#options.runs && { runsFolder: this.#options.runs.path }),
    }
  }

  #run({ call, context = [] }: JsonObject): Response {
    if (!isJsonObject(call) || typeof call._tool !== 'string') throw expected('a Call as "call"')
    if (!Array.isArray(context)) throw expected('a list of Messages as "context"')
    return callStream(
      this.#options.bench,
      { call: call as Call, context: context as Message[] },
      this.#options.signal,
    )
  }

  #tool(segment: string): { readonly bench: BenchTool; readonly studio: StudioTool } {
    const name = decoded(segment)
    const tool = this.#tools.get(name)
    if (tool) return tool
    throw new ServerProblem('not_found', `There is no Tool "${name.slice(0, 100)}".`)
  }

  async #body(request: Request): Promise<JsonObject> {
    const body = await readJsonBody(new WebRequest(request), limits)
    if (isJsonObject(body)) return body
    throw expected('a JSON object')
  }
}

function expected(what: string): ServerProblem {
  return new ServerProblem('bad_request', `Expected ${what}.`)
}

/** Refuses requests from other origins, including pages of other local servers. */
function requireOwnOrigin(request: Request): void {
  const origin = request.headers.get('origin')
  if (origin === null) return
  const host = request.headers.get('host') ?? new URL(request.url).host
  if (origin === `http://${host}`) return
  throw new ServerProblem('forbidden_origin', `Pages of "${origin.slice(0, 100)}" may not use the studio.`)
}

function withHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(safeHeaders)) response.headers.set(name, value)
  return response
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new ServerProblem('bad_request', `"${segment.slice(0, 100)}" is not UTF-8.`)
  }
}
