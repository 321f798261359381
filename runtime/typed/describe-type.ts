type AnyReference = `†${string}`

/**
 * Describes the type of a parameter in words; a union of phrases for a union type.
 *
 * @param Besides The suffix of each phrase if a Reference is allowed instead.
 * @example DescribeType<number | `†${string}`> // 'a number or a Reference'
 */
// biome-ignore lint/suspicious/noConfusingVoidType: the output type of a Tool without `_output` is void, and nothing else tells it apart
export type DescribeType<Takes, Besides extends string = OrReference<Takes>> = [Takes] extends [void]
  ? 'nothing'
  : boolean extends Takes
    ? Phrase<Exclude<Takes, boolean | undefined>, Besides> | `true or false${Besides}`
    : Phrase<Exclude<Takes, undefined>, Besides>

/**
 * Describes one member of a union. The Reference pattern is covered by the suffix; a literal that looks like a
 * Reference is described like any other.
 */
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

/** The suffix if a Reference is allowed too; empty for `string`, which includes it. */
export type OrReference<Takes> = string extends Takes
  ? ''
  : AnyReference extends Takes
    ? ' or a Reference'
    : ''
