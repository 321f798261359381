import { doNothing } from '../../call/controls/cancellation.ts'
import { isJsonObject, own } from '../../json/json.ts'
import { listenForData } from './limited-fetch.ts'
import type { Send, SendOptions } from './reply.ts'
import { RequestError } from './request-error.ts'

/**
 * Finds the `create` of a client at a path such as `chat.completions`, with the client's own retries disabled: the Request counts
 * attempts, and they would be hidden.
 *
 * @param readsItself True to read a non-streamed answer here rather than by the client.
 * @throws RequestError `invalid_options`.
 */
export function senderOf(client: object, path: string, readsItself = false): Send {
  let resource: unknown = client
  for (const name of path.split('.')) resource = member(resource, name)
  const create = member(resource, 'create')
  if (typeof create !== 'function') {
    throw new RequestError(
      'invalid_options',
      `The client has no \`${path}.create\`. Choose { api } to go with it: "chat" or "responses" for "openai", "messages" for "@anthropic-ai/sdk"; or update the package.`,
    )
  }
  return (body, { signal, onData }) => {
    const answer: unknown = create.call(resource, body, { signal, maxRetries: 0 })
    if (own(body, 'stream') === true) return streamOrWhole(answer, onData)
    return readsItself ? asSent(answer) : (answer as PromiseLike<unknown>)
  }
}

/**
 * Reads a response as the server sent it. The client collects the texts of its `output` and throws if that is missing,
 * which would look like a lost connection.
 */
async function asSent(answer: unknown): Promise<unknown> {
  const response = await responseOf(answer)
  if (!response) return answer
  return response.headers.get('content-type')?.includes('json') ? response.json() : response.text()
}

/** Returns the stream, or the text that the server sent instead, which would look like a broken stream. */
async function streamOrWhole(answer: unknown, onData: SendOptions['onData']): Promise<unknown> {
  const response = await responseOf(answer)
  if (response) listenForData(response, onData)
  return response && (await isWhole(response)) ? response.text() : answer
}

/** Returns the unread response, which the providers' own clients offer; a wrapped client may return a plain promise. */
async function responseOf(answer: unknown): Promise<Response | undefined> {
  const { asResponse } = (answer ?? {}) as { asResponse?: () => Promise<Response> }
  return typeof asResponse === 'function' ? asResponse.call(answer) : undefined
}

/** True if a server sends a page, an error or a whole answer instead of events: no event begins like these. */
async function isWhole(response: Response): Promise<boolean> {
  const { headers, body } = response
  // Older clients use Node streams, which cannot be read ahead.
  if (headers.get('content-type')?.includes('event-stream') || !(body instanceof ReadableStream)) return false
  const reader = (response.clone().body as ReadableStream<Uint8Array>).getReader()
  const { value } = await reader.read()
  reader.cancel().catch(doNothing)
  return /^\s*[{[<]/.test(new TextDecoder().decode(value))
}

function member(value: unknown, name: string): unknown {
  // Clients are class instances, whose resources may be getters.
  const isHolder = isJsonObject(value) || typeof value === 'function'
  return isHolder ? (value as Record<string, unknown>)[name] : undefined
}
