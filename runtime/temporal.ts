// So that the compiler finds the names of all types.
export type {} from './agent.ts'
export type { ActivityRequest, ActivityTools, ServedCallOptions } from './durable/activity-request.ts'
export type { RecordedError, RecordedOutcome } from './durable/recorded-error.ts'
export type { TemporalActivityContext } from './temporal/sdk.ts'
export {
  type TemporalActivities,
  type TemporalActivitiesOptions,
  type TemporalAgent,
  temporalActivities,
} from './temporal/temporal-activities.ts'
export type { AgentPlan, KnownTool, OwnActivities, PerformRequest, Refused } from './temporal/wire.ts'
