import type { Outcome } from '../call/outcome.ts'
import type { BuiltCall } from '../context/built-call.ts'
import type { ContextLike } from '../context/context.ts'
import type { GivenCall } from '../context/message.ts'
import type { PlanFacts } from '../plan/plan.ts'
import type { PlanResult } from '../plan/run-plan.ts'

/** Options for Calls that an engine runs. */
export interface StepOptions {
  /** The context. An array is never changed; Messages of successful Calls are appended to a Context. */
  readonly context?: ContextLike | undefined
  /** Most Calls that run at the same time. Default: all. */
  readonly concurrency?: number | undefined
}

/** A Call, typed by its builder or untyped. */
export type StepCall = GivenCall

/** The outputs of Calls, by position. */
export type StepOutputs<Given extends readonly StepCall[]> = {
  -readonly [Index in keyof Given]: Given[Index] extends BuiltCall<infer Output> ? Output : unknown
}

/** Runs Calls and plans within a durable function, each Call as a recorded step. */
export interface CallSteps {
  /** Runs one Call to its Outcome; a failed Call does not throw. */
  run<Output = unknown>(call: StepCall, options?: StepOptions): Promise<Outcome<Output>>
  /** Runs all or nothing (CALL-4): on the first failure the engine cancels the others if it can, and nothing is written. */
  all<const Given extends readonly StepCall[]>(
    calls: Given,
    options?: StepOptions,
  ): Promise<StepOutputs<Given>>
  /**
   * Runs a plan without a model (CALL-11): each Call as soon as the values it reads are written.
   *
   * @throws CallError `plan_cycle`, `unresolved_reference`, `invalid_path` or `invalid_call`, before anything runs.
   */
  plan(calls: Pick<PlanFacts, 'calls'> | readonly StepCall[], options?: StepOptions): Promise<PlanResult>
}
