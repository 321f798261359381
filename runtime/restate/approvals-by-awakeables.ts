import type { Approval, Decision, SuspendedRun } from '../agent/approvals/approval.ts'
import { decisionProblem } from '../durable/decisions.ts'
import { jsonOr } from '../json/json-or.ts'
import { jsonSerde, type RestateContext, type RestateSdk, type RestateSerde } from './sdk.ts'
import { waitUntil } from './wait-until.ts'

/** An Approval that is waited for, and how to answer it. */
export interface ToldApproval {
  readonly approval: Approval
  /** The id of the awakeable that takes the Decision: `POST /restate/awakeables/<id>/resolve` of the server. */
  readonly awakeable: string
  /** Why the decision before was not taken; the awakeable is a new one. */
  readonly refused?: string
}

interface AwakeableSettings {
  readonly sdk: RestateSdk
  readonly ctx: RestateContext
  readonly onApprovals: (approvals: readonly ToldApproval[]) => void | Promise<void>
}

/**
 * Waits for decisions by awakeables, in any handler (DUR-3). An awakeable takes one answer. One that is not a decision about
 * what was shown is refused, and asked for again by a new awakeable.
 */
export function waitByAwakeables({ sdk, ctx, onApprovals }: AwakeableSettings) {
  return async (suspended: SuspendedRun, now: number): Promise<readonly Decision[]> => {
    const decided: Decision[] = []
    let open: readonly { readonly approval: Approval; readonly refused?: string }[] = suspended.approvals.map(
      (approval) => ({ approval }),
    )
    while (open.length > 0) {
      const asked = open.map((question) => ({ ...question, ...ctx.awakeable<Decision>(answerSerde) }))
      const told = asked.map(
        ({ id, promise: _, ...question }): ToldApproval => ({ ...question, awakeable: id }),
      )
      await ctx.run('callsheet: approvals', async () => (await onApprovals(told)) ?? null, {
        serde: jsonSerde(),
      })
      const refused: { readonly approval: Approval; readonly refused: string }[] = []
      const waits = asked.map(({ approval, promise }) => ({
        approval,
        answered: waitUntil({ sdk, ctx, approval, promise, now }),
      }))
      for (const { approval, answered } of waits) {
        const answer = await answered
        // A decision about another Approval is none about this one: that has an awakeable of its own.
        const problem = decisionProblem(answer, [approval])
        if (problem === undefined) decided.push(answer)
        else refused.push({ approval, refused: problem })
      }
      open = refused
    }
    return decided
  }
}

/** Reads what anybody may have sent. Were it refused here, the run could never read past it. */
const answerSerde: RestateSerde<Decision> = {
  ...jsonSerde<Decision>(),
  // The one cast: what is no Decision is found by `decisionProblem`.
  deserialize: (data) => {
    const text = new TextDecoder().decode(data)
    return jsonOr(text, text) as Decision
  },
}
