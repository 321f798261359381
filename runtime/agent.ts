export type { Approval, Decision, SuspendedRun, WaitingCall } from './agent/approvals/approval.ts'
export type {
  AskCall,
  ConfirmAnswer,
  ConfirmOption,
  ConfirmRules,
  PlanAnswer,
} from './agent/approvals/confirm-options.ts'
export { Idea } from './agent/ideas/idea.ts'
export type { IdeaSources } from './agent/ideas/idea-folder.ts'
export type { RejectedCall, Solution } from './agent/ideas/solution.ts'
export { type StoredSolution, Vessel, type VesselData } from './agent/ideas/vessel.ts'
export type {
  AgentOptions,
  AgentResult,
  AgentTools,
  DelegateOptions,
  EveryCallOptions,
  ShownError,
  Turn,
} from './agent/loop/agent-options.ts'
export {
  type DispatchPolicy,
  type Executor,
  type ExecutorFactory,
  inProcessExecutor,
  type Perform,
  type PerformedOutcome,
  type Settled,
} from './agent/loop/executor.ts'
export { LoopError } from './agent/loop/loop-error.ts'
export type { AgentLimits, Spent } from './agent/loop/meter.ts'
export type { RunEvent } from './agent/loop/run-event.ts'
export { type AskedAgain, askAgain } from './agent/request/ask-again.ts'
export type { Exchange, ExchangeResult } from './agent/request/exchange.ts'
export type { OfferedTools } from './agent/request/offered-tools.ts'
export type { ExplainedField } from './agent/request/prompt-facts.ts'
export {
  type NativeAnswer,
  Request,
  type RequestOptions,
  type RequestResult,
} from './agent/request/request.ts'
export type { ModelOptions, RequestRetry } from './agent/request/request-options.ts'
export type { ResponseFormat } from './agent/request/response-format.ts'
export type { SentRequest } from './agent/request/sent-request.ts'
export { Agent } from './agent/run/agent.ts'
export { type LatentModelOptions, latentModel } from './agent/run/latent-model.ts'
export { type AgentStream, streamAgent } from './agent/run/stream-agent.ts'
export type { SearchOptions } from './agent/search/search-options.ts'
export { withSearch } from './agent/search/with-search.ts'
export { limitedFetch } from './agent/transport/limited-fetch.ts'
export type {
  AnthropicClient,
  ConnectionOptions,
  ModelClient,
  OpenAIClient,
} from './agent/transport/model-client.ts'
export type { ApiName } from './agent/transport/reply.ts'
export { RequestError, type RequestErrorDetails } from './agent/transport/request-error.ts'
export type { TokenUsage } from './index.ts'
export type { IdeaData, IdeaOptions } from './tools/idea-data.ts'
