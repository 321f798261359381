import type { CheckReferences } from './check-argument.ts'
import type { DescribeType, OrReference } from './describe-type.ts'
import type { LastOf, Listed } from './listed.ts'
import type { MissingKeys } from './missing-keys.ts'
import type { IsKnown } from './told.ts'
import type { Primitive, WithConstants } from './with-constants.ts'

/**
 * What the compiler is to compare a Call with that does not fit its Tool, so that its message names the property and
 * what is allowed there: sentences in place of types. Worked out of wrong Calls alone, and of one Tool's type alone.
 *
 * @example WrongCall<{ _tool: 'mail'; to: 1 }, MailCall, 'mail'> // { _tool: 'mail'; to: 'mail.to takes a string' }
 */
export type WrongCall<Given, Takes, Tool extends string> = [Exclude<keyof Given, keyof Takes>] extends [never]
  ? [MissingKeys<Given, Takes>] extends [never]
    ? WrongParts<Given, Takes, Tool>
    : { readonly _tool: Needs<Given, Takes, Tool>; readonly [rest: string]: unknown }
  : // The compiler itself names a property that is not known, and the nearest one.
    Takes

/** The same of the arguments of a builder, which have no `_tool` to say it of: a sentence in place of all of them. */
type WrongArguments<Given, Takes, Tool extends string> = [Exclude<keyof Given, keyof Takes>] extends [never]
  ? [MissingKeys<Given, Takes>] extends [never]
    ? WrongParts<Given, Takes, Tool>
    : Needs<Given, Takes, Tool>
  : Takes

/** A part that a type parameter leaves open is the compiler's to compare: no sentence can be said of it. */
type WrongParts<Given, Takes, Tool extends string> =
  IsKnown<LeavesOf<Given>> extends true
    ? Refusing<Given, Takes, WrongMembers<Given, WithConstants<Takes>, Tool>>
    : Takes

/** What stands in a value, to a depth that keeps types finite that contain themselves. */
type LeavesOf<Value, Depth extends number = 4> = Depth extends 0
  ? never
  : Value extends Primitive
    ? Value
    : Value extends readonly (infer Item)[]
      ? LeavesOf<Item, Less[Depth]>
      : LeavesOf<Value[keyof Value], Less[Depth]>

type Less = [never, 0, 1, 2, 3]

type Needs<Given, Takes, Path extends string> = `${Path} needs ${Listed<MissingKeys<Given, Takes>, ', '>}`

/** Sentences that would let a wrong value through are no use: then something else is shown. */
type Refusing<Given, Otherwise, Sentences> = [Given] extends [Sentences] ? Otherwise : Sentences

/**
 * The members that do not fit, and no other by name, so that what the compiler prints is short; whatever else is there may
 * be, or the compiler would blame what fits where the fault comes from a spread. A condition, since a bare mapped type is
 * printed by its own name.
 */
type WrongMembers<Given, Takes, Path extends string> = Given extends unknown
  ? {
      readonly [Key in keyof Given & keyof Takes as [Given[Key]] extends [Takes[Key]]
        ? string
        : Key]: WrongValue<Given[Key], Takes[Key], `${Path}.${Key & string}`>
    }
  : never

/** A value that does not fit is looked into as far as that helps. */
type WrongValue<Given, Takes, Path extends string> = [Given] extends [Takes]
  ? unknown
  : IsKnown<Given> extends true
    ? WrongKnownValue<Given, Takes, Path>
    : Takes

type WrongKnownValue<Given, Takes, Path extends string> = Given extends readonly unknown[]
  ? WrongList<Given, Extract<Takes, readonly unknown[]>, Takes, Path>
  : Given extends object
    ? WrongObject<Given, Exclude<Extract<Takes, object>, NoShape>, Takes, Path>
    : Sentence<Takes, Path>

/** Also what a schema asks for that wants an object to be a text as well, which no value is. */
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

/** Items one by one where they are known. A list of any length may contain lists of itself: written out, it is worked out late. */
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
  : [Shapes] extends [LastOf<Shapes>]
    ? WrongShape<Given, Shapes, Path>
    : WrongAlternative<Given, Shapes, Nearest<Given, Shapes>, Path>

/** An object of one shape. */
type WrongShape<Given, Shape, Path extends string> = [Exclude<keyof Given, keyof Shape>] extends [never]
  ? [MissingKeys<Given, Shape>] extends [never]
    ? Refusing<Given, OtherShape<Path>, WrongMembers<Given, Shape, Path>>
    : Needs<Given, Shape, Path>
  : Refusing<
      Given,
      Shape,
      // The compiler names the property that is not known, and prints the others: their names are enough.
      {
        readonly [Key in keyof Shape]: Key extends keyof Given
          ? [Given[Key]] extends [Shape[Key]]
            ? unknown
            : WrongValue<Given[Key], Shape[Key], `${Path}.${Key & string}`>
          : unknown
      }
    >

/** An object that may have one of several shapes: its constants tell which one is meant. */
type WrongAlternative<Given, Shapes, Meant, Path extends string> = [Meant] extends [never]
  ? WrongTag<Given, Shapes, Path>
  : [Meant] extends [LastOf<Meant>]
    ? WrongShape<Given, Meant, Path>
    : [TagsOf<Shapes>] extends [keyof Given]
      ? OtherShape<Path>
      : `${Path} needs ${Listed<Exclude<TagsOf<Shapes>, keyof Given> & string, ', '>}`

type OtherShape<Path extends string> = `${Path} takes an object of another shape`

/** A constant that no shape has; where each is some shape's, no single property is to blame. */
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

/** The shapes with whose constants an object agrees. */
type Nearest<Given, Shape> = Shape extends unknown
  ? [Given] extends [{ readonly [Key in TagsOf<Shape> & keyof Given]: Shape[Key] }]
    ? Shape
    : never
  : never

/** The properties that all of several shapes have, and that hold nothing but constant texts, besides References. */
type TagsOf<Shapes> = {
  [Key in keyof Shapes]-?: string extends Key | Shapes[Key] ? never : Shapes[Key] extends string ? Key : never
}[keyof Shapes]

/**
 * What the arguments of a builder have to fit in a project that declares its contexts: their type, or sentences that say
 * why they do not.
 */
export type CheckArguments<Kinds, Given, Takes, Resolved, Tool extends string> =
  IsKnown<Given[keyof Given]> extends true ? CheckKnownArguments<Kinds, Given, Takes, Resolved, Tool> : Takes

type CheckKnownArguments<Kinds, Given, Takes, Resolved, Tool extends string> = Given extends Takes
  ? CheckReferences<Kinds, Given, Takes, Resolved, Tool>
  : Given extends WithConstants<Takes>
    ? CheckReferences<Kinds, Given, WithConstants<Takes>, Resolved, Tool>
    : WrongArguments<Given, Takes, Tool>
