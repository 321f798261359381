import { hintIfLost } from '../call/hint-if-lost.ts'
import type { Call, Message } from '../context/message.ts'
import { sha256 } from '../json/sha256.ts'
import { connectionReason, isNeverMade } from '../problems/connection-reason.ts'
import { handOn } from '../problems/handed-on.ts'
import { wrongAnswer } from '../problems/wrong-answer.ts'
import { outputSchema } from '../schema/output-schema.ts'
import type { ActivityContext, ActivityRun, AnyActivity } from '../tools/activity.ts'
import { readAnswer } from './answer-there.ts'
import { attemptHeader, isId, mostAttempts, variantHeader } from './call-request.ts'
import { fetchThere } from './fetch-there.ts'
import { failedConnection } from './outcome-there.ts'
import { passedBy, passedHeader } from './passed-servers.ts'
import { contractHeader } from './require-contract.ts'
import { type SentHeaders, sentHeaders } from './sent-headers.ts'
import { describe, type ServableTool } from './served-tools.ts'

/** A remote server of Tools, as its clients see it. */
export interface ServerThere {
  /** The URL for Calls. */
  readonly endpoint: string
  /** The local Tools: both sides must agree on their contract. */
  readonly Tool: Pick<ServableTool, 'names' | 'get'>
  readonly headers?: SentHeaders | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** Creates the Activity of a Tool that runs on another server: it sends the Call there and returns its result. */
export function activityThere(server: ServerThere, name: string): AnyActivity {
  return async (call, _tool, context, run) => {
    const id = await sentId(run.id)
    const schema = server.Tool.get(name)
    const ifLost = hintIfLost(schema?.effects)
    const response = await post(server, ifLost, {
      signal: run.signal,
      headers: await headersOf(server, name, run),
      body: JSON.stringify({
        call,
        id,
        context: sentContext(call, context),
        // References were resolved here, and inserted values must not be read as References again.
        references: false,
      }),
    })
    if (typeof response?.headers?.get !== 'function') {
      throw handOn(wrongAnswer('The option `fetch` of remoteActivities', 'a Response', response))
    }
    const hasOutput = schema === undefined || outputSchema(schema) !== undefined
    return readAnswer(response, { endpoint: server.endpoint, tool: name, id, ifLost, hasOutput }, run)
  }
}

async function headersOf(
  { Tool, headers = {} }: ServerThere,
  name: string,
  run: ActivityRun,
): Promise<Record<string, string>> {
  const schema = Tool.get(name)
  const contract = schema && (await describe(name, schema)).contract
  const passed = passedBy(Tool, run.id)
  return {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...(contract !== undefined && {
      [contractHeader]: `${name}=${contract}=${schema?.effects ?? 'write'}`,
    }),
    ...(passed !== undefined && { [passedHeader]: passed }),
    ...(run.attempt > 1 && { [attemptHeader]: String(Math.min(run.attempt, mostAttempts)) }),
    ...(run.variantKey !== undefined && { [variantHeader]: headerText(run.variantKey) }),
    ...(await sentHeaders('remoteActivities', headers)),
  }
}

/**
 * Returns the id to send: a hash of one that the server would refuse. Each server that a Call passes prefixes its id
 * with the caller.
 */
async function sentId(id: string): Promise<string> {
  return isId(id) ? id : sha256(JSON.stringify(id))
}

/**
 * Returns the context to send: what the Call sees here and, if that is nothing of its instance, a Message so that the
 * instance exists there.
 */
function sentContext({ _instance }: Call, context: ActivityContext): readonly Message[] {
  // Each side decides which Tools exist (SERVE-6).
  const sent = context.filter(({ type }) => type !== 'tool')
  if (typeof _instance !== 'string' || sent.some((message) => message._instance === _instance)) return sent
  return [...sent, { type: 'data', kind: 'instance', data: {}, _instance }]
}

/** Encodes a text for a URL, which cannot contain a lone surrogate. */
function headerText(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'))
}

async function post(
  { endpoint, fetch = globalThis.fetch }: ServerThere,
  ifLost: string,
  init: RequestInit,
): Promise<Response> {
  try {
    return await fetchThere(fetch, endpoint, { method: 'POST', ...init })
  } catch (error) {
    if (init.signal?.aborted) throw error
    const hint = isNeverMade(error) ? '' : ifLost
    throw failedConnection(`${endpoint} does not answer: ${connectionReason(error)}.${hint}`, {
      cause: error,
    })
  }
}
