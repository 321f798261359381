import type { Confirm } from '../../call/confirm.ts'
import type { LatentModel, LatentRequest } from '../../call/latent.ts'
import { needsApproval, toConfirmRules } from '../approvals/confirm-options.ts'
import type { AgentOptions } from '../loop/agent-options.ts'
import type { Lineage } from './lineage.ts'

/** The run that a latent Call is part of. */
interface OuterRun {
  readonly options: AgentOptions
  readonly lineage: Lineage
}

/**
 * The property of a latent Call's question that names its run. It goes with the question and is not kept with the model, since a
 * wrapper around a model, which logs or counts, passes the question on. One name for all copies of the package.
 */
const outerRun = Symbol.for('callsheet.outerRun')

/**
 * The latent model as a part of a run: it spends of the run's limits, and the run's options hold for the Calls that it makes. One that
 * somebody wrote is told whom to ask, and whom the Call is for.
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

/** The run that a question is part of; undefined for that of a single Call. */
export function outerRunOf(request: LatentRequest): OuterRun | undefined {
  return (request as { readonly [outerRun]?: OuterRun })[outerRun]
}

/** What the run asks, for a delegate, which cannot wait for an answer. */
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
