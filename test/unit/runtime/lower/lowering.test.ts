import { describe, expect, test } from 'vitest'
import { type DialectName, dialectNames } from '../../../../runtime/dialects/dialect-name.ts'
import { lower } from '../../../../runtime/lower/lower.ts'
import type { JsonSchema, Schema } from '../../../../runtime/schema/schema.ts'
import { compileWithAjv } from '../../../ajv.ts'

const holding = (it: Schema, $defs?: Record<string, Schema>): JsonSchema => ({
  type: 'object',
  properties: { it },
  required: ['it'],
  additionalProperties: false,
  ...($defs && { $defs }),
})
const lowered = (dialect: DialectName, it: Schema, $defs?: Record<string, Schema>): unknown =>
  lower(holding(it, $defs), dialect).schema.properties?.it
const losses = (dialect: DialectName, it: Schema, $defs?: Record<string, Schema>): unknown[] =>
  lower(holding(it, $defs), dialect).losses.map(
    ({ pointer, keyword, action }) => `${pointer} ${keyword} ${action}`,
  )

describe('REQ-5 what each dialect makes of a keyword', () => {
  test.each<{ dialect: DialectName; given: Schema; want: unknown; losses: string[] }>([
    { dialect: 'openai', given: { const: 'x' }, want: { type: 'string', const: 'x' }, losses: [] },
    { dialect: 'openai', given: { const: 1 }, want: { type: 'integer', const: 1 }, losses: [] },
    { dialect: 'openai', given: { const: null }, want: { type: 'null' }, losses: [] },
    { dialect: 'gemini', given: { const: 'x' }, want: { type: 'string', enum: ['x'] }, losses: [] },
    {
      dialect: 'anthropic',
      given: { type: ['number', 'integer'], allOf: [{ type: ['integer', 'string'] }] },
      want: { type: 'integer' },
      losses: [],
    },
    {
      dialect: 'gemini',
      given: { const: true },
      want: { type: 'boolean', description: 'Always true.' },
      losses: ['/properties/it const described'],
    },
    {
      dialect: 'openai',
      given: { enum: ['ab', { k: 1 }], pattern: '^a', minProperties: 1, title: 'T' },
      want: { type: 'string', enum: ['"ab"', '{"k":1}'], title: 'T', description: 'As JSON text.' },
      losses: ['/properties/it pattern dropped', '/properties/it minProperties dropped'],
    },
    {
      dialect: 'openai',
      given: { type: ['string', 'array'], pattern: '^a', items: { type: 'null' }, minItems: 1 },
      want: {
        anyOf: [
          { type: 'string', pattern: '^a' },
          { type: 'array', minItems: 1, items: { type: 'null' } },
        ],
      },
      losses: [],
    },
    {
      dialect: 'openai',
      given: {
        oneOf: [
          { type: 'array', items: { type: 'null' }, minItems: 2 },
          { type: 'array', items: { type: 'null' }, maxItems: 2 },
        ],
      },
      want: {
        anyOf: [
          { type: 'array', minItems: 2, items: { type: 'null' } },
          { type: 'array', maxItems: 2, items: { type: 'null' } },
        ],
      },
      losses: ['/properties/it oneOf approximated'],
    },
    {
      dialect: 'openai',
      given: { enum: ['a', 1, null] },
      want: { type: ['string', 'integer', 'null'], enum: ['a', 1, null] },
      losses: [],
    },
    {
      dialect: 'gemini',
      given: { enum: ['a', 1, null] },
      want: { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'integer', enum: [1] }, { type: 'null' }] },
      losses: [],
    },
    // Gemini: "enum[0]: cannot be empty".
    {
      dialect: 'gemini',
      given: { type: 'string', enum: ['', 'asc', 'desc'], description: 'Order.' },
      want: { type: 'string', enum: ['""', '"asc"', '"desc"'], description: 'Order. As JSON text.' },
      losses: [],
    },
    {
      dialect: 'gemini',
      given: { type: 'string', const: '' },
      want: { type: 'string', enum: ['""'] },
      losses: [],
    },
    {
      dialect: 'anthropic',
      given: { enum: ['', 'asc'] },
      want: { type: 'string', enum: ['', 'asc'] },
      losses: [],
    },
    {
      dialect: 'openai',
      given: { type: 'string', minLength: 2, description: 'A name.' },
      want: { type: 'string', description: 'A name. At least 2 characters.' },
      losses: ['/properties/it minLength described'],
    },
    {
      dialect: 'anthropic',
      given: { type: 'string', minLength: 2, description: 'A name.' },
      want: { type: 'string', description: 'A name. At least 2 characters.' },
      losses: ['/properties/it minLength described'],
    },
    {
      dialect: 'openai',
      given: { type: 'string', format: 'uri' },
      want: { type: 'string', description: 'Format: uri.' },
      losses: ['/properties/it format described'],
    },
    {
      dialect: 'anthropic',
      given: { type: 'string', format: 'uri' },
      want: { type: 'string', format: 'uri' },
      losses: [],
    },
    {
      dialect: 'anthropic',
      given: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 },
      want: { type: 'array', description: 'At most 3 items.', minItems: 1, items: { type: 'string' } },
      losses: ['/properties/it maxItems described'],
    },
    {
      dialect: 'anthropic',
      given: { type: 'string', pattern: '^a+$' },
      want: { type: 'string', pattern: '^a+$' },
      losses: [],
    },
    {
      dialect: 'anthropic',
      given: { type: 'string', pattern: '^(?=a)' },
      want: { type: 'string', description: 'Matches ^(?=a).' },
      losses: ['/properties/it pattern described'],
    },
    {
      dialect: 'llama.cpp',
      given: { type: 'string', pattern: '^a|b$' },
      want: { type: 'string', description: 'Matches ^a|b$.' },
      losses: ['/properties/it pattern described'],
    },
    {
      dialect: 'llama.cpp',
      given: { type: 'string', pattern: '^[a|b]$' },
      want: { type: 'string', pattern: '^[a|b]$' },
      losses: [],
    },
    {
      dialect: 'xgrammar',
      given: { type: 'string', pattern: '^a$', maxLength: 3 },
      want: { type: 'string', description: 'At most 3 characters.', pattern: '^a$' },
      losses: ['/properties/it maxLength described'],
    },
    {
      dialect: 'xgrammar',
      given: { type: 'integer', minimum: 1 },
      want: { type: 'integer', minimum: 1 },
      losses: [],
    },
    {
      dialect: 'xgrammar',
      given: { type: 'number', minimum: 1 },
      want: { type: 'number', description: 'At least 1.' },
      losses: ['/properties/it minimum described'],
    },
    {
      dialect: 'openai',
      given: { oneOf: [{ type: 'string' }, { type: 'number' }] },
      want: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      losses: [],
    },
    {
      dialect: 'openai',
      given: { oneOf: [{ type: 'integer' }, { type: 'number' }] },
      want: { anyOf: [{ type: 'integer' }, { type: 'number' }] },
      losses: ['/properties/it oneOf approximated'],
    },
    {
      dialect: 'openai',
      given: {
        allOf: [{ type: 'string', maxLength: 9 }, { maxLength: 5, pattern: '^a' }, { pattern: 'b$' }],
      },
      want: { type: 'string', description: 'At most 5 characters.', pattern: '^a' },
      losses: [
        '/properties/it/allOf/2 pattern dropped',
        '/properties/it/allOf/0 maxLength described',
        '/properties/it/allOf/1 maxLength described',
      ],
    },
    {
      dialect: 'openai',
      given: { type: 'array', items: false },
      want: { type: 'array', items: { type: 'string' }, maxItems: 0 },
      losses: [],
    },
    {
      dialect: 'openai',
      given: { type: 'string', 'x-note': 1 },
      want: { type: 'string' },
      losses: ['/properties/it x-note dropped'],
    },
    {
      dialect: 'openai',
      given: { type: 'integer', default: 3 },
      want: { type: 'integer', description: 'Default: 3.' },
      losses: ['/properties/it default described'],
    },
    {
      dialect: 'gemini',
      given: { type: ['string', 'object'], minLength: 2 },
      want: {
        type: 'string',
        description: 'JSON text that matches {"type":["string","object"],"minLength":2}.',
      },
      losses: ['/properties/it type approximated', '/properties/it minLength approximated'],
    },
    {
      dialect: 'gemini',
      given: {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } } },
          { type: 'object', properties: { a: { type: 'array' } } },
          { type: 'object', properties: { a: { type: 'boolean' } } },
          { type: 'object', properties: { b: { type: 'string' } } },
        ],
      },
      want: {
        type: 'object',
        properties: { b: { type: 'string' } },
        required: [],
        additionalProperties: false,
      },
      losses: ['/properties/it additionalProperties approximated'],
    },
  ])('$dialect: $given', ({ dialect, given, want, losses: lost }) => {
    expect(lowered(dialect, given)).toEqual(want)
    expect(losses(dialect, given)).toEqual(lost)
  })

  test.each([
    ['a name that is none', 'chatgpt', 'got "chatgpt"'],
    ['a name of every object', 'constructor', 'got "constructor"'],
    ['options in its place', { dialect: 'openai' }, 'got '],
    ['nothing', undefined, 'got '],
  ])('from code without types, %s is refused with the names that there are', (_what, name, got) => {
    const wrong = (): unknown => lower({ type: 'string' }, name as DialectName)
    expect(wrong).toThrow(expect.objectContaining({ code: 'invalid_options' }))
    expect(wrong).toThrow(/one of "json-schema", "openai"/)
    expect(wrong).toThrow(got)
  })

  test('what is required and named by a pattern alone is of that pattern', () => {
    const named: JsonSchema = {
      type: 'object',
      patternProperties: { '^a': { type: 'integer' } },
      additionalProperties: false,
      required: ['ab'],
    }
    for (const dialect of ['openai', 'anthropic', 'xgrammar', 'llama.cpp'] as const) {
      expect(lowered(dialect, named)).toMatchObject({ properties: { ab: { type: 'integer' } } })
    }
  })

  test('merged with a tuple, what is said of all items is said of each', () => {
    const tuple: JsonSchema = { type: 'array', prefixItems: [{ type: 'string' }], minItems: 1, items: false }
    const short: JsonSchema = { items: { maxLength: 3 } }
    for (const allOf of [
      [tuple, short],
      [short, tuple],
    ]) {
      const sent = lowered('xgrammar', { allOf }) as JsonSchema
      expect(sent.prefixItems).toEqual([{ type: 'string', description: 'At most 3 characters.' }])
    }
  })

  test('what is said around the only branch does not come to stand beside its reference', () => {
    const only: JsonSchema = { anyOf: [{ $ref: '#/$defs/Name' }], description: 'Whose.' }
    for (const dialect of ['openai', 'anthropic', 'gemini', 'xgrammar', 'llama.cpp'] as const) {
      const sent = lowered(dialect, only, { Name: { type: 'string' } })
      expect(sent).toEqual({ description: 'Whose.', anyOf: [{ $ref: '#/$defs/Name' }] })
    }
  })

  test('a list that is always empty says so in words where `maxItems` is refused', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { none: { type: 'array', items: false, description: 'None yet.' } },
      required: ['none'],
      additionalProperties: false,
    }
    const { schema: sent, losses } = lower(schema, 'anthropic')
    expect(sent.properties?.none).toEqual({
      type: 'array',
      description: 'None yet. Always empty.',
      items: { type: 'string' },
    })
    expect(losses).toMatchObject([{ pointer: '/properties/none', keyword: 'items', action: 'described' }])
    expect(lower(schema, 'openai').schema.properties?.none).toMatchObject({ maxItems: 0 })
  })

  test('json-schema and mcp send what was declared', () => {
    const declared = holding({ oneOf: [{ not: { const: 1 } }, {}], 'x-any': true })
    for (const dialect of ['json-schema', 'mcp'] as const) {
      const { schema, losses: none, lift } = lower(declared, dialect)
      expect(schema).toEqual(declared)
      expect(none).toEqual([])
      expect(lift({ it: null })).toEqual({ it: null })
    }
  })

  test.each(['anyOf', 'oneOf', 'allOf', 'not'])(
    'mcp: %s at the root, which models refuse, goes into a property',
    (keyword) => {
      const given: JsonSchema = {
        type: 'object',
        properties: { a: {} },
        [keyword]: keyword === 'not' ? {} : [{}],
      }
      const { schema, lift, toLowered } = lower(given, 'mcp')
      expect(schema).toMatchObject({ type: 'object', properties: { value: given }, required: ['value'] })
      expect(lift(toLowered({ a: 1 }))).toEqual({ a: 1 })
    },
  )

  test('losses name the Tool, the value and who still enforces it', () => {
    const tool = holding({ type: 'string', format: 'uri', default: 'x' })
    const composed: JsonSchema = {
      ...holding(true),
      properties: {
        calls: {
          type: 'array',
          items: { anyOf: [{ ...tool, properties: { _tool: { const: 'search' }, ...tool.properties } }] },
        },
      },
      required: ['calls'],
    }
    const pointer = '/properties/calls/items/anyOf/0/properties/it'
    const about = { dialect: 'openai', tool: 'search', pointer }
    expect(lower(composed, 'openai').losses).toEqual([
      { ...about, keyword: 'format', value: 'uri', action: 'described', enforcedBy: 'validator' },
      { ...about, keyword: 'default', value: 'x', action: 'described', enforcedBy: 'none' },
    ])
  })
})

