import { isString } from './field-rule.ts'
import { briefly } from './problem.ts'

/** Longest part of a thrown message that an error repeats, in characters: an API may answer with megabytes. */
const shownText = 4000

/** Describes a thrown value for people. It can be anything: an Error of another realm, an object without `toString`, a proxy. */
export function messageOf(thrown: unknown): string {
  try {
    if (isString(thrown)) return cut(thrown)
    const { message, errors, code, name } = Object(thrown)
    // Node's connections fail with an AggregateError without a message, whose errors have one each.
    const words = isString(message) ? [message, errors?.[0]?.message, code, name] : []
    return cut(words.find((word) => word && isString(word)) ?? briefly(thrown))
  } catch {
    // Reading the value threw again, so it cannot be described; the error still carries it as its cause.
    return 'a value that cannot be read'
  }
}

function cut(text: string): string {
  const rest = text.length - shownText
  return rest > 0 ? `${text.slice(0, shownText)}… (${rest} more characters)` : text
}
