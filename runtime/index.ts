export type {
  ActivityContext,
  ActivityFunction,
  ActivityResult,
  ActivityRun,
  AnyActivity,
} from './activity.ts'
export type { RegisterActivityOptions } from './activity-registry.ts'
export { BranchError } from './branch-error.ts'
export type { BuiltCall } from './built-call.ts'
export { type ComposableTool, type ComposeOptions, compose } from './compose.ts'
export { type Context, type ContextLike, createContext } from './context.ts'
export { createRegistry } from './create-registry.ts'
export { type ContextSchemas, defineContext } from './define-context.ts'
export { type DialectName, dialectNames } from './dialect-name.ts'
export {
  ActivityError,
  CallError,
  CallsheetError,
  type ErrorCode,
  type ErrorData,
  isCallsheetError,
  OutputError,
  type Problem,
} from './errors.ts'
export type { EventName, Events } from './events.ts'
export type { LatentModel, LatentRequest } from './latent.ts'
export { literal } from './literal.ts'
export type { Loss, StandIn } from './lower/losses.ts'
export { type LoweredSchema, type LowerOptions, lower } from './lower/lower.ts'
export type { Usage } from './lower/usage.ts'
export type {
  Call,
  DataMessage,
  ErrorMessage,
  Message,
  PlanMessage,
  TextMessage,
  ToolMessage,
} from './message.ts'
export type { Outcome, OutcomeStatus } from './outcome.ts'
export type { DeclaredContext } from './plan/declared.ts'
export { type AnyPlan, type PlanFacts, type PlanOptions, plan } from './plan.ts'
export { reference } from './refer.ts'
export type { Registry, RegistryOptions } from './registry.ts'
export type { ActivityApi, Reference, ToolApi } from './registry-api.ts'
export { render } from './render.ts'
export type {
  BeforeInfo,
  Confirmation,
  ConfirmInfo,
  GroupOptions,
  OutputPolicy,
  RetryOptions,
  RunOptions,
} from './run-options.ts'
export type { Effects, JsonSchema, Schema, ToolSchema } from './schema.ts'
export type { ToolObject } from './standard-schema.ts'
export {
  type DeclaredTool,
  type DeclaredToolkit,
  type ToolkitOptions,
  type ToolOptions,
  type ToolProperties,
  tool,
  toolkit,
} from './tool.ts'
export type { CallSpan, CallTracer, TelemetryOptions } from './tracer.ts'
export type { Plan, PlanApi } from './typed/plan-types.ts'
export type { ProjectTypes } from './typed/project-types.ts'
export type { ReferenceApi, Referred } from './typed/reference-api.ts'
export type { ReferenceValue } from './typed/reference-value.ts'
export type { ScopedContext } from './typed/scoped-context.ts'
export type { VariantChoice, VariantInfo, VariantPolicies, VariantPolicy } from './variants.ts'
export { message } from './well-formed-message.ts'