describe('REQ-5c stand-ins, there and back', () => {
  const roundTrips: {
    name: string
    it: Schema
    value: unknown
    form: unknown
    $defs?: Record<string, Schema>
  }[] = [
    {
      name: 'a record is a list of { key, value }',
      it: { type: 'object', additionalProperties: { type: 'number' } },
      value: { a: 1, __x: 2 },
      form: [
        { key: 'a', value: 1 },
        { key: '__x', value: 2 },
      ],
    },
    { name: 'an untyped value is JSON text', it: {}, value: { a: [1, null] }, form: '{"a":[1,null]}' },
    {
      name: 'an object that lists no names is JSON text, as imports and Type.Object({}) write any object',
      it: { type: 'object', properties: {} },
      value: { a: [1, null] },
      form: '{"a":[1,null]}',
    },
    {
      name: 'an object that requires none is JSON text',
      it: { $ref: '#/$defs/Any' },
      value: { a: 1 },
      form: '{"a":1}',
      $defs: { Any: { type: 'object', required: [] } },
    },
    {
      name: 'a tuple is an object',
      it: {
        type: 'array',
        prefixItems: [{ type: 'string' }, { type: 'number' }],
        minItems: 1,
        items: { type: 'boolean' },
      },
      value: ['x', 1, true],
      form: { item1: 'x', item2: 1, rest: [true] },
    },
    {
      name: 'a short tuple has nulls',
      it: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], minItems: 1, items: false },
      value: ['x'],
      form: { item1: 'x', item2: null },
    },
    {
      name: 'a fixed object is its JSON text',
      it: { enum: [{ a: 1 }, 'b'] },
      value: { a: 1 },
      form: '{"a":1}',
    },
    {
      name: 'free keys beside named ones have a place of their own',
      it: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'number' } },
      value: { a: 'x', b: 2 },
      form: { a: 'x', additionalProperties: [{ key: 'b', value: 2 }] },
    },
    {
      name: 'a union whose branches would look alike is JSON text',
      it: { anyOf: [{ type: 'string' }, {}] },
      value: '12',
      form: '"12"',
    },
  ]
  test.each(roundTrips)('openai: $name', ({ it, value, form, $defs }) => {
    const { toLowered, lift, losses: lost } = lower(holding(it, $defs), 'openai')
    expect(toLowered({ it: value })).toEqual({ it: form })
    expect(lift({ it: form })).toEqual({ it: value })
    expect(lost.filter(({ action }) => action !== 'approximated')).toEqual([])
  })

  test('what is noted about a definition stays, also when the union that met it first goes as JSON text', () => {
    const Word: JsonSchema = { type: 'string', format: 'uri' }
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        first: { anyOf: [{ type: 'array', items: { $ref: '#/$defs/Word' } }, { type: 'string' }, {}] },
        later: { $ref: '#/$defs/Word' },
      },
      required: ['first', 'later'],
      additionalProperties: false,
      $defs: { Word },
    }
    const { losses: lost, schema: sent } = lower(schema, 'openai')
    expect(lost).toContainEqual(
      expect.objectContaining({ pointer: '/$defs/Word', keyword: 'format', action: 'described' }),
    )
    expect(sent.properties?.first).toMatchObject({ type: 'string' })
    const { later, ...only } = schema.properties ?? {}
    expect(lower({ ...schema, properties: only, required: ['first'] }, 'openai').schema).not.toHaveProperty(
      '$defs',
    )
  })

  test('anthropic: a reference that leads back is JSON text, one level down', () => {
    const tree: JsonSchema = {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#/$defs/Tree' } } },
      required: ['children'],
      additionalProperties: false,
    }
    const {
      schema,
      toLowered,
      lift,
      losses: lost,
    } = lower(holding({ $ref: '#/$defs/Tree' }, { Tree: tree }), 'anthropic')
    expect(schema.$defs?.Tree).toMatchObject({ properties: { children: { items: { type: 'string' } } } })
    const value = { it: { children: [{ children: [] }] } }
    expect(toLowered(value)).toEqual({ it: { children: ['{"children":[]}'] } })
    expect(lift(toLowered(value))).toEqual(value)
    expect(lost).toMatchObject([
      { pointer: '/$defs/Tree/properties/children/items', keyword: '$ref', action: 'approximated' },
    ])
    expect(lost[0]).not.toHaveProperty('tool')
  })

  test('gemini: recursion stays below an optional property and is JSON text elsewhere', () => {
    const list = (required: string[]): JsonSchema => ({
      type: 'object',
      properties: { next: { $ref: '#/$defs/List' } },
      required,
      additionalProperties: false,
    })
    const next = (required: string[]): unknown => {
      const { $defs } = lower(holding({ $ref: '#/$defs/List' }, { List: list(required) }), 'gemini').schema
      return ($defs?.List as JsonSchema | undefined)?.properties?.next
    }
    expect(next([])).toEqual({ $ref: '#/$defs/List' })
    expect(next(['next'])).toMatchObject({ type: 'string' })
  })

  test('a root that is not an object goes inside one', () => {
    const { schema, lift, standIns } = lower({ type: 'number' }, 'openai')
    expect(schema).toMatchObject({
      type: 'object',
      properties: { value: { type: 'number' } },
      required: ['value'],
    })
    expect(lift({ value: 3 })).toBe(3)
    expect(standIns).toEqual([{ dialect: 'openai', pointer: '', kind: 'wrapped' }])
  })

  test('anthropic: declared capitals come back', () => {
    const { lift } = lower(holding({ enum: ['New York', 'Rome'] }), 'anthropic')
    expect(lift({ it: 'New york' })).toEqual({ it: 'New York' })
    expect(lift({ it: 'Oslo' })).toEqual({ it: 'Oslo' })
  })

  test('anthropic: what is written with other capitals is of the branch that it names', () => {
    const record = { type: 'object', additionalProperties: { type: 'string' } } as const
    const tagged = (kind: string, more: Record<string, Schema>): JsonSchema => ({
      type: 'object',
      properties: { kind: { const: kind }, ...more },
      required: ['kind', ...Object.keys(more)],
      additionalProperties: false,
    })
    const both = [tagged('Tags', { of: record }), tagged('list', { of: { type: 'array', items: record } })]
    const untagged = [tagged('Tags', { of: record }), { type: 'string' } as const]
    for (const anyOf of [both, untagged]) {
      const { lift, toLowered } = lower(holding({ anyOf }), 'anthropic')
      const meant = { it: { kind: 'Tags', of: { a: 'x' } } }
      const answer = toLowered(meant) as typeof meant
      expect(lift({ it: { ...answer.it, kind: 'tagS' } })).toEqual(meant)
      expect(lift({ it: { ...answer.it, kind: 'other' } })).not.toEqual(meant)
    }
  })
})

