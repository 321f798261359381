/**
 * The grammar of References and output paths, as a table: one line per rule and edge. The tests of the run-time parser
 * and of the type-level parser both read it.
 */
export interface GrammarCase {
  readonly text: string
  /** Each alternative lists paths as `[kind, ...segments]`; null when the text does not parse. */
  readonly want: readonly (readonly (readonly string[])[])[] | null
  /** What the line shows. */
  readonly shows: string
  /** Some path has no `†`, so the text is an output path and, in a parameter, just text. */
  readonly outputOnly?: true
}

export const grammar = [
  { text: '†state', want: [[['state']]], shows: 'a whole kind' },
  { text: '†state.user.name', want: [[['state', 'user', 'name']]], shows: 'a path' },
  { text: '†audit.total', want: [[['audit', 'total']]], shows: 'any kind' },
  { text: '†state.users.0.name', want: [[['state', 'users', '0', 'name']]], shows: 'a list index' },
  { text: '†state.a-b_c$d', want: [[['state', 'a-b_c$d']]], shows: 'letters, digits, _ - and $' },
  { text: '†state.größe.数', want: [[['state', 'größe', '数']]], shows: 'letters of every script' },
  { text: "†state.'odd key'.x", want: [[['state', 'odd key', 'x']]], shows: 'a quoted segment' },
  { text: "†state.'it''s'", want: [[['state', "it's"]]], shows: 'a quote inside is doubled' },
  { text: "†state.''", want: [[['state', '']]], shows: 'an empty key' },
  { text: "†'odd kind'.x", want: [[['odd kind', 'x']]], shows: 'a quoted kind' },
  { text: "†state.'a.b || †c'", want: [[['state', 'a.b || †c']]], shows: 'operators inside quotes are text' },
  { text: '†a.x || †b.y', want: [[['a', 'x']], [['b', 'y']]], shows: 'alternatives' },
  {
    text: '†a.x && †b.y',
    want: [
      [
        ['a', 'x'],
        ['b', 'y'],
      ],
    ],
    shows: 'conjunction',
  },
  {
    text: '†a && †b || †c && †d || †e',
    want: [[['a'], ['b']], [['c'], ['d']], [['e']]],
    shows: '&& binds tighter than ||',
  },
  { text: '†a||†b&&†c', want: [[['a']], [['b'], ['c']]], shows: 'no white space is needed' },
  { text: '†a  ||\n\t†b', want: [[['a']], [['b']]], shows: 'any white space around an operator' },
  { text: 'user.name', want: [[['state', 'user', 'name']]], shows: 'no † means the state', outputOnly: true },
  {
    text: '†a.x || y',
    want: [[['a', 'x']], [['state', 'y']]],
    shows: 'each path for itself',
    outputOnly: true,
  },
  { text: '', want: null, shows: 'nothing' },
  { text: '†', want: null, shows: 'a † alone' },
  { text: '††state.a', want: null, shows: 'the escape is no path' },
  { text: '† state.a', want: null, shows: 'no white space after the †' },
  { text: ' †state.a', want: null, shows: 'none before' },
  { text: '†state.a ', want: null, shows: 'none at the end' },
  { text: '†state.', want: null, shows: 'a dot at the end' },
  { text: '†.a', want: null, shows: 'no kind' },
  { text: '†state..a', want: null, shows: 'an empty bare segment' },
  { text: '†state.a b', want: null, shows: 'two words' },
  { text: '†state[0]', want: null, shows: 'brackets' },
  { text: "†state.'open", want: null, shows: 'an open quote' },
  { text: "†state.'a'b", want: null, shows: 'text after a quote' },
  { text: '†state.a ||', want: null, shows: 'an operator at the end' },
  { text: '|| †state.a', want: null, shows: 'an operator at the start' },
  { text: '†a | †b', want: null, shows: 'half an operator' },
  { text: '(†a || †b)', want: null, shows: 'no parentheses' },
  { text: '!†a', want: null, shows: 'no negation' },
  { text: '† see the footnote, please', want: null, shows: 'prose' },
] as const satisfies readonly GrammarCase[]
