// So that the compiler finds the names of all types.
export type {} from './agent.ts'
export type { CallSteps, StepCall, StepOptions, StepOutputs } from './durable/call-steps.ts'
export { isCallsheetError } from './errors.ts'
export type { TemporalWorkflow, TemporalWorkflowInfo } from './temporal/sdk.ts'
export { type TemporalStepOptions, type TemporalSteps, temporalSteps } from './temporal/temporal-steps.ts'
