import type { Approval } from '../agent/approvals/approval.ts'

/**
 * Approvals whose decisions an engine has taken in time. It may have waited for others until their time was over, so that at what time
 * they are used says nothing.
 */
export function decidedInTime(approvals: readonly Approval[]): readonly Approval[] {
  return approvals.map(({ expiresAt: _taken, ...approval }) => approval)
}
