/**
 * Normalises a host name as in the URLs of requests: lower case, ASCII, IPv6 addresses in brackets.
 *
 * @returns Undefined if it is not a host name: with a scheme, a port or a path, a pattern, or empty.
 */
export function hostNamed(text: string): string | undefined {
  if (URL.canParse(`http://[${text}]`)) return new URL(`http://[${text}]`).hostname
  const isName = /^(?:[^\s*/\\?#@:[\]]+|\[[\da-f:.]+\])$/i.test(text)
  return isName && URL.canParse(`http://${text}`) ? new URL(`http://${text}`).hostname : undefined
}

/** True for an origin as browsers send it: without path, trailing slash or default port. */
export function isOrigin(text: string): boolean {
  if (text === 'null') return true
  if (!/^https?:/i.test(text)) return /^[a-z][a-z\d+.-]*:\/\/[^\s/?#*]+$/.test(text)
  return URL.canParse(text) && new URL(text).origin === text && !text.includes('*')
}
