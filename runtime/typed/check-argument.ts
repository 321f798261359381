import type { PathProblem, WrongType } from './problem.ts'
import type { ReferenceValue } from './reference-value.ts'

/**
 * What stands beside a parameter's value to check it: `unknown` for a value that is no Reference, and for one to
 * something that the parameter takes; else the {@link PathProblem} that the compiler shows. Whether the value is there
 * is for the run to find (REF-3).
 *
 * @param Takes What the parameter is once References are resolved.
 */
export type CheckArgument<Kinds, Given, Takes> = Given extends `†${string}`
  ? // Any Reference at all: what the compiler asks of every parameter before it knows an argument.
    `†${string}` extends Given
    ? unknown
    : ReferenceFits<ReferenceValue<Kinds, Given>, Given, Takes>
  : unknown

/** Whether the value of a Reference is one that the parameter takes. */
export type ReferenceFits<Value, Given extends string, Takes> = unknown extends Value
  ? unknown
  : [Value] extends [PathProblem]
    ? Value
    : [Exclude<Value, undefined>] extends [Takes]
      ? unknown
      : WrongType<`${Given} does not fit`, Exclude<Value, undefined>, Takes>

/** The checks of a literal Call's parameters; a property that holds no Reference is let through. */
export type CheckArguments<Kinds, Given, Resolved> = {
  readonly [Name in keyof Given]: Name extends keyof Resolved
    ? CheckArgument<Kinds, Given[Name], Resolved[Name]>
    : unknown
}
