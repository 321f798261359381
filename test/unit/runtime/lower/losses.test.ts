import { expect, test } from 'vitest'
import { compose } from '../../../../runtime/compose/compose.ts'
import { dialectNames } from '../../../../runtime/dialects/dialect-name.ts'
import { isCallsheetError } from '../../../../runtime/errors.ts'
import { type LoweredSchema, lower } from '../../../../runtime/lower/lower.ts'
import type { JsonSchema, Schema } from '../../../../runtime/schema/schema.ts'
import { Random, randomSchema } from './random-schema.ts'
import { realTools } from './real-tools.ts'

/** Keywords that shape a schema: lowering rewrites them, and the property tests prove what comes of it. */
const shaping = [
  'type',
  'properties',
  'required',
  'items',
  'prefixItems',
  '$ref',
  'const',
  'enum',
  'anyOf',
  'oneOf',
  'allOf',
  '$defs',
  'additionalProperties',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'description',
]
/** How long a tuple is shows in its properties. */
const tupleBounds = ['minItems', 'maxItems']
/** Pieces of a schema that no dialect looks into: they are lost or kept whole. */
const whole = [
  'not',
  'if',
  'then',
  'else',
  'contains',
  'dependentRequired',
  'dependentSchemas',
  'default',
  'const',
  'enum',
  'examples',
]

/**
 * Walks the declared schema on its own and asks of every keyword that says something: is it in the result with this
 * very value, or in the losses at this very place? A keyword below a lost one went with it.
 */
function unaccounted(declared: JsonSchema, { schema, losses, standIns }: LoweredSchema): string[] {
  const text = JSON.stringify(schema)
  const lost = new Set(losses.map(({ pointer, keyword }) => `${pointer} ${keyword}`))
  const gone = [
    ...losses.map(({ pointer, keyword }) => `${pointer}/${keyword}`),
    ...standIns.filter(({ kind }) => kind === 'json').map(({ pointer }) => pointer),
  ]
  const missing: string[] = []
  const visit = (value: unknown, pointer: string, isMap: boolean): void => {
    if (typeof value !== 'object' || value === null) return
    if (gone.some((prefix) => pointer === prefix || pointer.startsWith(`${prefix}/`))) return
    for (const [key, child] of Object.entries(value)) {
      const isKept = text.includes(`${JSON.stringify(key)}:${JSON.stringify(child)}`)
      const isSaid =
        isMap ||
        Array.isArray(value) ||
        shaping.includes(key) ||
        ('prefixItems' in value && tupleBounds.includes(key)) ||
        (key === 'maxProperties' &&
          standIns.some(({ pointer: at, kind }) => at === pointer && kind === 'entries'))
      if (!isSaid && !isKept && !lost.has(`${pointer} ${key}`)) missing.push(`${pointer} ${key}`)
      if (
        key === 'description' &&
        !isMap &&
        !text.includes(JSON.stringify(child).slice(1, -1)) &&
        !lost.has(`${pointer} ${key}`)
      ) {
        missing.push(`${pointer} ${key}`)
      }
      if (isMap || !whole.includes(key))
        visit(
          child,
          `${pointer}/${key}`,
          !isMap && ['properties', '$defs', 'patternProperties'].includes(key),
        )
    }
  }
  visit(declared, '', false)
  return missing
}

test.each(dialectNames)(
  'REQ-5a %s: losses are complete, nothing disappears that is not listed',
  (dialect) => {
    expect(unaccounted(compose(realTools()), lower(compose(realTools()), dialect))).toEqual([])
    for (let seed = 1; seed <= 400; seed++) {
      const declared = randomSchema(new Random(seed * 977))
      // What no value can have is not sent, and of two merged bounds the stronger; the property tests prove both.
      if (/"not":{}|"allOf"/.test(JSON.stringify(declared))) continue
      try {
        const lowered = lower(declared, dialect)
        // Definitions that nothing refers to are not sent.
        const used = { ...declared, $defs: {} }
        expect({ seed, missing: unaccounted(used, lowered) }).toEqual({ seed, missing: [] })
      } catch (error) {
        if (!isCallsheetError(error)) throw error
      }
    }
  },
)

test('REQ-5a described losses are in the description, word for word', () => {
  const tools = realTools()
  const { schema, losses } = lower(compose(tools), 'anthropic')
  const text = JSON.stringify(schema)
  const defaults = losses.filter(({ keyword, action }) => keyword === 'minimum' && action === 'described')
  expect(defaults.length).toBeGreaterThan(50)
  for (const { value } of defaults) expect(text).toContain(`At least ${value}.`)
})

/** How a schema comes out as the only property of an object. */
function asProperty(x: JsonSchema, dialect: (typeof dialectNames)[number]) {
  const whole: JsonSchema = {
    type: 'object',
    properties: { x },
    required: ['x'],
    additionalProperties: false,
  }
  const { schema, losses } = lower(whole, dialect)
  return { lowered: schema.properties?.x as JsonSchema, losses }
}

