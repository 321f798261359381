import type { LatentModel } from '../../call/latent.ts'
import type { AgentOptions } from '../loop/agent-options.ts'
import type { Lineage } from './lineage.ts'

/** Makes a latent model answer as a part of a run: under what holds for the run's Calls, and from its purse. */
export type NestLatent = (options: AgentOptions, lineage: Lineage) => LatentModel

const nests = new WeakMap<LatentModel, NestLatent>()

/** Says how a latent model answers within a run. */
export function nestable(model: LatentModel, nest: NestLatent): LatentModel {
  nests.set(model, nest)
  return model
}

/** The latent model as a part of a run; one that somebody wrote is as it is. */
export function nestedLatent(model: LatentModel, options: AgentOptions, lineage: Lineage): LatentModel {
  return nests.get(model)?.(options, lineage) ?? model
}
