import type { BuiltCall } from '../context/built-call.ts'
import type { PartOf, ReferenceFits } from './check-argument.ts'
import type { ExpressionType, ParseExpression } from './parse-expression.ts'
import type { Nearest, NotWritten, PathProblem, UnknownPath, WrittenTwice, WrongType } from './problem.ts'
import type { ProjectTypes } from './project-types.ts'
import type { ReferenceMark } from './reference-api.ts'
import type { PathValue } from './reference-value.ts'
import type { Dotted, ValueBefore, WritesOf, WritesSomewhere } from './written.ts'

type Names = readonly string[]

/** A property that the Tool does not know. */
export interface UnknownProperty<Sentence extends string, Hint> extends PathProblem<Sentence, Hint> {
  readonly '~property': true
}

/** A name that no Tool has. */
export interface UnknownTool<Sentence extends string, Hint> extends PathProblem<Sentence, Hint> {
  readonly '~tool': true
}

/** What a step writes: known of a literal Call, and of a built one unless its type was cut down to `BuiltCall<Output>`. */
export type StepWrites<Project extends ProjectTypes, Step> = '~output' extends keyof Step
  ? BuiltWrites<Step>
  : Step extends {
        readonly _outputPath: infer Path
        readonly _tool: infer Name extends keyof Project['outputs']
      }
    ? WritesOf<
        Path,
        Project['outputs'][Name],
        '_outputMethod' extends keyof Step ? Step['_outputMethod'] : 'set'
      >
    : object

type BuiltWrites<Step> =
  Step extends BuiltCall<infer Output, infer Path>
    ? unknown extends Path
      ? WritesSomewhere
      : WritesOf<Path, Output>
    : WritesSomewhere

/**
 * What stands beside a step of a plan to check it (TYPE-3): at each property `unknown`, which lets it through, or what
 * the compiler is to show there; and the properties that are missing. A Call that a builder made has been checked by
 * the builder.
 */
export type CheckStep<Project extends ProjectTypes, Written, Step> = '~output' extends keyof Step
  ? unknown
  : Step extends {
        readonly _tool: infer Name extends keyof Project['calls'] & keyof Project['resolvedCalls']
      }
    ? CheckProperties<Project, Written, Step, Project['calls'][Name], Project['resolvedCalls'][Name]> &
        Pick<Project['calls'][Name], Exclude<keyof Project['calls'][Name], keyof Step>>
    : CheckName<Project, Step>

type CheckName<Project extends ProjectTypes, Step> = Step extends {
  readonly _tool: infer Name extends string
}
  ? string extends Name
    ? unknown
    : {
        readonly _tool: UnknownTool<
          `there is no Tool ${Name}`,
          Nearest<Name, keyof Project['calls'] & string>
        >
      }
  : unknown

type CheckProperties<Project extends ProjectTypes, Written, Step, Call, Resolved> = {
  readonly [Property in keyof Step]: Property extends keyof Call & keyof Resolved
    ? Property extends '_tool'
      ? unknown
      : Property extends '_outputPath'
        ? CheckOutputPath<Project, Written, Step, Step[Property]>
        : CheckValue<Project['context'], Written, Step[Property], Call[Property], Resolved[Property]>
    : Property extends keyof Call
      ? unknown
      : UnknownOf<Step, Property, Call>
}

type UnknownOf<Step, Property, Call> = Step extends { readonly _tool: infer Name extends string }
  ? UnknownProperty<`${Name} has no ${Property & string}`, Nearest<Property & string, keyof Call & string>>
  : unknown

/** A value as it is written: a Reference, or data in which References may stand. */
type CheckValue<Kinds, Written, Given, Writes, Takes> = Given extends `†${infer Plain}`
  ? Plain extends keyof Written
    ? ReferenceFits<Written[Plain], Given, Takes>
    : ReferenceFits<ValueOf<Kinds, Written, Given>, Given, Takes>
  : Given extends ReferenceMark<infer Text>
    ? ReferenceFits<ValueOf<Kinds, Written, Text>, Text, Takes>
    : CheckData<Kinds, Written, Given, Writes, Takes>

