import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isCallsheetError } from '../errors.ts'
import type { JsonObject } from '../json/json.ts'
import { aFunction, count, fromZero, isWholeFromZero, oneOf } from '../problems/field-rule.ts'
import { type OptionRules, optionProblems, wrongOptions } from '../problems/option-problems.ts'
import { answerForms } from './answer-forms.ts'
import { RefusedRequest } from './deferred-tools.ts'
import { type Fault, type FaultKind, faultKinds, faultPlaces, saidBefore } from './faults.ts'
import { faultyAnswer, saidFault } from './faulty-answer.ts'
import { cutUp, lengthOf, type ModelAnswer, type ModelRequest } from './model-answer.ts'

/** Options of a test model's HTTP server. */
export interface ListenOptions {
  /** The faults to inject. */
  readonly faults?: readonly Fault[] | undefined
  /** Characters in each piece of a streamed answer. Default: 16. */
  readonly pieceLength?: number | undefined
  /**
   * Awaited before each piece of a streamed answer is sent, or a fault happens: lets a test control what has happened by then.
   *
   * @param textSoFar Number of characters of the answer including this piece.
   * @param event The event that is about to be sent, in the format of the API.
   */
  readonly beforePiece?:
    | ((textSoFar: number, request: number, event: JsonObject) => void | Promise<void>)
    | undefined
  /** Called with the index of each request, from 0, including those with a fault. */
  readonly onRequest?: ((request: number) => void) | undefined
  /** Called for each fault after everything before it is sent: the moment for a test to abort, or to be late. */
  readonly onFault?: ((fault: Fault) => void) | undefined
}

/** A local model server with the protocols of the `openai` and `@anthropic-ai/sdk` clients. */
export interface ModelServer {
  /** The URL for `new OpenAI({ baseURL })` and `new Anthropic({ baseURL })`. */
  readonly baseURL: string
  /** Closes every connection, including stalled ones. */
  close(): Promise<void>
}

export type Respond = (request: ModelRequest) => ModelAnswer | Promise<ModelAnswer>

const listenRules: OptionRules<ListenOptions> = {
  faults: [Array.isArray, 'a list of faults'],
  pieceLength: count,
  beforePiece: aFunction,
  onRequest: aFunction,
  onFault: aFunction,
}

const faultRules: OptionRules<Fault> = {
  request: [isWholeFromZero, 'a whole number from 0'],
  at: oneOf(...faultPlaces),
  kind: oneOf(...faultKinds),
  retryAfter: fromZero,
}

/** Requires known faults: an unknown one would silently never happen, and its test would prove nothing. */
function requireListenOptions(options: ListenOptions): void {
  const problems = optionProblems(options, listenRules)
  if (problems.length === 0) {
    for (const [index, fault] of (options.faults ?? []).entries()) {
      problems.push(...optionProblems(fault, faultRules, `/faults/${index}`, ['at', 'kind']))
    }
  }
  if (problems.length > 0) throw wrongOptions('listen', problems)
}

