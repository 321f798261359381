import type { McpRequestContext } from '@modelcontextprotocol/server'
import { isJsonObject } from '../json/json.ts'
import { briefly } from '../problems/problem.ts'
import { closing } from './admission.ts'
import type { AdmittedRequest } from './admitted-request.ts'
import { requireFewCalls } from './call-request.ts'
import type { Answer } from './exchange.ts'
import type { ServerLimits } from './limits.ts'
import { loadMcpSdk, type McpSdk } from './load-mcp-sdk.ts'
import { lastAnswers, type McpOptions, mcpServerFactory } from './mcp.ts'
import { isInitialization, type McpAsker, McpCancellations, sessionHeader } from './mcp-cancellations.ts'
import { PendingCount } from './pending-count.ts'
import { ServerProblem } from './problem-response.ts'
import { readJsonBody } from './read-json-body.ts'
import { answerOf } from './web-exchange.ts'
import { whenRead } from './when-read.ts'

/** Answers an MCP request. */
export type AnswerMcp = (admitted: AdmittedRequest) => Promise<Answer>

/** The inputs for MCP over HTTP. */
export interface McpRequestOptions extends McpOptions {
  readonly limits: ServerLimits
  /** Receives internal errors. */
  readonly report: (error: unknown) => void
}

/**
 * Loads the MCP SDK, and creates the function that answers requests with it.
 *
 * @throws ServerProblem `not_found` if the SDK cannot be loaded.
 */
export async function mcpRequests(options: McpRequestOptions): Promise<AnswerMcp> {
  const { limits, report } = options
  const sdk = await loadMcpSdk().catch((error: unknown) => {
    report(error)
    throw new ServerProblem(
      'not_found',
      'This server does not speak MCP: @modelcontextprotocol/server is not installed beside it.',
    )
  })
  const askers = new WeakMap<Request, McpAsker>()
  const cancellations = new McpCancellations()
  const factory = mcpServerFactory(
    sdk,
    { ...options, cancellations },
    ({ requestInfo }: McpRequestContext) =>
      (requestInfo && askers.get(requestInfo)) ?? { principal: undefined },
  )
  const handler = sdk.createMcpHandler(factory, {
    onerror: (error) => {
      if (!isRefusal(sdk, error)) report(error)
    },
  })
  const unanswered = new PendingCount()
  let isClosed = false
  // The SDK answers nothing once it is closed, and the Calls that are aborted now still have to be answered.
  options.closing.addEventListener('abort', () => {
    unanswered
      .none(lastAnswers)
      .then(() => {
        isClosed = true
        return handler.close()
      })
      .catch(report)
  })
  return async ({ request, principal, held }) => {
    const web = request.webRequest(limits, held)
    if (request.method !== 'POST') {
      if (isClosed) throw closing()
      return answerOf(await handler.fetch(web))
    }
    // Read the body here, within the limits of every body.
    const parsedBody = await readJsonBody(request, limits, held)
    if (Array.isArray(parsedBody)) requireFitBatch(parsedBody, limits)
    const session = request.header(sessionHeader) || undefined
    const asker = { principal, session, isOneOfMany: Array.isArray(parsedBody) && parsedBody.length > 1 }
    askers.set(web, asker)
    cancellations.read(parsedBody, asker)
    if (isClosed) throw closing()
    unanswered.begin()
    const done = (): void => unanswered.end()
    let answer: Answer
    try {
      answer = answerOf(await handler.fetch(web, { parsedBody }))
    } catch (error) {
      done()
      throw error
    }
    if (answer.status === 200 && isInitialization(parsedBody))
      answer.headers[sessionHeader] = globalThis.crypto.randomUUID()
    if (answer.body instanceof ReadableStream) return { ...answer, body: whenRead(answer.body, done) }
    done()
    return answer
  }
}

/**
 * Refuses a batch of too many Calls, or of which two requests have the same id: both would run, and the SDK would answer one of them.
 *
 * @throws ServerProblem `too_large`, `bad_request`.
 */
function requireFitBatch(batch: readonly unknown[], limits: ServerLimits): void {
  const requests = batch.filter(isJsonObject)
  requireFewCalls(requests.filter(({ method }) => method === 'tools/call').length, limits)
  const ids = new Set<unknown>()
  for (const { id, method } of requests) {
    if (id === undefined || method === undefined) continue
    if (ids.has(id))
      throw new ServerProblem('bad_request', `Two requests of the batch have the id ${briefly(id)}.`)
    ids.add(id)
  }
}

/** True for errors that the MCP SDK reported to the client as the client's mistake: they are not logged. */
function isRefusal(
  { UnsupportedProtocolVersionError, MissingRequiredClientCapabilityError }: McpSdk,
  error: Error,
): boolean {
  return (
    error instanceof UnsupportedProtocolVersionError ||
    error instanceof MissingRequiredClientCapabilityError ||
    /^(?:Rejected inbound request |Unsupported Media Type: )/.test(error.message)
  )
}
