import { isString } from './field-rule.ts'
import { briefly } from './problem.ts'
import { shorten } from './shorten.ts'

/** Longest part of a thrown message that an error repeats, in characters: an API may answer with megabytes. */
const shownText = 4000

/** Describes a thrown value for people. It can be anything: an Error of another realm, an object without `toString`, a proxy. */
export function messageOf(thrown: unknown): string {
  try {
    return shorten(isString(thrown) ? thrown : wordsOf(thrown), shownText)
  } catch {
    // Reading the value threw again, so it cannot be described; the error still carries it as its cause.
    return 'a value that cannot be read'
  }
}

function wordsOf(thrown: unknown): string {
  const { message, errors, code, name } = Object(thrown)
  if (!isString(message)) return briefly(thrown)
  // If several addresses were tried, such as both of `localhost`, Node throws their errors together, without a message.
  const words = [
    message || errors?.map?.((each: Partial<Error> | undefined) => each?.message).join(', '),
    code,
    name,
  ]
  return words.find((word) => word && isString(word)) ?? briefly(thrown)
}
