import { isMap, isString } from '../problems/field-rule.ts'
import { wrongAnswer } from '../problems/wrong-answer.ts'

type Texts = Readonly<Record<string, string>>

/** Headers that go along with requests; a function is asked each time. */
export type SentHeaders = Texts | (() => Texts | Promise<Texts>)

/**
 * The headers that somebody wants to go along, where they are a function: what it says.
 *
 * @param of Whose option it is, for the message.
 * @throws CallError `invalid_options` for anything but texts by name: what a `Headers` holds, credentials mostly, would be left out.
 */
export async function sentHeaders(of: string, headers: SentHeaders): Promise<Texts> {
  if (typeof headers !== 'function') return headers
  const said: unknown = await headers()
  if (isMap(said) && Object.values(said).every(isString)) return said as Texts
  throw wrongAnswer(`\`headers\` of ${of}`, 'an object of texts by name', said)
}
