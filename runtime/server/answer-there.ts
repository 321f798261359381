import type { CallsheetError } from '../errors.ts'
import { isJsonObject } from '../json/json.ts'
import { jsonOr } from '../json/json-or.ts'
import { connectionReason } from '../problems/connection-reason.ts'
import type { ActivityRun } from '../tools/activity.ts'
import { addressIn } from './fetch-there.ts'
import { errorOf, failedConnection, mayHaveRun, type SentCall, takeOutcome } from './outcome-there.ts'
import { longestEvent, readEvents, type StreamedEvent } from './read-events.ts'
import { readStart } from './read-start.ts'

/** Longest problem document, in characters. */
const longestProblem = 1_048_576

/**
 * Reads a server's response to a Call: passes progress on, and returns the output.
 *
 * @throws CallsheetError the remote failure, or `connection_failed`.
 */
export async function readAnswer(response: Response, sent: SentCall, run: ActivityRun): Promise<unknown> {
  const { endpoint, tool, ifLost } = sent
  if (!response.ok || !response.body) throw await refusal(response, sent)
  const type = mediaTypeOf(response)
  // Behind a proxy that drops `accept`, the server sends only the Outcome.
  if (type === 'application/json') return takeOutcome(await jsonIn(response.body, longestEvent), sent, run)
  for await (const { event, data } of eventsOf(response.body, sent, run.signal)) {
    if (!isJsonObject(data)) throw failedConnection(`${endpoint} sent an event that says nothing.${ifLost}`)
    if (event === 'progress') run.emit(data.data)
    if (event === 'problem') throw errorOf(data, endpoint, ifLost)
    if (event === 'result') return takeOutcome(data, sent, run)
  }
  throw failedConnection(
    type === 'text/html'
      ? `${endpoint} answered with a page for people (text/html) and is no server of Tools.`
      : `${endpoint} ended its answer before "${tool}" did.${ifLost}`,
  )
}

function mediaTypeOf({ headers }: Response): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';')
  return type.trim().toLowerCase()
}

/** Reads the events of a response; one that breaks off or is malformed counts as a failed connection. */
async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  { endpoint, ifLost }: SentCall,
  signal: AbortSignal,
): AsyncGenerator<StreamedEvent> {
  try {
    yield* readEvents(body)
  } catch (error) {
    if (signal.aborted) throw error
    const reason = connectionReason(error)
    throw failedConnection(`${endpoint} gave an answer that cannot be read: ${reason}.${ifLost}`, {
      cause: error,
    })
  }
}

/** Builds the error of a response that is not events. */
async function refusal(response: Response, { endpoint, ifLost }: SentCall): Promise<CallsheetError> {
  const { body } = response
  const at = addressIn(endpoint, response)
  if (response.status === 413) {
    await body?.cancel().catch(() => undefined)
    return failedConnection(
      `${at} takes no request of this size (413). What the \`_scopes\` of its Tool let through goes along with each Call: narrow them, or let the server (limits.bodyBytes) and its proxy take more.`,
    )
  }
  const isProblem = mediaTypeOf(response) === 'application/problem+json'
  const problem = isProblem ? await jsonIn(body, longestProblem) : undefined
  if (!isProblem) await body?.cancel().catch(() => undefined)
  if (isJsonObject(problem)) return errorOf(problem, at, mayHaveRun(response.status, false) ? ifLost : '')
  return refusalWith(response, at, ifLost)
}

/** Builds the error of a refusal without a reason, usually from a proxy or a server that is not one of Tools. */
function refusalWith({ status, headers }: Response, at: string, ifLost: string): CallsheetError {
  const retryAfter = headers.get('retry-after')
  const hint = (mayHaveRun(status, retryAfter !== null) && ifLost) || hintFor(status, retryAfter)
  return failedConnection(`${at} answered with status ${status}.${hint}`)
}

function hintFor(status: number, retryAfter: string | null): string {
  if (status === 404 || status === 405)
    return ' No server of Tools is there: give remoteActivities the address of a toolServer, with the path that it is mounted at.'
  if (status !== 429 && status !== 503) return ''
  return /^\d{1,6}$/.test(retryAfter ?? '')
    ? ` It is busy: try again in ${retryAfter} seconds.`
    : ' It is busy: try again later.'
}

/** Reads a body as JSON; undefined if it is not JSON, broke off or is too long. */
async function jsonIn(body: ReadableStream<Uint8Array> | null, longest: number): Promise<unknown> {
  // If it broke off, the part received may be everything.
  const { text } = await readStart(body, longest)
  return jsonOr(text, undefined)
}
