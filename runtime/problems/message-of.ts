import { isJsonObject } from '../json/json.ts'
import { briefly } from './problem.ts'

/** How much of a thrown text an error repeats, in characters: an API may answer with megabytes. */
const shownText = 4000

/** What was thrown, for people. Anything can be: an Error of another realm, an object without `toString`, a proxy. */
export function messageOf(thrown: unknown): string {
  try {
    if (typeof thrown === 'string') return cut(thrown)
    return isJsonObject(thrown) && typeof thrown.message === 'string' ? cut(thrown.message) : briefly(thrown)
  } catch {
    // Reading it threw once more, so there is nothing to say of it; the error carries it as its cause.
    return 'something that cannot be read was thrown'
  }
}

function cut(text: string): string {
  const rest = text.length - shownText
  return rest > 0 ? `${text.slice(0, shownText)}… (${rest} more characters)` : text
}
