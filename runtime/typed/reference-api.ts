import type { ExpressionType, ParseExpression, Unsaid } from './parse-expression.ts'
import type { PathProblem, SentenceOf } from './problem.ts'
import type { ReferenceValue } from './reference-value.ts'

/**
 * The compile-time type of a Reference: that of the value it stands for, so that only parameters of this type accept
 * it. At run time it is still the text; the brand prevents any other use. An invalid path was already reported by
 * `reference` itself.
 */
export type Referred<Value, Text extends string> = unknown extends Value
  ? `†${string}` & ReferenceMark<Text>
  : Value extends undefined
    ? never
    : Value extends null
      ? null
      : Value extends PathProblem
        ? never
        : Value & ReferenceMark<Text>

/** Brands a value as a Reference. Does not exist at run time. */
export interface ReferenceMark<Text extends string> {
  readonly '~reference': Text
}

/** The type that the text of a Reference must have: its own if the path is valid, otherwise a sentence. */
export type CheckReference<Kinds, Text extends string> =
  ParseExpression<Text> extends ExpressionType<unknown, true> | Unsaid
    ? ReferenceValue<Kinds, Text> extends infer Value
      ? unknown extends Value
        ? Text
        : [Value] extends [never]
          ? Text
          : [Value] extends [PathProblem]
            ? SentenceOf<Value>
            : Text
      : never
    : `${Text} is not a Reference, such as †state.user.name`

/** The type of a project's `reference` function. */
export type ReferenceApi<Kinds> = <const Text extends string>(
  text: CheckReference<Kinds, Text>,
) => Referred<ReferenceValue<Kinds, Text>, Text>
