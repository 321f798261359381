import { type TSchema, Type } from 'typebox'
import { expect, test } from 'vitest'
import { buildModel } from '../../../../codegen/build/build-model.ts'
import { tool } from '../../../../runtime/schema/tool.ts'
import { buildParameter, define } from './define.ts'

const cyclic: { type: string; properties: Record<string, unknown> } = { type: 'object', properties: {} }
cyclic.properties.self = cyclic

let deep: object = { type: 'string' }
for (let level = 0; level < 300; level++) deep = { type: 'array', items: deep }

let wide: object = { type: 'string' }
for (let level = 0; level < 40; level++) wide = { type: 'object', properties: { a: wide, b: wide } }

/** As TypeBox 0.34 marks it, which 1.x does not see. */
const markedByOld = { type: 'string', [Symbol('TypeBox.Optional')]: 'Optional' }
/** As 1.x marks it, in an object that 0.34 made. */
const madeByOld = { type: 'object', properties: { a: Type.Optional(Type.String()) }, required: ['a'] }

class Bounded {
  readonly type = 'string'
  get minLength(): number {
    return 2
  }
}

/** As a class with the decorators of class-validator: its fields have no values. */
class Person {
  declare readonly name: string
}

/** An import from a file that has not run yet. */
const missing = undefined as unknown as TSchema

