import fc from 'fast-check'

const character = fc.constantFrom(
  ...['a', 'b', 'c', 'A', '_', '-', ' ', '0', '1', 'é', '😀', '.', '\\.', '\\\\', '/', '\\/', '\\-', '"'],
  ...[
    '\\n',
    '\\t',
    '\\0',
    '\\cA',
    '\\x61',
    '\\u0061',
    '\\u{61}',
    '\\u{1F600}',
    '\\uD83D\\uDE00',
    '\\uD83D',
    '\\uDE00',
  ],
  ...[
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '\\p{L}',
    '\\P{L}',
    '\\p{Lu}',
    '\\p{Script=Greek}',
    '\\p{Emoji}',
  ],
)
const inClass = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'c',
    '0',
    '-',
    '^',
    '.',
    '$',
    '|',
    '(',
    ')',
    '{',
    '*',
    '\\]',
    '\\[',
    '[',
    '\\\\',
    '\\-',
    '\\b',
  ),
  fc.constantFrom(
    'a-c',
    'A-Z',
    '0-9',
    'à-ü',
    '\\d',
    '\\W',
    '\\s',
    '\\p{L}',
    '\\u{61}',
    '😀',
    '\\uD83D',
    '\\x00-\\x1f',
    '&',
  ),
)
const characterClass = fc
  .tuple(fc.boolean(), fc.array(inClass, { maxLength: 4 }))
  .map(([isNegated, parts]) => `[${isNegated ? '^' : ''}${parts.join('')}]`)
const quantifier = fc.constantFrom(
  '',
  '',
  '*',
  '+',
  '?',
  '{2}',
  '{0,2}',
  '{1,}',
  '{0}',
  '{3,5}',
  '*?',
  '+?',
  '??',
  '{2,}?',
  '{30}',
)

/** Regular expressions of every construct that the flag `u` knows; some are not valid. */
export const patternSource: fc.Arbitrary<string> = fc.letrec<{ choice: string }>((tie) => {
  const open = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('(', '(?:') },
    { weight: 2, arbitrary: fc.constantFrom('(?=', '(?!', '(?<=', '(?<!') },
    // Those with flags are valid from Node 24 on.
    { weight: 1, arbitrary: fc.constantFrom('(?<x>', '(?<longName>', '(?i:', '(?-i:', '(?ims:') },
  )
  const term = fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 5, arbitrary: character },
    { weight: 3, arbitrary: characterClass },
    { weight: 1, arbitrary: fc.constantFrom('^', '$', '^', '$', '\\b', '\\B', '\\1', '\\k<x>') },
    { weight: 3, arbitrary: fc.tuple(open, tie('choice')).map(([start, inner]) => `${start}${inner})`) },
  )
  const sequence = fc
    .array(fc.tuple(term, quantifier), { maxLength: 4 })
    .map((parts) => parts.map(([part, count]) => part + count).join(''))
  return { choice: fc.array(sequence, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('|')) }
}).choice

const piece = fc.constantFrom(
  ...[
    'a',
    'b',
    'c',
    'ab',
    'aa',
    'A',
    '_',
    '-',
    ' ',
    '0',
    '1',
    'é',
    'e\u0301',
    '😀',
    '\ud83d',
    '\ude00',
    '\n',
    '\r',
    '\u2028',
  ],
  ...['.', '\\', '/', '"', ']', '}', 'Ω', '\u00a0', '\x01', '\0', '\ufeff', 'ſ', 'K'],
)

/** Texts of the characters that those expressions speak of. */
export const patternText: fc.Arbitrary<string> = fc
  .array(piece, { maxLength: 8 })
  .map((parts) => parts.join(''))
