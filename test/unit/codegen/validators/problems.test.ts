import { describe, expect, test } from 'vitest'
import { interpretCheck } from '../../../../runtime/check-tree/interpret.ts'
import type { Problem } from '../../../../runtime/errors.ts'
import type { JsonSchema } from '../../../../runtime/schema/schema.ts'
import { compiled } from './evaluate.ts'

const closed = (properties: JsonSchema['properties'], required: string[] = []): JsonSchema => ({
  type: 'object',
  properties: properties ?? {},
  required,
  additionalProperties: false,
})

const shapes: JsonSchema = {
  anyOf: [
    closed({ kind: { const: 'circle' }, radius: { type: 'number' } }, ['kind', 'radius']),
    closed({ kind: { const: 'square' }, side: { type: 'number' } }, ['kind', 'side']),
  ],
}

const open = (properties: JsonSchema['properties'], required: string[] = []): JsonSchema => ({
  properties: properties ?? {},
  required,
})
const circleOrSquare = [
  open({ kind: { const: 'circle' }, radius: { type: 'number' } }, ['kind', 'radius']),
  open({ kind: { const: 'square' }, side: { type: 'number' } }, ['kind', 'side']),
]
const named: JsonSchema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }
const wrongRadius = { id: 'x', kind: 'circle', radius: 'r' }
const radiusAlone = ['/radius: expected a number, got "r"']
/** A union of shapes that inherit, closed over all of them. */
const inherited: JsonSchema = {
  allOf: [named, { type: 'object', anyOf: circleOrSquare }],
  unevaluatedProperties: false,
}