test.each(dialectNames)(
  'REQ-5 for %s, an object that lists no names may have any, except at the root',
  (dialect) => {
    const any = { type: 'object', properties: {} }
    const value = { it: { a: 1 } }
    const { schema, toLowered, lift } = lower({ ...any, properties: { it: any }, required: ['it'] }, dialect)
    expect(compileWithAjv(schema)(toLowered(value))).toBe(true)
    expect(lift(toLowered(value))).toEqual(value)
    expect(lower(any, dialect).schema).toMatchObject(any)
  },
)

describe('REQ-5 null and absent', () => {
  test.each(['openai', 'anthropic', 'gemini', 'llama.cpp'] as const)(
    "OpenAPI's `nullable` adds null to the type: %s",
    (dialect) => {
      const it = { type: 'string', nullable: true }
      const inner = { type: 'object', nullable: true, properties: { it }, required: ['it'] }
      const schema = { type: 'object', properties: { it, inner }, required: ['it', 'inner'] }
      const lowering = lower(schema, dialect)
      expect(lowering.losses.map(({ keyword }) => keyword)).not.toContain('nullable')
      const check = compileWithAjv(lowering.schema)
      for (const value of [
        { it: null, inner: null },
        { it: 'x', inner: { it: null } },
      ]) {
        const sent = lowering.toLowered(value)
        expect(check(sent), JSON.stringify(check.errors)).toBe(true)
        expect(lowering.lift(sent)).toEqual(value)
      }
    },
  )

  const schema: JsonSchema = {
    type: 'object',
    properties: {
      optional: { type: 'string' },
      nullable: { type: ['string', 'null'] },
      both: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'Null clears it.' },
    },
    required: ['nullable'],
    additionalProperties: false,
  }
  const { schema: sent, lift, toLowered } = lower(schema, 'openai')

  test('a null that stands for an absent optional goes, a null that the schema allows stays', () => {
    expect(sent.required).toEqual(['optional', 'nullable', 'both'])
    expect(lift({ optional: null, nullable: null, both: null })).toEqual({ nullable: null, both: null })
  })

  test('where null has a meaning of its own, absence has a form of its own', () => {
    expect(lift({ optional: 'x', nullable: 'y', both: { _omitted: true } })).toEqual({
      optional: 'x',
      nullable: 'y',
    })
    expect(toLowered({ nullable: null })).toEqual({
      optional: null,
      nullable: null,
      both: { _omitted: true },
    })
  })

  test('an object with more than the marker in it is a value', () => {
    const nullable: JsonSchema = { type: ['object', 'null'], additionalProperties: { type: 'boolean' } }
    const { lift } = lower({ type: 'object', properties: { it: nullable } }, 'openai')
    const more = { _omitted: true, other: true }
    expect(lift({ it: { _omitted: true } })).toEqual({})
    expect(lift({ it: more })).toEqual({ it: more })
  })

  test('the marker gives way to a property of that name', () => {
    const own = lower(
      { ...schema, properties: { ...schema.properties, _omitted: { type: 'string' } } },
      'openai',
    )
    expect(own.toLowered({ nullable: null })).toMatchObject({ both: { _omitted_: true } })
  })

  test('anthropic and gemini keep what is optional optional', () => {
    for (const dialect of ['anthropic', 'gemini', 'xgrammar', 'llama.cpp'] as const) {
      expect(lower(schema, dialect).schema.required).toEqual(['nullable'])
    }
  })
})

