import type { Call, Message } from '../context/message.ts'
import { CallsheetError } from '../errors.ts'
import { isJsonObject } from '../json/json.ts'
import { aFunction, texts, withMethods } from '../problems/field-rule.ts'
import { type OptionRules, requireArgument, requireOptionsOf } from '../problems/option-problems.ts'
import type { ActivityContext, ActivityRun, AnyActivity } from '../tools/activity.ts'
import { attemptHeader, variantHeader } from './call-request.ts'
import { errorOf, failedConnection, takeOutcome } from './outcome-there.ts'
import { passedBy, passedHeader } from './passed-servers.ts'
import { longestEvent, readEvents, type StreamedEvent } from './read-events.ts'
import { contractHeader } from './require-contract.ts'
import { sentHeaders } from './sent-headers.ts'
import { describe, type ServableTool } from './served-tools.ts'
import { headers } from './server-option-rules.ts'
import { webAddress } from './web-address.ts'

/** A problem is at most about so long, in characters. */
const longestProblem = 1_048_576

/** Where Activities are registered: the `Activity` of a generated or hand-made registry. */
export interface ActivityTarget<Name extends string = string> {
  register(name: Name, activity: AnyActivity): void
}

/** Options of {@link remoteActivities}. */
export interface RemoteActivitiesOptions<Name extends string = string> {
  /** The registry's Tools: their contract is what both sides must agree on. */
  readonly Tool: Pick<ServableTool, 'names' | 'get'>
  readonly Activity: ActivityTarget<Name>
  /** The Tools that run there. Default: all of the registry. */
  readonly names?: readonly NoInfer<Name>[] | undefined
  /** Headers of every request, credentials for example; a function is asked each time. */
  readonly headers?:
    | Readonly<Record<string, string>>
    | (() => Record<string, string> | Promise<Record<string, string>>)
  /** Used in place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

const contractTool = withMethods('the Tool of a registry', 'get')

/** What the options of Activities that run elsewhere must be. */
export const remoteActivitiesRules: OptionRules<RemoteActivitiesOptions> = {
  Tool: [
    (value) => contractTool[0](value) && Array.isArray(Reflect.get(value as object, 'names')),
    contractTool[1],
  ],
  Activity: withMethods('the Activity of a registry', 'register'),
  names: texts('a list of names of Tools'),
  headers,
  fetch: aFunction,
}

/**
 * Implements Tools by a server of the same contract (SERVE-4): each registered Activity sends its Call to `POST /calls` there, hands
 * its progress on, and gives back what came out, as if it had run here. Aborting it aborts the Call there. The Call's `run.id` goes along,
 * so that a request that is repeated runs once there; an attempt after one that failed runs again.
 *
 * A failure there is the same failure here: its code, message and problems. A server of another contract is `contract_mismatch`, and
 * nothing runs.
 *
 * @example
 * import { remoteActivities } from 'callsheet/server'
 * import { Activity, Tool } from '@acme/contract'
 * remoteActivities('https://worker.internal', { Tool, Activity, headers: { authorization: `Bearer ${token}` } })
 */
export function remoteActivities<Name extends string>(
  url: string | URL,
  options: RemoteActivitiesOptions<Name>,
): void {
  requireOptionsOf('remoteActivities', options, remoteActivitiesRules, ['Tool', 'Activity'])
  requireArgument('remoteActivities', url, webAddress)
  const { Tool, Activity } = options
  // The names of a registry's Tools are those that its Activity takes.
  const names = options.names ?? (Tool.names as readonly Name[])
  const endpoint = `${String(url).replace(/\/$/, '')}/calls`
  for (const name of names) {
    if (!Tool.get(name))
      throw new CallsheetError('unknown_tool', `There is no Tool "${name}" to run at ${endpoint}.`)
    Activity.register(name, (call, _tool, context, run) =>
      callThere(endpoint, name, call, context, run, options),
    )
  }
}

async function callThere(
  endpoint: string,
  name: string,
  call: Call,
  context: ActivityContext,
  run: ActivityRun,
  {
    Tool,
    headers = {},
    fetch = globalThis.fetch,
  }: Pick<RemoteActivitiesOptions, 'Tool' | 'headers' | 'fetch'>,
): Promise<unknown> {
  const schema = Tool.get(name)
  const contract = schema && (await describe(name, schema)).contract
  const passed = passedBy(Tool, run.id)
  const response = await connect(fetch, endpoint, {
    method: 'POST',
    signal: run.signal,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(contract !== undefined && { [contractHeader]: `${name}=${contract}` }),
      ...(passed !== undefined && { [passedHeader]: passed }),
      ...(run.attempt > 1 && { [attemptHeader]: String(run.attempt) }),
      ...(run.variantKey !== undefined && { [variantHeader]: headerText(run.variantKey) }),
      ...(await sentHeaders('remoteActivities', headers)),
    },
    body: JSON.stringify({
      call,
      id: run.id,
      context: sentContext(call, context),
      // References were resolved here: what was put in is never read again.
      references: false,
    }),
  })
  if (!response.body) throw failedConnection(`${endpoint} answered with status ${response.status}.`)
  if (!response.ok) throw await refusal(response, response.body, endpoint)
  const type = mediaTypeOf(response)
  // Behind a proxy that does not pass `accept` on the server gives the Outcome alone.
  if (type === 'application/json')
    return takeOutcome(await jsonIn(response.body, longestEvent), endpoint, run)
  for await (const { event, data } of eventsOf(response.body, endpoint, run.signal)) {
    if (!isJsonObject(data)) throw failedConnection(`${endpoint} sent an event that says nothing.`)
    if (event === 'progress') run.emit(data.data)
    if (event === 'problem') throw errorOf(data, endpoint)
    if (event === 'result') return takeOutcome(data, endpoint, run)
  }
  throw failedConnection(
    type === 'text/html'
      ? `${endpoint} answered with a page for people (text/html) and is no server of Tools.`
      : `${endpoint} ended its answer before "${name}" did.`,
  )
}

