import { isJsonObject } from '../json/json.ts'
import { messageOf } from './message-of.ts'

/**
 * Returns why a connection failed: the cause, since `fetch failed` alone is useless. If several addresses were tried,
 * such as both of `localhost`, Node throws their errors together, without a message.
 */
export function connectionReason(error: unknown): string {
  const cause = isJsonObject(error) ? (error.cause ?? error) : error
  const each = cause instanceof AggregateError ? cause.errors.map(messageOf).join(', ') : ''
  return messageOf(cause) || each || 'no reason is given'
}
