import { isJsonObject } from '../json/json.ts'
import { isString } from '../problems/field-rule.ts'
import { wrongAnswer } from '../problems/wrong-answer.ts'
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
 * @throws CallError `invalid_options`.
 */
export function requireClaim(answer: unknown): Claim {
  const { status, outcome } = (isJsonObject(answer) ? answer : {}) as { status?: unknown; outcome?: unknown }
  const isWhole = status !== 'finished' || (isJsonObject(outcome) && isString(outcome.status))
  if (statuses.includes(status) && isWhole) return answer as Claim
  throw wrongAnswer(
    '`claim` of the store',
    `{ status }, one of ${statuses.join(', ')}, and with "finished" the Outcome`,
    answer,
  )
}
