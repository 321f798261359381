import { isMap, isString } from '../problems/field-rule.ts'
import { wrongAnswer } from '../problems/wrong-answer.ts'

type Texts = Readonly<Record<string, string>>

/** Additional headers of requests; a function is called each time. */
export type SentHeaders = Texts | (() => Texts | Promise<Texts>)

/**
 * Resolves the additional headers: calls the function, if they are one.
 *
 * @param of The function with the option, for the message.
 * @throws CallError `invalid_options` for anything but strings by name: the content of a `Headers` object would be lost.
 */
export async function sentHeaders(of: string, headers: SentHeaders): Promise<Texts> {
  if (typeof headers !== 'function') return headers
  const said: unknown = await headers()
  if (isMap(said) && Object.values(said).every(isString)) return said as Texts
  throw wrongAnswer(`\`headers\` of ${of}`, 'an object of texts by name', said)
}
