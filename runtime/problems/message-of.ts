import { isJsonObject } from '../json/json.ts'
import { briefly } from './problem.ts'

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