/** Listens on a free port of the loopback interface. */
export async function serveModel(respond: Respond, options: ListenOptions = {}): Promise<ModelServer> {
  requireListenOptions(options)
  let requests = 0
  // Not imported: a browser bundle of tests never listens, and could not resolve it.
  const { createServer } = process.getBuiltinModule('node:http')
  const server = createServer((request, response) => {
    const number = requests++
    options.onRequest?.(number)
    void serve(respond, options, { number, request, response }).catch((error: unknown) => {
      // The test's own model threw: report it to the client.
      const status = statusOf(error)
      if (!response.headersSent) sendError(response, status, String(error))
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { baseURL: `http://127.0.0.1:${port}/v1`, close: () => closeNow(server) }
}

/** Returns the status for an error of the test itself, which clients must not retry. */
function statusOf(error: unknown): number {
  if (error instanceof RefusedRequest) return error.status
  return isCallsheetError(error) ? 400 : 500
}

/** Removes a duplicate `/v1`, since Anthropic's client adds its own. */
function apiAt(url: string): ModelRequest['api'] {
  const [path = ''] = url.split('?')
  if (path.endsWith('/responses')) return 'responses'
  return path.endsWith('/messages') ? 'messages' : 'chat'
}

/** Closes a server without waiting for clients that keep their connections open. */
function closeNow(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/** A received request with its index, from 0, and its response. */
interface Incoming {
  readonly number: number
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

async function serve(
  respond: Respond,
  options: ListenOptions,
  { number, request, response }: Incoming,
): Promise<void> {
  const api = apiAt(request.url ?? '')
  const body = (await jsonBody(request)) as JsonObject
  const happens = options.faults?.find((each) => (each.request ?? 0) === number)
  const said = saidFault(happens)
  const fault = said ? undefined : happens
  if (fault?.at === 'headers' || (fault && body.stream !== true && isStatus(fault.kind))) {
    failAtHeaders(response, fault)
    options.onFault?.(fault)
    return
  }
  const given = await respond({ api, body })
  const answer = said ? faultyAnswer(given, said) : given
  const model = String(body.model)
  if (body.stream === true) await stream(api, answer, model, { options, number, response, fault })
  else {
    const text = JSON.stringify(answerForms[api].whole(answer, model))
    response.writeHead(200, { 'content-type': 'application/json' })
    if (fault) await writeOut(response, text.slice(0, wholeBefore(fault, text)))
    if (fault) breakOff(response, fault.kind, '', api)
    else response.end(text)
  }
  if (happens) options.onFault?.(happens)
}

async function jsonBody(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return JSON.parse(Buffer.concat(pieces).toString('utf8'))
}

async function stream(
  api: ModelRequest['api'],
  answer: ModelAnswer,
  model: string,
  to: {
    readonly options: ListenOptions
    readonly number: number
    readonly response: ServerResponse
    readonly fault: Fault | undefined
  },
): Promise<void> {
  const { options, number, response, fault } = to
  const whole = lengthOf(answer)
  const before = fault && saidBefore(fault.at, answer)
  const pieces = cutUp(answer, options.pieceLength ?? 16, before)
  const events = answerForms[api].events(answer, model, pieces)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const [index, { data, textSoFar }] of events.entries()) {
    // The last event marks the answer as complete; a fault at the last byte removes it.
    const isOver = before !== undefined && (textSoFar > before || (textSoFar === whole && isEnd(api, data)))
    await options.beforePiece?.(textSoFar, number, data)
    if (fault && isOver && index > 0) {
      breakOff(response, fault.kind, 'data: ', api)
      return
    }
    const name = typeof data.type === 'string' ? `event: ${data.type}\n` : ''
    await writeOut(response, `${name}data: ${JSON.stringify(data)}\n\n`)
  }
  response.end(api === 'chat' ? 'data: [DONE]\n\n' : '')
}

/** True for the events after which the answer is complete. */
function isEnd(api: ModelRequest['api'], data: JsonObject): boolean {
  const { type, choices, usage } = data
  if (api === 'messages') return type === 'message_delta' || type === 'message_stop'
  if (typeof type === 'string') return type === 'response.completed' || type === 'response.incomplete'
  const [choice] = choices as { finish_reason: unknown }[]
  return usage !== undefined || choice?.finish_reason != null
}

function wholeBefore({ at }: Fault, text: string): number {
  const shares = { headers: 0, 'first-byte': 0, 'mid-call': 0.4, 'between-calls': 0.6, 'last-byte': 1 }
  return Math.min(text.length - 1, Math.max(1, Math.floor(text.length * shares[at])))
}

/** Resolves when the bytes have left this process, so that a fault does not drop earlier data. */
function writeOut(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => {
    response.write(text, () => resolve())
  })
}

function failAtHeaders(response: ServerResponse, { kind, retryAfter }: Fault): void {
  if (kind === 'drop') response.destroy()
  else if (isStatus(kind)) {
    if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter))
    sendError(response, kind === 'rate-limit' ? 429 : 503, kind)
  } else if (kind === 'garbage') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('<html>not the model</html>')
  }
}

/** @param prefix The beginning of a stream's event. */
function breakOff(response: ServerResponse, kind: FaultKind, prefix: string, api: ModelRequest['api']): void {
  if (kind === 'drop') response.destroy()
  else if (kind === 'garbage') response.end(`${prefix}{"not":json\n\n`)
  else if (isStatus(kind)) {
    const type = errorType(api, kind)
    const error = { type, message: kind, ...(api !== 'messages' && { code: type }) }
    const event = api === 'messages' ? { type: 'error', error } : { error }
    const name = api === 'messages' && prefix !== '' ? 'event: error\n' : ''
    response.end(`${name}${prefix}${JSON.stringify(event)}\n\n`)
  }
}

/** The name of each error for each provider. */
function errorType(api: ModelRequest['api'], kind: FaultKind): string {
  if (api === 'messages') return kind === 'rate-limit' ? 'rate_limit_error' : 'overloaded_error'
  return kind === 'rate-limit' ? 'rate_limit_exceeded' : 'server_error'
}

function isStatus(kind: FaultKind): boolean {
  return kind === 'rate-limit' || kind === 'server-error'
}

function sendError(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message, type: message, code: message, param: null } }))
}
