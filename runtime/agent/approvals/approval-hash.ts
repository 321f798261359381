import { canonicalJson } from '../../json/canonical-json.ts'
import { sha256 } from '../../json/sha256.ts'
import type { Approval } from './approval.ts'

/** The SHA-256 of a value's canonical JSON: the same on every platform, whatever the order of keys. */
export function jsonDigest(value: unknown): Promise<string> {
  return sha256(canonicalJson(value))
}

/** Makes an Approval of what would run, bound to it by its hash. */
export async function makeApproval(
  shown: Omit<Approval, 'hash' | 'expiresAt'>,
  expiresAt: number | undefined,
): Promise<Approval> {
  // As JSON has it: what is stored and comes back must hash the same.
  const plain = JSON.parse(JSON.stringify(shown)) as typeof shown
  return { ...plain, hash: await jsonDigest(plain), ...(expiresAt !== undefined && { expiresAt }) }
}
