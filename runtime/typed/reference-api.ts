import type { ExpressionType, ParseExpression, Unsaid } from './parse-expression.ts'
import type { PathProblem, SentenceOf } from './problem.ts'
import type { ReferenceValue } from './reference-value.ts'

/**
 * What a Reference is to the compiler: a value of the type that it stands for, so that only a parameter that takes such
 * a value takes the Reference. When the program runs it is still the text; the mark keeps it from being anything else. Of a
 * path that leads nowhere `reference` itself has told.
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

/** Says of a value that it is a Reference. Never there when the program runs. */
export interface ReferenceMark<Text extends string> {
  readonly '~reference': Text
}

/** What a text has to fit that is to be a Reference to something there is: itself, or a sentence. */
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

/** The `reference` of a project. */
export type ReferenceApi<Kinds> = <const Text extends string>(
  text: CheckReference<Kinds, Text>,
) => Referred<ReferenceValue<Kinds, Text>, Text>
