import type { PathProblem, WrongType } from './problem.ts'
import type { ReferenceMark } from './reference-api.ts'
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

type Plain = string | number | boolean | null | undefined

/**
 * What stands beside a literal Call's parameter: as for an argument, and at every depth of lists and objects. Types that
 * contain themselves are no trouble, since the compiler looks at members when it needs them.
 */
type CheckAtAnyDepth<Kinds, Given, Takes> = Given extends Plain | ReferenceMark<string>
  ? CheckArgument<Kinds, Given, Takes>
  : { readonly [Key in keyof Given]: CheckAtAnyDepth<Kinds, Given[Key], PartOf<Takes, Key>> }

/** What is taken at a part of a value; `unknown` where that cannot be told, so that anything is let through. */
export type PartOf<Whole, Key> = Whole extends readonly (infer Item)[]
  ? Item
  : Key extends keyof Whole
    ? Whole[Key]
    : unknown

/** The checks of a literal Call's parameters; a property that holds no Reference is let through. */
export type CheckArguments<Kinds, Given, Resolved> = {
  readonly [Name in keyof Given]: Name extends keyof Resolved
    ? CheckAtAnyDepth<Kinds, Given[Name], Resolved[Name]>
    : unknown
}
