import type { ActivityMessage } from '../tools/activity.ts'
import type { DescribeType } from './describe-type.ts'
import type { LastOf, Listed } from './listed.ts'
import type { MissingKeys } from './missing-keys.ts'

/**
 * What the compiler is to compare an Activity with that does not fit its Tool: a sentence that names the property of the
 * output and what it must be (TYPE-7). Worked out of wrong Activities alone, and of one Tool's type alone. Where the
 * output is not what is wrong, the Activity's own type is shown.
 *
 * @param Takes What an Activity of the name must look like.
 * @example WrongActivity<() => { lines: string }, FileStatsActivity, 'fileStats'>
 *   // 'fileStats._output.lines must be a number'
 */
export type WrongActivity<Given, Takes, Name extends string> =
  LastOf<WrongOutput<OutputOf<Given>, OutputOf<Takes>, `${Name}._output`>> extends infer Sentence extends
    string
    ? [Sentence] extends [never]
      ? Takes
      : Sentence
    : Takes

/** What a function gives besides Messages; never of what is no function. */
type OutputOf<Activity> = Activity extends (...given: never) => infer Returned
  ? Exclude<Awaited<Returned>, ActivityMessage>
  : never

/** Sentences about what does not fit; never where all does. One alternative of what is returned at a time. */
type WrongOutput<Given, Takes, Path extends string> = Given extends Takes
  ? never
  : Given extends readonly unknown[]
    ? WrongItems<Given[number], Extract<Takes, readonly unknown[]>, MustBe<Takes, Path>, Path>
    : Given extends object
      ? WrongMembers<Given, Exclude<Extract<Takes, object>, readonly unknown[]>, MustBe<Takes, Path>, Path>
      : MustBe<Takes, Path>

type MustBe<Takes, Path extends string> = undefined extends Takes
  ? `${Path} must be ${Listed<DescribeType<Exclude<Takes, undefined>>, ' or '>}, or not be there`
  : `${Path} must be ${Listed<DescribeType<Takes>, ' or '>}`

type WrongItems<Item, Takes, Otherwise, Path extends string> = [Takes] extends [never]
  ? Otherwise
  : [Takes] extends [readonly (infer Taken)[]]
    ? OrElse<WrongOutput<Item, Taken, `${Path}[]`>, Otherwise>
    : Otherwise

type WrongMembers<Given, Takes, Otherwise, Path extends string> = [Takes] extends [never]
  ? Otherwise
  : [MissingKeys<Given, Takes>] extends [never]
    ? OrElse<
        {
          [Key in keyof Given & keyof Takes]-?: WrongOutput<Given[Key], Takes[Key], `${Path}.${Key & string}`>
        }[keyof Given & keyof Takes],
        Otherwise
      >
    : `${Path} needs ${Listed<MissingKeys<Given, Takes>, ', '>}`

/** Of an output that has several alternatives, no member alone is to blame. */
type OrElse<Found, Otherwise> = [Found] extends [never] ? Otherwise : Found
