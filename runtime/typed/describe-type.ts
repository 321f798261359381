type AnyReference = `†${string}`

/**
 * Says in words what a parameter takes; a union of phrases where it takes one of several.
 *
 * @param Besides What is said of a phrase where a Reference may stand in its place.
 * @example DescribeType<number | `†${string}`> // 'a number or a Reference'
 */
// biome-ignore lint/suspicious/noConfusingVoidType: the output type of a Tool without `_output` is void, and nothing else tells it apart
export type DescribeType<Takes, Besides extends string = OrReference<Takes>> = [Takes] extends [void]
  ? 'nothing'
  : boolean extends Takes
    ? Phrase<Exclude<Takes, boolean | undefined>, Besides> | `true or false${Besides}`
    : Phrase<Exclude<Takes, undefined>, Besides>

/** One member of a union at a time. Any Reference is told of besides; a constant that looks like one is as any other. */
type Phrase<Member, Besides extends string> = Member extends string
  ? string extends Member
    ? 'a string'
    : AnyReference extends Member
      ? never
      : `'${Member}'`
  : Member extends number
    ? number extends Member
      ? `a number${Besides}`
      : `${Member}`
    : Member extends boolean | null
      ? `${Member}`
      : Member extends readonly unknown[]
        ? `a list${Besides}`
        : `an object${Besides}`

/** What is said besides where a Reference may stand as well; nothing of any text, which says it. */
export type OrReference<Takes> = string extends Takes
  ? ''
  : AnyReference extends Takes
    ? ' or a Reference'
    : ''
