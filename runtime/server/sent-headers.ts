import { CallsheetError } from '../errors.ts'
import { isMap, isString } from '../problems/field-rule.ts'
import { briefly } from '../problems/problem.ts'

type Texts = Readonly<Record<string, string>>

/** Additional headers of requests; a function is called each time. */
export type SentHeaders = Texts | (() => Texts | Promise<Texts>)

/**
 * Resolves the additional headers: calls the function, if they are one. Names are in lower case, so that they replace headers that
 * Callsheet sends rather than being joined with them.
 *
 * @param of The function with the option, for the message.
 * @throws CallsheetError `invalid_options` for anything but strings by name (the content of a `Headers` object would be
 * lost), and for what HTTP cannot carry.
 */
export async function sentHeaders(of: string, headers: SentHeaders): Promise<Texts> {
  if (typeof headers !== 'function') return lowerCased(headers)
  const said: unknown = await headers()
  if (!isMap(said)) {
    const kind = Object.prototype.toString.call(said).slice(8, -1)
    throw wrongHeaders(of, `the function answered ${kind}. Expected an object of texts by name`)
  }
  requireHeaders(of, said)
  return lowerCased(said as Texts)
}

function lowerCased(headers: Texts): Texts {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/**
 * Requires headers that HTTP can carry: `fetch` would refuse any others, as if the server did not answer.
 *
 * @throws CallsheetError `invalid_options`. It never quotes a value, which may be a credential.
 */
export function requireHeaders(of: string, headers: object): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw wrongHeaders(of, `${briefly(name)} is no name of a header`)
    if (!isString(value)) throw wrongHeaders(of, `the value of ${briefly(name)} is not a text`)
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value.trim()))
      throw wrongHeaders(of, `the value of ${briefly(name)} has characters that headers cannot have`)
  }
}

function wrongHeaders(of: string, why: string): CallsheetError {
  return new CallsheetError('invalid_options', `\`headers\` of ${of}: ${why}.`)
}
