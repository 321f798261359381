/**
 * Allows readonly arrays in the type of a value that is copied before use, as every Call and every output is. The
 * expected type is widened rather than the given one: a literal is then compared down to its last leaf, while the
 * compiler treats two recursive types as equal after a few levels. Arrays of unknown length are written out, since the
 * compiler would evaluate a mapped one at once. A tuple with a rest element is not among them, and the compiler assigns
 * any array to a tuple whose first item is optional.
 */
export type WithConstants<Takes> = Takes extends readonly unknown[]
  ? [] extends Required<Takes>
    ? readonly WithConstants<Takes[number]>[]
    : { readonly [Index in keyof Takes]: WithConstants<Takes[Index]> }
  : Takes extends object
    ? Takes extends Primitive
      ? Takes
      : { [Key in keyof Takes]: WithConstants<Takes[Key]> }
    : Takes

/** A primitive with a brand: it also extends `object`, and would be expanded with all its methods. */
export type Primitive = string | number | boolean
