import type { Call } from '../context/message.ts'
import { message } from '../context/well-formed-message.ts'
import { CallsheetError, type ErrorData, type ErrorDetails } from '../errors.ts'
import { isJsonObject } from '../json/json.ts'
import { handOn } from '../problems/handed-on.ts'
import type { ActivityContext, ActivityRun, AnyActivity } from '../tools/activity.ts'
import type { OutcomeJson } from './outcome-store.ts'
import { readEvents } from './read-events.ts'
import { contractHeader } from './require-contract.ts'
import { describe, type ServableTool } from './served-tools.ts'

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

/**
 * Implements Tools by a server of the same contract (SERVE-4): each registered Activity sends its Call to `POST /calls` there, hands
 * its progress on, and gives back what came out, as if it had run here. Aborting it aborts the Call there. The Call's `run.id` goes along,
 * so that an attempt that is repeated runs once there.
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
  const response = await connect(fetch, endpoint, {
    method: 'POST',
    signal: run.signal,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(contract !== undefined && { [contractHeader]: `${name}=${contract}` }),
      ...(typeof headers === 'function' ? await headers() : headers),
    },
    // References were resolved here: what was put in is never read again.
    body: JSON.stringify({ call, id: run.id, context, references: false }),
  })
  if (!response.ok || !response.body) throw await refusal(response, endpoint)
  for await (const { event, data } of readEvents(response.body)) {
    if (event === 'progress' && isJsonObject(data)) run.emit(data.data)
    if (event === 'problem') throw errorOf(data as ErrorData & { detail?: string }, endpoint)
    if (event === 'result') {
      const outcome = data as OutcomeJson
      if (isJsonObject(outcome.usage)) run.spend(outcome.usage)
      return outputOf(outcome, endpoint)
    }
  }
  throw failedConnection(`${endpoint} ended its answer before "${name}" did.`)
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

function outputOf({ status, output, error, message: said }: OutcomeJson, endpoint: string): unknown {
  if (status === 'succeeded') return said ? message(said) : output
  throw errorOf(error, endpoint)
}

async function refusal(response: Response, endpoint: string): Promise<CallsheetError> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json')
  if (isProblem) return errorOf((await response.json()) as ErrorData & { detail?: string }, endpoint)
  return failedConnection(`${endpoint} answered with status ${response.status}.`)
}

/** The same failure here. Codes that only a server has are a connection that did not come about. */
function errorOf(data: (ErrorData & { detail?: string }) | undefined, endpoint: string): CallsheetError {
  const { code = 'connection_failed', problems, suggestions } = data ?? {}
  const text = data?.message ?? data?.detail ?? 'it failed.'
  const known = codesOfCalls.has(code) ? (code as CallsheetError['code']) : 'connection_failed'
  return handOn(new CallsheetError(known, `At ${endpoint}: ${text}`, { problems, suggestions }))
}

function failedConnection(text: string, details: ErrorDetails = {}): CallsheetError {
  return handOn(new CallsheetError('connection_failed', text, details))
}

const codesOfCalls: ReadonlySet<string> = new Set<CallsheetError['code']>([
  'unknown_tool',
  'invalid_call',
  'invalid_output',
  'invalid_path',
  'invalid_message',
  'unresolved_reference',
  'unknown_instance',
  'activity_mismatch',
  'missing_activity',
  'no_implementation',
  'no_output',
  'no_model',
  'activity_failed',
  'other_branch',
  'timeout',
  'aborted',
  'refused',
  'interrupted',
  'contract_mismatch',
  'unauthorized',
  'internal',
])
