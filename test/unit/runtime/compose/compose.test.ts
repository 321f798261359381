import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { compose } from '../../../../runtime/compose/compose.ts'
import { createRegistry } from '../../../../runtime/create-registry.ts'
import { composedBranches } from '../../../../runtime/lower/composed-tools.ts'
import { lower } from '../../../../runtime/lower/lower.ts'
import { lowerTools } from '../../../../runtime/native/native-tools.ts'
import { render } from '../../../../runtime/render/render.ts'
import type { JsonSchema, ToolSchema } from '../../../../runtime/schema/schema.ts'
import { realTools } from '../lower/real-tools.ts'

const weather: ToolSchema = {
  type: 'object',
  description: 'Current weather.',
  effects: 'read',
  parser: 'tuple',
  examples: [{}],
  parameters: ['_from'],
  properties: {
    _output: { type: 'object', properties: { degrees: { type: 'number' } } },
    location: { type: 'string' },
    _outputPath: { type: 'string' },
    _scopes: { type: 'array', items: { enum: ['state'] } },
    _instance: { type: 'string', description: 'For whom.' },
    _from: { type: 'string' },
    _tool: { type: 'string', const: 'weather' },
    _delegate: { const: 'anonymous' },
  },
  required: ['_tool', 'location', '_output', '_outputPath'],
  additionalProperties: false,
}

const branches = (schema: JsonSchema): JsonSchema[] => composedBranches(schema) as JsonSchema[]
const fields = (branch: JsonSchema | undefined): string[] => Object.keys(branch?.properties ?? {})

