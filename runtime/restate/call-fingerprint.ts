import type { Call } from '../context/message.ts'
import type { RecordedOutcome } from '../durable/recorded-outcome.ts'
import type { CallsheetError } from '../errors.ts'
import { canonicalJson } from '../json/canonical-json.ts'
import { isJsonObject } from '../json/json.ts'
import { briefly } from '../problems/problem.ts'
import { shortDigest } from '../server/contract-hash.ts'
import { failedConnection } from '../server/outcome-there.ts'

/**
 * What the handler of an Activity answers. The engine gives the first answer of an idempotency key to everybody who uses
 * that key again, whatever they send: the fingerprint tells them of which Call it is.
 */
export type FingerprintedOutcome = RecordedOutcome & {
  /** Of the Call as it was sent; absent from workers of before Callsheet had it. */
  readonly fingerprint?: string
}

/** Identifies a Call by all that it says. */
export function fingerprintOf(call: Call): Promise<string> {
  return shortDigest(canonicalJson(call))
}

/**
 * Whether an Outcome is that of a Call. What another Call came to is no answer: a run that is made again under its `runId`, and whose
 * model asks for something else this time, would believe that it was done.
 */
export async function isOutcomeOf(call: Call, outcome: unknown): Promise<boolean> {
  const { fingerprint } = (isJsonObject(outcome) ? outcome : {}) as Partial<FingerprintedOutcome>
  return fingerprint === undefined || fingerprint === (await fingerprintOf(call))
}

/** The error of a Call whose id is that of another one, which has run. */
export function anotherCallRan(id: string): CallsheetError {
  return failedConnection(
    `Another Call ran under the id ${briefly(id)}; this one has not run. Give each Call, and each run of an agent, an id of its own.`,
  )
}

export function withoutFingerprint({ fingerprint: _, ...outcome }: FingerprintedOutcome): RecordedOutcome {
  return outcome
}