describe('REQ-5 lift on hostile answers', () => {
  const { lift } = lower(
    {
      type: 'object',
      properties: {
        map: { type: 'object', additionalProperties: {} },
        any: {},
        opt: { type: 'string' },
        tuple: { type: 'array', prefixItems: [{ type: 'string' }], items: false, minItems: 1 },
      },
      required: ['map', 'any', 'tuple'],
      additionalProperties: false,
    },
    'openai',
  )

  test.each<{ name: string; given: unknown; want: unknown }>([
    { name: 'not an object', given: 'text', want: 'text' },
    { name: 'null', given: null, want: null },
    { name: 'text that is no JSON', given: { any: '{"a":' }, want: { any: '{"a":' } },
    { name: 'a record as an object', given: { map: { a: 1 } }, want: { map: { a: 1 } } },
    { name: 'entries without a value', given: { map: [{ key: 'a' }] }, want: { map: [{ key: 'a' }] } },
    {
      name: 'a key said twice',
      given: {
        map: [
          { key: 'a', value: '1' },
          { key: 'a', value: '2' },
        ],
      },
      want: { map: { a: 2 } },
    },
    { name: 'a tuple as a list', given: { tuple: ['x'] }, want: { tuple: ['x'] } },
    { name: 'unknown properties', given: { other: null }, want: { other: null } },
  ])('leaves alone what it does not know: $name', ({ given, want }) => expect(lift(given)).toEqual(want))

  test('a free key never overrides the property of that name', () => {
    const mixed = lower(
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: true },
      'openai',
    )
    const given = { a: 'declared', additionalProperties: [{ key: 'a', value: '1' }] }
    expect(mixed.lift(given)).toEqual({ a: 'declared' })
  })

  test('a union is lifted by the branch that fits in every respect', () => {
    const optional: JsonSchema = {
      type: 'object',
      properties: { n: { type: 'string' } },
      additionalProperties: false,
    }
    const nullable: JsonSchema = { ...optional, properties: { n: { type: 'null' } }, required: ['n'] }
    const { lift: liftUnion } = lower(
      holding({
        anyOf: [
          { type: 'array', items: optional, minItems: 2 },
          { type: 'array', items: nullable, maxItems: 1 },
        ],
      }),
      'openai',
    )
    expect(liftUnion({ it: [{ n: null }] })).toEqual({ it: [{ n: null }] })
    expect(liftUnion({ it: [{ n: null }, { n: null }] })).toEqual({ it: [{}, {}] })
  })

  test('reserved names become own data and pollute nothing', () => {
    const lifted = lift({
      map: [
        { key: '__proto__', value: '{"polluted":true}' },
        { key: 'constructor', value: '1' },
      ],
      any: '{"__proto__":{"polluted":true}}',
    }) as { map: object; any: object }
    expect(Object.keys(lifted.map)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(lifted.map)).toBe(Object.prototype)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    const inherited = lift(JSON.parse('{ "__proto__": null, "opt": null }')) as object
    expect(Object.keys(inherited)).toEqual(['__proto__'])
  })

  test('a very deep answer is no stack overflow', () => {
    const tree: JsonSchema = {
      $ref: '#/$defs/Tree',
      $defs: {
        Tree: { type: 'object', properties: { next: { $ref: '#/$defs/Tree' } }, additionalProperties: false },
      },
    }
    let deep: unknown = { next: null }
    for (let level = 0; level < 50_000; level++) deep = { next: deep }
    expect(() => lower(tree, 'openai').lift(deep)).not.toThrow()
  })

  test('never changes its input', () => {
    const given = Object.freeze({ map: Object.freeze([Object.freeze({ key: 'a', value: '1' })]), opt: null })
    expect(lift(given)).toEqual({ map: { a: 1 } })
    expect(given.opt).toBeNull()
  })
})

