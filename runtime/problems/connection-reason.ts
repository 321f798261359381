import { isJsonObject } from '../json/json.ts'
import { messageOf } from './message-of.ts'

/** Returns why a connection failed: the cause, since `fetch failed` alone is useless. */
export function connectionReason(error: unknown): string {
  return messageOf(isJsonObject(error) ? (error.cause ?? error) : error)
}

/** Codes of connections over which nothing was sent. */
const neverMade: readonly unknown[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']

/** True if a connection was certainly never made, so that what should have been sent over it has no effect. */
export function isNeverMade(error: unknown): boolean {
  const cause = isJsonObject(error) ? (error.cause ?? error) : error
  const each: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [cause]
  return each.every((one) => isJsonObject(one) && neverMade.includes(one.code))
}
