// So that the compiler finds the names of all types.
export type {} from './agent.ts'
export type { ActivityRequest, ActivityTools, ServedCallOptions } from './durable/activity-request.ts'
export type { CallSteps, StepCall, StepOptions, StepOutputs } from './durable/call-steps.ts'
export type { RecordedError, RecordedOutcome } from './durable/recorded-error.ts'
export type { RestateActivities } from './restate/activity-service.ts'
export type { AgentRun, RestateAgent } from './restate/agent-workflow.ts'
export type { ToldApproval } from './restate/approvals-by-awakeables.ts'
export type { RestateLimits, RestateRetry } from './restate/limits.ts'
export { type RestateActivitiesOptions, restateActivities } from './restate/restate-activities.ts'
export { type RestateHandlerOptions, restateHandler } from './restate/restate-handler.ts'
export { type RestateServicesOptions, restateServices, serveRestate } from './restate/restate-services.ts'
export type {
  RestateAgentOptions,
  RestateStepOptions,
  RestateSteps,
  RestateTools,
} from './restate/restate-steps.ts'
export type {
  RestateContext,
  RestateFailure,
  RestatePromise,
  RestateSdk,
  RestateSerde,
  RestateService,
  RestateWorkflowContext,
} from './restate/sdk.ts'
export type {} from './server.ts'
