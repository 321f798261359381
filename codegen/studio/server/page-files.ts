import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageFolder } from '../../paths/package-folder.ts'

/** The files of the page, as the build leaves them in `dist/studio`; nothing else is ever read for a request. */
const files: Readonly<Record<string, { readonly name: string; readonly type: string }>> = {
  '/': { name: 'index.html', type: 'text/html; charset=utf-8' },
  '/studio.js': { name: 'studio.js', type: 'text/javascript; charset=utf-8' },
  '/studio.css': { name: 'studio.css', type: 'text/css; charset=utf-8' },
}

/** The page's content security policy: it may only load from and connect to this server. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    // The editor makes a style sheet of its own; the nonce lets this one in and no other.
    `style-src 'self' 'nonce-${nonce}'`,
    // Chromium itself writes style attributes into the JSON editor while text in it is replaced. Nothing here makes
    // elements of text.
    "style-src-attr 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

/** Headers of everything that the studio answers. */
export const safeHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** Returns a file of the page; undefined for an unknown path. */
export async function pageFile(path: string): Promise<Response | undefined> {
  const file = Object.hasOwn(files, path) ? files[path] : undefined
  if (!file) return undefined
  const text = await readFile(join(packageFolder(), 'dist', 'studio', file.name), 'utf8')
  const headers = { ...safeHeaders, 'content-type': file.type }
  if (path !== '/') return new Response(text, { headers })
  const nonce = globalThis.crypto.randomUUID()
  return new Response(text.replace('%NONCE%', nonce), {
    headers: { ...headers, 'content-security-policy': policy(nonce) },
  })
}
