import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Authorize } from '../../../runtime/server/gate.ts'

/** Creates a random token for each start. */
export function makeToken(): string {
  return randomBytes(24).toString('base64url')
}

/** Authorises requests with the token as bearer. The comparison takes constant time. */
export function tokenHolders(token: string): Authorize {
  const wanted = digest(`Bearer ${token}`)
  return (request) =>
    timingSafeEqual(digest(request.headers.get('authorization') ?? ''), wanted) ? { id: 'studio' } : undefined
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
