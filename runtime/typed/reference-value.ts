import type { ExpressionType, ParseExpression } from './parse-expression.ts'
import type { PathProblem, UnknownName } from './problem.ts'
import type { ValueAt } from './value-at.ts'

/** Kinds that any context may contain, declared or not, including Messages without data. */
type StandardKind = 'state' | 'input' | 'result' | 'data' | 'text' | 'tool' | 'plan' | 'error'

type Reserved = '__proto__' | 'constructor' | 'prototype'

type Names = readonly string[]

/**
 * The type of the value that a text stands for (TYPE-1, TYPE-2): its own type if it is not a Reference, `unknown` if
 * the type system cannot tell, a `PathProblem` for an invalid path; includes `undefined` if the value may be absent.
 *
 * @example ReferenceValue<{ state: { count?: number } }, '†state.count || †input'> // unknown: `input` is not declared
 */
export type ReferenceValue<Kinds, Text extends string> =
  ParseExpression<Text> extends infer Parsed
    ? Parsed extends ExpressionType<infer Alternatives extends readonly (readonly Names[])[], infer Daggers>
      ? Daggers extends true
        ? AnyOf<Kinds, Alternatives>
        : Text
      : Parsed extends null
        ? Text
        : unknown
    : never

/** `||`: the first value that is present. Absent only if all may be. */
type AnyOf<Kinds, Alternatives, Before = never> = Alternatives extends readonly [
  infer First extends readonly Names[],
  ...infer Rest,
]
  ? AllOf<Kinds, First> extends infer Value
    ? [Value] extends [PathProblem]
      ? [Value] extends [never]
        ? AnyOf<Kinds, Rest, Before>
        : Value
      : Rest extends readonly []
        ? Before | Value
        : undefined extends Value
          ? AnyOf<Kinds, Rest, Before | Exclude<Value, undefined>>
          : Others<Kinds, Rest> extends infer Later
            ? [Later] extends [PathProblem]
              ? Later
              : Before | Value | Exclude<Later, undefined>
            : never
    : never
  : Before

/** The alternatives after one that is always present: only read if a context has less data than declared. */
type Others<Kinds, Alternatives> = AnyOf<Kinds, Alternatives>

/** `&&`: the last value, if all are present. */
type AllOf<Kinds, Paths, Absent = never> = Paths extends readonly [infer First extends Names, ...infer Rest]
  ? PathValue<Kinds, First> extends infer Value
    ? [Value] extends [PathProblem]
      ? Value
      : Rest extends readonly []
        ? Value | Absent
        : AllOf<Kinds, Rest, Absent | (undefined extends Value ? undefined : never)>
    : never
  : never

/** The type at a path of declared data; `unknown` if the kind is not declared and need not be. */
export type PathValue<Kinds, Path extends Names> = Path extends readonly [
  infer Kind extends string,
  ...infer Segments extends Names,
]
  ? [Path[number] & Reserved] extends [never]
    ? Kind extends keyof Kinds
      ? ValueAt<Kinds[Kind], Segments, `†${Kind}`>
      : string extends Kind
        ? unknown
        : Kind extends StandardKind
          ? unknown
          : keyof Kinds extends never
            ? unknown
            : UnknownName<
                `no ${Kind} is declared`,
                Kind,
                (keyof Kinds & string) | 'state' | 'input' | 'result'
              >
    : string extends Path[number]
      ? unknown
      : PathProblem<'__proto__, constructor and prototype are never data'>
  : never
