export type { Confirm, Confirmation, ConfirmCalls, ConfirmInfo } from './call/confirm.ts'
export type {
  ComparePolicy,
  EnvironmentPolicy,
  PercentagePolicy,
  VariantChoice,
  VariantInfo,
  VariantPolicies,
  VariantPolicy,
} from './call/controls/variants.ts'
export type { BeforeInfo, DelegatedOptions, OutputPolicy, Replaced } from './call/delegated-options.ts'
export type { EventName, Events } from './call/events.ts'
export type { LatentDelegate, LatentModel, LatentRequest } from './call/latent.ts'
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
export type { ReferenceMode } from './compose/admit-references.ts'
export {
  type ActivityNames,
  type ComposableTool,
  type ComposeOptions,
  compose,
} from './compose/compose.ts'
export type { CompositionOptions } from './compose/composition.ts'
export type { ToolSelection } from './compose/select-tools.ts'
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
  OutputMethod,
  PlanMessage,
  TextMessage,
  ToolMessage,
} from './context/message.ts'
export type { MadeMessage } from './context/message-mark.ts'
export { reference } from './context/refer.ts'
export { message } from './context/well-formed-message.ts'
export { createRegistry } from './create-registry.ts'
export type { Measure as UsageMeasure } from './dialects/dialect.ts'
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
export type { FindOptions, RankableTool, RankTools, SearchIndex } from './find/find-tools.ts'
export type { FoundTool } from './find/ranker.ts'
export type { JsonObject } from './json/json.ts'
export type { Action as LossAction, Loss, StandIn, StandInKind } from './lower/losses.ts'
export { type LoweredSchema, type LowerOptions, lower } from './lower/lower.ts'
export type { Share as UsageShare, Usage } from './lower/usage.ts'
export {
  lowerTools,
  type NativeApi,
  type NativeCall,
  type NativeOptions,
  type NativeTools,
} from './native/native-tools.ts'
export type { ParseCalls } from './parse/parse-calls.ts'
export type { DeclaredContext } from './plan/declared.ts'
export { type AnyPlan, type PlanFacts, type PlanOptions, plan } from './plan/plan.ts'
export type { BlockedCall, PlanResult, RunnablePlan } from './plan/run-plan.ts'
export type { Registry, RegistryOptions } from './registry/registry.ts'
export type { ActivityApi, Reference, ToolApi } from './registry/registry-api.ts'
export { render } from './render/render.ts'
export type { Effects, JsonSchema, Schema, ToolSchema } from './schema/schema.ts'
export type { SharedMeta, SharedMetaRule, SharedMetaValue } from './schema/shared-meta.ts'
export type {
  StandardIssue,
  StandardJsonSchemaOptions,
  StandardResult,
  StandardTool,
  ToolObject,
} from './schema/standard-schema.ts'
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
export type { IdeaData, IdeaOptions } from './tools/idea-data.ts'
export type { RegisterToolOptions } from './tools/register-tool.ts'
export type { TokenUsage } from './tools/token-usage.ts'
export type { Enabled } from './tools/tool-entry.ts'
export type { ConstantFunction } from './typed/constant-function.ts'
export type { Plan, PlanApi } from './typed/plan-types.ts'
export type { ProjectTypes } from './typed/project-types.ts'
export type { ReferenceApi, Referred } from './typed/reference-api.ts'
export type { ReferenceValue } from './typed/reference-value.ts'
export type { ScopedContext } from './typed/scoped-context.ts'
