import type { BuiltCall } from '../context/built-call.ts'
import type { GivenCall } from '../context/message.ts'
import type { PlanFacts, PlanOptions } from '../plan/plan.ts'
import type { CheckStep, StepWrites } from './check-step.ts'
import type { ProjectTypes } from './project-types.ts'
import type { IsKnownList, Told } from './told.ts'

/**
 * The steps of a plan: literal Calls, and Calls made by a builder of `calls`. `Call` is included so that literals are
 * inferred narrowly and editors can complete them; `object` prevents an invalid Call from being reported against the
 * union of all.
 */
export type PlanStepOf<Project extends ProjectTypes> = Project['calls'][keyof Project['calls']] | object

/**
 * Creates plans whose graph the compiler has checked (TYPE-3): the values that a step reads are written before it, and
 * have the type of its parameter.
 */
export interface PlanApi<Project extends ProjectTypes> {
  /**
   * For editors, which complete a literal Call by the first signature. Its arguments cannot be passed. A wrong plan gets its
   * result, about which nothing else is to be reported.
   */
  // biome-ignore lint/suspicious/noExplicitAny: of any other type, a wrong plan would be reported again at each use
  (steps: readonly Project['calls'][keyof Project['calls']][], never: never, nothing: never): any
  /** Creates an empty plan, for a chain of `.step(…)`. */
  (): Plan<Project, object>
  /**
   * Creates a plan from a list of Calls. Each can read what earlier ones write.
   *
   * @throws CallError `unknown_tool`, `invalid_call`, `invalid_path`, `unresolved_reference` or `plan_cycle`.
   */
  <const Steps extends readonly PlanStepOf<Project>[], Fit = { told: CheckSteps<Project, Steps> }>(
    steps: Told<Fit, Steps>,
  ): Plan<Project, WrittenBy<Project, Steps>>
  /**
   * Creates a plan from Calls that are not known at compile time, such as a model's; the same rules are checked at run time.
   *
   * @throws CallError as above, listing every problem.
   */
  from(calls: readonly GivenCall[], options?: PlanOptions): Plan<Project, object>
}

/** A plan under construction: Calls, with the graph of what they read from each other. */
export interface Plan<Project extends ProjectTypes, Written> extends PlanFacts {
  /**
   * For editors, which complete a literal Call by the first signature. Its arguments cannot be passed. A wrong step gets its
   * result, about which nothing else is to be reported.
   */
  // biome-ignore lint/suspicious/noExplicitAny: of any other type, a wrong step would be reported again at each use
  step(call: Project['calls'][keyof Project['calls']], never: never, nothing: never): any
  /** Adds a Call, which can read what earlier ones write. */
  step<const Step extends PlanStepOf<Project>, Fit = { told: CheckStep<Project, Written, Step> }>(
    call: Told<Fit, Step>,
  ): Plan<Project, Written & StepWrites<Project, Step>>
}

/** The type that each step must have, given what earlier steps write. */
type CheckSteps<Project extends ProjectTypes, Steps extends readonly unknown[]> =
  IsKnownList<Steps> extends true
    ? {
        readonly [Index in keyof Steps]: CheckStep<
          Project,
          Index extends keyof Histories<Project, Steps> ? Histories<Project, Steps>[Index] : object,
          Steps[Index]
        >
      }
    : readonly (Project['calls'][keyof Project['calls']] | BuiltCall<unknown>)[]

/** For each step, what is written before it. One tail-recursive pass. */
type Histories<
  Project extends ProjectTypes,
  Steps,
  Written = object,
  Done extends readonly unknown[] = [],
> = Steps extends readonly [infer First, ...infer Rest]
  ? Histories<Project, Rest, Written & StepWrites<Project, First>, [...Done, Written]>
  : Done

/** The writes of all steps. */
type WrittenBy<Project extends ProjectTypes, Steps, Written = object> = Steps extends readonly [
  infer First,
  ...infer Rest,
]
  ? WrittenBy<Project, Rest, Written & StepWrites<Project, First>>
  : Written
