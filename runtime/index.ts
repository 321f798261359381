export type { Confirm, Confirmation, ConfirmCalls, ConfirmInfo } from './call/confirm.ts'
export type { VariantChoice, VariantInfo, VariantPolicies, VariantPolicy } from './call/controls/variants.ts'
export type { BeforeInfo, OutputPolicy } from './call/delegated-options.ts'
export type { EventName, Events } from './call/events.ts'
export type { LatentModel, LatentRequest } from './call/latent.ts'
export type { Outcome, OutcomeStatus } from './call/outcome.ts'
export { BranchError } from './call/run/branch-error.ts'
export type { GroupOptions, RetryOptions, RunOptions } from './call/run-options.ts'
export {
  type ComparedSide,
  type CompareReport,
  type CompareReportOptions,
  type Comparison,
  compareReport,
  type Disagreement,
} from './call/telemetry/compare-report.ts'
export type { CallSpan, CallTracer, TelemetryOptions } from './call/telemetry/tracer.ts'
export { type ComposableTool, type ComposeOptions, compose } from './compose/compose.ts'
export { type Branch, branch } from './context/branch.ts'
export type { BuiltCall } from './context/built-call.ts'
export { type Context, type ContextLike, createContext } from './context/context.ts'
export { type ContextSchemas, defineContext } from './context/define-context.ts'
export { literal } from './context/literal.ts'
export type {
  Call,
  DataMessage,
  ErrorMessage,
  GivenCall,
  GivenMessage,
  Message,
  PlanMessage,
  TextMessage,
  ToolMessage,
} from './context/message.ts'
export type { MadeMessage } from './context/message-mark.ts'
export { reference } from './context/refer.ts'
export { message } from './context/well-formed-message.ts'
export { createRegistry } from './create-registry.ts'
export { type DialectName, dialectNames } from './dialects/dialect-name.ts'
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
export type { FindOptions, RankableTool, RankTools } from './find/find-tools.ts'
export type { FoundTool } from './find/ranker.ts'
export type { Loss, StandIn } from './lower/losses.ts'
export { type LoweredSchema, type LowerOptions, lower } from './lower/lower.ts'
export type { Usage } from './lower/usage.ts'
export {
  lowerTools,
  type NativeApi,
  type NativeCall,
  type NativeOptions,
  type NativeTools,
} from './native/native-tools.ts'
export type { DeclaredContext } from './plan/declared.ts'
export { type AnyPlan, type PlanFacts, type PlanOptions, plan } from './plan/plan.ts'
export type { BlockedCall, PlanResult, RunnablePlan } from './plan/run-plan.ts'
export type { Registry, RegistryOptions } from './registry/registry.ts'
export type { ActivityApi, Reference, ToolApi } from './registry/registry-api.ts'
export { render } from './render/render.ts'
export type { Effects, JsonSchema, Schema, ToolSchema } from './schema/schema.ts'
export type { ToolObject } from './schema/standard-schema.ts'
export {
  type DeclaredTool,
  type DeclaredToolkit,
  type ToolkitOptions,
  type ToolOptions,
  type ToolProperties,
  tool,
  toolkit,
} from './schema/tool.ts'
export type {
  ActivityContext,
  ActivityFunction,
  ActivityResult,
  ActivityRun,
  AnyActivity,
} from './tools/activity.ts'
export type { RegisterActivityOptions } from './tools/activity-registry.ts'
export type { TokenUsage } from './tools/token-usage.ts'
export type { Plan, PlanApi } from './typed/plan-types.ts'
export type { ProjectTypes } from './typed/project-types.ts'
export type { ReferenceApi, Referred } from './typed/reference-api.ts'
export type { ReferenceValue } from './typed/reference-value.ts'
export type { ScopedContext } from './typed/scoped-context.ts'