const cases: { given: string; schema: object; want: string }[] = [
  { given: 'Undefined', schema: Type.Undefined(), want: 'not-json-kind: JSON has no type "undefined"' },
  { given: 'Void', schema: Type.Void(), want: 'not-json-kind: JSON has no type "void"' },
  { given: 'BigInt', schema: Type.BigInt(), want: 'not-json-kind: JSON has no type "bigint"' },
  {
    given: 'a bigint literal',
    schema: { const: 10n },
    want: 'not-json: A value of type bigint is not JSON.',
  },
  { given: 'Symbol', schema: Type.Symbol(), want: 'not-json-kind: JSON has no type "symbol"' },
  {
    given: 'a long type',
    schema: { type: 'x'.repeat(5000) },
    want: `not-json-kind: JSON has no type "${'x'.repeat(58)}…; it has`,
  },
  {
    given: 'Function',
    schema: Type.Function([], Type.Null()),
    want: 'not-json-kind: JSON has no type "function"',
  },
  {
    given: 'Constructor',
    schema: Type.Constructor([], Type.Null()),
    want: 'not-json-kind: JSON has no type "constructor"',
  },
  {
    given: 'Date of TypeBox 0.27',
    schema: { type: 'object', instanceOf: 'Date' },
    want: 'not-json-kind: JSON has no type "Date"',
  },
  {
    given: 'Undefined of TypeBox 0.27',
    schema: { type: 'null', typeOf: 'Undefined' },
    want: 'not-json-kind: JSON has no type "Undefined"',
  },
  {
    given: 'an optional property of TypeBox 0.27 in an object of 1.x',
    schema: Type.Object({ a: { type: 'string', [Symbol('TypeBox.Modifier')]: 'ReadonlyOptional' } }),
    want: 'optional-elsewhere: it is marked as optional by another TypeBox',
  },
  {
    given: 'an optional property of TypeBox 0.34 in an object of 1.x',
    schema: Type.Object({ a: markedByOld }),
    want: 'optional-elsewhere: it is marked as optional by another TypeBox',
  },
  {
    given: 'an optional property of TypeBox 1.x in an object of 0.34',
    schema: madeByOld,
    want: 'optional-elsewhere: it is marked as optional by another TypeBox',
  },
  { given: 'Date of TypeBox 0.34', schema: { type: 'Date' }, want: 'not-json-kind: JSON has no type "Date"' },
  {
    given: 'a date as default',
    schema: { default: new Date(0) },
    want: 'not-json: An object of Date is not JSON.',
  },
  {
    given: 'a class with a getter for a keyword',
    schema: new Bounded(),
    want: 'malformed-schema: expected a schema, got an object that inherits its "minLength".',
  },
  {
    given: 'an object of a class without a keyword',
    schema: Type.Object({ of: new Person() as TSchema }),
    want: 'malformed-schema: expected a schema, got an object of Person.',
  },
  {
    given: 'Type.Optional of a function',
    schema: Type.Optional(Type.String),
    want: 'malformed-schema: expected a schema, got what Type.Optional or the like makes of a function.',
  },
  {
    given: 'an object made from another schema',
    schema: Object.create({ type: 'string' }),
    want: 'malformed-schema: expected a schema, got an object that inherits its "type".',
  },
  { given: 'NaN', schema: { default: Number.NaN }, want: 'not-json: NaN is not JSON.' },
  { given: 'flags of a regular expression', schema: { pattern: /a/i }, want: 'pattern-flags: the flags "i"' },
  {
    given: 'nullable without a type',
    schema: { nullable: true },
    want: 'nullable-without-type: "nullable" says',
  },
  {
    given: 'a boolean exclusiveMinimum',
    schema: { minimum: 1, exclusiveMinimum: true },
    want: 'malformed-schema: "exclusiveMinimum" must be a number, got true.',
  },
  {
    given: 'required on the property itself',
    schema: { type: 'string', required: true },
    want: 'malformed-schema: "required" must be a list of strings, got true.',
  },
  {
    given: 'a function where a schema belongs',
    schema: { type: 'object', properties: { a: Type.String } },
    want: 'malformed-schema: expected a schema, got a function.',
  },
  {
    given: 'undefined as a property',
    schema: Type.Object({ a: missing }),
    want: 'malformed-schema: expected a schema, got undefined.',
  },
  {
    given: 'undefined as the items of a list',
    schema: Type.Array(missing),
    want: 'malformed-schema: expected a schema, got undefined.',
  },
  {
    given: 'undefined as the values of a record',
    schema: Type.Record(Type.String(), missing),
    want: 'malformed-schema: expected a schema, got undefined.',
  },
  {
    given: 'Type.Ref of undefined',
    schema: Type.Ref(undefined as unknown as string),
    want: 'malformed-schema: "$ref" must be a string, such as the $id of a schema, got nothing.',
  },
  {
    given: 'Type.Ref of an object',
    schema: Type.Ref(Type.String() as unknown as string),
    want: 'malformed-schema: "$ref" must be a string',
  },
  {
    given: '__proto__ as a property',
    schema: JSON.parse('{ "type": "object", "properties": { "__proto__": {} } }'),
    want: 'reserved-property: the name "__proto__" is reserved by JavaScript.',
  },
  {
    given: '__proto__ in data',
    schema: JSON.parse('{ "const": { "__proto__": 1 } }'),
    want: 'reserved-property: the name "__proto__"',
  },
  {
    given: 'an object that contains itself',
    schema: cyclic,
    want: 'endless-schema: the object contains itself',
  },
  {
    given: 'a schema without end',
    schema: deep,
    want: 'endless-schema: it lies more than 200 objects and lists deep.',
  },
  {
    given: 'a schema that doubles forty times',
    schema: wide,
    want: 'endless-schema: written out, it has more than',
  },
  {
    given: 'a reference that leads nowhere',
    schema: Type.Ref('Adress'),
    want: 'missing-reference: "$ref": "Adress" names no schema. Did you mean "Address"? Known are: Address.',
  },
  {
    given: 'a type that Type.Script does not know',
    schema: Type.Script('{ a: strng }'),
    want: 'missing-reference: "$ref": "strng" names no schema.',
  },
  {
    given: 'a pointer that leads nowhere',
    schema: { $ref: '#/$defs/Gone' },
    want: 'missing-reference: "$ref": "#/$defs/Gone" names no schema.',
  },
  {
    given: 'a reference out into the web',
    schema: { $ref: 'https://example.com/a.json' },
    want: 'external-reference: "$ref": "https://example.com/a.json" leads out of the definitions',
  },
  {
    given: 'a reference to a file',
    schema: { $ref: './a.json' },
    want: 'external-reference: "$ref": "./a.json" leads',
  },
]

