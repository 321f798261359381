import { type FieldRule, isString } from '../problems/field-rule.ts'

/**
 * True for the base URL of a server. It must not have a query, a fragment or credentials: paths would become part of
 * the first two, and `fetch` refuses credentials.
 */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false
  const { search, hash, username, password } = new URL(text)
  return search + hash + username + password === ''
}

/** Accepts the base URL of a server; in a page, also a path on its own server. */
export const webAddress: FieldRule = [
  (value) =>
    (isString(value) && /^\/(?!\/)/.test(value)) ||
    ((isString(value) || value instanceof URL) && isWebAddress(String(value))),
  'the URL of a server first: http or https, and neither a query nor credentials in it, such as "https://worker.internal"',
]
