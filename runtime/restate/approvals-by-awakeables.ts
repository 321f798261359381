import type { Approval, Decision, SuspendedRun } from '../agent/approvals/approval.ts'
import { decisionProblem } from '../durable/decisions.ts'
import { jsonOr } from '../json/json-or.ts'
import { jsonSerde, type RestateContext, type RestateSdk, type RestateSerde } from './sdk.ts'
import { waitForDecision } from './wait-for-decision.ts'

/** A waiting Approval, and how to decide about it. */
export interface ToldApproval {
  readonly approval: Approval
  /** The id of the awakeable that takes the Decision: `POST /restate/awakeables/<id>/resolve` of the server. */
  readonly awakeable: string
  /** Why the previous decision was not accepted; the awakeable is a new one. */
  readonly refused?: string
}

interface AwakeableSettings {
  readonly sdk: RestateSdk
  readonly ctx: RestateContext
  readonly onApprovals: (approvals: readonly ToldApproval[]) => void | Promise<void>
}

/**
 * Waits for decisions with awakeables, in any handler (DUR-3). An awakeable accepts one value. If that is not a
 * decision about what was shown, it is refused and a new awakeable is created.
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
        answered: waitForDecision({ sdk, ctx, approval, promise, now }),
      }))
      for (const { approval, answered } of waits) {
        const answer = await answered
        // A decision about another Approval does not count: that one has its own awakeable.
        const problem = decisionProblem(answer, [approval])
        if (problem === undefined) decided.push(answer)
        else refused.push({ approval, refused: problem })
      }
      open = refused
    }
    return decided
  }
}

/** Parses the received value, which is not trusted. Throwing here would make every replay of the run fail. */
const answerSerde: RestateSerde<Decision> = {
  ...jsonSerde<Decision>(),
  // The one cast: `decisionProblem` finds anything that is not a Decision.
  deserialize: (data) => {
    const text = new TextDecoder().decode(data)
    return jsonOr(text, text) as Decision
  },
}
