// What the compiler shows where a path is wrong. Interfaces, and no string literals: beside the text that was given, a
// literal would reduce to `never` and say nothing.

/** A path that is wrong, in a sentence. */
export interface PathProblem<Sentence extends string = string, Hint = unknown> {
  readonly '~problem': Sentence
  readonly '~hint': Hint
}

/** The path leads nowhere in the schemas that the project declares. */
export interface UnknownPath<Sentence extends string, Hint> extends PathProblem<Sentence, Hint> {
  readonly '~unknown': true
}

/** The value at the path is not what the parameter takes. */
export interface WrongType<Sentence extends string, Gives, Takes> extends PathProblem<Sentence> {
  readonly '~gives': Gives
  readonly '~takes': Takes
}

/** The path is right, and no step before this one puts a value there. */
export interface NotWritten<Sentence extends string, Hint> extends PathProblem<Sentence, Hint> {
  readonly '~unwritten': true
}

/** The path is right, and an earlier step has set it. */
export interface WrittenTwice<Sentence extends string, Hint> extends PathProblem<Sentence, Hint> {
  readonly '~twice': true
}

/** Names that begin like the one that was given. */
export interface DidYouMean<Names> {
  readonly '~names': Names
}

/** All names there are. */
export interface KnownAre<Names> {
  readonly '~names': Names
}

/** The names that begin with the same letter, else all: the type system counts no edits. */
export type Nearest<Name extends string, Known> = Name extends `${infer First}${string}`
  ? [Extract<Known, `${First}${string}`>] extends [never]
    ? KnownAre<Known>
    : DidYouMean<Extract<Known, `${First}${string}`>>
  : KnownAre<Known>