describe('compose', () => {
  test('REQ-1 the envelope is calls, and output only with a goal (REQ-3), null until it is reached', () => {
    const goal: JsonSchema = { type: 'object', properties: {} }
    expect(compose([weather])).toMatchObject({
      type: 'object',
      required: ['calls'],
      additionalProperties: false,
    })
    expect(Object.keys(compose([weather]).properties ?? {})).toEqual(['calls'])
    const withGoal = compose([weather], { output: goal })
    expect(withGoal.required).toEqual(['calls', 'output'])
    expect(withGoal.properties?.output).toEqual({ anyOf: [goal, { type: 'null' }] })
  })

  test('REQ-1 fields stand in the specified order, and required follows it', () => {
    const [branch] = branches(
      compose([{ name: 'weather', schema: weather, activity: '' }], { explicitOutput: 'keep' }),
    )
    expect(fields(branch)).toEqual([
      '_tool',
      '_reasoningForCall',
      '_activity',
      '_delegate',
      '_scopes',
      '_instance',
      '_outputPath',
      'location',
      '_from',
      '_output',
    ])
    expect(branch?.required).toEqual(['_tool', '_reasoningForCall', '_activity', '_outputPath', 'location'])
    expect(branch?.properties).toMatchObject({
      _tool: { type: 'string', const: 'weather' },
      _reasoningForCall: { type: 'string' },
      _activity: { type: 'string', const: '' },
    })
  })

  test('REQ-1 the description is sent, options for readers and policies are not', () => {
    const [branch] = branches(compose([weather]))
    expect(branch?.description).toBe('Current weather.')
    for (const option of ['effects', 'parser', 'examples', 'parameters'])
      expect(branch).not.toHaveProperty(option)
    expect(branch?.additionalProperties).toBe(false)
  })

  test.each([
    { activity: '', given: {}, want: 'last', says: 'last by default' },
    { activity: '', given: { outputPosition: 'meta' }, want: 'after', says: 'with the meta-fields' },
    {
      activity: 'weather',
      given: { explicitOutput: 'keep' },
      want: 'last',
      says: 'kept to compare predictions',
    },
    { activity: 'weather', given: {}, want: undefined, says: 'left out for a Tool with an Activity' },
  ] as const)('REQ-2 _output is optional and $says', ({ activity, given, want }) => {
    const { _delegate, ...properties } = weather.properties ?? {}
    const schema = { ...weather, properties }
    const [branch] = branches(compose([{ name: 'weather', schema, activity }], given))
    const at = fields(branch).indexOf('_output')
    expect(branch?.required).not.toContain('_output')
    if (want === undefined) expect(at).toBe(-1)
    else
      expect(at).toBe(want === 'last' ? fields(branch).length - 1 : fields(branch).indexOf('_outputPath') + 1)
  })

  test('REQ-2 a latent Tool keeps its _output whatever explicitOutput says', () => {
    const { _delegate, ...properties } = weather.properties ?? {}
    const [branch] = branches(compose([{ ...weather, properties }], { explicitOutput: 'omit' }))
    expect(fields(branch)).toContain('_output')
  })

  test.each([
    { given: undefined, declared: undefined, want: '' },
    { given: 'same-name', declared: undefined, want: 'weather' },
    { given: ['weather'], declared: undefined, want: 'weather' },
    { given: ['other'], declared: undefined, want: '' },
    { given: ['other'], declared: 'other', want: 'other' },
    { given: ['weather'], declared: 'other', want: '' },
    { given: 'same-name', declared: '', want: '' },
    { given: (name: string) => `${name}-v2`, declared: undefined, want: 'weather-v2' },
  ] as const)(
    'ACT-3 plain schemas resolve their Activity by $given, $declared',
    ({ given, declared, want }) => {
      const schema =
        declared === undefined
          ? weather
          : { ...weather, properties: { ...weather.properties, _activity: { const: declared } } }
      const [branch] = branches(compose([schema], given === undefined ? {} : { activities: given }))
      expect(branch?.properties?._activity).toEqual({ type: 'string', const: want })
    },
  )

  test('INST-3 _instance offers the known instances and keeps its description', () => {
    const [offered] = branches(compose([weather], { instances: ['a', 'b'] }))
    expect(offered?.properties?._instance).toEqual({
      type: 'string',
      description: 'For whom.',
      enum: ['a', 'b'],
    })
    const [open] = branches(compose([weather], { instances: [] }))
    expect(open?.properties?._instance).toEqual(weather.properties?._instance)
  })

  test('TOOL-8 the last definition of a name wins; TOOL-9 a Tool that is off is left out', () => {
    const later = { ...weather, description: 'Newer.' }
    expect(branches(compose([weather, later])).map(({ description }) => description)).toEqual(['Newer.'])
    expect(compose([{ ...weather, enabled: false }]).properties?.calls).toMatchObject({ maxItems: 0 })
    expect(branches(compose([weather, { ...weather, enabled: false }]))).toEqual([])
  })

  test('REQ-4 shared definitions stand once at the root, unused ones nowhere', () => {
    const using = (name: string): ToolSchema => ({
      type: 'object',
      properties: { _tool: { type: 'string', const: name }, at: { $ref: '#/$defs/Place' } },
    })
    const definitions = {
      Place: { type: 'object', properties: { in: { $ref: '#/$defs/Country' } } },
      Country: { type: 'string' },
      Unused: { type: 'null' },
    }
    const composed = compose([using('a'), using('b')], { definitions })
    expect(composed.$defs).toEqual({ Country: definitions.Country, Place: definitions.Place })
    expect(composed.properties?.calls).not.toHaveProperty('$defs')
  })

  test('REQ-4 equal definitions are shared; different ones of one name are kept apart, with all that refers to them', () => {
    const using = (name: string, leaf: JsonSchema): ToolSchema => ({
      type: 'object',
      properties: { _tool: { type: 'string', const: name }, const: { $ref: '#/$defs/Tree' } },
      $defs: { Tree: { type: 'array', items: { $ref: '#/$defs/Leaf' } }, Leaf: leaf },
    })
    const same = compose([using('a', { type: 'string' }), using('b', { type: 'string' })])
    expect(Object.keys(same.$defs ?? {})).toEqual(['Leaf', 'Tree'])
    const other = compose([using('a', { type: 'string' }), using('b', { type: 'number' })])
    expect(other.$defs).toMatchObject({
      Leaf: { type: 'string' },
      Leaf_2: { type: 'number' },
      Tree: { items: { $ref: '#/$defs/Leaf' } },
      Tree_2: { items: { $ref: '#/$defs/Leaf_2' } },
    })
    expect(branches(other)[1]?.properties?.const).toEqual({ $ref: '#/$defs/Tree_2' })
  })

  test('CALL-1a whole-object keywords do not refuse the fields that the system adds', () => {
    const picky: ToolSchema = {
      type: 'object',
      properties: { _tool: { type: 'string', const: 'picky' }, a: { type: 'string' } },
      allOf: [{ properties: { a: { minLength: 1 } }, additionalProperties: false }],
      minProperties: 1,
      maxProperties: 2,
      propertyNames: { pattern: '^a$' },
    }
    const [branch] = branches(compose([picky]))
    expect(branch).toMatchObject({ minProperties: 4, maxProperties: 5 })
    expect(branch?.allOf?.[0]).toMatchObject({
      properties: { _tool: true, _reasoningForCall: true, _activity: true },
    })
    expect(branch?.propertyNames).toMatchObject({
      anyOf: [{ pattern: '^a$' }, { enum: expect.arrayContaining(['_tool']) }],
    })
  })

  test.each([
    ['NaN', Number.NaN],
    ['a Date', new Date(0)],
    ['a number', 5],
    ['what says of itself that it is null', { toJSON: () => null }],
  ])('REQ-3 %s as the schema of an output is refused', (_, output) => {
    expect(() => compose([], { output: output as object })).toThrow(
      expect.objectContaining({
        code: 'unsupported_schema',
        message: expect.stringContaining('The schema of the output must be an object, true or false, got '),
      }),
    )
  })

  test('TOOL-1 a live TypeBox object is an equal citizen; anything without a name is refused', () => {
    const live = Type.Object({
      _tool: Type.Literal('live'),
      pair: Type.Tuple([Type.String(), Type.Number()]),
    })
    expect(branches(compose([live]))[0]?.properties?.pair).toMatchObject({
      prefixItems: [{ type: 'string' }, { type: 'number' }],
      items: false,
    })
    expect(() => compose([{ type: 'object', properties: {} }])).toThrow(/_tool/)
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['Tools by name', { live: { type: 'object' } }],
    ['a number', 5],
    ['a list of nothing', [null]],
  ])('CALL-12 %s is refused as what it is', (_what, given) => {
    const refused = expect.objectContaining({ code: 'invalid_options' })
    expect(() => compose(given as Parameters<typeof compose>[0])).toThrow(refused)
  })

  test('REQ-1 is pure and deterministic, and quick enough to run for every Request', () => {
    const tools = realTools()
    const before = JSON.stringify(tools)
    const first = JSON.stringify(compose(tools))
    const started = performance.now()
    for (let run = 0; run < 5; run++) expect(JSON.stringify(compose(tools))).toBe(first)
    // 2 ms each on the machine it was written on; the bound only catches another order of growth.
    expect((performance.now() - started) / 5).toBeLessThan(5000)
    expect(JSON.stringify(tools)).toBe(before)
    expect(branches(compose(tools))).toHaveLength(tools.length)
  })

  test('a property called __proto__ is a parameter like any other', () => {
    const properties = JSON.parse('{ "_tool": { "const": "odd" }, "__proto__": { "type": "string" } }')
    const [branch] = branches(compose([{ type: 'object', properties }]))
    expect(Object.hasOwn(branch?.properties ?? {}, '__proto__')).toBe(true)
    expect(({} as { type?: unknown }).type).toBeUndefined()
  })

  const library = { '~standard': { version: 1, vendor: 'zod' }, type: 'object', def: {} } as JsonSchema
  const withoutName = { ...weather, properties: {} }
  const uses: ToolSchema = {
    type: 'object',
    properties: { _tool: { const: 'uses' }, of: { $ref: '#/$defs/Of' } },
  }

  test.each<[string, () => unknown]>([
    ['of a Tool beside its name', () => compose([{ name: 'given', schema: library, activity: '' }])],
    [
      'within a Tool beside its name, natively',
      () =>
        lowerTools(
          [{ name: 'given', schema: { ...weather, properties: { a: library } }, activity: '' }],
          'anthropic',
        ),
    ],
    ['of a definition', () => compose([uses], { definitions: { Of: library } })],
    ['of a definition, natively', () => lowerTools([uses], 'anthropic', { definitions: { Of: library } })],
  ])('TOOL-10 a schema of a library is refused in the place %s', (_place, make) => {
    const refused = { code: 'unsupported_schema', message: expect.stringContaining('is a schema of zod') }
    expect(make).toThrow(expect.objectContaining(refused))
    // What was refused once is refused again.
    expect(make).toThrow(expect.objectContaining(refused))
  })

  test.each<object>([
    { city: { type: 'string' } },
    { jsonSchema: { type: 'object' } },
    { name: 'search', description: 'Searches.', inputSchema: { type: 'object' } },
  ])('TOOL-10 %j, which would allow anything, is refused as a schema', (given) => {
    const { Tool } = createRegistry()
    expect(() => lower(given, 'openai')).toThrow('such as z.toJSONSchema(schema)')
    const refused = expect.objectContaining({ code: 'unsupported_schema' })
    expect(() => compose([weather], { output: given })).toThrow(refused)
    expect(() => Tool.fromIdea('idea', { schema: given, context: [] })).toThrow(refused)
    expect(() => Tool.register('given', given)).toThrow(refused)
    // For any value, in words.
    expect(lower({ description: 'Anything.' }, 'mcp').schema).toBeDefined()
    expect(Tool.register('described', { description: 'A.', 'x-team': {} })).toBeUndefined()
  })

  test('REQ-11a a list of Tools without a name cannot be rendered', () => {
    expect(() => render([withoutName], 'typescript')).toThrow('"" is not a Tool\'s name')
  })
})
