import { type Message, messageKind } from '../../../../../runtime/context/message.ts'
import type { Path } from '../../../../../runtime/context/reference.ts'

export function isSeen(message: Message, as: string | undefined): boolean {
  return message._instance === undefined || message._instance === as
}

/** Puts a secret into every place of a Message that a Call of an instance, within scopes, must not see. */
export function disguised(
  message: Message,
  allowed: readonly Path[],
  as: string | undefined,
  secret: number,
): Message {
  if (!isSeen(message, as)) return { type: 'data', kind: 'state', data: { secret }, _instance: 'other' }
  if (message.type === 'text') return { ...message, text: `${secret}` }
  if (message.type !== 'data' && message.type !== 'state') return message
  const scopes = allowed.filter((scope) => scope.kind === messageKind(message))
  if (scopes.length === 0) return { type: 'data', kind: messageKind(message), data: { secret } }
  if (message.type !== 'data' || scopes.some((scope) => scope.segments.length === 0)) return message
  const { data, _call } = message
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data)
  return {
    ...message,
    ...(isObject && !message._path && !_call && { data: { ...data, secret } }),
    ...(_call && { _call: { ..._call, secret } }),
    description: `${secret}`,
    schema: { const: secret },
  }
}
