import type { MetaField } from '../schema/meta-fields.ts'
import type { CheckOutputPath, MethodOf } from './check-output-path.ts'
import type { DescribeType } from './describe-type.ts'
import type { Listed } from './listed.ts'
import type { PathProblem, SentenceOf } from './problem.ts'
import type { ReferenceMark } from './reference-api.ts'
import type { ReferenceValue } from './reference-value.ts'
import type { IsKnown } from './told.ts'

/**
 * Checks a parameter's value: `unknown` if it is not a Reference, or a Reference to a value of the parameter's type; otherwise the
 * `PathProblem`. Whether the value is present is checked at run time (REF-3).
 *
 * @param Takes The type of the parameter after References are resolved.
 */
export type CheckArgument<Kinds, Given, Takes> = Given extends `†${string}`
  ? // Any Reference at all: what the compiler asks of every parameter before it knows an argument.
    `†${string}` extends Given
    ? unknown
    : ReferenceFits<ReferenceValue<Kinds, Given>, Given, Takes>
  : unknown

/** `true` if the parameter accepts the type of a Reference's value. */
export type ReferenceFits<Value, Given extends string, Takes> = unknown extends Value
  ? unknown
  : [Value] extends [PathProblem]
    ? Value
    : [Exclude<Value, undefined>] extends [Takes]
      ? unknown
      : WrongType<Given, Exclude<Value, undefined>, Takes>

/** The problem of a path whose type is not, or not always, the expected one. */
export type WrongType<Given extends string, Gives, Takes> =
  Misfit<Gives, Takes> extends infer Wrong
    ? PathProblem<`${Given} ${[Gives] extends [Wrong] ? 'is' : 'may be'} ${WrongValue<Wrong, Takes>}`>
    : never

/** The members of a union that do not fit; the whole type if each member alone fits. */
type Misfit<Gives, Takes> = [WrongMember<Gives, Takes>] extends [never] ? Gives : WrongMember<Gives, Takes>

type WrongMember<Gives, Takes> = Gives extends Takes ? never : Gives

type WrongValue<Wrong, Takes> = [DescribeValue<Wrong>] extends [DescribeType<Takes>]
  ? `${Listed<DescribeValue<Wrong>, ' or '>} of another shape`
  : `${Listed<DescribeValue<Wrong>, ' or '>}, not ${Listed<DescribeType<Takes>, ' or '>}`

/** Describes the type of a value; every string literal as `a string`. */
type DescribeValue<Gives> = [Gives] extends [string] ? 'a string' : DescribeType<Gives>

type Plain = string | number | boolean | null | undefined

/**
 * Checks a value at every depth of its arrays and objects. Recursive types are fine: the compiler evaluates properties
 * on demand, and items of an array of unknown length too, unless they are a mapped type.
 *
 * @param Whole The type of what the value is a part of, and `Key` its place there. The type of the part is looked up
 * for References and for what has parts only: of hundreds of alternatives each look takes a moment.
 */
type CheckAtAnyDepth<Kinds, Given, Whole, Key> =
  IsKnown<Given> extends true ? CheckKnown<Kinds, Given, Whole, Key> : unknown

type CheckKnown<Kinds, Given, Whole, Key> = Given extends Plain | ReferenceMark<string>
  ? Given extends `†${string}`
    ? CheckArgument<Kinds, Given, PartOf<Whole, Key>>
    : unknown
  : IsAnyLength<Given> extends true
    ? readonly CheckAtAnyDepth<Kinds, ItemOf<Given>, PartOf<Whole, Key>, number>[]
    : { readonly [Inner in keyof Given]: CheckAtAnyDepth<Kinds, Given[Inner], PartOf<Whole, Key>, Inner> }

/** `true` for an array whose items the compiler does not know individually. */
export type IsAnyLength<Given> = Given extends readonly unknown[]
  ? number extends Given['length']
    ? true
    : false
  : false

export type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never

/**
 * The expected type of a part of a value; for a union, that of the members that have the part. `unknown` if none is
 * known to have it, so that anything is accepted.
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

/** The types that the References of a Call are checked against. */
type CheckArguments<Kinds, Given, Fits, Resolved, Output> = {
  readonly [Name in keyof Given]: Name extends MetaField
    ? CheckMetaField<Kinds, Given, Fits, Output, Name>
    : Name extends keyof Resolved
      ? CheckAtAnyDepth<Kinds, Given[Name], Resolved, Name>
      : unknown
}

/** No meta-field is read as a Reference (REF-1); the path of the output has to accept it. */
type CheckMetaField<Kinds, Given, Fits, Output, Name extends keyof Given> = Name extends '_outputPath'
  ? CheckOutputPath<Kinds, Given[Name], MethodOf<Given, Fits>, Output>
  : unknown

/**
 * Checks the References of a Call, or of arguments, that are otherwise valid (TYPE-1): the expected type, or sentences
 * for the compiler to show.
 *
 * @param Fits The expected type.
 * @param Resolved The same with References resolved.
 * @param Output The Tool's output; `never` for a builder, which checks its meta-fields itself.
 * @example CheckReferences<Kinds, { to: '†state.nmae' }, MailCall, MailResolved, 'mail'>
 *   // { to: 'mail.to: †state has no nmae. Did you mean name?' }
 */
export type CheckReferences<Kinds, Given, Fits, Resolved, Tool extends string, Output = never> = [
  Fits,
] extends [Given]
  ? Fits
  : [Given] extends [CheckArguments<Kinds, Given, Fits, Resolved, Output>]
    ? Fits
    : {
        readonly [Name in keyof Given]: Name extends MetaField
          ? ShowProblem<CheckMetaField<Kinds, Given, Fits, Output, Name>, Given[Name], `${Tool}.${Name}`>
          : Name extends keyof Resolved
            ? ShowAtAnyDepth<Kinds, Given[Name], Resolved[Name], `${Tool}.${Name & string}`>
            : Given[Name]
      }

/** Like {@link CheckAtAnyDepth}, with sentences in place of problems. */
type ShowAtAnyDepth<Kinds, Given, Takes, Path extends string> =
  IsKnown<Given> extends true ? ShowKnown<Kinds, Given, Takes, Path> : Given

type ShowKnown<Kinds, Given, Takes, Path extends string> = Given extends Plain | ReferenceMark<string>
  ? ShowProblem<CheckArgument<Kinds, Given, Takes>, Given, Path>
  : IsAnyLength<Given> extends true
    ? readonly ShowAtAnyDepth<Kinds, ItemOf<Given>, PartOf<Takes, number>, Path>[]
    : { readonly [Key in keyof Given]: ShowAtAnyDepth<Kinds, Given[Key], PartOf<Takes, Key>, Path> }

/** The type that the compiler compares a value with: its own, or the sentence that describes its problem. */
export type ShowProblem<Checked, Given, Path extends string> = [Checked] extends [PathProblem]
  ? `${Path}: ${SentenceOf<Checked>}`
  : Given
