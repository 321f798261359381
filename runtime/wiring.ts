// What generated code imports, and nothing else does. Kept apart from what people import, so that a registry loads what
// running explicit Calls needs and no more.
export type {
  ActivityContext,
  ActivityFunction,
  ActivityResult,
  ActivityRun,
  AnyActivity,
} from './activity.ts'
export type { RegisterActivityOptions } from './activity-registry.ts'
export type { BuiltCall } from './built-call.ts'
export * from './check.ts'
export type { Call, DataMessage, Message } from './message.ts'
export type { Outcome } from './outcome.ts'
export { type Registry, type RegistryOptions, registryOf } from './registry.ts'
export type { ActivityMethods, Reference, ToolMethods } from './registry-api.ts'
export type { GroupOptions, RunOptions } from './run-options.ts'
export type { ToolSchema } from './schema.ts'
export type { ToolObject } from './standard-schema.ts'
export { type GeneratedTool, generatedTool, withoutFreeFields } from './tool-entry.ts'
export type { CheckArgument, CheckArguments } from './typed/check-argument.ts'
export type { CheckBuiltOutputPath } from './typed/check-step.ts'
export type { Plan, PlanApi } from './typed/plan-types.ts'
export type { ReferenceApi } from './typed/reference-api.ts'
export type { ScopedContext, ScopedPart } from './typed/scoped-context.ts'
export type { UnknownParameter } from './unknown-parameter.ts'
export type { Check, Checks } from './validator.ts'
