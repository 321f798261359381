import type { Call } from '../context/message.ts'
import type { RecordedOutcome } from '../durable/recorded-outcome.ts'
import type { CallsheetError } from '../errors.ts'
import { canonicalJson } from '../json/canonical-json.ts'
import { isJsonObject } from '../json/json.ts'
import { briefly } from '../problems/problem.ts'
import { shortDigest } from '../server/contract-hash.ts'
import { failedConnection } from '../server/outcome-there.ts'

/**
 * The result of an Activity's handler. The engine returns the first result of an idempotency key for every later
 * request with that key, whatever its content: the fingerprint tells which Call it belongs to.
 */
export type FingerprintedOutcome = RecordedOutcome & {
  /** The fingerprint of the Call as sent; absent from workers with an earlier version of Callsheet. */
  readonly fingerprint?: string
}

/** Hashes the content of a Call. */
export function fingerprintOf(call: Call): Promise<string> {
  return shortDigest(canonicalJson(call))
}

/**
 * True if an Outcome belongs to a Call. The Outcome of another Call must not count: if a run is repeated under its
 * `runId` and its model makes other Calls this time, they would seem to have run.
 */
export async function isOutcomeOf(call: Call, outcome: unknown): Promise<boolean> {
  const { fingerprint } = (isJsonObject(outcome) ? outcome : {}) as Partial<FingerprintedOutcome>
  return fingerprint === undefined || fingerprint === (await fingerprintOf(call))
}

/** Builds the error of a Call whose id was used by another Call. */
export function anotherCallRan(id: string): CallsheetError {
  return failedConnection(
    `Another Call ran under the id ${briefly(id)}; this one has not run. Give each Call, and each run of an agent, an id of its own.`,
  )
}

export function withoutFingerprint({ fingerprint: _, ...outcome }: FingerprintedOutcome): RecordedOutcome {
  return outcome
}
