import { hintIfLost } from '../call/hint-if-lost.ts'
import type { ActivityRequest } from '../durable/activity-request.ts'
import { CallsheetError } from '../errors.ts'
import { isJsonObject } from '../json/json.ts'
import { jsonOr } from '../json/json-or.ts'
import { connectionReason, isNeverMade } from '../problems/connection-reason.ts'
import { someText } from '../problems/field-rule.ts'
import { handOn } from '../problems/handed-on.ts'
import { type OptionRules, requireOptionsOf } from '../problems/option-problems.ts'
import { ended } from '../problems/problem.ts'
import { outputSchema } from '../schema/output-schema.ts'
import { addressIn, fetchThere } from '../server/fetch-there.ts'
import { failedConnection, mayHaveRun, takeOutcome } from '../server/outcome-there.ts'
import { readStart } from '../server/read-start.ts'
import { type ActivityTarget, remoteActivitiesRules } from '../server/remote-activities.ts'
import { requireHeaders, sentHeaders } from '../server/sent-headers.ts'
import { describe, type ServableTool } from '../server/served-tools.ts'
import { requireWebAddress } from '../server/web-address.ts'
import { requireToolNames } from '../tools/require-tool-names.ts'
import { anotherCallRan, isOutcomeOf } from './call-fingerprint.ts'
import { handlerName } from './handler-name.ts'
import { requireSmallRequest } from './limits.ts'

