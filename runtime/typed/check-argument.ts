import type { DescribeType } from './describe-type.ts'
import type { Listed } from './listed.ts'
import type { PathProblem, SentenceOf } from './problem.ts'
import type { ReferenceMark } from './reference-api.ts'
import type { ReferenceValue } from './reference-value.ts'
import type { IsKnown } from './told.ts'

/**
 * Checks a parameter's value: `unknown` for a value that is not a Reference, and for one to something that the parameter
 * takes; else the `PathProblem`. Whether the value is there is for the run to find (REF-3).
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
      : WrongType<Given, Exclude<Value, undefined>, Takes>

/** A path that holds another type than is wanted, or may: what of it fits is not told. */
export type WrongType<Given extends string, Gives, Takes> =
  Misfit<Gives, Takes> extends infer Wrong
    ? PathProblem<`${Given} ${[Gives] extends [Wrong] ? 'is' : 'may be'} ${WrongValue<Wrong, Takes>}`>
    : never

/** Of a type whose every member fits where the whole does not, all of it. */
type Misfit<Gives, Takes> = [WrongMember<Gives, Takes>] extends [never] ? Gives : WrongMember<Gives, Takes>

type WrongMember<Gives, Takes> = Gives extends Takes ? never : Gives

type WrongValue<Wrong, Takes> = [DescribeValue<Wrong>] extends [DescribeType<Takes>]
  ? `${Listed<DescribeValue<Wrong>, ' or '>} of another shape`
  : `${Listed<DescribeValue<Wrong>, ' or '>}, not ${Listed<DescribeType<Takes>, ' or '>}`

/** A text is a string, whatever it says. */
type DescribeValue<Gives> = [Gives] extends [string] ? 'a string' : DescribeType<Gives>

type Plain = string | number | boolean | null | undefined

/**
 * Checks a value at every depth of its lists and objects. Types that contain themselves are no trouble, since the
 * compiler looks at members when it needs them; at items of a list of any length, where they are no mapped type.
 */
type CheckAtAnyDepth<Kinds, Given, Takes> =
  IsKnown<Given> extends true ? CheckKnown<Kinds, Given, Takes> : unknown

type CheckKnown<Kinds, Given, Takes> = Given extends Plain | ReferenceMark<string>
  ? CheckArgument<Kinds, Given, Takes>
  : IsAnyLength<Given> extends true
    ? readonly CheckAtAnyDepth<Kinds, ItemOf<Given>, PartOf<Takes, number>>[]
    : { readonly [Key in keyof Given]: CheckAtAnyDepth<Kinds, Given[Key], PartOf<Takes, Key>> }

/** True of a list whose items the compiler does not know one by one. */
export type IsAnyLength<Given> = Given extends readonly unknown[]
  ? number extends Given['length']
    ? true
    : false
  : false

export type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never

/**
 * What is taken at a part of a value: of several shapes what those that have it take there. `unknown` where none is known
 * to have it, so that anything is let through.
 */
export type PartOf<Whole, Key> = [PartOfEach<Whole, Key>] extends [never] ? unknown : PartOfEach<Whole, Key>

type PartOfEach<Whole, Key> = Whole extends readonly (infer Item)[]
  ? Key extends keyof Whole
    ? Whole[Key]
    : Item
  : Whole extends object
    ? Key extends keyof Whole
      ? Whole[Key]
      : never
    : never

/** What a Call is compared with to check the References in it. */
type CheckArguments<Kinds, Given, Resolved> = {
  readonly [Name in keyof Given]: Name extends keyof Resolved
    ? CheckAtAnyDepth<Kinds, Given[Name], Resolved[Name]>
    : unknown
}

/**
 * Checks the References of a Call or of arguments that fit otherwise (TYPE-1): what they fit, or the sentences that the
 * compiler shows.
 *
 * @param Fits What is taken where all is well.
 * @param Resolved The same with References resolved.
 * @example CheckReferences<Kinds, { to: '†state.nmae' }, MailCall, MailResolved, 'mail'>
 *   // { to: 'mail.to: †state has no nmae. Did you mean name?' }
 */
export type CheckReferences<Kinds, Given, Fits, Resolved, Tool extends string> = [Fits] extends [Given]
  ? Fits
  : [Given] extends [CheckArguments<Kinds, Given, Resolved>]
    ? Fits
    : {
        readonly [Name in keyof Given]: Name extends keyof Resolved
          ? ShowAtAnyDepth<Kinds, Given[Name], Resolved[Name], `${Tool}.${Name & string}`>
          : Given[Name]
      }

/** The twin of {@link CheckAtAnyDepth} that shows sentences. */
type ShowAtAnyDepth<Kinds, Given, Takes, Path extends string> =
  IsKnown<Given> extends true ? ShowKnown<Kinds, Given, Takes, Path> : Given

type ShowKnown<Kinds, Given, Takes, Path extends string> = Given extends Plain | ReferenceMark<string>
  ? ShowProblem<CheckArgument<Kinds, Given, Takes>, Given, Path>
  : IsAnyLength<Given> extends true
    ? readonly ShowAtAnyDepth<Kinds, ItemOf<Given>, PartOf<Takes, number>, Path>[]
    : { readonly [Key in keyof Given]: ShowAtAnyDepth<Kinds, Given[Key], PartOf<Takes, Key>, Path> }

/** What the compiler is to compare a value with: itself, or the sentence that says what is wrong with it. */
export type ShowProblem<Checked, Given, Path extends string> = [Checked] extends [PathProblem]
  ? `${Path}: ${SentenceOf<Checked>}`
  : Given
