import type { Approval, Decision } from '../agent/approvals/approval.ts'
import { checkDecisions } from '../agent/approvals/check-decisions.ts'
import { isTooDeep } from '../json/is-too-deep.ts'
import { maximumDepth } from '../json/json-copy.ts'
import { isSameJson } from '../json/same-json.ts'
import { messageOf } from '../problems/message-of.ts'

/**
 * Copies Approvals without their expiry, for an engine that has received the decisions in time. It may have waited for
 * other decisions afterwards, so the time of use must not be compared with the expiry.
 */
export function withoutExpiry(approvals: readonly Approval[]): readonly Approval[] {
  return approvals.map(({ expiresAt: _taken, ...approval }) => approval)
}

/** Builds a Decision that refuses an Approval. */
export function refusal({ id, hash }: Approval, reason: string): Decision {
  return { approval: id, hash, approve: false, reason }
}

/** Builds the Decision for an expired Approval. */
export function expiredDecision(approval: Approval): Decision {
  return refusal(approval, 'nobody decided in time')
}

/** Returns why a Decision is not accepted; undefined if it is. */
export function decisionProblem(
  decision: Decision,
  approvals: readonly Approval[],
  now?: number,
): string | undefined {
  // A deeper one could not be recorded, and the engine would repeat the attempt without end.
  if (isTooDeep(decision, maximumDepth)) return 'Nothing has run: the decision nests too deep.'
  try {
    checkDecisions([decision], { approvals }, now)
    return undefined
  } catch (thrown) {
    return messageOf(thrown)
  }
}

/** Returns why a second Decision is not accepted; undefined if it repeats the first, which counts once. */
export function contradiction(first: Decision, given: Decision): string | undefined {
  if (isSameJson(first, given)) return undefined
  return `Another decision was made already: ${JSON.stringify(first)}.`
}
