import type { DescribeType } from './describe-type.ts'
import type { Listed } from './listed.ts'
import type { ExpressionType, ParseExpression } from './parse-expression.ts'
import type { PathProblem } from './problem.ts'
import type { PathValue } from './reference-value.ts'
import type { IsKnown } from './told.ts'
import type { Dotted } from './written.ts'

type Names = readonly string[]

/** Checks an output path: each path must exist in the project's schemas, accept the output, and not be set by an earlier step. */
export type CheckExpression<Kinds, Written, Path, Output> = Path extends string
  ? ParseExpression<Path> extends infer Parsed
    ? Parsed extends null
      ? PathProblem<`${Path} is not a path, such as †state.user.name`>
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
    ? PathProblem<`an earlier step has set †${Dotted<Path>}; write elsewhere, or say an _outputMethod`>
    : PathValue<Kinds, Path> extends infer Declared
      ? unknown extends Declared
        ? unknown
        : [Declared] extends [PathProblem]
          ? Declared
          : [Output] extends [Declared]
            ? unknown
            : WrongOutput<Dotted<Path>, Output, Exclude<Declared, undefined>>
      : never

type WrongOutput<Path extends string, Output, Declared> = [DescribeType<Output>] extends [
  DescribeType<Declared>,
]
  ? PathProblem<`†${Path} is declared as ${Described<Declared>} of another shape than the output`>
  : PathProblem<`†${Path} is declared as ${Described<Declared>}, and the output is ${Described<Output>}`>

type Described<Value> = Listed<DescribeType<Value>, ' or '>

/**
 * Checks the `_outputPath` of a literal Call by itself. Values that another `_outputMethod` than `set` makes are checked at run time.
 */
export type CheckOutputPath<Kinds, Path, Method, Output> =
  IsKnown<Path> extends true
    ? IsKnown<Method> extends true
      ? [Method] extends ['set']
        ? CheckExpression<Kinds, object, Path, Output>
        : unknown
      : unknown
    : unknown

/**
 * The `_outputMethod` of a literal Call: its own, or the one that its Tool fixes.
 *
 * @param Fits The type of the Call.
 */
export type MethodOf<Given, Fits> = '_outputMethod' extends keyof Given
  ? Given['_outputMethod']
  : '_outputMethod' extends keyof Fits
    ? 'set' extends Fits['_outputMethod']
      ? 'set'
      : Fits['_outputMethod']
    : 'set'
