import type { CheckReferences } from './check-argument.ts'
import type { DescribeType, OrReference } from './describe-type.ts'
import type { IsSingle, LastOf, Listed } from './listed.ts'
import type { GivenKeys, MissingKeys, UnknownKeys } from './missing-keys.ts'
import type { IsKnown } from './told.ts'
import type { Primitive, WithConstants } from './with-constants.ts'

/**
 * The expected type for a Call that does not fit its Tool, with sentences in place of types, so that the compiler's
 * message names the property and what it accepts. Evaluated only for wrong Calls, with the type of one Tool.
 *
 * @example WrongCall<{ _tool: 'mail'; to: 1 }, MailCall, 'mail'> // { _tool: 'mail'; to: 'mail.to takes a string' }
 */
export type WrongCall<Given, Takes, Tool extends string> = [Exclude<keyof Given, keyof Takes>] extends [never]
  ? WrongProperties<Given, Takes, Tool>
  : [UnknownKeys<Given, Takes>] extends [never]
    ? WrongProperties<Given, Takes, Tool>
    : // The compiler itself names a property that is not known, and the nearest one.
      Takes

type WrongProperties<Given, Takes, Tool extends string> = [MissingKeys<Given, Takes>] extends [never]
  ? WrongParts<Given, Takes, Tool>
  : { readonly _tool: Needs<Given, Takes, Tool>; readonly [rest: string]: unknown }

/** The same for the arguments of a builder: one sentence in place of all of them, since they have no `_tool`. */
type WrongArguments<Given, Takes, Tool extends string> = [UnknownKeys<Given, Takes>] extends [never]
  ? [MissingKeys<Given, Takes>] extends [never]
    ? WrongParts<Given, Takes, Tool>
    : Needs<Given, Takes, Tool>
  : Takes

/** The same for each case of `either ? { … } : { … }`. */
type WrongCases<Given, Takes, Tool extends string> =
  Given extends WithConstants<Takes> ? Given : WrongArguments<Given, Takes, Tool>

/** A part with an unresolved type parameter is left to the compiler, without a sentence. */
type WrongParts<Given, Takes, Tool extends string> =
  IsKnown<LeavesOf<Given>> extends true
    ? Refusing<Given, Takes, WrongMembers<Given, WithConstants<Takes>, Tool>>
    : Takes

/** The parts of a value, up to a depth that keeps recursive types finite. */
type LeavesOf<Value, Depth extends number = 4> = Depth extends 0
  ? never
  : Value extends Primitive
    ? Value
    : Value extends readonly (infer Item)[]
      ? LeavesOf<Item, Less[Depth]>
      : LeavesOf<Value[keyof Value], Less[Depth]>

type Less = [never, 0, 1, 2, 3]

type Needs<Given, Takes, Path extends string> = `${Path} needs ${Listed<MissingKeys<Given, Takes>, ', '>}`

/** Uses the sentences only if they reject the value; otherwise another type is shown. */
type Refusing<Given, Otherwise, Sentences> = [Given] extends [Sentences] ? Otherwise : Sentences

/**
 * Only the properties that do not fit, so that the compiler's message is short. Other properties are allowed; otherwise
 * the compiler would report valid ones if the problem comes from a spread. A conditional type, since a bare mapped type
 * is printed by its name.
 */
type WrongMembers<Given, Takes, Path extends string, Wrong = WrongKeys<Given, Takes>> = Given extends unknown
  ? {
      readonly [Key in keyof Given & keyof Takes as Key extends Wrong ? Key : string]: Key extends Wrong
        ? WrongValue<Given[Key], Required<Takes>[Key], `${Path}.${Key & string}`>
        : unknown
    }
  : never

/** The properties that do not fit. One that may be left out need not take `undefined`, which its type alone does not tell. */
type WrongKeys<Given, Takes> = {
  [Key in keyof Given & keyof Takes & GivenKeys<Given>]: [Given[Key]] extends [Takes[Key]]
    ? undefined extends Given[Key]
      ? Pick<Given, Key> extends Pick<Takes, Key>
        ? never
        : Key
      : never
    : Key
}[keyof Given & keyof Takes & GivenKeys<Given>]

/**
 * Descends into a value that does not fit, or into one such member of a union, as long as that makes the message more
 * specific. Only into one: each member of a large union would be compared with every alternative that is allowed.
 */
type WrongValue<Given, Takes, Path extends string> = [Given] extends [Takes]
  ? unknown
  : IsKnown<Given> extends true
    ? [Exclude<Given, Takes | undefined>] extends [never]
      ? `${Sentence<Takes, Path>}, not undefined`
      : WrongKnownValue<LastOf<Exclude<Given, Takes | undefined>>, Takes, Path>
    : Takes

type WrongKnownValue<Given, Takes, Path extends string> = Given extends readonly unknown[]
  ? WrongList<Given, Extract<Takes, readonly unknown[]>, Takes, Path>
  : Given extends object
    ? WrongObject<Given, Exclude<Extract<Takes, object>, NoShape>, Takes, Path>
    : Sentence<Takes, Path>

