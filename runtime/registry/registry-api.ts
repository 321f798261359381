import type { EventName, Events } from '../call/events.ts'
import type { Outcome } from '../call/outcome.ts'
import type { GroupOptions, RunOptions } from '../call/run-options.ts'
import type { ComposableTool } from '../compose/composable.ts'
import type { ComposeOptions } from '../compose/compose.ts'
import type { BuiltCall } from '../context/built-call.ts'
import type { ContextLike } from '../context/context.ts'
import type { Call } from '../context/message.ts'
import type { FindOptions } from '../find/find-tools.ts'
import type { FoundTool } from '../find/ranker.ts'
import type { ParseCalls } from '../parse/parse-calls.ts'
import type { PlanResult, RunnablePlan } from '../plan/run-plan.ts'
import type { ToolSchema } from '../schema/schema.ts'
import type { AnyActivity } from '../tools/activity.ts'
import type { RegisterActivityOptions } from '../tools/activity-registry.ts'
import type { IdeaData } from '../tools/idea-data.ts'
import type { RegisterToolOptions } from '../tools/register-tool.ts'

/** A string that stands for a value in the context, such as `†state.user.name` (REF-1). */
export type Reference = `†${string}`

/** What every `Tool` can do, whatever its types. */
export interface ToolMethods {
  /** The registered names, in the order of their registration. */
  readonly names: readonly string[]
  /** The schema of a Tool; undefined when there is none of the name. */
  get(name: string): ToolSchema | undefined
  /** The schemas of the registered Tools, in the order of their registration. */
  list(): ToolSchema[]
  /**
   * Registers a Tool, in place of an earlier one of the name (TOOL-8).
   *
   * @throws CallsheetError `override_mismatch` for another schema under a generated name; `unsupported_schema`.
   */
  register(name: string, schema: object, options?: RegisterToolOptions): void
  /** Takes a Tool out. False when there is none of the name. */
  unregister(name: string): boolean
  /**
   * Registers a stored Request as a Tool (REQ-11): its input's schema gives the parameters (none without an
   * input), its own schema `_output`, and it runs as a delegate.
   *
   * @throws CallsheetError `invalid_options` when its input is not an object; `override_mismatch`, `unsupported_schema`.
   */
  fromIdea(name: string, idea: IdeaData): void
  /**
   * The Tools as a model may be offered them now: those that are on, each with the Activity that its Calls get (ACT-3).
   * What `compose` takes.
   */
  composable(context?: ContextLike, principal?: unknown): ComposableTool[]
  /**
   * Finds the Tools that fit a question best (FIND-1): by their names, titles, descriptions, parameters, enums and examples,
   * offline and without a model. Loads the generated index with the first question.
   *
   * @throws CallError `invalid_options`.
   * @example
   * const [best] = await Tool.find('how warm is it in Oslo?', { limit: 3 })
   * best?.name // 'weatherCheck'
   */
  find(question: string, options?: FindOptions): Promise<FoundTool[]>
  /** How they are composed, as far as the registry decides it: what `compose` takes beside them. */
  composeOptions(): ComposeOptions
  /** Reads what a model sent (CALL-9). @throws CallError `malformed_json`, `invalid_call`, with the position. */
  readonly parse: ParseCalls
  /** Runs one Call to its Outcome; never throws on failure. */
  run<Output>(call: BuiltCall<Output>, options?: RunOptions): Promise<Outcome<Output>>
  run(call: Call, options?: RunOptions): Promise<Outcome>
  /**
   * Carries out a plan without a model (CALL-11): each Call as soon as what it reads is there.
   *
   * @throws CallError `plan_cycle`, `unresolved_reference`, `invalid_path` or `invalid_call`, before anything runs.
   */
  plan(calls: RunnablePlan, options?: GroupOptions): Promise<PlanResult>
  /** Listens to an event. @returns A function that takes the listener off. */
  on<Name extends EventName>(event: Name, listener: (data: Events[Name]) => void): () => void
}

/** `Tool` of a registry made by hand: Calls are checked when they run, not when they compile. */
export interface ToolApi extends ToolMethods {
  /** Runs a Call and gives its output. @throws CallError, OutputError, ActivityError or BranchError. */
  <Output>(call: BuiltCall<Output>, options?: RunOptions): Promise<Output>
  (call: Call, options?: RunOptions): Promise<unknown>
  /** All or nothing: the outputs in the order of the Calls (CALL-4). */
  all(calls: readonly Call[], options?: GroupOptions): Promise<unknown[]>
  /** The first success (CALL-5). @throws AggregateError when none succeeds; CallError `unsafe_strategy`. */
  any(calls: readonly Call[], options?: GroupOptions): Promise<unknown>
  /** The first to settle. @throws CallError `unsafe_strategy`. */
  race(calls: readonly Call[], options?: GroupOptions): Promise<unknown>
}

/** What every `Activity` can do, whatever its types. */
export interface ActivityMethods {
  readonly names: readonly string[]
  /** The implementation of a name; undefined when there is none. */
  get(name: string, variant?: string): AnyActivity | undefined
  /** Takes an implementation out. False when there is none of the name. */
  unregister(name: string, variant?: string): boolean
  /** Says that Activities of these names are implemented elsewhere (ACT-3a). */
  declare(...names: string[]): void
}

/** `Activity` of a registry made by hand. */
export interface ActivityApi extends ActivityMethods {
  /** Registers what runs the Calls of a Tool: it gets the Call with its References resolved, and returns the Tool's output. */
  register(name: string, activity: AnyActivity, options?: RegisterActivityOptions): void
}
