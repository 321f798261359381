import type { ActivityContext } from '../tools/activity.ts'

/**
 * What an Activity is given whose Tool fixes its `_scopes` (TYPE-4): the Messages that these let through, and, by kind,
 * what they come to. The members are read when they are looked at; an empty object where the context holds nothing of
 * the kind.
 */
export type ScopedContext<Kinds> = ActivityContext & Readonly<Kinds>

/** What a Reference such as `†state.deploy.region` lets through of its kind: the way to it, and all below. */
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
