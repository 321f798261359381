import type { PathProblem, UnknownName } from './problem.ts'

/** The result if a value cannot have a property of the name. */
interface Nowhere {
  readonly '~nowhere': true
}

/**
 * The type at a path into a value: the counterpart of `valueAt`. Includes `undefined` if the value may be absent: after
 * an optional or nullable step, in an array, in a record. A `PathProblem` for an invalid step.
 *
 * @param Shown The path to the value, for messages.
 * @param Absent `undefined` after a step whose value may be absent.
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

/** Any other step: into a union, a tuple, a record, or to an unknown name. */
type SlowStep<Value, Name extends string, Rest extends readonly string[], Shown extends string, Absent> =
  Step<Value, Name, Shown> extends infer Next
    ? [Next] extends [PathProblem]
      ? Next
      : ValueAt<Next, Rest, `${Shown}.${Name}`, Absent>
    : never

/**
 * The property names of a plain object: most steps take one, at a fifth of the cost of other steps. Arrays, strings,
 * numbers and records are excluded, since they have one of the two names.
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

/** One step into each type of a union: the counterpart of `childOf`. */
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

/** The property names of all types of a union; for a tuple, its indexes. */
type KeysOf<Value> = Value extends readonly unknown[]
  ? keyof Value & `${number}`
  : Value extends object
    ? keyof Value & string
    : never
