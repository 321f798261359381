import type { BuiltCall } from '../context/built-call.ts'
import type { MetaField } from '../schema/meta-fields.ts'
import type { IsAnyLength, ItemOf, PartOf, ReferenceFits, ShowProblem } from './check-argument.ts'
import type { CheckExpression } from './check-output-path.ts'
import type { ExpressionType, ParseExpression } from './parse-expression.ts'
import type { NotWritten, PathProblem } from './problem.ts'
import type { ProjectTypes } from './project-types.ts'
import type { ReferenceMark } from './reference-api.ts'
import type { IsKnown } from './told.ts'
import type { WithConstants } from './with-constants.ts'
import type { ValueBefore, WritesOf, WritesSomewhere } from './written.ts'
import type { WrongCall } from './wrong-call.ts'

type Names = readonly string[]

/** A Call whose Tool is only known at run time; it is not checked against each Tool. */
type AnyCall<Project extends ProjectTypes> = Project['calls'][keyof Project['calls']]
type AnyStep<Project extends ProjectTypes> = AnyCall<Project> | BuiltCall<unknown>

/**
 * The `_outputPath` of a step: known for a literal Call, and for a built one unless its type was reduced to
 * `BuiltCall<Output>`.
 */
export type StepWrites<Project extends ProjectTypes, Step> =
  IsKnown<Step> extends true ? KnownWrites<Project, Step> : WritesSomewhere

type KnownWrites<Project extends ProjectTypes, Step> = '~output' extends keyof Step
  ? BuiltWrites<Step>
  : [AnyCall<Project>] extends [Step]
    ? WritesSomewhere
    : Step extends { readonly _tool: infer Name extends keyof Project['outputs'] }
      ? WritesOf<
          StepField<Project, Name, Step, '_outputPath', undefined>,
          Project['outputs'][Name],
          StepField<Project, Name, Step, '_outputMethod', 'set'>
        >
      : object

/** The meta-field of a literal Call: its own, or else the value that its Tool fixes, which a Call need not repeat (OUT-1). */
type StepField<
  Project extends ProjectTypes,
  Name,
  Step,
  Field extends string,
  None,
> = Field extends keyof Step
  ? Step[Field]
  : Name extends keyof Project['calls']
    ? Field extends keyof Project['calls'][Name]
      ? OnlyText<NonNullable<Project['calls'][Name][Field]> & string, None>
      : None
    : None

/** A single string literal: neither a template pattern nor a union. */
type OnlyText<Text extends PropertyKey, None, All = Text> =
  Record<never, never> extends Record<Text, 0>
    ? None
    : Text extends unknown
      ? [All] extends [Text]
        ? Text
        : None
      : never

type BuiltWrites<Step> =
  Step extends BuiltCall<infer Output, infer Path>
    ? unknown extends Path
      ? WritesSomewhere
      : [Path] extends [never]
        ? object
        : WritesOf<Path, Output>
    : WritesSomewhere

/**
 * The type that a step of a plan must have (TYPE-3): its Tool's Call type, or sentences that describe its problems.
 * Calls made by a builder were checked by the builder. If nothing is known yet, as while somebody types, nothing is
 * evaluated.
 */
export type CheckStep<Project extends ProjectTypes, Written, Step> =
  IsKnown<Step> extends true ? CheckKnownStep<Project, Written, Step> : AnyStep<Project>

type CheckKnownStep<Project extends ProjectTypes, Written, Step> = [AnyCall<Project>] extends [Step]
  ? object extends Step
    ? AnyCall<Project>
    : AnyStep<Project>
  : Step extends { readonly '~output': unknown }
    ? Step
    : Step extends { readonly _tool: infer Name extends keyof Project['calls'] & string }
      ? CheckStepOf<Project, Written, Step, Name>
      : AnyCall<Project>

type CheckStepOf<
  Project extends ProjectTypes,
  Written,
  Step,
  Name extends keyof Project['calls'] & string,
> = [Step] extends [Project['calls'][Name]]
  ? CheckProperties<Project, Written, Step, Name, Project['calls'][Name]>
  : [Step] extends [WithConstants<Project['calls'][Name]>]
    ? CheckProperties<Project, Written, Step, Name, WithConstants<Project['calls'][Name]>>
    : WrongCall<Step, Project['calls'][Name], Name>

type CheckProperties<Project extends ProjectTypes, Written, Step, Name extends string, Fits> = [
  Fits,
] extends [Step]
  ? Fits
  : [Step] extends [StepProblems<Project, Written, Step, Name>]
    ? Fits
    : {
        readonly [Property in keyof Step]: ShowStepProblem<
          CheckProperty<Project, Written, Step, Name, Property>,
          Step[Property],
          `${Name}.${Property & string}`
        >
      }

/** The problems of each property; `unknown` for those without one. */
type StepProblems<Project extends ProjectTypes, Written, Step, Name> = {
  readonly [Property in keyof Step]: CheckProperty<Project, Written, Step, Name, Property>
}

