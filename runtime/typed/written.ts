import type { ExpressionType, NotPlain, ParseExpression, Unsaid } from './parse-expression.ts'
import type { NotWritten, PathProblem } from './problem.ts'
import type { PathValue } from './reference-value.ts'
import type { ValueAt } from './value-at.ts'

type Names = readonly string[]

/** What a failed Activity writes to the last alternative of its output path (OUT-6). */
export interface WrittenFailure {
  readonly name: string
  readonly code: string | number
  readonly message: string
}

/** What a step writes of which the compiler cannot say where: from then on any path may be written. */
export interface WritesSomewhere {
  readonly '~somewhere': unknown
}

/**
 * Where a built Call writes: at its `_outputPath`, marked where its `_outputMethod` may leave something else there than the
 * output.
 */
export type WrittenPath<OutputPath, Method> = [Method] extends ['set']
  ? OutputPath
  : CollectedPath<OutputPath>

/** A path at which an output joins what stands there. */
export interface CollectedPath<OutputPath> {
  readonly '~collected': OutputPath
}

/**
 * What a step writes, as values by path: `{ 'state.user.name': string }`. One flat object for each path, which
 * intersections join; a mapped type over all of them, rebuilt with each step, takes the compiler out of its depth
 * between 50 and 100 steps.
 */
export type WritesOf<OutputPath, Output, Method = 'set'> = OutputPath extends `†${infer Plain}`
  ? Plain extends NotPlain
    ? WritesOfExpression<OutputPath, Output, Method>
    : { readonly [Key in Plain]: Method extends 'set' ? Output : unknown }
  : OutputPath extends string
    ? WritesOfExpression<OutputPath, Output, Method>
    : OutputPath extends CollectedPath<infer Collected>
      ? WritesOf<Collected, Output, 'push'>
      : object

type WritesOfExpression<OutputPath extends string, Output, Method> =
  ParseExpression<OutputPath> extends infer Parsed
    ? Parsed extends ExpressionType<infer Alternatives extends readonly (readonly Names[])[], boolean>
      ? ByAlternative<Alternatives, Method extends 'set' ? Output : unknown>
      : Parsed extends Unsaid
        ? WritesSomewhere
        : object
    : never

type ByAlternative<Alternatives, Output> = Alternatives extends readonly [infer Only extends readonly Names[]]
  ? ByPath<Only, Output>
  : Alternatives extends readonly [infer First extends readonly Names[], ...infer Others]
    ? ByPath<First, Output> & OtherAlternatives<Others>
    : object

/** The last takes failures, and those between whatever an Activity's own Message says. */
type OtherAlternatives<Alternatives> = Alternatives extends readonly [infer Last extends readonly Names[]]
  ? ByPath<Last, WrittenFailure>
  : Alternatives extends readonly [infer Next extends readonly Names[], ...infer Others]
    ? ByPath<Next, unknown> & OtherAlternatives<Others>
    : object

/** Fan-out: the same output at each path (OUT-5). */
type ByPath<Paths, Output> = Paths extends readonly [infer First extends Names, ...infer Rest]
  ? { readonly [Key in Dotted<First>]: Output } & ByPath<Rest, Output>
  : object

/** A path as the key under which it is remembered. */
export type Dotted<Path extends Names> = Path extends readonly [infer Only extends string]
  ? Only
  : Path extends readonly [infer First extends string, ...infer Rest extends Names]
    ? `${First}.${Dotted<Rest>}`
    : never

interface Nothing {
  readonly '~nothing': true
}

/**
 * The type of what stands at a path before a step: what the steps before it write there, to a part of it or to what
 * holds it; else what the project declares to be there from the start.
 */
export type ValueBefore<Kinds, Written, Path extends Names> = '~somewhere' extends keyof Written
  ? unknown
  : Path extends readonly [infer Kind extends string, ...infer Segments extends Names]
    ? Reach<Written, Kind, Segments> extends infer Found
      ? Found extends Nothing
        ? Extract<keyof Written, `${Dotted<Path>}.${string}`> extends never
          ? FromTheStart<Kinds, Path>
          : unknown
        : Found
      : never
    : never

/** Follows a path through what is written, and keeps to the longest written path on the way. */
type Reach<Written, At extends string, Rest extends Names, Found = Nothing> = At extends keyof Written
  ? Onward<Written, At, Rest, ValueAt<Written[At], Rest, `†${At}`>>
  : Onward<Written, At, Rest, Found>

type Onward<Written, At extends string, Rest extends Names, Found> = Rest extends readonly [
  infer Name extends string,
  ...infer Further extends Names,
]
  ? Reach<Written, `${At}.${Name}`, Further, Found>
  : Found

/**
 * What nobody writes is there when the schemas say so: what is required of the state, and all of other kinds, which
 * steps seldom write.
 */
type FromTheStart<Kinds, Path extends Names> =
  PathValue<Kinds, Path> extends infer Value
    ? [Value] extends [PathProblem]
      ? Value
      : Path[0] extends 'state'
        ? 'state' extends keyof Kinds
          ? unknown extends Value
            ? unknown
            : undefined extends PathValue<Kinds, BeforeIndex<Path>>
              ? undefined extends PathValue<Kinds, ['state', ...BeforeFreeKey<Kinds['state'], Tail<Path>>]>
                ? NotWritten<`no step before this one writes †${Dotted<Path>}, which is optional in the declared state`>
                : Value
              : Value
          : NotWritten<`no step before this one writes †${Dotted<Path>}, and the project declares no state`>
        : Value
    : never

/** How long a list is, no schema says: an item is taken to be there where its list is. */
type BeforeIndex<Path extends Names, Done extends Names = []> = Path extends readonly [
  infer Name extends string,
  ...infer Rest extends Names,
]
  ? Name extends `${number}`
    ? Done
    : BeforeIndex<Rest, [...Done, Name]>
  : Done

type Tail<Path> = Path extends readonly [unknown, ...infer Rest extends Names] ? Rest : []

/** Nor which keys a record has: a value is taken to be there where its record is. */
type BeforeFreeKey<Value, Path extends Names, Done extends Names = []> = Path extends readonly [
  infer Name extends string,
  ...infer Rest extends Names,
]
  ? string extends keyof Value
    ? Done
    : BeforeFreeKey<Name extends keyof Value ? NonNullable<Value[Name]> : unknown, Rest, [...Done, Name]>
  : Done