describe('REQ-5c unsupported_schema', () => {
  test.each<{ name: string; given: JsonSchema; path: string }>([
    { name: 'a reference to nothing', given: holding({ $ref: '#/$defs/Nothing' }), path: '/properties/it' },
    {
      name: 'another kind of reference',
      given: holding({ $ref: 'https://example.com/schema' }),
      path: '/properties/it',
    },
    { name: 'a schema that no value satisfies', given: holding(false), path: '' },
    {
      name: 'a reference to itself alone',
      given: holding({ $ref: '#/$defs/A' }, { A: { $ref: '#/$defs/A' } }),
      path: '/$defs/A',
    },
  ])('$name', ({ given, path }) => {
    for (const dialect of ['openai', 'anthropic', 'gemini', 'xgrammar', 'llama.cpp'] as const) {
      expect(() => lower(given, dialect, { tool: 'search' })).toThrow(
        expect.objectContaining({
          code: 'unsupported_schema',
          message: expect.stringContaining('"search"'),
          problems: expect.arrayContaining([expect.objectContaining({ path })]),
        }),
      )
    }
  })

  test.each<JsonSchema>([
    { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/A' } } },
    { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } } },
  ])('a root that refers to nothing but itself ends: %j', (schema) => {
    for (const dialect of dialectNames.filter((name) => name !== 'json-schema')) {
      expect(() => lower(schema, dialect)).toThrow(expect.objectContaining({ code: 'unsupported_schema' }))
    }
  })

  test('what is no schema, anywhere in one, is refused with its place and nothing else', () => {
    const kinds = [null, 5, 'x', [null], { a: null }, { a: 5 }, true, [[]], () => 1, Symbol('x'), 5n]
    const words =
      'const enum properties required additionalProperties patternProperties propertyNames items prefixItems contains anyOf oneOf allOf not $defs if then else dependentSchemas dependentRequired format pattern minimum minItems maxLength unevaluatedProperties type $ref'
    let refused = 0
    for (const keyword of words.split(' ')) {
      for (const value of kinds) {
        for (const given of [
          { [keyword]: value },
          { type: 'object', properties: { it: { [keyword]: value } } },
          { type: 'object', properties: { it: { type: 'object', properties: { a: {} }, [keyword]: value } } },
        ]) {
          for (const dialect of dialectNames) {
            try {
              lower(given as JsonSchema, dialect)
            } catch (error) {
              expect(error).toMatchObject({
                code: expect.stringMatching(/^(?:unsupported_schema|invalid_options)$/),
              })
              refused++
            }
          }
        }
      }
    }
    expect(refused).toBeGreaterThan(1000)
    for (const wrong of [{ type: 'strin' }, { type: ['string', 5] }, { type: 'object', required: 'a' }]) {
      const [keyword = ''] = Object.keys(wrong).slice(-1)
      expect(() => lower(holding(wrong as JsonSchema), 'openai')).toThrow(
        `/properties/it/${keyword}: expected`,
      )
    }
    const problems = [{ path: '/properties/it/anyOf/0', expected: 'a schema', received: 'null' }]
    expect(() => lower({ properties: { it: { anyOf: [null as never] } } }, 'openai')).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining(problems[0])] }),
    )
  })

  test('definitions that lead to one another for longer than the stack can follow', () => {
    const chain = Array.from({ length: 5_000 }, (_, index) => [
      `D${index}`,
      { type: 'object', properties: { next: { $ref: `#/$defs/D${index + 1}` } } },
    ])
    const schema: JsonSchema = {
      type: 'object',
      properties: { first: { $ref: '#/$defs/D0' } },
      $defs: Object.fromEntries([...chain, ['D5000', { type: 'string' }]]),
    }
    const thrown = {
      code: 'unsupported_schema',
      message: expect.stringContaining('/$defs: expected a chain'),
    }
    expect(() => lower(schema, 'anthropic')).toThrow(expect.objectContaining(thrown))
  })

  test('every problem at once', () => {
    const given: JsonSchema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/X' }, b: { $ref: 'y' } },
      required: ['a', 'b'],
    }
    expect(() => lower(given, 'openai')).toThrow(
      expect.objectContaining({
        problems: [
          expect.objectContaining({ path: '/properties/a' }),
          expect.objectContaining({ path: '/properties/b' }),
        ],
      }),
    )
  })
})

