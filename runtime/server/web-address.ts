import { type FieldRule, isString } from '../problems/field-rule.ts'

/**
 * True for the address of a server, below which its paths lie. One with a query, a fragment or credentials is none: paths would become
 * a part of the first two, and `fetch` takes no credentials.
 */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false
  const { search, hash, username, password } = new URL(text)
  return search + hash + username + password === ''
}

/** The rule of where a server is. A page may name a path of its own server. */
export const webAddress: FieldRule = [
  (value) =>
    (isString(value) && /^\/(?!\/)/.test(value)) ||
    ((isString(value) || value instanceof URL) && isWebAddress(String(value))),
  'the URL of a server first: http or https, and neither a query nor credentials in it, such as "https://worker.internal"',
]
