import type { Confirm } from '../../call/confirm.ts'
import type { LatentModel, LatentRequest } from '../../call/latent.ts'
import { needsApproval, toConfirmRules } from '../approvals/confirm-options.ts'
import type { AgentOptions } from '../loop/agent-options.ts'
import type { Lineage } from './lineage.ts'

/** The run that contains a latent Call. */
interface OuterRun {
  readonly options: AgentOptions
  readonly lineage: Lineage
}

/**
 * The property that attaches the run to a latent Call's request. Attached to the request rather than to the model,
 * since a wrapper around a model passes the request on. A registered symbol, so that all copies of the package share
 * it.
 */
const outerRun = Symbol.for('callsheet.outerRun')

/**
 * Binds a latent model to a run: it counts towards the run's limits, and the run's options apply to its Calls. A user's own model
 * receives the `confirm` and the principal of the run.
 */
export function nestedLatent(model: LatentModel, options: AgentOptions, lineage: Lineage): LatentModel {
  const { run } = options
  const under = { confirm: confirmOf(options), principal: run?.principal, ...(run && { run }) }
  const outer: OuterRun = { options, lineage }
  return {
    answer: (request) => model.answer({ ...request, under, ...{ [outerRun]: outer } }),
    idea: async (name) => model.idea?.(name),
  }
}

/** Returns the run attached to a request; undefined for a single Call. */
export function outerRunOf(request: LatentRequest): OuterRun | undefined {
  return (request as { readonly [outerRun]?: OuterRun })[outerRun]
}

/** Wraps the run's `confirm` for a delegate, which cannot wait for a later decision. */
function confirmOf({ confirm }: AgentOptions): Confirm | undefined {
  const rules = confirm && toConfirmRules(confirm)
  return (
    rules &&
    (async (call, info) => {
      if (!needsApproval(rules, info.tool.effects)) return true
      const answer = (await rules.ask?.(call, info)) ?? 'pending'
      return answer === 'pending' ? { refuse: 'a delegate cannot wait for an approval' } : answer
    })
  )
}
