import type { Outcome } from '../call/outcome.ts'
import type { BuiltCall } from '../context/built-call.ts'
import type { ContextLike } from '../context/context.ts'
import type { Call } from '../context/message.ts'
import type { PlanFacts } from '../plan/plan.ts'
import type { PlanResult } from '../plan/run-plan.ts'

/** Options of Calls that an engine runs. */
export interface StepOptions {
  /** The Messages so far. A plain array is never touched; to a Context, what succeeds is appended. */
  readonly context?: ContextLike | undefined
  /** The most Calls at the same time; all by default. */
  readonly concurrency?: number | undefined
}

/** A Call, typed by its builder or as it is. */
export type StepCall = Call | BuiltCall<unknown>

/** The outputs of Calls, position by position. */
export type StepOutputs<Given extends readonly StepCall[]> = {
  -readonly [Index in keyof Given]: Given[Index] extends BuiltCall<infer Output> ? Output : unknown
}

/** Calls and plans within a durable function, each Call a step that is recorded. */
export interface CallSteps {
  /** Runs one Call to its Outcome; never throws on failure. */
  run<Output = unknown>(call: StepCall, options?: StepOptions): Promise<Outcome<Output>>
  /** All or nothing (CALL-4); on the first failure the engine cancels the others where it can, and nothing is written. */
  all<const Given extends readonly StepCall[]>(
    calls: Given,
    options?: StepOptions,
  ): Promise<StepOutputs<Given>>
  /**
   * Carries out a plan without a model (CALL-11): each Call as soon as what it reads is there.
   *
   * @throws CallError `plan_cycle`, `unresolved_reference`, `invalid_path` or `invalid_call`, before anything runs.
   */
  plan(calls: Pick<PlanFacts, 'calls'> | readonly StepCall[], options?: StepOptions): Promise<PlanResult>
}