describe('REQ-5 what cannot be', () => {
  test.each<JsonSchema>([
    { allOf: [{ $ref: '#/$defs/None' }, { maxLength: 5 }] },
    { $ref: '#/$defs/None', maxLength: 5 },
    { allOf: [{ $ref: '#/$defs/None', maxLength: 5 }, { not: { const: 'x' } }] },
    { allOf: [{ not: { const: 'x' } }, { $ref: '#/$defs/None', maxLength: 5 }] },
    { type: 'array', prefixItems: [{ type: 'string' }, false], minItems: 2 },
  ])('where nothing is possible nothing is sent: %j', (given) => {
    const declared: JsonSchema = { type: 'object', properties: { it: given }, $defs: { None: false } }
    for (const dialect of ['openai', 'anthropic', 'xgrammar', 'llama.cpp'] as const) {
      expect(lower(declared, dialect).schema.properties).toEqual({})
    }
  })

  test('one that leads nowhere is refused, also where it would be merged', () => {
    for (const $ref of ['#', '#/$defs/Nowhere', 'https://example.com/x.json']) {
      for (const given of [{ $ref }, { $ref, maxLength: 5 }, { allOf: [{ $ref }, { maxLength: 5 }] }]) {
        const wrong = (): unknown => lower(holding(given), 'openai')
        expect(wrong).toThrow(expect.objectContaining({ code: 'unsupported_schema' }))
        expect(wrong).toThrow(
          `expected a reference of the form #/$defs/Name to a definition of this schema, got ${$ref}`,
        )
      }
    }
  })
})

