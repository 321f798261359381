/**
 * What the type system has parsed of a Reference or output path: the type-level twin of `Expression` in
 * `runtime/context/reference.ts`. A path is a tuple of its kind and its segments.
 */
export interface ExpressionType<Alternatives, Daggers> {
  readonly alternatives: Alternatives
  readonly daggers: Daggers
}

/** A text of which the type system makes no claim: one that is computed, or quotes a segment. */
export interface Unsaid {
  readonly '~unsaid': true
}

type Names = readonly string[]
type Paths = readonly Names[]

/**
 * Parses as `parseExpression` does: the same grammar, in the same steps. `null` for a text of another grammar,
 * {@link Unsaid} for a quoted segment or a text that is not known when compiling.
 *
 * Of characters only those of ASCII and the commonest others are told apart; any other counts as a letter.
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

/** A text that is more than one plain path. Most are not, and are parsed at a third of the cost. */
type WithOperator = `${string}${Space | '|' | '&' | "'"}${string}`

/** What `||` separates. */
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

/** What `&&` separates. */
type Conjunction<Text extends string, Done extends Paths = []> = Text extends `${infer First}&&${infer Rest}`
  ? Path<TrimEnd<First>> extends infer Parsed extends Names
    ? Conjunction<TrimStart<Rest>, [...Done, Parsed]>
    : null
  : Path<Text> extends infer Parsed extends Names
    ? [...Done, Parsed]
    : null

type Path<Text extends string> = Text extends `†${infer Dotted}` ? Dots<Dotted> : Dots<Text, ['state']>

type Dots<Text extends string, Done extends Names = []> = Text extends WithNoName ? null : Split<Text, Done>

/** An empty segment, or a character that none holds. */
type WithNoName = '' | `${string}${NoName}${string}` | `${string}..${string}` | `.${string}` | `${string}.`

/** What follows the `†` in anything but one plain path. */
export type NotPlain = WithOperator | WithNoName

type Split<Text extends string, Done extends Names> = Text extends `${infer Name}.${infer Rest}`
  ? Split<Rest, [...Done, Name]>
  : [...Done, Text]

/** Whether every path begins with `†`, of a text that parses. */
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

/** Characters that no bare segment holds. */
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
