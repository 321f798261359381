import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { buildModel } from '../../../../codegen/build/build-model.ts'
import { checkModel, rules } from '../../../../codegen/check/check-model.ts'
import { unknownActivities } from '../../../../codegen/check/unknown-activities.ts'
import type { Settings } from '../../../../codegen/config/settings.ts'
import type { LoadedDefinition } from '../../../../codegen/model.ts'
import { defineContext } from '../../../../runtime/context/define-context.ts'
import { tool } from '../../../../runtime/schema/tool.ts'
import { define } from '../build/define.ts'

const output = { _output: Type.String() }
const described = { description: 'D' }

/** What the rules say of definitions, as `rule pointer: what there is instead`. */
function breaches(...definitions: LoadedDefinition[]): string[] {
  const { model, findings } = buildModel(definitions)
  expect(findings).toEqual([])
  return checkModel(model, definitions).map(({ rule, tool: name, pointer, message }) => {
    const sentence =
      rules.find((each) => each.name === rule && message.includes(each.sentence))?.sentence ?? ''
    expect(sentence, message).not.toBe('')
    const [, instead] = message.split(sentence)
    return `${rule} ${name ?? ''}${pointer}: ${instead?.replace(/^(; got|:) /, '')}`
  })
}

const one = (properties: Record<string, object>, options: Record<string, unknown> = {}): string[] =>
  breaches(define('test', tool('test', { ...output, ...properties }, { ...described, ...options })))