describe('REQ-5c, CALL-11a what would merge without end goes as JSON text', () => {
  const $defs: Record<string, Schema> = {
    List: { type: 'object', properties: { next: { $ref: '#/$defs/List' }, value: { type: 'string' } } },
    Chain: { type: 'object', properties: { next: { $ref: '#/$defs/Chain' }, value: { minLength: 1 } } },
    Rows: { type: 'array', items: { $ref: '#/$defs/Rows' } },
    Lines: { type: 'array', items: { $ref: '#/$defs/Lines' }, minItems: 1 },
  }

  test.each<{ name: string; given: JsonSchema }>([
    {
      name: 'two lists in one',
      given: { allOf: [{ $ref: '#/$defs/List' }, { $ref: '#/$defs/Chain' }] },
    },
    {
      name: 'two arrays of themselves',
      given: { allOf: [{ $ref: '#/$defs/Rows' }, { $ref: '#/$defs/Lines' }] },
    },
    {
      name: 'one beside the other',
      given: { $ref: '#/$defs/List', properties: { next: { $ref: '#/$defs/Chain' } } },
    },
  ])('$name', ({ given }) => {
    for (const dialect of ['openai', 'anthropic', 'gemini', 'xgrammar', 'llama.cpp'] as const) {
      const { schema, standIns, lift } = lower(holding(given, $defs), dialect)
      expect(schema.properties?.it).toMatchObject({ type: 'string' })
      expect(standIns).toMatchObject([{ pointer: '/properties/it', kind: 'json' }])
      expect(lift({ it: '{"next":{"value":"a"}}' })).toEqual({ it: { next: { value: 'a' } } })
    }
  })
})
