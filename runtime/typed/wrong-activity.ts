import type { ActivityMessage, ActivityResult, AnyActivity } from '../tools/activity.ts'
import type { DescribeType } from './describe-type.ts'
import type { LastOf, Listed } from './listed.ts'
import type { MissingKeys } from './missing-keys.ts'
import type { WithConstants } from './with-constants.ts'
import type { Nearest } from './wrong-call.ts'

/**
 * The expected type for an Activity that does not fit its Tool: a sentence that names one property of the output and
 * its required type (TYPE-7). Evaluated only for wrong Activities, with the type of one Tool. If the output is not the
 * problem, or the Activity's type is unknown, it is the type of a valid Activity.
 *
 * @param Takes The type of a valid Activity of the name.
 * @example WrongActivity<() => { lines: string }, FileStatsActivity, 'fileStats'>
 *   // 'fileStats._output.lines must be a number'
 */
export type WrongActivity<Given, Takes, Name extends string> = [AnyActivity] extends [Given]
  ? Takes
  : [OutputOf<Given>] extends [OutputOf<Takes>]
    ? Takes
    : [OutputOf<Given>] extends [WithConstants<OutputOf<Takes>>]
      ? (...given: never) => ActivityResult<WithConstants<OutputOf<Takes>>>
      : WrongOutput<OutputOf<Given>, OutputOf<Takes>, `${Name}._output`, []>

/** The result of a function without Messages; never for anything but a function. */
type OutputOf<Activity> = Activity extends (...given: never) => infer Returned
  ? Exclude<Awaited<Returned>, ActivityMessage>
  : never

/**
 * A sentence for a member of the result type that does not fit. For one only: each member of a large union would be
 * compared with every alternative that is allowed.
 */
type WrongOutput<Given, Takes, Path extends string, Depth extends 1[]> = WrongOne<
  LastOf<Exclude<Given, Takes>>,
  Takes,
  Path,
  Depth
>

type WrongOne<Given, Takes, Path extends string, Depth extends 1[]> = [Given] extends [never]
  ? never
  : Depth['length'] extends Deepest
    ? OtherShape<Path>
    : Given extends readonly unknown[]
      ? WrongItem<Given[number], Extract<Takes, readonly unknown[]>, MustBe<Takes, Path>, Path, Depth>
      : Given extends object
        ? WrongMember<
            Given,
            Meant<Given, Exclude<Extract<Takes, object>, readonly unknown[]>>,
            MustBe<Takes, Path>,
            Path,
            Depth
          >
        : MustBe<Takes, Path>

/** Limits the depth: the result may be recursive, and its path grows with every level. */
type Deepest = 8

type MustBe<
  Takes,
  Path extends string,
> = `${Path} must be ${Listed<DescribeType<Exclude<Takes, undefined>, ''>, ' or '>}`

/** For an output that is a union without tags, no single property is the problem. */
type OtherShape<Path extends string> = `${Path} is of another shape`

/** The members that an object's literals choose; all, if they choose none. */
type Meant<Given, Shapes> = OrElse<Nearest<Given, Shapes>, Shapes>

type WrongItem<Item, Takes, Otherwise, Path extends string, Depth extends 1[]> = [Takes] extends [never]
  ? Otherwise
  : [Takes] extends [readonly (infer Taken)[]]
    ? OrElse<WrongOutput<Item, Taken, `${Path}[]`, [...Depth, 1]>, OtherShape<Path>>
    : Otherwise

type WrongMember<Given, Takes, Otherwise, Path extends string, Depth extends 1[]> = [Takes] extends [never]
  ? Otherwise
  : [MissingKeys<Given, Takes>] extends [never]
    ? WorstKey<Given, Takes> extends infer Key extends string & keyof Given & keyof Takes
      ? [Key] extends [never]
        ? OtherShape<Path>
        : OrElse<WrongOutput<Given[Key], Takes[Key], `${Path}.${Key}`, [...Depth, 1]>, OtherShape<Path>>
      : OtherShape<Path>
    : `${Path} needs ${Listed<MissingKeys<Given, Takes>, ', '>}`

/** Picks one property that does not fit; preferably a primitive, since in an array or object the problem is deeper. */
type WorstKey<Given, Takes> = [WrongKeys<Given, Takes, object>] extends [never]
  ? LastOf<WrongKeys<Given, Takes, never>>
  : LastOf<WrongKeys<Given, Takes, object>>

type WrongKeys<Given, Takes, Besides> = {
  [Key in keyof Given & keyof Takes]-?: [Given[Key]] extends [Besides | Takes[Key]] ? never : Key
}[keyof Given & keyof Takes]

type OrElse<Found, Otherwise> = [Found] extends [never] ? Otherwise : Found