test.each<[(typeof dialectNames)[number], JsonSchema, kept: string[]]>([
  ['xgrammar', { type: 'integer', minimum: 3 }, []],
  ['xgrammar', { type: 'integer', minimum: 1 }, ['minimum']],
  ['xgrammar', { type: 'integer', minimum: 3, maximum: 9 }, ['minimum', 'maximum']],
  ['xgrammar', { type: 'integer', exclusiveMinimum: 2, maximum: 9 }, ['exclusiveMinimum', 'maximum']],
  ['xgrammar', { type: 'integer', minimum: 0, maximum: 2 ** 60 }, []],
  ['xgrammar', { type: 'number', minimum: 0 }, []],
  ['xgrammar', { type: ['integer', 'string'], minimum: 1 }, []],
  ['xgrammar', { type: 'string', pattern: '^a$', format: 'date' }, ['format']],
  ['llama.cpp', { type: 'string', minLength: 2 }, ['minLength']],
  ['llama.cpp', { type: 'string', minLength: 2, pattern: '^a+$' }, ['pattern']],
  ['llama.cpp', { type: 'string', minLength: 2, format: 'date' }, ['format']],
  ['llama.cpp', { type: 'string', minLength: 1999, maxLength: 2000 }, ['minLength']],
  ['llama.cpp', { type: 'string', pattern: '^a{2000}$' }, []],
  ['llama.cpp', { type: 'array', items: {}, minItems: 2, maxItems: 2000 }, ['minItems', 'items']],
])('REQ-5 what %s holds to hangs on what stands beside it: %j', (dialect, schema, kept) => {
  const { lowered, losses } = asProperty(schema, dialect)
  const { type, description, ...rest } = lowered
  expect(Object.keys(rest)).toEqual(kept)
  const lost = Object.keys(schema).filter((keyword) => keyword !== 'type' && !kept.includes(keyword))
  expect(losses.map(({ keyword }) => keyword)).toEqual(lost)
})

test('REQ-5a keys of several patterns become keys of any text, with a value of any of them: a loss', () => {
  const one = { '^a': { type: 'integer' } } as const
  const valuesBy = (patternProperties: Record<string, JsonSchema>) => {
    const given: JsonSchema = { type: 'object', patternProperties, additionalProperties: false }
    const { lowered, losses } = asProperty(given, 'openai')
    const { properties } = lowered.items as JsonSchema
    return [properties?.value, losses.map(({ keyword }) => keyword)]
  }
  expect(valuesBy(one)).toEqual([{ type: 'integer' }, []])
  expect(valuesBy({ ...one, '^b': { type: 'string' } })).toEqual([
    { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    ['patternProperties', 'additionalProperties'],
  ])
})

const text = { type: 'string' } as const

test('REQ-5 what unevaluatedProperties of one part forbids is not allowed by another', () => {
  const { schema, losses } = lower(
    {
      type: 'object',
      allOf: [
        { properties: { a: text }, required: ['a'], unevaluatedProperties: false },
        { properties: { b: text } },
      ],
    },
    'mistral',
  )
  expect({ schema, losses }).toMatchObject({
    schema: { additionalProperties: false, required: ['a'] },
    losses: [],
  })
  expect(schema.properties).toEqual({ a: text })
})

test('REQ-5 what a pattern asks of a named property is kept where another part closes the object', () => {
  const { schema } = lower(
    {
      type: 'object',
      allOf: [
        { properties: { b: text }, patternProperties: { '^b': { minLength: 2 } } },
        { properties: { b: text }, additionalProperties: false },
      ],
    },
    'mistral',
  )
  expect(schema.properties).toMatchObject({ b: { description: 'At least 2 characters.' } })
})

test('REQ-5a a lost unevaluatedProperties is named as it was declared', () => {
  const byPattern = {
    type: 'object',
    patternProperties: { '^b': text },
    unevaluatedProperties: false,
  } as const
  expect(lower(byPattern, 'llama.cpp').losses).toContainEqual(
    expect.objectContaining({ pointer: '', keyword: 'unevaluatedProperties', action: 'approximated' }),
  )
  const branching: JsonSchema = {
    anyOf: [{ type: 'object', properties: { a: text } }],
    unevaluatedProperties: { type: 'integer' },
  }
  const merged = lower({ allOf: [branching, { type: 'object', properties: { b: text } }] }, 'mistral')
  expect(merged.losses).toContainEqual(
    expect.objectContaining({ pointer: '/allOf/0', keyword: 'unevaluatedProperties', action: 'dropped' }),
  )
})

test('REQ-5a what two parts say alike is lost at both', () => {
  const part = { properties: { a: { anyOf: [{ type: 'string', minLength: 2 }, { type: 'null' }] } } }
  const { losses } = lower({ type: 'object', allOf: [part, part] }, 'anthropic')
  expect(losses.filter(({ keyword }) => keyword === 'minLength').map(({ pointer }) => pointer)).toEqual([
    '/allOf/0/properties/a/anyOf/0',
    '/allOf/1/properties/a/anyOf/0',
  ])
})

test.each<[string, JsonSchema, pointers: string[]]>([
  ['declared', { properties: { a: false, b: text } }, ['']],
  [
    'left by two parts',
    { allOf: [{ properties: { a: text } }, { properties: { a: { type: 'integer' } } }] },
    ['/allOf/0', '/allOf/1'],
  ],
])('REQ-5a an impossible property, %s, is a loss where an object stays open', (_, part, pointers) => {
  for (const dialect of ['gemini', 'openai', 'llama.cpp'] as const) {
    const places = (additionalProperties: Schema): string[] => {
      const { losses } = asProperty({ type: 'object', ...part, additionalProperties }, dialect)
      return losses.filter(({ keyword }) => keyword === 'properties').map(({ pointer }) => pointer)
    }
    expect(places(text)).toEqual(pointers.map((pointer) => `/properties/x${pointer}`))
    expect(places(false)).toEqual([])
  }
})
