import { isJsonObject } from '../json/json.ts'
import { briefly } from './problem.ts'

/** Longest part of a thrown message that an error repeats, in characters: an API may answer with megabytes. */
const shownText = 4000

/** Describes a thrown value for people. It can be anything: an Error of another realm, an object without `toString`, a proxy. */
export function messageOf(thrown: unknown): string {
  try {
    if (typeof thrown === 'string') return cut(thrown)
    return isJsonObject(thrown) && typeof thrown.message === 'string' ? cut(thrown.message) : briefly(thrown)
  } catch {
    // Reading the value threw again, so it cannot be described; the error still carries it as its cause.
    return 'something that cannot be read was thrown'
  }
}

function cut(text: string): string {
  const rest = text.length - shownText
  return rest > 0 ? `${text.slice(0, shownText)}… (${rest} more characters)` : text
}
