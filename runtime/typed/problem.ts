import type { Listed } from './listed.ts'

/**
 * An invalid text, with the sentence for the compiler to show. An interface, so that no data is mistaken for one or
 * assignable to it.
 */
export interface PathProblem<Sentence extends string = string> {
  readonly '~problem': Sentence
}

/** The path is valid, but no earlier step writes to it. */
export interface NotWritten<Sentence extends string> extends PathProblem<Sentence> {
  readonly '~unwritten': true
}

/** Extracts the sentence of a problem, which the compiler then shows as the expected type. */
export type SentenceOf<Problem> = Problem extends PathProblem<infer Sentence> ? Sentence : never

/** Builds a problem that suggests names with the same beginning as the given one: the type system cannot compute edit distances. */
export type UnknownName<Sentence extends string, Name extends string, Known> = PathProblem<
  Name extends `${infer First}${string}`
    ? [Extract<Known, `${First}${string}`>] extends [never]
      ? WithKnown<Sentence, Known>
      : `${Sentence}. Did you mean ${Listed<Extract<Known, `${First}${string}`>, ' or '>}?`
    : WithKnown<Sentence, Known>
>

/** Lists the first few names if none is similar. */
type WithKnown<Sentence extends string, Known> = [Known] extends [never]
  ? Sentence
  : `${Sentence}. Known: ${Listed<Known & string, ', '>}`
