type AnyReference = `†${string}`

/**
 * Says in words what a parameter takes; a union of phrases where it takes one of several.
 *
 * @example DescribeType<number | `†${string}`> // 'a number or a Reference'
 */
export type DescribeType<Takes> = [Takes] extends [undefined]
  ? 'nothing'
  : boolean extends Takes
    ? Phrase<Exclude<Takes, boolean | AnyReference | undefined>, Takes> | `true or false${OrReference<Takes>}`
    : Phrase<Exclude<Takes, AnyReference | undefined>, Takes>

/** One member of a union at a time. */
type Phrase<Member, Takes> = Member extends string
  ? string extends Member
    ? 'a string'
    : `'${Member}'`
  : Member extends number
    ? number extends Member
      ? `a number${OrReference<Takes>}`
      : `${Member}`
    : Member extends boolean | null
      ? `${Member}`
      : Member extends readonly unknown[]
        ? `a list${OrReference<Takes>}`
        : `an object${OrReference<Takes>}`

type OrReference<Takes> = AnyReference extends Takes ? ' or a Reference' : ''