/** What the Call sees here, and that its instance exists, where nothing of that is seen: it was known here, and would not be there. */
function sentContext({ _instance }: Call, context: ActivityContext): readonly Message[] {
  // What Tools there are is each side's own business (SERVE-6).
  const sent = context.filter(({ type }) => type !== 'tool')
  if (typeof _instance !== 'string' || sent.some((message) => message._instance === _instance)) return sent
  return [...sent, { type: 'data', kind: 'instance', data: {}, _instance }]
}

/** As a part of a URL, which half a surrogate pair cannot be. */
function headerText(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'))
}

function mediaTypeOf({ headers }: Response): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';')
  return type.trim().toLowerCase()
}

/** The events of an answer; one that breaks off, or is none, is a connection that failed. */
async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  endpoint: string,
  signal: AbortSignal,
): AsyncGenerator<StreamedEvent> {
  try {
    yield* readEvents(body)
  } catch (error) {
    if (signal.aborted) throw error
    throw failedConnection(`${endpoint} gave an answer that cannot be read: ${reasonOf(error)}.`, {
      cause: error,
    })
  }
}

async function connect(
  fetch: typeof globalThis.fetch,
  endpoint: string,
  init: RequestInit,
): Promise<Response> {
  try {
    return await fetch(endpoint, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw failedConnection(`${endpoint} does not answer: ${reasonOf(error)}.`, {
      cause: error,
    })
  }
}

/** `fetch failed` says nothing; what it was caused by does. */
function reasonOf(error: unknown): string {
  const cause: unknown = (error as { cause?: unknown }).cause
  return String((cause as Error | undefined)?.message ?? (error as Error).message)
}

/** The failure that a server answers with in place of events. */
async function refusal(
  response: Response,
  body: ReadableStream<Uint8Array>,
  endpoint: string,
): Promise<CallsheetError> {
  // Where it is sent on, most requests become a GET: then the problem alone would mislead.
  const at = response.redirected ? `${endpoint} (sent on to ${response.url}: use that address)` : endpoint
  if (response.status === 413) {
    await body.cancel().catch(() => undefined)
    return failedConnection(
      `${at} takes no request of this size (413). What the \`_scopes\` of its Tool let through goes along with each Call: narrow them, or let the server (limits.bodyBytes) and its proxy take more.`,
    )
  }
  const isProblem = mediaTypeOf(response) === 'application/problem+json'
  const problem = isProblem ? await jsonIn(body, longestProblem) : undefined
  if (!isProblem) await body.cancel().catch(() => undefined)
  if (isJsonObject(problem)) return errorOf(problem, at)
  return failedConnection(`${at} answered with status ${response.status}.`)
}

/** A body as JSON; undefined for one that is not JSON, broke off or is too long. */
async function jsonIn(body: ReadableStream<Uint8Array>, longest: number): Promise<unknown> {
  try {
    return JSON.parse(await readStart(body, longest))
  } catch {
    return undefined
  }
}

/** The text of a body, of which no more is read than it may be long. */
async function readStart(body: ReadableStream<Uint8Array>, longest: number): Promise<string> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  try {
    while (text.length <= longest) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value, { stream: true })
    }
  } catch {
    // It broke off: what came may be all that there is.
  } finally {
    await reader.cancel().catch(() => undefined)
  }
  return text
}