/** [what it shows, schema, value, the messages] */
const table: [title: string, schema: JsonSchema, value: unknown, messages: string[]][] = [
  [
    'CALL-11a a tag in shapes that inherit',
    { oneOf: circleOrSquare.map((each) => ({ allOf: [named, each] })) },
    wrongRadius,
    radiusAlone,
  ],
  [
    'CALL-11a a tag around whose union is the type',
    { type: 'object', anyOf: circleOrSquare },
    wrongRadius,
    radiusAlone,
  ],
  [
    'CALL-11a a tag that a definition fixes',
    {
      anyOf: [
        closed({ kind: { $ref: '#/$defs/Circle' }, radius: { type: 'number' } }, ['kind', 'radius']),
        closed({ kind: { allOf: [{ const: 'square' }] }, side: { type: 'number' } }, ['kind', 'side']),
      ],
      $defs: { Circle: { const: 'circle' } },
    },
    { kind: 'circle', radius: 'r' },
    radiusAlone,
  ],
  [
    'CALL-11a what a shape declares is no extra property because the shape has a problem',
    inherited,
    wrongRadius,
    radiusAlone,
  ],
  [
    'CALL-11a beside a problem of its shape, a property of none is extra',
    inherited,
    { ...wrongRadius, radios: 1 },
    [...radiusAlone, '/radios: no such property'],
  ],
  [
    'CALL-11a beside no problem of its shape, a property of another shape is extra',
    inherited,
    { ...wrongRadius, radius: 1, side: 2 },
    ['/side: no such property'],
  ],
  ['a wrong type', { type: 'number' }, 'ten', ['expected a number, got "ten"']],
  [
    'a wrong type inside',
    closed({ amount: { type: 'number' } }),
    { amount: 'ten' },
    ['/amount: expected a number, got "ten"'],
  ],
  [
    'a missing property, at its own pointer',
    closed({ location: { type: 'string' } }, ['location']),
    {},
    ['/location: expected a string, got nothing'],
  ],
  [
    'a missing property of any kind',
    { type: 'object', required: ['a'] },
    {},
    ['/a: expected a value, got nothing'],
  ],
  [
    'a misspelt property, at its own pointer',
    closed({ units: { type: 'string' } }),
    { untis: 'm' },
    ['/untis: no such property; did you mean "units"?'],
  ],
  [
    'an extra property like no other',
    closed({ units: { type: 'string' } }),
    { zzzzz: 1 },
    ['/zzzzz: no such property'],
  ],
  [
    'a property that is there is not suggested',
    closed({ units: { type: 'string' } }),
    { units: 'm', unit: 1 },
    ['/unit: no such property'],
  ],
  [
    'a forbidden property',
    { type: 'object', properties: { _scopes: false } },
    { _scopes: [] },
    ['/_scopes: no such property'],
  ],
  [
    'names that a pointer escapes',
    closed({ 'a/b~c': { type: 'null' } }),
    { 'a/b~c': 1 },
    ['/a~1b~0c: expected null, got 1'],
  ],
  ['bounds', { type: 'integer', minimum: 1, maximum: 9 }, 0.5, ['expected an integer from 1 to 9, got 0.5']],
  ['one bound', { type: 'number', minimum: 1 }, 0, ['expected a number >= 1, got 0']],
  [
    'excluded bounds',
    { type: 'number', exclusiveMinimum: 1, multipleOf: 2 },
    1,
    ['expected a number > 1, got 1', 'expected a multiple of 2, got 1'],
  ],
  [
    'lengths',
    { type: 'string', minLength: 2, maxLength: 3 },
    'a',
    ['expected a string of 2 to 3 characters, got "a"'],
  ],
  [
    'a pattern',
    { type: 'string', pattern: '^[a-z]+$' },
    'A',
    ['expected a string that matches ^[a-z]+$, got "A"'],
  ],
  [
    'a format',
    { type: 'string', format: 'email' },
    'me',
    ['expected a string in the format "email", got "me"'],
  ],
  ['an enum', { type: 'string', enum: ['a', 'b'] }, 'c', ['expected one of "a", "b", got "c"']],
  ['a constant', { const: 'a' }, 'b', ['expected "a", got "b"']],
  ['a long constant, whole', { const: 'a'.repeat(300) }, 'b', [`expected "${'a'.repeat(300)}", got "b"`]],
  [
    'long values of an enum, whole',
    { enum: ['a'.repeat(200), 'b'.repeat(200)] },
    'c'.repeat(200),
    [`expected one of "${'a'.repeat(200)}", "${'b'.repeat(200)}", got "${'c'.repeat(58)}…`],
  ],
  [
    'a constant without bounds, cut',
    { const: 'a'.repeat(5000) },
    'b',
    [`expected "${'a'.repeat(398)}…, got "b"`],
  ],
  [
    'an enum of long values, cut',
    { enum: Array.from({ length: 30 }, (_, index) => `${index}`.padEnd(300, 'a')) },
    'b',
    [
      expect.stringMatching(
        /^expected one of "0a{299}", "1a{299}", "2a{299}", "3a+…, … \(30 in all\), got "b"$/,
      ),
    ],
  ],
  ['several types', { type: ['string', 'null'] }, 1, ['expected a string or null, got 1']],
  [
    'every problem, in order',
    closed({ a: { type: 'string' }, b: { type: 'array', items: { type: 'integer' } } }),
    { a: 1, b: [1, 'x', 2.5] },
    [
      '/a: expected a string, got 1',
      '/b/1: expected an integer, got "x"',
      '/b/2: expected an integer, got 2.5',
    ],
  ],
  [
    'too many items, and what is wrong in them',
    { type: 'array', items: { type: 'string' }, maxItems: 1 },
    ['a', 1],
    ['expected an array of at most 1 item, got ["a",1]', '/1: expected a string, got 1'],
  ],
  [
    'equal items',
    { type: 'array', uniqueItems: true },
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    ['/1: expected an item other than item 0, got {"b":2,"a":1}'],
  ],
  [
    'alternatives of one value',
    { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    true,
    ['expected a string or an integer, got true'],
  ],
  [
    'alternatives, one of them meant',
    { anyOf: [closed({ a: { type: 'string' } }), { type: 'null' }] },
    { a: 1 },
    ['/a: expected a string, got 1'],
  ],
  [
    'alternatives told apart by a constant',
    shapes,
    { kind: 'square', side: 'x' },
    ['/side: expected a number, got "x"'],
  ],
  [
    'a constant that names no alternative',
    shapes,
    { kind: 'cirlce', radius: 1 },
    ['/kind: expected "circle" or "square", got "cirlce"'],
  ],
  ['no alternative is near', shapes, 7, ['expected an object, got 7']],
  [
    'more than one of exactly one',
    { oneOf: [{ type: 'number' }, { type: 'integer' }] },
    1,
    ['expected exactly one of 2 shapes, not 2 of them, got 1'],
  ],
  [
    'a condition',
    Object.fromEntries([
      ['if', { type: 'string' }],
      ['then', { minLength: 2 }],
    ]),
    'a',
    ['expected a string of at least 2 characters, got "a"'],
  ],
  [
    'a name',
    { type: 'object', propertyNames: { maxLength: 1 } },
    { ab: 1 },
    ['/ab: expected a property name that is a string of at most 1 character, got "ab"'],
  ],
  ['a long value is cut', { type: 'null' }, 'x'.repeat(500), [`expected null, got "${'x'.repeat(58)}…`]],
  [
    'the same twice is said once',
    { allOf: [{ type: 'string' }, { type: 'string' }] },
    1,
    ['expected a string, got 1'],
  ],
]

describe.each([
  ['compiled', compiled],
  ['interpreted', interpretCheck],
])('CALL-8a problems of %s checks', (_kind, make) => {
  test.each(table)('%s', (_title, schema, value, messages) => {
    const problems: Problem[] = []
    expect(make(schema)(value, '', problems)).toBe(false)
    expect(problems.map(({ message }) => message)).toEqual(messages)
  })

  test('they carry path, expected and received beside the sentence, under the path that is asked for', () => {
    const problems: Problem[] = []
    make(closed({ amount: { type: 'number' } }))({ amount: 'ten' }, '/calls/0', problems)
    expect(problems).toEqual([
      {
        path: '/calls/0/amount',
        expected: 'a number',
        received: '"ten"',
        message: '/calls/0/amount: expected a number, got "ten"',
      },
    ])
  })
})
