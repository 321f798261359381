import { isJsonObject } from '../../json/json.ts'
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
  return (body, options) => create.call(resource, body, { ...options, maxRetries: 0 })
}

function member(value: unknown, name: string): unknown {
  // Clients are instances of classes, whose resources may be getters.
  const isHolder = isJsonObject(value) || typeof value === 'function'
  return isHolder ? (value as Record<string, unknown>)[name] : undefined
}
