import type { Approval, Decision } from '../agent/approvals/approval.ts'
import { expired, refusal } from '../durable/decisions.ts'
import type { RestateContext, RestatePromise, RestateSdk } from './sdk.ts'

interface Waiting {
  readonly sdk: RestateSdk
  readonly ctx: RestateContext
  readonly approval: Approval
  readonly promise: RestatePromise<Decision>
  /** The latest time that the journal tells of. */
  readonly now: number
}

/**
 * Begins to wait for one decision, for no longer than it may take: nobody's answer is a refusal then. Begin all waits before
 * one is awaited, so that the time of each runs from when it was asked.
 */
export function waitUntil({ sdk, ctx, approval, promise, now }: Waiting): RestatePromise<Decision> {
  // Somebody who rejects the promise or the awakeable refuses the Call. The one cast: what was said is checked by whoever waits.
  const answer = promise.map((said, failure) =>
    failure ? refusal(approval, failure.message || 'it was not approved') : (said as Decision),
  )
  if (approval.expiresAt === undefined) return answer
  const late = ctx.sleep(Math.max(1, approval.expiresAt - now)).map(() => expired(approval))
  return sdk.RestatePromise.race([answer, late])
}