const cases: {
  sentence: string
  properties?: Record<string, object>
  options?: Record<string, unknown>
  want: string[]
}[] = [
  { sentence: 'a Tool in order has no findings', properties: { a: Type.String() }, want: [] },
  {
    sentence: 'TOOL-2 an underscore property is a meta-field',
    properties: { _ouput: Type.String(), _from: Type.String() },
    want: [
      'unknown-meta-field test/properties/_ouput: "_ouput".',
      'unknown-meta-field test/properties/_from: "_from".',
    ],
  },
  {
    sentence: 'TOOL-2 unless the option "parameters" lists it',
    properties: { _from: Type.String() },
    options: { parameters: ['_from'] },
    want: [],
  },
  {
    sentence: 'TOOL-2 "parameters" names what is declared, has an underscore and is no meta-field',
    properties: { a: Type.String() },
    options: { parameters: ['_gone', 'a', '_output', '_module', 3] },
    want: [
      'bad-parameters-option test/parameters: "_gone", which is not declared.',
      'bad-parameters-option test/parameters: "a", which is a parameter without being listed.',
      'bad-parameters-option test/parameters: the meta-field "_output".',
      'bad-parameters-option test/parameters: the meta-field "_module".',
      'bad-parameters-option test/parameters: 3.',
    ],
  },
  {
    sentence: '"parameters" is a list',
    options: { parameters: '_from' },
    want: ['bad-parameters-option test/parameters: "_from".'],
  },
  {
    sentence: 'meta-fields that are declared well',
    properties: {
      _activity: Type.Enum(['one']),
      _delegate: Type.Literal('anonymous'),
      _instance: Type.Union([Type.String(), Type.Null()]),
      _reasoningForCall: Type.String(),
      _outputPath: Type.Literal("†state.'odd key'.x || user.name"),
      _outputMethod: Type.Enum(['push', 'concat']),
      _scopes: Type.Unsafe({ const: ['state', '†input.user'] }),
    },
    want: [],
  },
  {
    sentence: 'scopes that a Call requests',
    properties: { _scopes: Type.Array(Type.Enum(['state', '†state.deploy'])) },
    want: [],
  },
  {
    sentence: 'meta-fields that are declared badly',
    properties: {
      _activity: Type.String(),
      _delegate: Type.Number(),
      _instance: Type.Array(Type.String()),
      _reasoningForCall: Type.Null(),
      _outputPath: Type.Literal('†state..x'),
      _outputMethod: Type.Literal('append'),
      _scopes: Type.Unsafe({ const: ['not a path!'] }),
    },
    want: [
      'bad-meta-field test/properties/_activity: {"type":"string"}.',
      'bad-meta-field test/properties/_delegate: {"type":"number"}.',
      'bad-meta-field test/properties/_instance: {"type":"array","items":{"type":"string"}}.',
      'bad-meta-field test/properties/_reasoningForCall: {"type":"null"}.',
      'bad-meta-field test/properties/_outputMethod: {"type":"string","const":"append"}.',
      'bad-meta-field test/properties/_outputPath: {"type":"string","const":"†state..x"}.',
      'bad-meta-field test/properties/_scopes: {"const":["not a path!"]}.',
    ],
  },
  {
    sentence: 'one of several that is wrong',
    properties: {
      _activity: Type.Unsafe({ enum: ['one', 3] }),
      _delegate: Type.Union([Type.String(), Type.Number()]),
      _instance: Type.Unsafe({ enum: ['a', 5] }),
      _outputPath: Type.Enum(['†state.x', '†state..x']),
      _outputMethod: Type.Enum(['push', 'append']),
      _scopes: Type.Unsafe({ const: ['state', 5] }),
    },
    want: [
      'bad-meta-field test/properties/_activity: {"enum":["one",3]}.',
      'bad-meta-field test/properties/_delegate: {"anyOf":[{"type":"string"},{"type":"number"}]}.',
      'bad-meta-field test/properties/_instance: {"enum":["a",5]}.',
      'bad-meta-field test/properties/_outputMethod: {"enum":["push","append"]}.',
      'bad-meta-field test/properties/_outputPath: {"enum":["†state.x","†state..x"]}.',
      'bad-meta-field test/properties/_scopes: {"const":["state",5]}.',
    ],
  },
  {
    sentence: 'ACT-3 several Activities, of which none would run',
    properties: { _activity: Type.Enum(['card', 'bank']) },
    want: ['bad-meta-field test/properties/_activity: {"enum":["card","bank"]}.'],
  },
  {
    sentence: 'a field that may be null, and scopes that are no list',
    properties: {
      _outputPath: Type.Union([Type.Literal('†state.x'), Type.Null()]),
      _scopes: Type.Literal('state'),
    },
    want: ['bad-meta-field test/properties/_scopes: {"type":"string","const":"state"}.'],
  },
  {
    sentence: 'OUT-8 a fixed output path does not reach a prototype',
    properties: { _outputPath: Type.Literal('†state.__proto__') },
    want: ['bad-meta-field test/properties/_outputPath: {"type":"string","const":"†state.__proto__"}.'],
  },
  {
    sentence: 'TOOL-9 options have the values that they may have',
    options: { effects: 'delete', enabled: 'yes', parser: 'xml', references: 'none', examples: {} },
    want: [
      'bad-option test/effects: "delete".',
      'bad-option test/enabled: "yes".',
      'bad-option test/parser: "xml".',
      'bad-option test/references: "none".',
      'bad-option test/examples: {}.',
    ],
  },
  {
    sentence: 'TOOL-9 a misspelt option is no annotation',
    options: { effect: 'write', Enabled: false, 'x-effect': 'none', example: {}, owner: 'ops' },
    want: [
      'bad-option test/effect: "effect", which is near "effects".',
      'bad-option test/Enabled: "Enabled", which is near "enabled".',
    ],
  },
  {
    sentence: 'TOOL-9 what other kits say of a tool is not taken without a word',
    options: { annotations: { destructiveHint: true }, outputSchema: { type: 'string' }, output: 'x' },
    want: [
      'bad-option test/annotations: "annotations", an option of other libraries.',
      'bad-option test/outputSchema: "outputSchema", an option of other libraries.',
    ],
  },
  {
    sentence: 'a word that is no keyword, and near one that limits, is said',
    properties: {
      name: Type.String({ maxLenght: 3, maximun: 5, owner: 'ops', 'x-minlength': 2, cost: 1 }),
      nested: Type.Array(Type.Unsafe({ type: 'object', propertis: { a: Type.String() } })),
    },
    want: [
      'misspelt-keyword test/properties/name/maxLenght: "maxLenght", which is near "maxLength".',
      'misspelt-keyword test/properties/name/maximun: "maximun", which is near "maximum".',
      'misspelt-keyword test/properties/nested/items/propertis: "propertis", which is near "properties".',
    ],
  },
  {
    sentence: 'a word of other libraries limits nothing',
    properties: {
      level: Type.Number({ min: 0, max: 100 }),
      share: Type.Integer({ gt: 0, lte: 5, minimum: 1 }),
      name: Type.Union([Type.String({ min: 1, regex: '^a' }), Type.Null()]),
      tags: Type.Array(Type.String(), { length: 3, unique: true }),
      both: Type.Number({ min: 0, minimum: 0 }),
      flag: Type.Boolean({ min: 0, length: 1 }),
      ofTwo: Type.Unsafe({ type: ['null', 'number'], max: 3 }),
      min: Type.Object({ min: Type.Number(), length: Type.Number() }),
    },
    want: [
      'misspelt-keyword test/properties/level/min: "min", which is "minimum" in JSON Schema.',
      'misspelt-keyword test/properties/level/max: "max", which is "maximum" in JSON Schema.',
      'misspelt-keyword test/properties/share/gt: "gt", which is "exclusiveMinimum" in JSON Schema.',
      'misspelt-keyword test/properties/share/lte: "lte", which is "maximum" in JSON Schema.',
      'misspelt-keyword test/properties/tags/length: "length", which is "minItems" in JSON Schema.',
      'misspelt-keyword test/properties/tags/unique: "unique", which is "uniqueItems" in JSON Schema.',
      'misspelt-keyword test/properties/ofTwo/max: "max", which is "maximum" in JSON Schema.',
      'misspelt-keyword test/properties/name/anyOf/0/min: "min", which is "minLength" in JSON Schema.',
      'misspelt-keyword test/properties/name/anyOf/0/regex: "regex", which is "pattern" in JSON Schema.',
    ],
  },
  {
    sentence: 'a keyword of another type limits nothing',
    properties: {
      tags: Type.Array(Type.String({ maxLength: 9 }), { minLength: 1 }),
      name: Type.String({ minimum: 3 }),
      level: Type.Integer({ multipleOf: 5, pattern: '^5', format: 'int32' }),
      mixed: Type.Unsafe({ type: ['string', 'number', 'null'], minLength: 1, minimum: 3, minItems: 2 }),
      untyped: Type.Unsafe({ minLength: 1, minItems: 1 }),
      left: Type.Unsafe({ type: 'string', items: {}, properties: {}, additionalProperties: false }),
    },
    want: [
      'idle-keyword test/properties/tags/minLength: "minLength", which is for values of type string, beside type "array".',
      'idle-keyword test/properties/name/minimum: "minimum", which is for values of type number, beside type "string".',
      'idle-keyword test/properties/level/pattern: "pattern", which is for values of type string, beside type "integer".',
      'idle-keyword test/properties/mixed/minItems: "minItems", which is for values of type array, beside type ["string","number","null"].',
    ],
  },
  {
    sentence: 'a schema without a keyword is most often the properties of one',
    properties: {
      user: { name: Type.String(), id: Type.String() },
      type: Type.Object({ city: { zip: Type.String() } as never }),
      label: Type.Unsafe({ city: 'string' }),
      any: Type.Unknown(),
      noted: Type.Unsafe({ 'x-note': 'any' }),
      shown: Type.Unknown({ description: 'As OpenAPI shows it.', example: { a: 1 } }),
      point: Type.Unknown({ example: { type: 'Point' } }),
      date: Type.Unknown({ label: 'When', form: { format: 'date', required: true } }),
      place: Type.Cyclic({ Place: { street: Type.String() } as never }, 'Place'),
      found: Type.Unsafe({ description: 'What was found.', schema: { type: 'string' } }),
    },
    want: [
      'unsupported-schema test/properties/user: {"name":{"type":"string"},"id":{"type":"string"}} has no keyword of JSON Schema.',
      'unsupported-schema test/properties/type/properties/city: {"zip":{"type":"string"}} has no keyword of JSON Schema.',
      'unsupported-schema test/properties/found: {"description":"What was found.","schema":{"type":"string"}} has no keyword of JSON Schema.',
      'unsupported-schema test/$defs/TestPlace: {"street":{"type":"string"}} has no keyword of JSON Schema.',
      'no-keyword test/properties/label: {"city":"string"}.',
      'no-keyword test/properties/point: {"example":{"type":"Point"}}.',
      'no-keyword test/properties/date: {"label":"When","form":{"format":"date","required":true}}.',
    ],
  },
  {
    sentence: 'REQ-16 each example is a Call of the Tool; a Reference stands for any value',
    properties: { city: Type.String(), days: Type.Optional(Type.Integer({ minimum: 1 })) },
    options: {
      examples: [
        { _tool: 'test', city: 'Oslo', days: 3, _output: 'Rain' },
        { city: '†state.city', days: '†state.days' },
        { _tool: 'other', city: 1 },
        { city: 'Oslo', days: '3', _output: 4, _scopes: ['a'] },
        'Oslo',
        { days: 0 },
      ],
    },
    want: [
      'bad-example test/examples/2/_tool: /_tool: expected "test", got "other".',
      'bad-example test/examples/2/city: /city: expected a string, got 1.',
      'bad-example test/examples/3/days: /days: expected an integer >= 1, got "3".',
      'bad-example test/examples/3/_scopes: /_scopes: no such property.',
      'bad-example test/examples/3/_output: /_output: expected a string, got 4.',
      'bad-example test/examples/4: expected a Call of "test", got "Oslo".',
      'bad-example test/examples/5/city: /city: expected a string, got nothing.',
      'bad-example test/examples/5/days: /days: expected an integer >= 1, got 0.',
    ],
  },
  {
    sentence: 'GEN-4 a schema whose parts clash, at its place',
    properties: {
      list: Type.Unsafe({ type: 'array', enum: ['a', 'b'] }),
      one: Type.Unsafe({ type: 'string', const: 5 }),
      both: Type.Unsafe({ allOf: [{ type: 'string' }, { type: 'number' }] }),
      either: Type.Unsafe({ anyOf: [{ type: 'string', const: 5 }, { type: 'string' }] }),
      empty: Type.Union([]),
    },
    want: [
      'unsatisfiable test/properties/list: both "enum" and "type": "array": no value of "enum" is allowed.',
      'unsatisfiable test/properties/one: both "const" and "type": "string": no value of "const" is allowed.',
      'unsatisfiable test/properties/both: all of it: its parts name different types.',
      'unsupported-schema test/properties/empty/anyOf: anyOf must be a list with at least one schema, not [].',
    ],
  },
  {
    sentence: 'an intersection that clashes, and a Type.Script that does not parse, allow nothing',
    properties: {
      clash: Type.Evaluate(
        Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ a: Type.Number() })]),
      ),
      script: Type.Script('{ a: '),
      either: Type.Union([Type.String(), Type.Never()]),
    },
    want: [
      'unsatisfiable test/properties/script: a schema that allows nothing ({ "not": {} }).',
      'unsatisfiable test/properties/clash/properties/a: a schema that allows nothing ({ "not": {} }).',
    ],
  },
  {
    sentence: 'bounds are not crossed',
    properties: {
      a: Type.String({ minLength: 3, maxLength: 2 }),
      b: Type.Array(Type.Number({ minimum: 1, maximum: 1 })),
    },
    want: ['crossed-bounds test/properties/a: minLength 3 and maxLength 2.'],
  },
  {
    sentence: 'a closed object declares what it requires',
    properties: { a: { type: 'object', required: ['x'], properties: {}, additionalProperties: false } },
    want: ['undeclared-required test/properties/a: "x", which nothing allows.'],
  },
  {
    sentence: 'one that is open, or has properties by pattern, may require others',
    properties: {
      a: { type: 'object', required: ['x'], properties: {} },
      b: { type: 'object', required: ['x'], patternProperties: { '^x$': {} }, additionalProperties: false },
    },
    want: [],
  },
  {
    sentence: 'one bound alone crosses none',
    properties: { a: { type: 'number', maximum: 5 }, b: { type: 'string', minLength: 5 } },
    want: [],
  },
  {
    sentence: 'an enum lists each value once',
    properties: {
      a: Type.Enum(['x', 'y', 'x']),
      b: {
        enum: [
          { p: 1, q: 2 },
          { q: 2, p: 1 },
        ],
      },
    },
    want: [
      'repeated-enum-value test/properties/a: "x" twice.',
      'repeated-enum-value test/properties/b: {"q":2,"p":1} twice.',
    ],
  },
  {
    sentence: 'GEN-11 what the checks cannot read is refused',
    properties: {
      a: Type.String({ pattern: '(' }),
      b: { enum: [] },
      c: { $dynamicRef: '#x' },
      d: { patternProperties: { '*/ x /*': {} } },
    },
    want: [
      expect.stringMatching(
        /^unsupported-schema test\/properties\/a\/pattern: pattern must be a regular expression/,
      ),
      expect.stringMatching(/^unsupported-schema test\/properties\/b\/enum: enum must be a list/),
      expect.stringMatching(/^unsupported-schema test\/properties\/c\/\$dynamicRef: \$dynamicRef chooses/),
      expect.stringMatching(
        /^unsupported-schema test\/properties\/d\/patternProperties: patternProperties must be/,
      ),
    ] as unknown as string[],
  },
  {
    sentence: 'an unknown format is a warning',
    // Zod writes `base64` so, with its pattern beside it.
    properties: {
      a: Type.String({ format: 'phone' }),
      b: Type.String({ format: 'base64', pattern: '^[a-z]*$' }),
    },
    want: ['unknown-format test/properties/a/format: "phone".'],
  },
  {
    sentence: 'a fraction of which some multiples are refused is a warning',
    properties: {
      price: Type.Number({ multipleOf: 0.01 }),
      share: Type.Array(Type.Number({ multipleOf: 0.1 })),
      half: Type.Number({ multipleOf: 0.5 }),
      quarter: Type.Number({ multipleOf: 0.25 }),
      many: Type.Integer({ multipleOf: 7 }),
    },
    want: [
      'inexact-multiple test/properties/price/multipleOf: 0.01, which refuses 0.07.',
      'inexact-multiple test/properties/share/items/multipleOf: 0.1, which refuses 0.3.',
    ],
  },
  {
    sentence: 'a pattern that hostile text makes slow is a warning',
    properties: { a: Type.String({ pattern: '^(a+)+$' }), b: { patternProperties: { '(x*)*/': {} } } },
    want: [
      'slow-pattern test/properties/a/pattern: "(a+)+".',
      'slow-pattern test/properties/b/patternProperties/(x*)*~1: "(x*)*".',
    ],
  },
]