test.each(cases)('$given is refused, with the place and what to do', ({ schema, want }) => {
  const { findings } = buildParameter(schema, define('Address', Type.Object({}), 'shared'))
  expect(findings).toHaveLength(1)
  const [finding] = findings
  const [rule = '', text = ''] = want.split(/: (.*)/s)
  expect(finding).toMatchObject({ rule, severity: 'error', tool: 'test' })
  expect(finding?.message).toContain(`: ${text}`)
  expect(finding?.fix).toMatch(/\.$|…'?$|npm |\)$/)
})

test('TOOL-9 a function for "enabled" is refused with the way that works', () => {
  const { findings } = buildModel([define('a', { ...tool('a', {}), enabled: () => true })])
  expect(findings).toMatchObject([{ rule: 'enabled-function', pointer: '/enabled' }])
  expect(findings[0]?.fix).toContain('Tool.register(name, tools[name], { enabled })')
})

test.each([
  { given: 'Type.Refine', schema: Type.Refine(Type.String(), () => true) },
  { given: 'Type.Codec', schema: Type.Codec(Type.String()).Decode(String).Encode(String) },
])('$given is code that gets lost: a warning', ({ schema }) => {
  const { findings } = buildParameter(schema)
  expect(findings).toMatchObject([{ rule: 'lost-code', severity: 'warning' }])
})

test('a schema that is merely deep is not taken for a circle', () => {
  const [finding] = buildParameter(deep).findings
  expect(finding).toMatchObject({ rule: 'endless-schema', fix: expect.stringContaining('put them in $defs') })
})

test('GEN-4 every problem of every Tool is reported, a shared one once', () => {
  const shared = Type.Object({ a: Type.Undefined(), b: Type.Ref('Nowhere') })
  const { findings, model } = buildModel([
    define('one', tool('one', { shared, big: Type.BigInt() })),
    define('two', tool('two', { shared, fn: Type.Function([], Type.Null()) })),
  ])
  expect(findings.map(({ tool, pointer }) => `${tool} ${pointer}`).sort()).toEqual([
    'one /properties/big',
    'one /properties/shared/properties/a',
    'one /properties/shared/properties/b',
    'two /properties/fn',
    'two /properties/shared/properties/b',
  ])
  expect(model.tools.map(({ name }) => name)).toEqual(['one', 'two'])
})

const place = { file: 'definitions/all.ts', line: 7, column: 1 }

test('two schemas of one $id that say different things: an error that shows both places', () => {
  const { findings } = buildModel([
    { ...define('a', tool('a', { x: Type.Object({ p: Type.String() }, { $id: 'Same' }) })), at: place },
    define('b', tool('b', { x: Type.Object({ p: Type.Number() }, { $id: 'Same' }) })),
  ])
  expect(findings.map(({ rule, tool, message }) => ({ rule, tool, message }))).toEqual([
    {
      rule: 'duplicate-id',
      tool: 'b',
      message:
        'Tool "b" at /properties/x: another schema has the $id "Same" as well, and says something else, in "a" at definitions/all.ts:7:1.',
    },
  ])
})

test('a reference in a shared schema that means something else in each Tool is an error', () => {
  const shared = Type.Object({ b: Type.Ref('B') })
  const { findings } = buildModel([
    define('a', tool('a', { shared, own: { $defs: { B: Type.String() }, $ref: 'B' } })),
    define('b', tool('b', { shared, own: { $defs: { B: Type.Number() }, $ref: 'B' } })),
  ])
  expect(findings.map(({ rule }) => rule)).toEqual(['ambiguous-reference'])
})

test('a chain of thousands of definitions is refused before a walk along it exhausts the stack; its siblings are built', () => {
  const last = 4_999
  const $defs = Object.fromEntries(
    Array.from({ length: last + 1 }, (_, index) => [
      `A${index}`,
      index === last ? { type: 'string' } : { $ref: `#/$defs/A${index + 1}` },
    ]),
  )
  const chained = { ...tool('chained', { first: { $ref: '#/$defs/A0' } }), $defs }
  const { findings, model } = buildModel([define('chained', chained), define('plain', tool('plain', {}))])
  expect(findings).toMatchObject([{ rule: 'endless-schema', tool: 'chained' }])
  expect(findings[0]?.message).toContain('lead from one to the next, more than 1,500 times')
  expect(model.tools.map(({ name }) => name)).toContain('plain')
})

test('what TypeBox itself made required again is no mark of another', () => {
  const part = Type.Object({ a: Type.Optional(Type.String()), b: Type.Number() })
  const shapes = [
    part,
    Type.Required(part),
    Type.Required(Type.Partial(part)),
    Type.Pick(Type.Required(part), ['a']),
    Type.Object({ ...Type.Required(part).properties }),
    Type.Evaluate(Type.Intersect([part, Type.Required(part)])),
  ]
  for (const schema of shapes) expect(buildParameter(schema).findings).toEqual([])
})
