import type { ActivityContext } from '../tools/activity.ts'

/**
 * The context of an Activity whose Tool fixes its `_scopes` (TYPE-4): the Messages that they select and, by kind, the
 * combined data. The data is computed on access; an empty object if the context has none of the kind.
 */
export type ScopedContext<Kinds> = ActivityContext & Readonly<Kinds>

/** The part of a kind that a Reference such as `†state.deploy.region` selects: the path to it, and everything below. */
export type ScopedPart<Value, Segments extends readonly string[]> = Segments extends readonly [
  infer Name,
  ...infer Rest extends readonly string[],
]
  ? unknown extends Value
    ? unknown
    : Value extends readonly unknown[]
      ? unknown
      : Value extends object
        ? { [Key in keyof Value as Key extends Name ? Key : never]: ScopedPart<Value[Key], Rest> }
        : Value
  : Value
