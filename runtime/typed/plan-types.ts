import type { Call } from '../context/message.ts'
import type { PlanFacts, PlanOptions } from '../plan/plan.ts'
import type { CheckStep, StepWrites } from './check-step.ts'
import type { ProjectTypes } from './project-types.ts'
import type { IsKnown, Told } from './told.ts'

/**
 * What a plan may be made of: literal Calls, and Calls that a builder of `calls` made. The Calls are there to type the
 * texts of literal ones and for editors; `object` keeps a wrong one from being replaced by the union of them.
 */
export type PlanStepOf<Project extends ProjectTypes> = Project['calls'][keyof Project['calls']] | object

/**
 * Makes plans of which the compiler has checked the graph (TYPE-3): what a step reads is there before it, and is what
 * its parameter takes.
 */
export interface PlanApi<Project extends ProjectTypes> {
  /** For editors, which complete a literal Call by the first signature; it takes arguments that nobody passes. */
  (steps: readonly Project['calls'][keyof Project['calls']][], never: never, nothing: never): never
  /** An empty plan, for a chain of `.step(…)`. */
  (): Plan<Project, object>
  /**
   * A plan of the Calls in a list. Each reads what those before it write.
   *
   * @throws CallError `unknown_tool`, `invalid_call`, `invalid_path`, `unresolved_reference` or `plan_cycle`.
   */
  <const Steps extends readonly PlanStepOf<Project>[], Fit = { told: CheckSteps<Project, Steps> }>(
    steps: Told<Fit, Steps>,
  ): Plan<Project, WrittenBy<Project, Steps>>
  /**
   * A plan of Calls that are not known when compiling, such as a model's; the same rules hold when it runs.
   *
   * @throws CallError as above, with every problem.
   */
  from(calls: readonly Call[], options?: PlanOptions): Plan<Project, object>
}

/** A plan that grows: Calls with the graph of what they read from each other. */
export interface Plan<Project extends ProjectTypes, Written> extends PlanFacts {
  /** A plan of one Call more, which may read what those before it write. */
  step<const Step extends PlanStepOf<Project>, Fit = { told: CheckStep<Project, Written, Step> }>(
    call: Told<Fit, Step>,
  ): Plan<Project, Written & StepWrites<Project, Step>>
}

/** What each step has to fit, which may read what those before it write. */
type CheckSteps<Project extends ProjectTypes, Steps> =
  IsKnown<Steps> extends true
    ? {
        readonly [Index in keyof Steps]: CheckStep<
          Project,
          Index extends keyof Histories<Project, Steps> ? Histories<Project, Steps>[Index] : object,
          Steps[Index]
        >
      }
    : readonly Project['calls'][keyof Project['calls']][]

/** For each step, what is written before it. One pass, tail-recursive. */
type Histories<
  Project extends ProjectTypes,
  Steps,
  Written = object,
  Done extends readonly unknown[] = [],
> = Steps extends readonly [infer First, ...infer Rest]
  ? Histories<Project, Rest, Written & StepWrites<Project, First>, [...Done, Written]>
  : Done

/** What all steps write. */
type WrittenBy<Project extends ProjectTypes, Steps, Written = object> = Steps extends readonly [
  infer First,
  ...infer Rest,
]
  ? WrittenBy<Project, Rest, Written & StepWrites<Project, First>>
  : Written
