/**
 * What a value may be that is copied before it is used, as every Call and every output is: its lists may be constants. The
 * type that is taken is widened, not the one that is given: a literal is then compared to its last leaf, where the compiler
 * takes two types that contain themselves for alike after a few levels. Lists of any length are written out, since the
 * compiler would work out a mapped one at once; a tuple with a rest is none of them, and the compiler lets any list be one whose
 * first item may be left out.
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

/** With members of its own it extends `object` as well, and would be written out with all its methods. */
export type Primitive = string | number | boolean
