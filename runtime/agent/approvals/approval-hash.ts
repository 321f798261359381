import { canonicalJson } from '../../json/canonical-json.ts'
import { sha256 } from '../../json/sha256.ts'
import type { Approval } from './approval.ts'

/** Returns the SHA-256 of a value's canonical JSON: the same on every platform and for every order of keys. */
export function jsonDigest(value: unknown): Promise<string> {
  return sha256(canonicalJson(value))
}

/** Makes an Approval for the given Calls. Its hash binds a decision to exactly these Calls. */
export async function makeApproval(
  shown: Omit<Approval, 'hash' | 'expiresAt'>,
  expiresAt: number | undefined,
): Promise<Approval> {
  // Through JSON first: an Approval that was stored and loaded again must have the same hash.
  const plain = JSON.parse(JSON.stringify(shown)) as typeof shown
  return { ...plain, hash: await jsonDigest(plain), ...(expiresAt !== undefined && { expiresAt }) }
}
