import type { Call } from '../context/message.ts'
import type { RecordedOutcome } from '../durable/recorded-outcome.ts'
import { canonicalJson } from '../json/canonical-json.ts'
import { hashOf } from '../server/contract-hash.ts'

/**
 * What the handler of an Activity answers. The engine gives the first answer of an idempotency key to everybody who uses
 * that key again, whatever they send: the fingerprint tells them of which Call it is.
 */
export type FingerprintedOutcome = RecordedOutcome & {
  /** Of the Call as it was sent; absent from workers of before Callsheet had it. */
  readonly fingerprint?: string
}

export function fingerprintOf(call: Call): Promise<string> {
  return hashOf(canonicalJson(call))
}

export function withoutFingerprint({ fingerprint: _, ...outcome }: FingerprintedOutcome): RecordedOutcome {
  return outcome
}
