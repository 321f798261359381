import { withoutSecrets } from './web-address.ts'

/** Most redirects of one request that are followed. */
const mostRedirects = 5

/**
 * Sends a request to a server. Follows redirects that keep the request as it is (307 and 308) to the same server, and returns others:
 * `fetch` would make a `GET` of a Call, or hand it to another server, with credentials in headers that it does not know as such.
 */
export async function fetchThere(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
): Promise<Response> {
  let at = url
  for (let followed = 0; ; followed++) {
    const response = await fetch(at, { ...init, redirect: 'manual' })
    const target = redirectTarget(response)
    const isOwn =
      target !== undefined && response.status >= 307 && originOf(target) === originOf(response.url)
    if (!isOwn || followed === mostRedirects) return response
    await response.body?.cancel()
    at = target
  }
}

/** Returns where a redirect leads; undefined for another response, and in browsers, which do not tell. */
export function redirectTarget(response: Response): string | undefined {
  // A `fetch` of the user's may return anything.
  if (typeof response?.headers?.get !== 'function' || ![301, 302, 303, 307, 308].includes(response.status))
    return undefined
  const { url, headers } = response
  const location = headers.get('location')
  return location !== null && URL.canParse(location, url) ? new URL(location, url).href : undefined
}

/** Returns an address for an error's text, with the one that it redirects to. */
export function addressIn(endpoint: string, response: Response): string {
  if (response.type === 'opaqueredirect') return `${endpoint} (sent on to another address: use that one)`
  const target = redirectTarget(response)
  return target === undefined
    ? endpoint
    : `${endpoint} (sent on to ${withoutSecrets(target)}: use that address)`
}

function originOf(url: string): string {
  return new URL(url).origin
}