/** Options of {@link restateActivities}. */
export interface RestateActivitiesOptions<Name extends string = string> {
  /** The registry's Tools: both sides must agree on their contract. */
  readonly Tool: Pick<ServableTool, 'names' | 'get'>
  readonly Activity: ActivityTarget<Name>
  /** The Tools that run on Restate. Default: all of the registry. */
  readonly names?: readonly NoInfer<Name>[] | undefined
  /** The name of the service that {@link restateServices} creates. Default: `tools`. */
  readonly service?: string | undefined
  /** Headers of every request, for example credentials; a function is called each time. */
  readonly headers?:
    | Readonly<Record<string, string>>
    | (() => Record<string, string> | Promise<Record<string, string>>)
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

const restateActivitiesRules: OptionRules<RestateActivitiesOptions> = {
  ...remoteActivitiesRules,
  service: someText,
}

/** Longest Outcome, in characters: a server accepts messages of 32 MiB. Longest text of a refusal. */
const longestAnswer = 33_554_432
const longestRefusal = 65_536

/** Most reconnections after a lost connection; the server finds the Call and its result by the key. */
const reconnections = 6

/**
 * Implements Tools by workers on Restate, for a process that does not run on the engine itself: each registered
 * Activity sends its Call to the server's ingress, with the Call's `run.id` as idempotency key, and waits for the
 * result. It survives crashes of the workers and the server, but not of this process. Needs only `fetch`.
 *
 * Aborting stops the wait. The Call continues on Restate, and its Outcome is stored under its key.
 *
 * @example
 * import { restateActivities } from 'callsheet/restate'
 * import { Activity, Tool } from '@acme/contract'
 * restateActivities('http://restate.internal:8080', { Tool, Activity })
 */
export function restateActivities<Name extends string>(
  url: string | URL,
  options: RestateActivitiesOptions<Name>,
): void {
  requireOptionsOf('restateActivities', options, restateActivitiesRules, ['Tool', 'Activity'])
  requireWebAddress('restateActivities', url)
  const { Tool, Activity, service = 'tools', headers } = options
  if (typeof headers === 'object') requireHeaders('restateActivities', headers)
  const names = options.names ?? (Tool.names as readonly Name[])
  const base = `${String(url).replace(/\/$/, '')}/${service}`
  for (const [name, schema] of requireToolNames(names, Tool, `run at ${base}`)) {
    const endpoint = `${base}/${handlerName(name)}`
    Activity.register(name, async (call, _tool, context, run) => {
      const { contract } = await describe(name, schema)
      const { id, variantKey } = run
      const { effects = 'write' } = schema
      const request: ActivityRequest = {
        ...{ call, id, context, isResolved: true, variantKey, contract, effects },
      }
      requireSmallRequest(request)
      const ifLost = hintIfLost(schema.effects)
      const outcome = await runThere({ endpoint, ifLost }, request, run.signal, options)
      if (!(await isOutcomeOf(call, outcome))) throw anotherCallRan(id)
      const hasOutput = outputSchema(schema) !== undefined
      return takeOutcome(outcome, { endpoint, id, hasOutput, ifLost }, run)
    })
  }
}

async function runThere(
  { endpoint, ifLost }: { readonly endpoint: string; readonly ifLost: string },
  request: ActivityRequest,
  signal: AbortSignal,
  { headers = {}, fetch = globalThis.fetch }: Pick<RestateActivitiesOptions, 'headers' | 'fetch'>,
): Promise<unknown> {
  let hint = ''
  for (let attempt = 1; ; attempt++) {
    let lost: unknown
    try {
      const response = await fetchThere(fetch, endpoint, {
        method: 'POST',
        signal,
        headers: {
          'content-type': 'application/json',
          'idempotency-key': toHeaderValue(request.id),
          ...(await sentHeaders('restateActivities', headers)),
        },
        body: JSON.stringify(request),
      })
      if (response.ok) return await outcomeIn(response, endpoint, ifLost)
      // A restarted server responds with 503 until it leads its partitions.
      const refused = await refusalIn(response)
      if (response.status !== 503) throw refusalOf(response, refused, endpoint, ifLost)
      if (!refused.isOfEngine) hint = ifLost
      lost = new Error('status 503')
    } catch (thrown) {
      if (signal.aborted || thrown instanceof CallsheetError) throw thrown
      lost = thrown
      if (!isNeverMade(thrown)) hint = ifLost
    }
    if (attempt > reconnections) {
      throw failedConnection(`${endpoint} does not answer: ${connectionReason(lost)}.${hint}`, {
        cause: lost,
      })
    }
    await pause(100 * 2 ** (attempt - 1), signal)
  }
}

/** Encodes an id for a header, which must be ASCII: like a URL, if necessary. An id that looks encoded is encoded too: it is another. */
function toHeaderValue(id: string): string {
  return /^[!-$&-~]+$/.test(id) ? id : encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\ufffd'))
}

/** @throws Error if it is not JSON or broke off; CallsheetError if it is longer than anything that Restate keeps. */
async function outcomeIn({ body }: Response, endpoint: string, ifLost: string): Promise<unknown> {
  const { text, broke } = await readStart(body, longestAnswer)
  if (text.length > longestAnswer) {
    throw failedConnection(`${endpoint} gave an answer of more than ${longestAnswer} characters.${ifLost}`)
  }
  if (broke !== undefined) throw broke
  return JSON.parse(text)
}

interface Refusal {
  readonly why: string
  /** False for what is of something in between. */
  readonly isOfEngine: boolean
}

async function refusalIn({ body }: Response): Promise<Refusal> {
  const { text } = await readStart(body, longestRefusal)
  const answer = jsonOr(text, undefined)
  const said = isJsonObject(answer) ? answer.message : undefined
  const isOfEngine = typeof said === 'string'
  return { why: (isOfEngine ? said : text).slice(0, 300), isOfEngine }
}

function refusalOf(
  response: Response,
  { why, isOfEngine }: Refusal,
  at: string,
  ifLost: string,
): CallsheetError {
  const { status } = response
  const endpoint = addressIn(at, response)
  const code = status === 409 ? 'aborted' : 'connection_failed'
  // The engine answers 409 if somebody cancels or kills what runs.
  const isUnknown = status === 409 || (!isOfEngine && mayHaveRun(status, false))
  const hint = status === 404 ? ` ${nothingThere}` : isUnknown ? ifLost : ''
  const reason = why === '' ? '.' : `: ${hint === '' ? why : ended(why)}`
  return handOn(new CallsheetError(code, `${endpoint} answered with status ${status}${reason}${hint}`))
}

/** Explains a 404: the server's other port responds to everything with an empty one. */
const nothingThere =
  'Give restateActivities the address of the ingress (port 8080 by default, not that of the admin API), and register a deployment whose restateServices have this service with the server.'

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', stop)
  })
}
