/**
 * The host that a text names, as the URLs of requests have it: in small letters, in ASCII, addresses of IPv6 in brackets.
 *
 * @returns Undefined for what would never be one: with a scheme, a port or a path, a pattern, nothing at all.
 */
export function hostNamed(text: string): string | undefined {
  if (URL.canParse(`http://[${text}]`)) return new URL(`http://[${text}]`).hostname
  const isName = /^(?:[^\s*/\\?#@:[\]]+|\[[\da-f:.]+\])$/i.test(text)
  return isName && URL.canParse(`http://${text}`) ? new URL(`http://${text}`).hostname : undefined
}

/** True for an origin as browsers send it: no path, no slash at the end, no port that its scheme has anyway. */
export function isOrigin(text: string): boolean {
  if (text === 'null') return true
  if (!/^https?:/i.test(text)) return /^[a-z][a-z\d+.-]*:\/\/[^\s/?#*]+$/.test(text)
  return URL.canParse(text) && new URL(text).origin === text && !text.includes('*')
}