test.each(cases)('$sentence', ({ properties = {}, options = {}, want }) => {
  expect(one(properties, options)).toEqual(want)
})

describe('TOOL-3 names', () => {
  test('two Tools of one name: an error at both that shows the other', () => {
    const first = {
      ...define('same', tool('same', output, described)),
      at: { file: 'a.ts', line: 1, column: 2 },
    }
    const second = {
      ...define('same', tool('same', output, described)),
      at: { file: 'b.ts', line: 3, column: 4 },
    }
    expect(breaches(first, second)).toEqual([
      'duplicate-name same: "same" also at b.ts:3:4.',
      'duplicate-name same: "same" also at a.ts:1:2.',
    ])
  })

  test.each(['', 'a b', '1a', 'a.', '.a', 'a..b', 'ä', '__proto__', 'a.constructor', 'a/b'])(
    '"%s" is refused',
    (name) => {
      expect(breaches(define(name, tool(name, output, described)))).toEqual([
        `bad-name ${name}/properties/_tool: ${JSON.stringify(name)}.`,
      ])
    },
  )

  test.each(['a', 'resolve-library-id', 'PhraseEmphasis.bold', '_x', 'toString'])(
    '"%s" is accepted',
    (name) => {
      expect(breaches(define(name, tool(name, output, described)))).toEqual([])
    },
  )

  test.each([
    ['Kit.bold', 'kit__bold'],
    ['search', 'Search'],
    ['a.b__c', 'a__b.c'],
  ])('%s and %s collide at providers', (left, right) => {
    const found = breaches(
      define(left, tool(left, output, described)),
      define(right, tool(right, output, described)),
    )
    expect(found.map((line) => line.split(' ')[0])).toEqual(['name-collision', 'name-collision'])
  })

  test('a shared schema has a name of its own kind, and collides with no Tool', () => {
    const shared = define('odd name', { type: 'string' }, 'shared')
    const same = define('search', { type: 'string' }, 'shared')
    expect(breaches(define('search', tool('search', output, described)), shared, same)).toEqual([])
  })

  test('long names that are cut stay apart', () => {
    const long = 'x'.repeat(70)
    const tools = ['a', 'b'].map((end) => define(long + end, tool(long + end, output, described)))
    expect(breaches(...tools)).toEqual([])
  })
})

