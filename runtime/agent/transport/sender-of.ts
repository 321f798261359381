import { doNothing } from '../../call/controls/cancellation.ts'
import { isJsonObject, own } from '../../json/json.ts'
import type { Send } from './reply.ts'
import { RequestError } from './request-error.ts'

/**
 * Finds the `create` of a client at a path such as `chat.completions`. Attempts are counted, summed and fed back by the
 * Request; the client's own repeats would hide them.
 *
 * @throws RequestError `invalid_options`.
 */
export function senderOf(client: object, path: string): Send {
  let resource: unknown = client
  for (const name of path.split('.')) resource = member(resource, name)
  const create = member(resource, 'create')
  if (typeof create !== 'function') {
    throw new RequestError(
      'invalid_options',
      `The client has no \`${path}.create\`. Choose { api } to go with it: "chat" or "responses" for "openai", "messages" for "@anthropic-ai/sdk"; or update the package.`,
    )
  }
  return (body, options) =>
    asSent(create.call(resource, body, { ...options, maxRetries: 0 }), own(body, 'stream') === true)
}

/**
 * Reads what is no stream as the server sent it. The client gathers texts of a response, and throws where there is no `output` to gather
 * from: that would read like a lost connection, and so would a page or an error in place of a stream.
 */
async function asSent(answer: unknown, isStream: boolean): Promise<unknown> {
  const { asResponse } = (answer ?? {}) as { asResponse?: () => Promise<Response> }
  // A client of another make, or one that something wraps, may give a plain promise.
  if (typeof asResponse !== 'function') return answer
  const response = await asResponse.call(answer)
  if (isStream && !(await isWhole(response))) return answer
  return !isStream && response.headers.get('content-type')?.includes('json')
    ? response.json()
    : response.text()
}

/** Whether a server that was asked for events sends a page, an error or a whole answer instead: no event begins as these do. */
async function isWhole(response: Response): Promise<boolean> {
  if (response.headers.get('content-type')?.includes('event-stream')) return false
  const reader = response.clone().body?.getReader()
  const start = await reader?.read()
  reader?.cancel().catch(doNothing)
  return /^\s*[{[<]/.test(new TextDecoder().decode(start?.value))
}

function member(value: unknown, name: string): unknown {
  // Clients are instances of classes, whose resources may be getters.
  const isHolder = isJsonObject(value) || typeof value === 'function'
  return isHolder ? (value as Record<string, unknown>)[name] : undefined
}
