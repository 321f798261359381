import type { Approval, Decision } from '../agent/approvals/approval.ts'
import { checkDecisions } from '../agent/approvals/check-decisions.ts'
import { isSameJson } from '../json/same-json.ts'
import { messageOf } from '../problems/message-of.ts'

/**
 * Approvals whose decisions an engine has taken in time. It may have waited for others until their time was over, so that at what time
 * they are used says nothing.
 */
export function decidedInTime(approvals: readonly Approval[]): readonly Approval[] {
  return approvals.map(({ expiresAt: _taken, ...approval }) => approval)
}

/** Makes the Decision that refuses what was asked. */
export function refusal({ id, hash }: Approval, reason: string): Decision {
  return { approval: id, hash, approve: false, reason }
}

/** Makes the Decision of an Approval whose time is over. */
export function expired(approval: Approval): Decision {
  return refusal(approval, 'nobody decided in time')
}

/** Says why a Decision is not taken; undefined where it is. */
export function decisionProblem(
  decision: Decision,
  approvals: readonly Approval[],
  now?: number,
): string | undefined {
  try {
    checkDecisions([decision], { approvals }, now)
    return undefined
  } catch (thrown) {
    return messageOf(thrown)
  }
}

/** Says why a Decision is not taken after the first one; undefined for the same once more, which counts once. */
export function contradiction(first: Decision, given: Decision): string | undefined {
  if (isSameJson(first, given)) return undefined
  return `It was decided already, and otherwise: ${JSON.stringify(first)}.`
}