/** Includes impossible types, such as an object that must also be a string. */
type NoShape = readonly unknown[] | Primitive

type Sentence<
  Takes,
  Path extends string,
> = `${Path} takes ${Listed<DescribeType<Takes, ''>, ' or '>}${OrReference<Takes>}`

type WrongList<Given extends readonly unknown[], Lists, Takes, Path extends string> = [Lists] extends [
  readonly (infer Item)[],
]
  ? [Lists] extends [never]
    ? Sentence<Takes, Path>
    : Refusing<Given, `${Path} takes a list of another length or shape`, WrongItems<Given, Lists, Item, Path>>
  : Sentence<Takes, Path>

/**
 * Checks the items of a tuple individually. An array of unknown length may be recursive, so it is written out to be
 * evaluated lazily.
 */
type WrongItems<
  Given extends readonly unknown[],
  Lists,
  Item,
  Path extends string,
> = number extends Given['length']
  ? readonly WrongValue<Given[number], Item, Path>[]
  : {
      readonly [Index in keyof Given]: WrongValue<
        Given[Index],
        Index extends keyof Lists ? Lists[Index] : Item,
        Path
      >
    }

type WrongObject<Given, Shapes, Takes, Path extends string> = [Shapes] extends [never]
  ? Sentence<Takes, Path>
  : IsSingle<Shapes> extends true
    ? WrongShape<Given, Shapes, Path>
    : WrongAlternative<Given, Shapes, Nearest<Given, Shapes>, Path>

/** Checks an object with one shape. */
type WrongShape<Given, Shape, Path extends string> = [UnknownKeys<Given, Shape>] extends [never]
  ? [MissingKeys<Given, Shape>] extends [never]
    ? Refusing<Given, OtherShape<Path>, WrongMembers<Given, Shape, Path>>
    : Needs<Given, Shape, Path>
  : Refusing<
      Given,
      Shape,
      // The compiler names the unknown property and prints the others, for which the names are enough.
      {
        readonly [Key in keyof Shape]: Key extends keyof Given
          ? [Given[Key]] extends [Shape[Key]]
            ? unknown
            : WrongValue<Given[Key], Shape[Key], `${Path}.${Key & string}`>
          : unknown
      }
    >

/** Checks an object of a union type: its literal properties determine the intended member. */
type WrongAlternative<Given, Shapes, Meant, Path extends string> = [Meant] extends [never]
  ? WrongTag<Given, Shapes, Path>
  : IsSingle<Meant> extends true
    ? WrongShape<Given, Meant, Path>
    : [TagsOf<Shapes>] extends [keyof Given]
      ? OtherShape<Path>
      : `${Path} needs ${Listed<Exclude<TagsOf<Shapes>, keyof Given> & string, ', '>}`

type OtherShape<Path extends string> = `${Path} takes an object of another shape`

/** Finds a literal that no member has; if each is valid for some member, no single property is the problem. */
type WrongTag<Given, Shapes, Path extends string> = {
  readonly [Key in TagsOf<Shapes> & keyof Given]: WrongValue<
    Given[Key],
    Shapes[Key],
    `${Path}.${Key & string}`
  >
} extends infer Tags
  ? [Given] extends [Tags]
    ? OtherShape<Path>
    : Tags
  : never

/** The members of a union whose literals match an object. */
export type Nearest<Given, Shape> = Shape extends unknown
  ? [Given] extends [Only<Shape, TagsOf<Shape> & keyof Given>]
    ? Shape
    : never
  : never

/** A type of its own, so that the compiler makes it once for all objects that have the same tags. */
type Only<Shape, Keys extends keyof Shape> = { readonly [Key in Keys]: Shape[Key] }

/** The properties that all members have and that only accept string literals, apart from References. */
type TagsOf<Shapes> = {
  [Key in keyof Shapes]-?: string extends Key | Shapes[Key] ? never : Shapes[Key] extends string ? Key : never
}[keyof Shapes]

/**
 * The type that the arguments of a builder must have in a project with declared contexts: their own, or sentences that describe the
 * problems.
 */
export type CheckArguments<Kinds, Given, Takes, Resolved, Tool extends string> =
  IsKnown<Given[keyof Given]> extends true ? CheckKnownArguments<Kinds, Given, Takes, Resolved, Tool> : Takes

// Not distributed over cases, since the compiler accepts a type parameter inside only then.
type CheckKnownArguments<Kinds, Given, Takes, Resolved, Tool extends string> = [Given] extends [Takes]
  ? CheckReferences<Kinds, Given, Takes, Resolved, Tool>
  : [Given] extends [WithConstants<Takes>]
    ? CheckReferences<Kinds, Given, WithConstants<Takes>, Resolved, Tool>
    : IsSingle<Given> extends true
      ? WrongArguments<Given, Takes, Tool>
      : WrongCases<Given, Takes, Tool>
