import { CallsheetError } from '../errors.ts'
import { type FieldRule, isString } from '../problems/field-rule.ts'
import { holds } from '../problems/option-problems.ts'
import { briefly } from '../problems/problem.ts'

/**
 * True for the base URL of a server. It must not have a query, a fragment or credentials: paths would become part of
 * the first two, and `fetch` refuses credentials.
 */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false
  const { search, hash, username, password } = new URL(text)
  return search + hash + username + password === ''
}

const address: FieldRule = [(value) => isString(value) || value instanceof URL, 'a URL']

/**
 * Requires the base URL of a server; in a page, also a path on its own server.
 *
 * @throws CallsheetError `invalid_options`. It quotes no credentials.
 */
export function requireWebAddress(of: string, url: unknown): void {
  if (isString(url) && /^\/(?!\/)/.test(url)) return
  const isAddress = holds(address, url)
  if (isAddress && isWebAddress(String(url))) return
  throw new CallsheetError(
    'invalid_options',
    `${of} takes the URL of a server first: http or https, and neither a query nor credentials in it, such as "https://worker.internal", got ${briefly(isAddress ? withoutSecrets(String(url)) : url)}.`,
  )
}

/** Leaves credentials and the query out of an address: errors are logged, and models read them. */
export function withoutSecrets(url: string): string {
  return url.replace(/^([a-z+]+:\/\/)?.*@/is, '$1…@').replace(/[?#].*$/s, '?…')
}