test('TOOL-6 no _output, and no description, are notes', () => {
  const definitions = [define('test', tool('test', {}))]
  const found = checkModel(buildModel(definitions).model, definitions)
  expect(found.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual([
    'note no-output',
    'note no-description',
  ])
})

test('REQ-5a SERVE-2 a description that a provider refuses, or a client of MCP cuts off, is a note', () => {
  const found = [1024, 1025].map((length) => {
    const definitions = [define('test', tool('test', output, { description: 'x'.repeat(length) }))]
    return checkModel(buildModel(definitions).model, definitions)
  })
  expect(found).toEqual([
    [],
    [
      expect.objectContaining({
        rule: 'long-description',
        severity: 'note',
        message: expect.stringContaining('1,025 characters'),
      }),
    ],
  ])
})

test('a misspelt meta-field comes with the nearest one, and the way to keep it as a parameter', () => {
  const definitions = [define('test', tool('test', { _ouputPath: Type.String(), _zzz: Type.String() }))]
  const fixes = checkModel(buildModel(definitions).model, definitions)
    .filter(({ rule }) => rule === 'unknown-meta-field')
    .map(({ fix }) => fix)
  expect(fixes).toEqual([
    `Did you mean "_outputPath"? Or, if it is a parameter, add the option parameters: ['_ouputPath'].`,
    `Rename it, or, if it is a parameter, add the option parameters: ['_zzz'].`,
  ])
})

test('a breach in a shared schema is reported once, where that is exported', () => {
  const shared = Type.Object({ a: Type.String({ pattern: '(' }), b: Type.Number({ minimum: 2, maximum: 1 }) })
  const definitions = [
    define('one', tool('one', { shared, ...output }, described)),
    define('two', tool('two', { shared, ...output }, described)),
    define('Shared', shared, 'shared', 'definitions/shared.ts'),
  ]
  const found = checkModel(buildModel(definitions).model, definitions)
  expect(
    found.map(({ rule, at, pointer, message }) => [rule, at?.file, pointer, message.split(':')[0]]),
  ).toEqual([
    ['crossed-bounds', 'definitions/shared.ts', '/properties/b', 'Schema "Shared" at /properties/b'],
    [
      'unsupported-schema',
      'definitions/shared.ts',
      '/properties/a/pattern',
      'Schema "Shared" at /properties/a/pattern',
    ],
  ])
})

test('TYPE-1 TOOL-10 what defineContext is given without Type.Object is an error, and a warning if no schema is in it', () => {
  const state = { user: Type.String() }
  const geo = Type.Unknown({ example: { type: 'Point' } })
  const input = Type.Object({ city: Type.Unsafe({ type: 'string', maxLenght: 9 }) })
  expect(breaches(define('context', defineContext({ state, input, geo, audit: {} }), 'state'))).toEqual([
    'unsupported-schema /state: {"user":{"type":"string"}} has no keyword of JSON Schema.',
    'misspelt-keyword /input/properties/city/maxLenght: "maxLenght", which is near "maxLength".',
    'no-keyword /geo: {"example":{"type":"Point"}}.',
  ])
})

test('a schema that refers to itself without end is refused', () => {
  const loop = { $defs: { A: { $ref: '#/properties/x/$defs/B' }, B: { $ref: '#/properties/x/$defs/A' } } }
  const found = breaches(
    define('test', tool('test', { x: { ...loop, $ref: '#/properties/x/$defs/A' }, ...output }, described)),
  )
  expect(found.length).toBeGreaterThan(0)
  expect(found.join()).toContain('leads back to itself')
})

test('the option activities lists names that Tools have, by their own or by _activity', () => {
  const shout = tool('shout', { _activity: 'upper', ...output })
  const { model } = buildModel([define('weather', tool('weather', output)), define('shout', shout)])
  const settings = { activities: ['weather', 'upper', 'wether'] } as unknown as Settings
  expect(unknownActivities(model, settings).map(({ message }) => message)).toEqual([
    'The option "activities" lists "wether", and no Tool has an Activity of that name. Did you mean "weather"?',
  ])
})
