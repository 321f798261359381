import { canonicalJson } from '../../json/canonical-json.ts'
import type { Approval } from './approval.ts'

/** The SHA-256 of a value's canonical JSON, in hex: the same on every platform, whatever the order of keys. */
export async function hashOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(value))
  const digest = await globalThis.crypto.subtle.digest('SHA-256', bytes)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Makes an Approval of what would run, bound to it by its hash. */
export async function makeApproval(
  shown: Omit<Approval, 'hash' | 'expiresAt'>,
  expiresAt: number | undefined,
): Promise<Approval> {
  // As JSON has it: what is stored and comes back must hash the same.
  const plain = JSON.parse(JSON.stringify(shown)) as typeof shown
  return { ...plain, hash: await hashOf(plain), ...(expiresAt !== undefined && { expiresAt }) }
}
