import type { McpRequestContext } from '@modelcontextprotocol/server'
import { isJsonObject } from '../json/json.ts'
import { briefly } from '../problems/problem.ts'
import type { AdmittedRequest } from './admitted-request.ts'
import type { StopSignal } from './ending.ts'
import type { Answer } from './exchange.ts'
import type { Principal } from './gate.ts'
import type { ServerLimits } from './limits.ts'
import { loadMcpSdk } from './load-mcp-sdk.ts'
import { type McpOptions, mcpServerFactory } from './mcp.ts'
import { ServerProblem } from './problem-response.ts'
import { readJsonBody } from './read-json-body.ts'
import { answerOf } from './web-exchange.ts'

/** Answers an MCP request. */
export type AnswerMcp = (admitted: AdmittedRequest) => Promise<Answer>

/** The inputs for MCP over HTTP. */
export interface McpRequestOptions extends McpOptions {
  readonly limits: ServerLimits
  /** Aborted when the server is closed. */
  readonly closing: StopSignal
  /** Receives internal errors. */
  readonly report: (error: unknown) => void
}

/**
 * Loads the MCP SDK, and creates the function that answers requests with it.
 *
 * @throws ServerProblem `not_found` if the SDK cannot be loaded.
 */
export async function mcpRequests(options: McpRequestOptions): Promise<AnswerMcp> {
  const { limits, closing, report } = options
  const sdk = await loadMcpSdk().catch((error: unknown) => {
    report(error)
    throw new ServerProblem(
      'not_found',
      'This server does not speak MCP: @modelcontextprotocol/server is not installed beside it.',
    )
  })
  const principals = new WeakMap<Request, Principal>()
  const factory = mcpServerFactory(
    sdk,
    options,
    ({ requestInfo }: McpRequestContext) => requestInfo && principals.get(requestInfo),
  )
  const handler = sdk.createMcpHandler(factory, {
    onerror: (error) => {
      if (!isRefusal(error)) report(error)
    },
  })
  closing.addEventListener('abort', () => void handler.close())
  return async ({ request, principal, held }) => {
    const web = request.webRequest(limits, held)
    if (principal) principals.set(web, principal)
    if (request.method !== 'POST') return answerOf(await handler.fetch(web))
    // Read the body here, within the limits of every body.
    const parsedBody = await readJsonBody(request, limits, held)
    requireOwnIds(parsedBody)
    return answerOf(await handler.fetch(web, { parsedBody }))
  }
}

/**
 * Refuses a batch of which two requests have the same id: both would run, and the SDK would answer one of them.
 *
 * @throws ServerProblem `bad_request`.
 */
function requireOwnIds(body: unknown): void {
  if (!Array.isArray(body)) return
  const ids = new Set<unknown>()
  for (const each of body) {
    if (!isJsonObject(each) || each.id === undefined || each.method === undefined) continue
    if (ids.has(each.id)) {
      throw new ServerProblem('bad_request', `Two requests of the batch have the id ${briefly(each.id)}.`)
    }
    ids.add(each.id)
  }
}

/** True for errors that the MCP SDK reported to the client as the client's mistake: they are not logged. */
function isRefusal({ message }: Error): boolean {
  return /^(?:Rejected inbound request |Unsupported Media Type: )/.test(message)
}
