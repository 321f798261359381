import { isJsonObject } from '../json/json.ts'
import { isString } from '../problems/field-rule.ts'
import { briefly } from '../problems/problem.ts'
import type { Claim } from './outcome-store.ts'

const statuses: readonly unknown[] = [
  'claimed',
  'finished',
  'running',
  'abandoned',
] satisfies Claim['status'][]

/**
 * Validates a store's answer: a store is user code, and its data may be from another version.
 *
 * @throws TypeError for anything else.
 */
export function requireClaim(answer: unknown): Claim {
  const { status, outcome, fingerprint } = (isJsonObject(answer) ? answer : {}) as Record<string, unknown>
  const isWhole = status !== 'finished' || (isJsonObject(outcome) && isString(outcome.status))
  // Without it, another Call under the same id would get this one's Outcome.
  const isKnown = status === 'claimed' || isString(fingerprint)
  if (statuses.includes(status) && isWhole && isKnown) return answer as Claim
  // Not an error of Callsheet: clients would see it, with a part of what is stored.
  throw new TypeError(
    `\`claim\` of the store returned ${briefly(answer)}. Expected { status }, one of ${statuses.join(', ')}, and without "claimed" the fingerprint of the Call that was claimed before, and with "finished" its Outcome.`,
  )
}