type CheckData<Kinds, Written, Given, Writes, Takes> = [Mutable<Given>] extends [Writes]
  ? CheckInside<Kinds, Written, Given, Takes>
  : WrongType<'another type is wanted', Given, Writes>

/** References inside of lists and objects, where the type of each part can be told. */
type CheckInside<Kinds, Written, Given, Takes> = Given extends string | number | boolean | null | undefined
  ? unknown
  : {
      readonly [Key in keyof Given]: Given[Key] extends `†${string}`
        ? ReferenceFits<ValueOf<Kinds, Written, Given[Key]>, Given[Key], PartOf<Takes, Key>>
        : CheckInside<Kinds, Written, Given[Key], PartOf<Takes, Key>>
    }

/** Lists and objects of a step are constants; the types of a Call are not. */
type Mutable<Given> = Given extends string | number | boolean | null | undefined
  ? Given
  : { -readonly [Key in keyof Given]: Mutable<Given[Key]> }

/** The type of what a Reference gives before a step: the twin of `evaluate`, over what has been written so far. */
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

/** `||`: one that is written is enough; a path that leads nowhere is an error all the same. */
type FirstOf<Kinds, Written, Alternatives, Before = never, Missing = never> = Alternatives extends readonly [
  infer Paths extends readonly Names[],
  ...infer Rest,
]
  ? AllOf<Kinds, Written, Paths> extends infer Value
    ? unknown extends Value
      ? FirstOf<Kinds, Written, Rest, unknown, Missing>
      : [Value] extends [NotWritten<string, unknown>]
        ? FirstOf<Kinds, Written, Rest, Before, Missing | Value>
        : [Value] extends [PathProblem]
          ? Value
          : FirstOf<Kinds, Written, Rest, Before | Value, Missing>
    : never
  : [Before] extends [never]
    ? Missing
    : Before

/** `&&`: all must be written, and the last is the value. */
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

/** A step writes to paths that the project has, values that these take, and none that an earlier step has set. */
type CheckOutputPath<Project extends ProjectTypes, Written, Step, Path> = '_outputMethod' extends keyof Step
  ? unknown
  : Step extends { readonly _tool: infer Name extends keyof Project['outputs'] }
    ? CheckExpression<Project['context'], Written, Path, Project['outputs'][Name]>
    : unknown

type CheckExpression<Kinds, Written, Path, Output> = Path extends string
  ? ParseExpression<Path> extends infer Parsed
    ? Parsed extends null
      ? UnknownPath<`${Path} is no path`, 'such as †state.user.name, with && and || between'>
      : Parsed extends ExpressionType<infer Alternatives, boolean>
        ? CheckWrites<Kinds, Written, Alternatives, Output>
        : unknown
    : never
  : unknown

type CheckWrites<Kinds, Written, Alternatives, Output> = Alternatives extends readonly [
  infer First extends readonly Names[],
  ...unknown[],
]
  ? CheckPaths<Kinds, Written, First, Output>
  : unknown

type CheckPaths<Kinds, Written, Paths, Output> = Paths extends readonly [
  infer First extends Names,
  ...infer Rest,
]
  ? CheckWrite<Kinds, Written, First, Output> extends infer Problem
    ? unknown extends Problem
      ? CheckPaths<Kinds, Written, Rest, Output>
      : Problem
    : never
  : unknown

type CheckWrite<Kinds, Written, Path extends Names, Output> =
  Dotted<Path> extends keyof Written
    ? WrittenTwice<`an earlier step has set †${Dotted<Path>}`, 'write elsewhere, or say an _outputMethod'>
    : PathValue<Kinds, Path> extends infer Declared
      ? unknown extends Declared
        ? unknown
        : [Declared] extends [PathProblem]
          ? Declared
          : [Output] extends [Declared]
            ? unknown
            : WrongType<`†${Dotted<Path>} is declared as another type`, Output, Exclude<Declared, undefined>>
      : never

/** The check of the `_outputPath` that a builder is given. */
export type CheckBuiltOutputPath<Kinds, Path, Output> = CheckExpression<Kinds, object, Path, Output>
