/**
 * The first few members of a union of texts in one text, so that the compiler prints one sentence where a union of
 * sentences would repeat what they share, and cut off the rest. A few more would make the first line of an error too long.
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

/** One member of a union: the compiler infers from the last of several signatures. Right Activities are asked too: it is cheap. */
export type LastOf<Union> = (Union extends unknown ? (each: () => Union) => void : never) extends (
  all: infer All,
) => void
  ? All extends () => infer Last
    ? Last
    : never
  : never

/**
 * A function that gives each member of a union by a signature of its own. They all are objects too, which the compiler finds
 * at once: else it would compare each of a thousand signatures with each.
 */
type SignaturesOf<Union> = (Union extends unknown ? (each: () => Union) => void : never) extends
  | ((all: infer All) => void)
  | object
  ? All
  : never
