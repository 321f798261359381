import { doNothing } from '../../call/controls/cancellation.ts'
import { isJsonObject, own } from '../../json/json.ts'
import type { Send } from './reply.ts'
import { RequestError } from './request-error.ts'

/**
 * Finds the `create` of a client at a path such as `chat.completions`. Attempts are counted, summed and fed back by the
 * Request; the client's own repeats would hide them.
 *
 * @param readsItself Whether what is no stream is read here and not by the client.
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
  return (body, options) => {
    const answer: unknown = create.call(resource, body, { ...options, maxRetries: 0 })
    if (own(body, 'stream') === true) return streamOrWhole(answer)
    return readsItself ? asSent(answer) : (answer as PromiseLike<unknown>)
  }
}

/**
 * Reads an answer as the server sent it. The client gathers the texts of a response, and throws where there is no `output` to gather from:
 * that would read like a lost connection.
 */
async function asSent(answer: unknown): Promise<unknown> {
  const response = await responseOf(answer)
  if (!response) return answer
  return response.headers.get('content-type')?.includes('json') ? response.json() : response.text()
}

/** The stream; or the text of what came in its place, which would read like a stream that broke off. */
async function streamOrWhole(answer: unknown): Promise<unknown> {
  const response = await responseOf(answer)
  return response && (await isWhole(response)) ? response.text() : answer
}

/** The response that a client of the providers' own has before it reads it; one that something wraps may give a plain promise. */
async function responseOf(answer: unknown): Promise<Response | undefined> {
  const { asResponse } = (answer ?? {}) as { asResponse?: () => Promise<Response> }
  return typeof asResponse === 'function' ? asResponse.call(answer) : undefined
}

/** Whether a server that was asked for events sends a page, an error or a whole answer instead: no event begins as these do. */
async function isWhole(response: Response): Promise<boolean> {
  const { headers, body } = response
  // Older clients have streams of Node's, of which nothing can be read ahead.
  if (headers.get('content-type')?.includes('event-stream') || !(body instanceof ReadableStream)) return false
  const reader = (response.clone().body as ReadableStream<Uint8Array>).getReader()
  const { value } = await reader.read()
  reader.cancel().catch(doNothing)
  return /^\s*[{[<]/.test(new TextDecoder().decode(value))
}

function member(value: unknown, name: string): unknown {
  // Clients are instances of classes, whose resources may be getters.
  const isHolder = isJsonObject(value) || typeof value === 'function'
  return isHolder ? (value as Record<string, unknown>)[name] : undefined
}
