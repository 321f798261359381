import { type Call, createRegistry, type LatentModel, type Message, tool, toolkit } from 'callsheet'
import type { IdeaData } from 'callsheet/agent'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { tools } from '../call/harness.ts'

const sum = { type: 'object', properties: { n: { type: 'number' }, _output: { type: 'number' } } }

describe('ACT-1 two independent registries', () => {
  test('Tool first, then Activity', async () => {
    const { Tool, Activity } = createRegistry()
    Tool.register('sum', sum)
    Activity.register('sum', ({ n }) => n + 1)
    expect(await Tool({ _tool: 'sum', n: 1 })).toBe(2)
  })

  test('Activity first, then Tool', async () => {
    const { Tool, Activity } = createRegistry()
    Activity.register('sum', ({ n }) => n + 1)
    Tool.register('sum', sum)
    expect(await Tool({ _tool: 'sum', n: 1 })).toBe(2)
  })

  test('options that nobody awaited are refused', async () => {
    const late = Promise.resolve({ tools, timeout: 5 })
    expect(() => createRegistry(late as object)).toThrow('expected an object of options, got Promise')
    expect(() => createRegistry({ tools: late as never })).toThrow('got Promise')
    const { Tool } = createRegistry({ tools })
    await expect(Tool.run({ _tool: 'double', n: 1 }, late as object)).rejects.toThrow('got Promise')
  })

  test('either may be absent', () => {
    const { Tool, Activity } = createRegistry()
    Activity.register('alone', () => 1)
    expect(Activity.names).toEqual(['alone'])
    expect(Tool.names).toEqual([])
  })

  test('names, get and list follow registration and unregistration', () => {
    const { Tool, Activity } = createRegistry({ tools })
    const changed: string[] = []
    Tool.on('tool:changed', ({ tool }) => changed.push(tool))
    expect(Tool.names).toEqual(['double', 'read', 'pay', 'note'])
    expect(Tool.list().map((schema) => schema.properties?._tool)).toEqual(
      Tool.names.map((name) => ({ type: 'string', const: name })),
    )
    expect(Tool.get('pay')?.effects).toBe('write')
    expect(Tool.unregister('pay')).toBe(true)
    expect(Tool.unregister('pay')).toBe(false)
    expect(Tool.names).toEqual(['double', 'read', 'note'])
    expect(Tool.get('pay')).toBeUndefined()
    Tool.register('sum', sum)
    Tool.fromIdea('ask', { schema: { type: 'string' }, context: [] })
    expect(changed).toEqual(['pay', 'sum', 'ask'])

    const activity = () => 1
    Activity.register('pay', activity)
    expect(Activity.get('pay')).toBe(activity)
    expect(Activity.unregister('pay')).toBe(true)
    expect(Activity.unregister('pay')).toBe(false)
    expect(Activity.get('pay')).toBeUndefined()
  })

  test('REQ-11 an Idea that is refused as a Tool replaces no other, and is no delegate', async () => {
    const asked: unknown[] = []
    const model: LatentModel = {
      answer: async ({ delegate }) => {
        asked.push(delegate?.idea?.context)
        return ''
      },
    }
    const { Tool } = createRegistry({ model })
    const context: Message[] = [{ type: 'text', text: 'The first.' }]
    Tool.fromIdea('ask', { schema: { type: 'string' }, context })
    const uncallable: IdeaData = {
      schema: { type: 'string' },
      context: [{ type: 'input', input: '', schema: { type: 'string' } }],
    }
    expect(() => Tool.fromIdea('ask', uncallable)).toThrow(/is not callable/)
    expect(() => Tool.fromIdea('9th', { schema: {}, context })).toThrow(/is not a Tool's name/)
    expect(Tool.composeOptions().delegates).toEqual(['ask'])
    await Tool({ _tool: 'ask' })
    expect(asked).toEqual([context])
  })

  test('two registries share nothing', () => {
    const first = createRegistry({ tools })
    const second = createRegistry()
    expect(second.Tool.names).toEqual([])
    first.Activity.register('double', () => 1)
    expect(second.Activity.names).toEqual([])
  })

  const wrong: [string, readonly unknown[]][] = [
    ['an empty name', ['', () => 1]],
    ['no function', ['double', 'nothing']],
    ['the variant name of the model', ['double', () => 1, { variant: 'latent' }]],
  ]
  test.each(wrong)('an Activity with %s is refused', (_what, args) => {
    const { Activity } = createRegistry()
    const register = Activity.register as (...args: readonly unknown[]) => void
    expect(() => register(...args)).toThrow(expect.objectContaining({ code: 'invalid_options' }))
  })
})

describe('TOOL-1 what is registered is plain JSON Schema', () => {
  const named = { type: 'string', const: 'sum' }
  const cases: [string, object][] = [
    ['plain JSON Schema without _tool', sum],
    ['plain JSON Schema that requires nothing', { properties: sum.properties }],
    ['tool()', tool('sum', { n: { type: 'number' }, _output: { type: 'number' } })],
    ['Type.Object', Type.Object({ _tool: Type.Literal('sum'), n: Type.Number(), _output: Type.Number() })],
    ['Type.Unsafe', Type.Unsafe(sum)],
  ]
  test.each(cases)('%s', (_what, schema) => {
    const { Tool } = createRegistry()
    Tool.register('sum', schema)
    const registered = Tool.get('sum')
    expect(registered?.type).toBe('object')
    expect(registered?.properties).toEqual({ _tool: named, ...sum.properties })
    expect(registered?.required?.[0]).toBe('_tool')
    expect(Reflect.ownKeys(registered ?? {}).filter((key) => String(key).startsWith('~'))).toEqual([])
  })

  test('tuples become prefixItems, and data that looks like one stays as it is', () => {
    const { Tool } = createRegistry()
    const data = { items: [1, 2], '~kind': 'mine' }
    Tool.register('pair', {
      properties: {
        at: Type.Tuple([Type.Number(), Type.Number()]),
        '~odd': { type: 'string' },
        kept: { const: data, default: data, enum: [data] },
      },
      examples: [data],
    })
    const { at, kept, '~odd': odd } = Tool.get('pair')?.properties ?? {}
    expect(at).toMatchObject({ prefixItems: [{ type: 'number' }, { type: 'number' }], items: false })
    expect(kept).toEqual({ const: data, default: data, enum: [data] })
    expect(odd).toEqual({ type: 'string' })
    expect(Tool.get('pair')?.examples).toEqual([data])
  })

  test('_module is the older name of _delegate (TOOL-2)', () => {
    const { Tool } = createRegistry()
    Tool.register('old', { properties: { _module: { type: 'string' } }, required: ['_module'] })
    expect(Tool.get('old')).toMatchObject({
      properties: { _delegate: { type: 'string' } },
      required: ['_tool', '_delegate'],
    })
  })

  test('the schema that was given is neither changed nor kept', () => {
    const { Tool } = createRegistry()
    const given = structuredClone(sum)
    Tool.register('sum', given)
    expect(given).toEqual(sum)
    given.properties.n.type = 'string'
    expect(Tool.get('sum')?.properties?.n).toEqual({ type: 'number' })
  })

  const cyclic: Record<string, unknown> = {}
  cyclic.properties = { self: cyclic }
  const refused: [string, string, unknown][] = [
    ['another type', 'sum', { type: 'string' }],
    ['another name', 'sum', tool('product', {})],
    ['a cycle', 'sum', cyclic],
    ['null', 'sum', null],
    ['nothing', 'sum', undefined],
    ['a list', 'sum', []],
    ['a boolean', 'sum', true],
    ...[1000, 1500, 2000, 3000, 9000].map((levels): [string, string, unknown] => [
      `nesting ${levels} levels deep`,
      'sum',
      JSON.parse(`${'{"not":'.repeat(levels)}{}${'}'.repeat(levels)}`),
    ]),
    ['a name with a space', 'a b', {}],
    ['an empty name', '', {}],
    ['a name that starts with a digit', '1st', {}],
    ['__proto__', '__proto__', {}],
    ['constructor', 'constructor', {}],
    ['a segment prototype', 'a.prototype', {}],
  ]
  test.each(refused)('%s is unsupported_schema', (_what, name, schema) => {
    const { Tool } = createRegistry()
    expect(() => Tool.register(name, schema as object)).toThrow(
      expect.objectContaining({ code: 'unsupported_schema' }),
    )
    expect(Tool.names).toEqual([])
  })
})

describe('TOOL-9 an option that a Tool cannot have', () => {
  test.each<[string, object, RegExp]>([
    [
      'a misspelt effect',
      { effects: 'Write' },
      /`effects` is "Write"; expected "read", "idempotent" or "write"/,
    ],
    ['a list of effects', { effects: ['write'] }, /`effects` is/],
    ['a text', { enabled: 'false' }, /`enabled` is "false"; expected true or false/],
    [
      'a function, which JSON would leave out',
      { enabled: () => false },
      /Tool\.register\(name, schema, \{ enabled/,
    ],
    ['another parser', { parser: 'csv' }, /`parser` is/],
    ['a name where a list belongs', { required: 'sum' }, /its `required` is "sum"; expected a list of names/],
    ['properties in a list', { properties: [] }, /its `properties` is \[\]; expected schemas by name/],
    [
      'several properties that are no schemas',
      { properties: { a: null, _output: 5, _activity: '' } },
      /`properties.a` is null; expected a schema, its `properties._output` is 5; expected a schema\.$/,
    ],
    [
      'MCP’s hints',
      { annotations: { destructiveHint: true } },
      /`annotations` would have no effect.*`effects`/,
    ],
    [
      'an output beside the properties',
      { outputSchema: {} },
      /`outputSchema` would have no effect.*`_output`/,
    ],
    ['a part of an intersection', { allOf: [null] }, /its `allOf` is \[null\]; expected a list of schemas/],
  ])('%s is refused, and does not mean that nothing was said', (_what, option, why) => {
    const schema = { type: 'object', properties: { _tool: { const: 'sum' } }, ...option }
    for (const meta of [undefined, { _instance: { type: 'string' } }]) {
      expect(() => createRegistry({ tools: { sum: schema }, ...(meta && { meta }) })).toThrow(why)
    }
    expect(() => createRegistry().Tool.register('sum', schema)).toThrow(why)
  })
})

describe('createRegistry({ tools })', () => {
  test('a parameter by a validation library is no JSON Schema; what such a library exports is', () => {
    const face = { version: 1, vendor: 'zod' }
    const live = { '~standard': face, def: { type: 'string', checks: [5] }, type: 'string' }
    const exported = Object.defineProperty({ type: 'string', minLength: 5 }, '~standard', { value: face })
    expect(() =>
      createRegistry({ tools: { a: tool('a', { list: Type.Array(live), _output: sum }) } }),
    ).toThrow('its schema is not JSON: "items" is a schema of zod; give its JSON Schema')
    const { Tool } = createRegistry({ tools: { a: tool('a', { name: exported, _output: sum }) } })
    expect(Tool.get('a')?.properties?.name).toEqual({ type: 'string', minLength: 5 })
  })

  describe('TOOL-10 code in the place of a schema is refused, and not dropped or read in part', () => {
    // As those of ArkType are: JSON.stringify asks it for its JSON before it asks anybody else.
    const arktype = Object.assign(() => 0, {
      '~standard': { version: 1, vendor: 'arktype' },
      toJSON: () => ({ domain: 'string' }),
    })
    const places: [place: string, key: string, around: (schema: unknown) => object][] = [
      ['a parameter', 'a', (schema) => ({ a: schema })],
      ['an output', '_output', (schema) => ({ _output: schema })],
      ['a property', 'b', (schema) => ({ a: { type: 'object', properties: { b: schema } } })],
      ['items', 'items', (schema) => ({ a: { type: 'array', items: schema } })],
      ['a branch', '1', (schema) => ({ a: { anyOf: [{ type: 'null' }, schema] } })],
      ['further properties', 'additionalProperties', (schema) => ({ a: { additionalProperties: schema } })],
      ['a definition', 'd', (schema) => ({ a: { $ref: '#/$defs/d', $defs: { d: schema } } })],
    ]
    test.each(places)('%s', (_place, key, around) => {
      const { Tool } = createRegistry()
      const register = (schema: unknown) => () => Tool.register('x', tool('x', around(schema) as never))
      expect(register(arktype)).toThrow(`"${key}" is a schema of arktype; give its JSON Schema`)
      expect(register(Type.String)).toThrow(`"${key}" is no schema (Function); give its JSON Schema`)
      expect(Tool.names).toEqual([])
    })

    class Struct {
      type = 'object'
      schema = { a: {} }
      validator = () => true
    }
    const zod4 = Object.defineProperty({ type: 'string', def: {} }, '_zod', { value: {}, enumerable: false })
    const runtype = Object.defineProperty({ tag: 'string' }, 'check', { value: () => 0, enumerable: false })
    const code: [what: string, schema: unknown, name: string][] = [
      ['a schema of a class with functions, such as Superstruct', new Struct(), 'no schema (Struct)'],
      ['a copy of it, as Type.Optional makes one', { ...new Struct() }, 'no schema (Object)'],
      ['a copy of a schema of Zod 4', Type.Optional(zod4), 'no schema (Object)'],
      ['a copy of a function', Type.Optional(Type.String), 'no schema (Object)'],
      ['a schema without keywords and with hidden functions', runtype, 'no schema (Object)'],
      ['a promise', Promise.resolve({ type: 'string' }), 'no schema (Promise)'],
      ['a Map', new Map([['type', 'string']]), 'no schema (Map)'],
      ['an object that inherits its keywords', Object.create({ type: 'string' }), 'no schema (Object)'],
    ]
    test.each(code)('%s', (_what, schema, name) => {
      for (const [_place, key, around] of places) {
        const { Tool } = createRegistry()
        const register = () => Tool.register('x', tool('x', around(schema) as never))
        expect(register).toThrow(`"${key}" is ${name}; give its JSON Schema`)
      }
      const asked = (given: object) => () => createRegistry({ ideas: { ask: given as IdeaData } })
      expect(asked({ schema, context: [] })).toThrow(`"schema" is ${name}`)
      expect(asked({ schema: {}, context: [{ type: 'input', input: 1, schema }] })).toThrow(name)
      expect(
        asked({ schema: {}, context: [{ type: 'tool', tool: tool('x', { a: schema } as never) }] }),
      ).toThrow(name)
    })

    test('a whole Tool of a class, or that nobody awaited', () => {
      const { Tool } = createRegistry()
      for (const schema of [new Struct(), Promise.resolve({ type: 'object' }), new Map()]) {
        expect(() => Tool.register('x', schema)).toThrow(`"it" is no schema (${schema.constructor.name})`)
      }
    })

    test('an object of a class is a schema if it has its keywords, and so is what has a toJSON', () => {
      const keyword = new (class Text {
        type = 'string'
      })()
      const written = new (class Text {
        toJSON = () => ({ type: 'string' })
      })()
      const { Tool } = createRegistry({ tools: { x: tool('x', { keyword, written }) } })
      expect(Tool.get('x')?.properties).toMatchObject({
        keyword: { type: 'string' },
        written: { type: 'string' },
      })
    })

    test('data of an Idea can be of a class', () => {
      const context = [
        {
          type: 'state',
          state: {
            tool: new (class Drill {
              size = 1
            })(),
            schema: new Date(0),
          },
        },
      ]
      expect(() =>
        createRegistry({ ideas: { ask: { schema: { type: 'string' }, context } as never } }),
      ).not.toThrow()
    })

    test('one that is an annotation or a default has no effect, as in JSON', () => {
      const schema = { type: 'string', default: () => 'x', 'x-show': () => 1 }
      const { Tool } = createRegistry({ tools: { x: tool('x', { a: schema }) } })
      expect(Tool.get('x')?.properties?.a).toEqual({ type: 'string' })
    })
  })

  test('names a Tool by its _tool, else by its key', () => {
    const { Tool } = createRegistry({ tools: { exported: tool('real.name', {}), keyed: sum } })
    expect(Tool.names).toEqual(['real.name', 'keyed'])
  })

  test('TOOL-4 a toolkit registers flattened', async () => {
    const Phrase = toolkit('Phrase', {
      bold: { text: Type.String(), _output: Type.String() },
      italic: { text: Type.String(), _output: Type.String() },
    })
    const { Tool, Activity } = createRegistry({ tools: { Phrase } })
    expect(Tool.names).toEqual(['Phrase.bold', 'Phrase.italic'])
    Activity.register('Phrase.bold', ({ text }) => `**${text}**`)
    expect(await Tool({ _tool: 'Phrase.bold', text: 'a' })).toBe('**a**')
  })
})

test.each([
  { type: 'function', function: { name: 'sum', parameters: sum } },
  { type: 'function', name: 'sum', parameters: sum },
  { name: 'sum', inputSchema: sum },
])('TOOL-1 a list of tools of another library says what to do, at %j', (given) => {
  expect(() => createRegistry({ tools: [given] as unknown as Record<string, object> })).toThrow(
    /Tool "sum" cannot be registered: it is a tool of another library.*`callsheet import`/,
  )
})

test('TOOL-1 schemas or toolkits by name are no schema of a Tool, which would take anything', () => {
  const Kit = toolkit('Kit', { now: { place: Type.String() } })
  const Address = Type.Object({ city: Type.String() })
  for (const given of [{ place: Type.String() }, { Kit, sum }, { ...Kit, Address }, { ...Kit, about: '' }]) {
    const want =
      'Tool "given" cannot be registered: it has no keyword of JSON Schema. Put parameters in `prop'
    expect(() => createRegistry({ tools: { given } })).toThrow(want)
    expect(() => createRegistry().Tool.register('given', given)).toThrow(want)
  }
  for (const schema of [{}, { effects: 'read' }, { 'x-of': {} }])
    createRegistry().Tool.register('given', schema)
})

describe('TOOL-1 a Tool has the name that it is declared with', () => {
  const now = tool('now', { place: Type.String(), _output: Type.String() })

  test('also where it takes over the properties of another', async () => {
    const later = tool('later', { ...now.properties, days: Type.Integer() })
    const Kit = toolkit('Kit', { soon: { ...later.properties, exact: Type.Optional(Type.Boolean()) } })
    const { Tool, Activity } = createRegistry({ tools: { now, later, Kit } })
    expect(Tool.names).toEqual(['now', 'later', 'Kit.soon'])
    for (const name of Tool.names) Activity.register(name, ({ _tool, days }) => `${_tool} ${days}`)
    expect(await Tool({ _tool: 'later', place: 'Oslo', days: 2 })).toBe('later 2')
    expect(await Tool({ _tool: 'Kit.soon', place: 'Oslo', days: 3 })).toBe('Kit.soon 3')
    expect(Object.keys(later.properties)[0]).toBe('_tool')
    expect(later.required).toEqual(['_tool', 'place', 'days'])
  })

  test('and no other of the same registry has it', () => {
    const other = tool('now', { city: Type.String() })
    expect(() => createRegistry({ tools: { now, other } })).toThrow(
      'Tool "now" cannot be registered: another has its name.',
    )
    expect(createRegistry({ tools: { now, default: now } }).Tool.names).toEqual(['now'])
  })
})

test('ACT-3a Activity.declare takes names, one by one', () => {
  const { Activity } = createRegistry({ tools: { sum } })
  expect(() => Reflect.apply(Activity.declare, Activity, [['sum']])).toThrow(
    "Activity.declare takes names, such as Activity.declare('search', 'pay'), got [\"sum\"].",
  )
})

test.each([
  { name: 'sum', arguments: '{"n":1}' },
  { type: 'tool_use', id: 'a', name: 'sum', input: { n: 1 } },
  { id: 'a', type: 'function', function: { name: 'sum', arguments: '{"n":1}' } },
  { functionCall: { name: 'sum', args: { n: 1 } } },
])('CALL-9 a Call in the words of a provider leads to what reads them: %j', async (given) => {
  const { Tool } = createRegistry({ tools: { sum } })
  const { error } = await Tool.run(given as unknown as Call)
  expect(error).toMatchObject({ code: 'invalid_call', message: expect.stringContaining('Tool.parse') })
  expect(Tool.parse(JSON.stringify(given))).toEqual([{ _tool: 'sum', n: 1 }])
})

test('TOOL-8 the last registration of a name wins, and nothing of the earlier one is left', async () => {
  const { Tool, Activity } = createRegistry({ tools: { sum } })
  Activity.register('sum', ({ word = 'none' }) => word.length)
  expect(await Tool({ _tool: 'sum', n: 1 })).toBe(4)
  Tool.register('sum', {
    properties: { word: { type: 'string' }, _output: { type: 'number' } },
    additionalProperties: false,
  })
  expect(Tool.names).toEqual(['sum'])
  expect(await Tool({ _tool: 'sum', word: 'two' })).toBe(3)
  expect((await Tool.run({ _tool: 'sum', n: 1 })).error?.code).toBe('invalid_call')
})

test.each([
  [[sum], 'invalid_options', "takes a Tool's name first, got {"],
  [
    ['sum', sum, null],
    'invalid_options',
    'which are not those of its schema, cannot be used: expected an object',
  ],
  [['sum', sum, 5], 'invalid_options', 'expected an object of options, got 5'],
  [['sum'], 'unsupported_schema', 'its schema is not an object'],
])('TOOL-8 Tool.register(...%j) says what it takes', (given, code, words) => {
  const { Tool } = createRegistry()
  const thrown = { code, message: expect.stringContaining(words) }
  expect(() => Reflect.apply(Tool.register, Tool, given)).toThrow(expect.objectContaining(thrown))
})
