import type { Approval, Decision } from '../agent/approvals/approval.ts'
import { expiredDecision, refusal } from '../durable/decisions.ts'
import type { RestateContext, RestatePromise, RestateSdk } from './sdk.ts'

interface Waiting {
  readonly sdk: RestateSdk
  readonly ctx: RestateContext
  readonly approval: Approval
  readonly promise: RestatePromise<Decision>
  /** The latest time in the journal. */
  readonly now: number
}

/**
 * Starts to wait for one decision, up to its expiry, after which it counts as a refusal. Start all waits before
 * awaiting one, so that each time limit starts when the approval was requested.
 */
export function waitForDecision({ sdk, ctx, approval, promise, now }: Waiting): RestatePromise<Decision> {
  // Rejecting the promise or the awakeable refuses the Call. The one cast: the caller validates the value.
  const answer = promise.map((said, failure) =>
    failure ? refusal(approval, failure.message || 'it was not approved') : (said as Decision),
  )
  if (approval.expiresAt === undefined) return answer
  const late = ctx.sleep(Math.max(1, approval.expiresAt - now)).map(() => expiredDecision(approval))
  return sdk.RestatePromise.race([answer, late])
}
