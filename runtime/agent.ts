export { Agent } from './agent/agent.ts'
export type {
  AgentOptions,
  AgentResult,
  AgentTools,
  DelegateOptions,
  ShownError,
  Turn,
} from './agent/agent-options.ts'
export {
  type DispatchPolicy,
  type Executor,
  type ExecutorFactory,
  inProcessExecutor,
  type Perform,
  type PerformedOutcome,
  type Settled,
} from './agent/executor.ts'
export { Idea, type IdeaOptions } from './agent/idea.ts'
export type { IdeaSources } from './agent/idea-folder.ts'
export { type LatentModelOptions, latentModel } from './agent/latent-model.ts'
export { LoopError } from './agent/loop-error.ts'
export type { AgentLimits, Spent } from './agent/meter.ts'
export type { ConnectionOptions, ModelClient } from './agent/model-client.ts'
export type { OfferedTools } from './agent/offered-tools.ts'
export { Request, type RequestOptions, type RequestResult } from './agent/request.ts'
export { RequestError, type RequestErrorDetails } from './agent/request-error.ts'
export type { ModelOptions, RequestRetry } from './agent/request-options.ts'
export type { Solution } from './agent/solution.ts'
export type { TokenUsage } from './agent/token-usage.ts'
export { Vessel, type VesselData } from './agent/vessel.ts'
export type { IdeaData } from './tools/idea-data.ts'
