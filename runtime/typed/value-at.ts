import type { PathProblem, UnknownName } from './problem.ts'

/** Where a value has nothing under a name, and never will. */
interface Nowhere {
  readonly '~nowhere': true
}

/**
 * The type of what stands at a path into a value, with `undefined` where it may be absent: past an optional or nullable
 * step, in a list, in a record. The twin of `valueAt`. A step that cannot be taken gives a `PathProblem`.
 *
 * @param Shown The path that leads to the value, for messages.
 * @param Absent `undefined` once a step has been taken that may lead to nothing.
 * @example ValueAt<{ user?: { name: string } }, ['user', 'name'], '†state'> // string | undefined
 */
export type ValueAt<
  Value,
  Segments extends readonly string[],
  Shown extends string,
  Absent = never,
> = Segments extends readonly [infer Name extends string, ...infer Rest extends readonly string[]]
  ? Name extends PlainKey<Value>
    ? ValueAt<Value[Name], Rest, `${Shown}.${Name}`, Absent>
    : unknown extends Value
      ? unknown
      : // What may be absent here, and the items of a list, are common enough to be worth a way of their own.
        undefined extends Value
        ? ValueAt<Exclude<Value, undefined>, Segments, Shown, undefined>
        : [Value, Name] extends [readonly (infer Item)[], `${number}`]
          ? number extends Value['length' & keyof Value]
            ? ValueAt<Item, Rest, `${Shown}.${Name}`, undefined>
            : SlowStep<Value, Name, Rest, Shown, Absent>
          : SlowStep<Value, Name, Rest, Shown, Absent>
  : Value | Absent

/** Any other step: into a union, a tuple, a record, or to a name that there is not. */
type SlowStep<Value, Name extends string, Rest extends readonly string[], Shown extends string, Absent> =
  Step<Value, Name, Shown> extends infer Next
    ? [Next] extends [PathProblem]
      ? Next
      : ValueAt<Next, Rest, `${Shown}.${Name}`, Absent>
    : never

/**
 * The names that a plain object has, which most steps take, at a fifth of the cost of any other step. Lists, texts,
 * numbers and records have one of the two names.
 */
type PlainKey<Value> = [keyof Value & ('length' | 'valueOf')] extends [never] ? keyof Value : never

type Step<Value, Name extends string, Shown extends string> = unknown extends Value
  ? unknown
  : string extends Name
    ? unknown
    : Child<Value, Name> extends infer Found
      ? unknown extends Found
        ? unknown
        : [Exclude<Found, Nowhere | undefined>] extends [never]
          ? UnknownName<`${Shown} has no ${Name}`, Name, KeysOf<Value>>
          : Exclude<Found, Nowhere> | (Nowhere extends Found ? undefined : never)
      : never

/** One step into each type of a union: the twin of `childOf`. */
type Child<Value, Name extends string> = Value extends readonly (infer Item)[]
  ? Name extends `${number}`
    ? number extends Value['length']
      ? Item | undefined
      : Name extends keyof Value
        ? Value[Name]
        : Nowhere
    : Nowhere
  : Value extends object
    ? Name extends keyof Value
      ? string extends keyof Value
        ? Value[Name] | undefined
        : Value[Name]
      : Nowhere
    : Nowhere

/** The names of all types of a union; of a list its places, where their number is known. */
type KeysOf<Value> = Value extends readonly unknown[]
  ? keyof Value & `${number}`
  : Value extends object
    ? keyof Value & string
    : never
