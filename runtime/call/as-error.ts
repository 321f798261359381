import { ActivityError, type CallsheetError, isCallsheetError } from '../errors.ts'
import { isJsonObject } from '../json/json.ts'
import { briefly } from '../problems/problem.ts'

/** What the machinery throws is a Callsheet error already; what a user's function throws is wrapped, as the cause. */
export function asError(thrown: unknown, what: string): CallsheetError {
  if (isCallsheetError(thrown)) return thrown
  return new ActivityError('activity_failed', `${what}: ${messageOf(thrown)}`, { cause: thrown })
}

/** What was thrown, for people. Anything can be: an Error of another realm, an object without `toString`, a proxy. */
export function messageOf(thrown: unknown): string {
  try {
    if (typeof thrown === 'string') return thrown
    return isJsonObject(thrown) && typeof thrown.message === 'string' ? thrown.message : briefly(thrown)
  } catch {
    // Reading it threw once more, so there is nothing to say of it; the error carries it as its cause.
    return 'something that cannot be read was thrown'
  }
}
