/**
 * The first few members of a union of texts in one text, so that the compiler prints one sentence where a union of
 * sentences would repeat what they share, and cut off the rest.
 *
 * @example Listed<'a' | 'b', ' or '> // 'a or b'
 */
export type Listed<Texts extends string, Between extends string> = Join<Texts, Between, '', []>

type Join<Texts extends string, Between extends string, Text extends string, Counted extends 1[]> = [
  Texts,
] extends [never]
  ? Text
  : Counted['length'] extends Most
    ? `${Text}${Between}…`
    : LastOf<Texts> extends infer Last extends string
      ? Join<
          Exclude<Texts, Last>,
          Between,
          Text extends '' ? Last : `${Text}${Between}${Last}`,
          [...Counted, 1]
        >
      : never

/** Some more would make the first line of an error too long. */
type Most = 4

/** One member of a union: the compiler infers from the last of several signatures. */
export type LastOf<Union> = (Union extends unknown ? (each: () => Union) => void : never) extends (
  all: infer All,
) => void
  ? All extends () => infer Last
    ? Last
    : never
  : never
