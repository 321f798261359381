import type { ExpressionType, NotPlain, ParseExpression, Unsaid } from './parse-expression.ts'
import type { NotWritten, PathProblem } from './problem.ts'
import type { PathValue } from './reference-value.ts'
import type { ValueAt } from './value-at.ts'

type Names = readonly string[]

/** The data that a failed Activity writes to the last alternative of its output path (OUT-6). */
export interface WrittenFailure {
  readonly name: string
  readonly code: string | number
  readonly message: string
}

/** The writes of a step whose path the compiler does not know: afterwards any path may be written. */
export interface WritesSomewhere {
  readonly '~somewhere': unknown
}

/**
 * The path that a built Call writes: its `_outputPath`, marked if its `_outputMethod` may produce another value there
 * than the output.
 */
export type WrittenPath<OutputPath, Method> = [Method] extends ['set']
  ? OutputPath
  : CollectedPath<OutputPath>

/** A path at which the output is combined with the existing value. */
export interface CollectedPath<OutputPath> {
  readonly '~collected': OutputPath
}

/**
 * The writes of a step, as types by path: `{ 'state.user.name': string }`. One flat object per path, joined by
 * intersections: with a mapped type over all of them, rebuilt for each step, the compiler reaches its depth limit
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

/** The last alternative receives failures, those in between any Message of the Activity. */
type OtherAlternatives<Alternatives> = Alternatives extends readonly [infer Last extends readonly Names[]]
  ? ByPath<Last, WrittenFailure>
  : Alternatives extends readonly [infer Next extends readonly Names[], ...infer Others]
    ? ByPath<Next, unknown> & OtherAlternatives<Others>
    : object

/** The same output at each path (OUT-5). */
type ByPath<Paths, Output> = Paths extends readonly [infer First extends Names, ...infer Rest]
  ? { readonly [Key in Dotted<First>]: Output } & ByPath<Rest, Output>
  : object

/** The key of a path in the writes. */
export type Dotted<Path extends Names> = Path extends readonly [infer Only extends string]
  ? Only
  : Path extends readonly [infer First extends string, ...infer Rest extends Names]
    ? `${First}.${Dotted<Rest>}`
    : never

interface Nothing {
  readonly '~nothing': true
}

/**
 * The type at a path before a step: from the writes of earlier steps to the path, a part of it or a parent; otherwise
 * as the project declares the initial data.
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

/** Follows a path through the writes, and uses the longest written prefix. */
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
 * Data that no step writes is present if the schemas require it: the required properties of the state, and all data of
 * other kinds, which steps rarely write.
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

/** Schemas do not give the length of an array: an item is assumed to be present if its array is. */
type BeforeIndex<Path extends Names, Done extends Names = []> = Path extends readonly [
  infer Name extends string,
  ...infer Rest extends Names,
]
  ? Name extends `${number}`
    ? Done
    : BeforeIndex<Rest, [...Done, Name]>
  : Done

type Tail<Path> = Path extends readonly [unknown, ...infer Rest extends Names] ? Rest : []

/** Schemas do not give the keys of a record: a value is assumed to be present if its record is. */
type BeforeFreeKey<Value, Path extends Names, Done extends Names = []> = Path extends readonly [
  infer Name extends string,
  ...infer Rest extends Names,
]
  ? string extends keyof Value
    ? Done
    : BeforeFreeKey<Name extends keyof Value ? NonNullable<Value[Name]> : unknown, Rest, [...Done, Name]>
  : Done
