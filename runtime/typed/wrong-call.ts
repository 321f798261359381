import type { CheckReferences } from './check-argument.ts'
import type { DescribeType } from './describe-type.ts'
import type { Listed } from './listed.ts'
import type { MissingKeys } from './missing-keys.ts'

/**
 * What the compiler is to compare a Call with that does not fit its Tool, so that its message names the property and
 * what is allowed there: sentences in place of types. Worked out of wrong Calls alone, and of one Tool's type alone.
 *
 * @example WrongCall<{ _tool: 'mail'; to: 1 }, MailCall, 'mail'> // { _tool: 'mail'; to: 'mail.to takes a string' }
 */
export type WrongCall<Given, Takes, Tool extends string> = [Exclude<keyof Given, keyof Takes>] extends [never]
  ? [MissingKeys<Given, Takes>] extends [never]
    ? Refusing<Given, Takes, WrongMembers<Given, Takes, Tool>>
    : { readonly _tool: `${Tool} needs ${Listed<MissingKeys<Given, Takes>, ', '>}` }
  : // The compiler itself names a property that is not known, and the nearest one.
    Takes

/** The same of the arguments of a builder, which have no `_tool` to say it of: a sentence in place of all of them. */
type WrongArguments<Given, Takes, Tool extends string> = [Exclude<keyof Given, keyof Takes>] extends [never]
  ? [MissingKeys<Given, Takes>] extends [never]
    ? Refusing<Given, Takes, WrongMembers<Given, Takes, Tool>>
    : `${Tool} needs ${Listed<MissingKeys<Given, Takes>, ', '>}`
  : Takes

/** Sentences that would let a wrong value through are no use: then the type itself is shown. */
type Refusing<Given, Takes, Sentences> = [Given] extends [Sentences] ? Takes : Sentences

type WrongMembers<Given, Takes, Path extends string> = {
  readonly [Key in keyof Given]: Key extends keyof Takes
    ? WrongValue<Given[Key], Takes[Key], `${Path}.${Key & string}`>
    : Given[Key]
}

/** A value that fits keeps the type that it is compared with; one that does not is looked into as far as that helps. */
type WrongValue<Given, Takes, Path extends string> = [Given] extends [Takes]
  ? Takes
  : Given extends readonly unknown[]
    ? WrongItems<Given, Extract<Takes, readonly unknown[]>, Sentence<Takes, Path>, Path>
    : Given extends object
      ? WrongObject<Given, Exclude<Extract<Takes, object>, readonly unknown[]>, Sentence<Takes, Path>, Path>
      : Sentence<Takes, Path>

type Sentence<Takes, Path extends string> = `${Path} takes ${Listed<DescribeType<Takes>, ' or '>}`

type WrongItems<Given extends readonly unknown[], Takes, Otherwise, Path extends string> = [Takes] extends [
  readonly (infer Item)[],
]
  ? [Takes] extends [never]
    ? Otherwise
    : { readonly [Index in keyof Given]: WrongValue<Given[Index], Item, Path> }
  : Otherwise

type WrongObject<Given, Takes, Otherwise, Path extends string> = [Takes] extends [never]
  ? Otherwise
  : // Below the first level the compiler says of itself what is missing or not known.
    [Exclude<keyof Given, keyof Takes> | MissingKeys<Given, Takes>] extends [never]
    ? WrongMembers<Given, Takes, Path>
    : Takes

/**
 * What the arguments of a builder have to fit in a project that declares its contexts: their type, or sentences that say
 * why they do not.
 */
export type CheckArguments<Kinds, Given, Takes, Resolved, Tool extends string> = Given extends Takes
  ? CheckReferences<Kinds, Given, Takes, Resolved, Tool>
  : WrongArguments<Given, Takes, Tool>
