/**
 * A parsed Reference or output path at type level: the counterpart of `Expression` in `runtime/context/reference.ts`. A
 * path is a tuple of its kind and its segments.
 */
export interface ExpressionType<Alternatives, Daggers> {
  readonly alternatives: Alternatives
  readonly daggers: Daggers
}

/** The result for a text that the type system does not parse: a computed one, or one with a quoted segment. */
export interface Unsaid {
  readonly '~unsaid': true
}

type Names = readonly string[]
type Paths = readonly Names[]

/**
 * Parses like `parseExpression`: the same grammar, in the same steps. `null` for a text that does not match the
 * grammar, {@link Unsaid} for a quoted segment or a text that is not known at compile time.
 *
 * Only ASCII and the most common other characters are distinguished; any other counts as a letter.
 *
 * @example ParseExpression<'†a.x || y'> // ExpressionType<[[['a', 'x']], [['state', 'y']]], false>
 */
export type ParseExpression<Text extends string> = string extends Text
  ? Unsaid
  : Text extends WithOperator
    ? Text extends `${string}'${string}`
      ? Unsaid
      : Alternatives<Text> extends infer Parsed extends readonly Paths[]
        ? ExpressionType<Parsed, HasDaggers<Text>>
        : null
    : Path<Text> extends infer Parsed extends Names
      ? ExpressionType<[[Parsed]], Text extends `†${string}` ? true : false>
      : null

/** A text with operators, quotes or spaces. Most texts are a single plain path, which is parsed at a third of the cost. */
type WithOperator = `${string}${Space | '|' | '&' | "'"}${string}`

/** Parses the alternatives separated by `||`. */
type Alternatives<
  Text extends string,
  Done extends readonly Paths[] = [],
> = Text extends `${infer First}||${infer Rest}`
  ? Conjunction<TrimEnd<First>> extends infer All extends Paths
    ? Alternatives<TrimStart<Rest>, [...Done, All]>
    : null
  : Conjunction<Text> extends infer All extends Paths
    ? [...Done, All]
    : null

/** Parses the paths separated by `&&`. */
type Conjunction<Text extends string, Done extends Paths = []> = Text extends `${infer First}&&${infer Rest}`
  ? Path<TrimEnd<First>> extends infer Parsed extends Names
    ? Conjunction<TrimStart<Rest>, [...Done, Parsed]>
    : null
  : Path<Text> extends infer Parsed extends Names
    ? [...Done, Parsed]
    : null

type Path<Text extends string> = Text extends `†${infer Dotted}` ? Dots<Dotted> : Dots<Text, ['state']>

type Dots<Text extends string, Done extends Names = []> = Text extends WithNoName ? null : Split<Text, Done>

/** Matches an empty segment, or a character that segments cannot contain. */
type WithNoName = '' | `${string}${NoName}${string}` | `${string}..${string}` | `.${string}` | `${string}.`

/** Matches the rest after `†` of anything but one plain path. */
export type NotPlain = WithOperator | WithNoName

type Split<Text extends string, Done extends Names> = Text extends `${infer Name}.${infer Rest}`
  ? Split<Rest, [...Done, Name]>
  : [...Done, Text]

/** `true` if every path begins with `†`, for a text that parses. */
type HasDaggers<Text extends string> = Text extends `${infer First}||${infer Rest}`
  ? HasDaggers<First> extends true
    ? HasDaggers<TrimStart<Rest>>
    : false
  : Text extends `${infer First}&&${infer Rest}`
    ? HasDaggers<First> extends true
      ? HasDaggers<TrimStart<Rest>>
      : false
    : Text extends `†${string}`
      ? true
      : false

type Space = ' ' | '\n' | '\t' | '\r' | '\v' | '\f' | ' '

type TrimStart<Text extends string> = Text extends `${Space}${infer Rest}` ? TrimStart<Rest> : Text
type TrimEnd<Text extends string> = Text extends `${infer Rest}${Space}` ? TrimEnd<Rest> : Text

/** Characters that an unquoted segment cannot contain. */
type NoName =
  | Space
  | '†'
  | (
      | '!'
      | '"'
      | '#'
      | '%'
      | '&'
      | '('
      | ')'
      | '*'
      | '+'
      | ','
      | '/'
      | ':'
      | ';'
      | '<'
      | '='
      | '>'
      | '?'
      | '@'
    )
  | ('[' | '\\' | ']' | '^' | '`' | '{' | '|' | '}' | '~')
  | (
      | '…'
      | '–'
      | '—'
      | '“'
      | '”'
      | '‘'
      | '’'
      | '«'
      | '»'
      | '·'
      | '•'
      | '§'
      | '©'
      | '°'
      | '€'
      | '£'
      | '¡'
      | '¿'
    )