type CheckProperty<
  Project extends ProjectTypes,
  Written,
  Step,
  Name,
  Property extends keyof Step,
> = Name extends keyof Project['resolvedCalls'] & keyof Project['outputs']
  ? Property extends '_outputPath'
    ? StepField<Project, Name, Step, '_outputMethod', 'set'> extends 'set'
      ? CheckExpression<Project['context'], Written, Step[Property], Project['outputs'][Name]>
      : unknown
    : Property extends MetaField
      ? unknown
      : Property extends keyof Project['resolvedCalls'][Name]
        ? CheckValue<Project['context'], Written, Step[Property], Project['resolvedCalls'][Name], Property>
        : unknown
  : unknown

/**
 * Checks a written value: a Reference, or data that may contain References.
 *
 * @param Whole The type of what the value is a part of, and `Key` its place there, as for `CheckReferences`.
 */
type CheckValue<Kinds, Written, Given, Whole, Key> =
  IsKnown<Given> extends true ? CheckKnownValue<Kinds, Written, Given, Whole, Key> : unknown

type CheckKnownValue<Kinds, Written, Given, Whole, Key> = Given extends `†${infer Plain}`
  ? Plain extends keyof Written
    ? ReferenceFits<Written[Plain], Given, PartOf<Whole, Key>>
    : ReferenceFits<ValueOf<Kinds, Written, Given>, Given, PartOf<Whole, Key>>
  : Given extends ReferenceMark<infer Text>
    ? ReferenceFits<ValueOf<Kinds, Written, Text>, Text, PartOf<Whole, Key>>
    : Given extends string | number | boolean | null | undefined
      ? unknown
      : IsAnyLength<Given> extends true
        ? readonly CheckValue<Kinds, Written, ItemOf<Given>, PartOf<Whole, Key>, number>[]
        : {
            readonly [Inner in keyof Given]: CheckValue<
              Kinds,
              Written,
              Given[Inner],
              PartOf<Whole, Key>,
              Inner
            >
          }

/** Like {@link CheckValue}, with sentences at the depth of the problem. */
type ShowStepProblem<Checked, Given, Path extends string> = unknown extends Checked
  ? Given
  : [Checked] extends [PathProblem]
    ? ShowProblem<Checked, Given, Path>
    : {
        readonly [Key in keyof Given]: Key extends keyof Checked
          ? ShowStepProblem<Checked[Key], Given[Key], Path>
          : Given[Key]
      }

/** The type of a Reference's value before a step, given what earlier steps write: the counterpart of `evaluate`. */
type ValueOf<Kinds, Written, Text extends string> =
  ParseExpression<Text> extends infer Parsed
    ? Parsed extends ExpressionType<infer Alternatives extends readonly (readonly Names[])[], true>
      ? Alternatives extends readonly [readonly [infer Only extends Names]]
        ? ValueBefore<Kinds, Written, Only>
        : FirstOf<Kinds, Written, Alternatives>
      : Parsed extends null | ExpressionType<unknown, false>
        ? Text
        : unknown
    : never

/** `||`: one written alternative is enough, but an invalid path is still an error. */
type FirstOf<Kinds, Written, Alternatives, Before = never, Missing = never> = Alternatives extends readonly [
  infer Paths extends readonly Names[],
  ...infer Rest,
]
  ? AllOf<Kinds, Written, Paths> extends infer Value
    ? unknown extends Value
      ? FirstOf<Kinds, Written, Rest, unknown, Missing>
      : [Value] extends [NotWritten<string>]
        ? FirstOf<Kinds, Written, Rest, Before, Missing | Value>
        : [Value] extends [PathProblem]
          ? Value
          : FirstOf<Kinds, Written, Rest, Before | Value, Missing>
    : never
  : [Before] extends [never]
    ? Missing
    : Before

/** `&&`: all must be written; the value is the last one. */
type AllOf<Kinds, Written, Paths> = Paths extends readonly [infer Path extends Names, ...infer Rest]
  ? ValueBefore<Kinds, Written, Path> extends infer Value
    ? Rest extends readonly []
      ? Value
      : unknown extends Value
        ? AllOf<Kinds, Written, Rest>
        : [Value] extends [PathProblem]
          ? Value
          : AllOf<Kinds, Written, Rest>
    : never
  : never

/**
 * The type that an `_outputPath` passed to a builder must have: its own, or a sentence. Values that `push` or `concat`
 * collect at a path are checked at run time.
 *
 * @param Method The `_outputMethod` passed with it; never for none.
 */
export type CheckBuiltOutputPath<Kinds, Path, Output, Tool extends string, Method = never> = [
  Method,
] extends ['set']
  ? IsKnown<Path> extends true
    ? ShowProblem<CheckExpression<Kinds, object, Path, Output>, Path & string, `${Tool}._outputPath`>
    : Path & string
  : Path & string
