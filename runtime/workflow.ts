export type { StepCall, StepOptions, StepOutputs } from './durable/steps.ts'
export type { TemporalWorkflow } from './temporal/sdk.ts'
export { type TemporalStepOptions, type TemporalSteps, temporalSteps } from './temporal/temporal-steps.ts'
