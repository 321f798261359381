import type { EventName, Events } from '../call/events.ts'
import type { Outcome } from '../call/outcome.ts'
import type { GroupOptions, RunOptions } from '../call/run-options.ts'
import type { ComposableTool } from '../compose/composable.ts'
import type { ComposeOptions } from '../compose/compose.ts'
import type { BuiltCall } from '../context/built-call.ts'
import type { ContextLike } from '../context/context.ts'
import type { GivenCall } from '../context/message.ts'
import type { FindOptions } from '../find/find-tools.ts'
import type { FoundTool } from '../find/ranker.ts'
import type { ParseCalls } from '../parse/parse-calls.ts'
import type { PlanResult, RunnablePlan } from '../plan/run-plan.ts'
import type { ToolSchema } from '../schema/schema.ts'
import type { AnyActivity } from '../tools/activity.ts'
import type { RegisterActivityOptions } from '../tools/activity-registry.ts'
import type { IdeaOptions } from '../tools/idea-data.ts'
import type { RegisterToolOptions } from '../tools/register-tool.ts'

/** A string that refers to a value in the context, such as `†state.user.name` (REF-1). */
export type Reference = `†${string}`

/** The methods of every `Tool`, typed or not. */
export interface ToolMethods {
  /** The registered names, in the order of their registration. */
  readonly names: readonly string[]
  /** Returns the schema of a Tool; undefined if no Tool has the name. */
  get(name: string): ToolSchema | undefined
  /** Lists the schemas of the registered Tools, in the order of their registration. */
  list(): ToolSchema[]
  /**
   * Registers a Tool; it replaces an earlier one of the same name (TOOL-8).
   *
   * @throws CallsheetError `override_mismatch` for another schema under a generated name; `unsupported_schema`.
   */
  register(name: string, schema: object, options?: RegisterToolOptions): void
  /** Removes a Tool. Returns false if no Tool has the name. */
  unregister(name: string): boolean
  /**
   * Registers a stored Request as a Tool (REQ-11). The schema of its input gives the parameters (none without an
   * input), its own schema gives `_output`, and it runs as a delegate.
   *
   * @throws CallsheetError `invalid_options` when its input is not an object; `override_mismatch`,
   * `unsupported_schema`.
   */
  fromIdea(name: string, idea: IdeaOptions): void
  /**
   * Lists the Tools to offer a model now, as `compose` takes them: the enabled ones, each with the Activity that runs
   * its Calls (ACT-3).
   */
  composable(context?: ContextLike, principal?: unknown): ComposableTool[]
  /**
   * Finds the Tools that match a question best (FIND-1), by their names, titles, descriptions, parameters, enums and
   * examples: offline and without a model. Loads the generated index with the first question.
   *
   * @throws CallError `invalid_options`.
   * @example
   * const [best] = await Tool.find('how warm is it in Oslo?', { limit: 3 })
   * best?.name // 'weatherCheck'
   */
  find(question: string, options?: FindOptions): Promise<FoundTool[]>
  /** Returns the registry's options for `compose`, to go with `composable()`. */
  composeOptions(): ComposeOptions
  /**
   * Reads Calls from a model's answer (CALL-9).
   *
   * @throws CallError `malformed_json`, `invalid_call`, with the position.
   */
  readonly parse: ParseCalls
  /** Runs one Call to its Outcome. A Call that fails does not throw: its Outcome has the error. */
  run<Output>(call: BuiltCall<Output>, options?: RunOptions): Promise<Outcome<Output>>
  run(call: GivenCall, options?: RunOptions): Promise<Outcome>
  /**
   * Runs a plan without a model (CALL-11): each Call starts as soon as the values that it reads exist.
   *
   * @throws CallError `plan_cycle`, `unresolved_reference`, `invalid_path` or `invalid_call`, before anything runs.
   */
  plan(calls: RunnablePlan, options?: GroupOptions): Promise<PlanResult>
  /** Adds a listener for an event. @returns A function that removes it. */
  on<Name extends EventName>(event: Name, listener: (data: Events[Name]) => void): () => void
}

/** The `Tool` of `createRegistry`: Calls are checked when they run, not when they compile. */
export interface ToolApi extends ToolMethods {
  /** Runs a Call and returns its output. @throws CallError, OutputError, ActivityError or BranchError. */
  <Output>(call: BuiltCall<Output>, options?: RunOptions): Promise<Output>
  (call: GivenCall, options?: RunOptions): Promise<unknown>
  /**
   * Runs all Calls; if one fails, the others are aborted and nothing is written (CALL-4). Returns the outputs in the
   * order of the Calls.
   *
   * @throws The first error.
   */
  all(calls: readonly GivenCall[], options?: GroupOptions): Promise<unknown[]>
  /**
   * Returns the output of the first Call to succeed (CALL-5).
   *
   * @throws AggregateError if none succeeds; CallError `unsafe_strategy`.
   */
  any(calls: readonly GivenCall[], options?: GroupOptions): Promise<unknown>
  /**
   * Returns the output of the first Call to settle, or throws its error (CALL-5).
   *
   * @throws CallError `unsafe_strategy`.
   */
  race(calls: readonly GivenCall[], options?: GroupOptions): Promise<unknown>
}

/** The methods of every `Activity`, typed or not. */
export interface ActivityMethods {
  /** The registered names, in the order of their registration. */
  readonly names: readonly string[]
  /** Returns the implementation registered under a name; undefined if there is none. */
  get(name: string, variant?: string): AnyActivity | undefined
  /** Removes one variant, or every variant of the name. Returns false if there was none. */
  unregister(name: string, variant?: string): boolean
  /** Declares that Activities of these names are implemented in another process (ACT-3a). */
  declare(...names: string[]): void
}

/** The `Activity` of `createRegistry`. */
export interface ActivityApi extends ActivityMethods {
  /**
   * Registers the function that runs a Tool's Calls: it receives the Call with References resolved, and returns the
   * output.
   */
  register(name: string, activity: AnyActivity, options?: RegisterActivityOptions): void
}
