import type { Listed } from './listed.ts'

/**
 * A text that is wrong, in a sentence that the compiler shows. An interface, so that no data is taken for one, and none
 * is assignable to it.
 */
export interface PathProblem<Sentence extends string = string> {
  readonly '~problem': Sentence
}

/** The path is right, and no step before this one puts a value there. */
export interface NotWritten<Sentence extends string> extends PathProblem<Sentence> {
  readonly '~unwritten': true
}

/** What the compiler shows of a problem: the sentence, as the type that would have been right. */
export type SentenceOf<Problem> = Problem extends PathProblem<infer Sentence> ? Sentence : never

/** A problem that ends in the names that begin like the one that was given. The type system counts no edits. */
export type UnknownName<Sentence extends string, Name extends string, Known> = PathProblem<
  Name extends `${infer First}${string}`
    ? [Extract<Known, `${First}${string}`>] extends [never]
      ? WithKnown<Sentence, Known>
      : `${Sentence}. Did you mean ${Listed<Extract<Known, `${First}${string}`>, ' or '>}?`
    : WithKnown<Sentence, Known>
>

/** Without a near name, the first few of them. */
type WithKnown<Sentence extends string, Known> = [Known] extends [never]
  ? Sentence
  : `${Sentence}. Known: ${Listed<Known & string, ', '>}`
