// Imported by generated code only. Separate from the entry that people import, so that a generated registry loads no
// more than what running explicit Calls needs.

export type { Outcome } from './call/outcome.ts'
export type { GroupOptions, RunOptions } from './call/run-options.ts'
export type { BuiltCall } from './context/built-call.ts'
export type { Call, DataMessage, Message } from './context/message.ts'
// So that a user's program has the names of all types, and the compiler finds them for declaration files.
export type {} from './index.ts'
export { registryOf } from './registry/generated-registry.ts'
export type { RegistryDefaults } from './registry/make-state.ts'
export type { Registry } from './registry/registry.ts'
export type { ActivityMethods, Reference, ToolMethods } from './registry/registry-api.ts'
export type { ToolSchema } from './schema/schema.ts'
export type { ToolObject } from './schema/standard-schema.ts'
export type { Check, Checks } from './schema/validator.ts'
export type {
  ActivityContext,
  ActivityFunction,
  ActivityMessage,
  ActivityResult,
  ActivityRun,
  AnyActivity,
  TypedTool,
} from './tools/activity.ts'
export type { RegisterActivityOptions } from './tools/activity-registry.ts'
export { type GeneratedTool, generatedTool } from './tools/tool-entry.ts'
export type { CheckReferences } from './typed/check-argument.ts'
export type { CheckBuiltOutputPath } from './typed/check-step.ts'
export type { ConstantFunction } from './typed/constant-function.ts'
export type { Plan, PlanApi } from './typed/plan-types.ts'
// `ReferenceMark`, `WritesSomewhere` and `WrittenFailure` occur in inferred types, so users' declaration files must be
// able to name them.
export type { ReferenceApi, ReferenceMark } from './typed/reference-api.ts'
export type { ScopedContext, ScopedPart } from './typed/scoped-context.ts'
export type { IsKnown, IsKnownList, Told } from './typed/told.ts'
export type { WithConstants } from './typed/with-constants.ts'
export type { CollectedPath, WritesSomewhere, WrittenFailure, WrittenPath } from './typed/written.ts'
export type { WrongActivity } from './typed/wrong-activity.ts'
export type { CheckArguments, WrongCall } from './typed/wrong-call.ts'
