/**
 * Joins the first few members of a union of strings, so that the compiler prints one sentence: a union of sentences
 * would repeat their common part and be cut off. More members would make the first line of the error too long.
 *
 * @example Listed<'a' | 'b', ' or '> // 'a or b'
 */
export type Listed<Texts extends string, Between extends string> = [Texts] extends [never]
  ? ''
  : // Five at once: of a thousand texts each look at the signatures takes long. Where there are fewer, one comes again.
    SignaturesOf<Texts> extends {
        (): infer Fifth
        (): infer Fourth
        (): infer Third
        (): infer Second
        (): infer First
      }
    ? Join<[First, Second, Third, Fourth, Fifth], Between, '', never>
    : never

type Join<Members, Between extends string, Text extends string, Seen> = Members extends readonly [
  infer Next extends string,
  ...infer Rest,
]
  ? Next extends Seen
    ? Text
    : Rest extends readonly []
      ? `${Text}${Between}…`
      : Join<Rest, Between, Text extends '' ? Next : `${Text}${Between}${Next}`, Seen | Next>
  : Text

/** `true` if a type is not a union. Cheap also for large unions, whose first member no other member accepts. */
export type IsSingle<Type, All = Type> = Type extends unknown ? ([All] extends [Type] ? true : false) : never

/** Picks one member of a union: the compiler infers from the last of several signatures. */
export type LastOf<Union> = SignaturesOf<Union> extends () => infer Last ? Last : never

/**
 * Converts a union to a function with one signature per member. What is inferred from is another `step` than what it is
 * compared with, so that the compiler ends at that, and takes it for an object at once; otherwise it would compare each of
 * a thousand signatures with every other.
 */
type SignaturesOf<Union> = (
  Union extends unknown
    ? { step: 'infer'; each: (each: () => Union) => void }
    : never
) extends { step: 'compare'; each: (all: infer All) => void } | object
  ? All
  : never
