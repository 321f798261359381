import { compose, createRegistry, lower, lowerTools, tool } from 'callsheet'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { buildModel } from '../../../../codegen/build/build-model.ts'
import { withDefinitions } from '../../../../codegen/emit/tool-schema.ts'
import { define } from '../../codegen/build/define.ts'

const output = Type.Object({ ok: Type.Boolean() })
const written = { _outputPath: Type.Literal('†state.x'), _output: output }

/** Objects that say the same at the root of a Tool, and a Call that each takes. */
const roots: Record<string, readonly [schema: object, right: object, wrong: object]> = {
  'a recursive type': [
    Type.Cyclic(
      {
        Node: Type.Object({
          _tool: Type.Literal('t'),
          a: Type.String(),
          kids: Type.Optional(Type.Array(Type.Ref('Node'))),
          ...written,
        }),
      },
      'Node',
    ),
    { a: 'x' },
    { a: 5 },
  ],
  'an intersection': [
    Type.Intersect([
      Type.Object({ _tool: Type.Literal('t'), a: Type.String() }),
      Type.Object({ b: Type.Number(), ...written }),
    ]),
    { a: 'x', b: 1 },
    { a: 'x', b: 'y' },
  ],
  'a reference': [
    {
      $ref: '#/definitions/T',
      definitions: {
        T: {
          type: 'object',
          properties: { a: { type: 'string' }, _outputPath: { const: '†state.x' }, _output: output },
          required: ['a'],
        },
      },
    },
    { a: 'x' },
    {},
  ],
}

describe.each(Object.entries(roots))(
  'TOOL-1 TOOL-10 %s at the root of a Tool',
  (_, [schema, right, wrong]) => {
    test('is read as one object, with the meta-fields in it', async () => {
      const { Tool, Activity } = createRegistry()
      Tool.register('t', schema)
      Activity.register('t', () => ({ ok: true }))
      const outcome = await Tool.run({ _tool: 't', ...right })
      expect(outcome).toMatchObject({ status: 'succeeded', output: { ok: true } })
      expect(outcome.appended).toMatchObject([{ kind: 'state', data: { x: { ok: true } } }])
      expect((await Tool.run({ _tool: 't', ...wrong })).error?.code).toBe('invalid_call')
      expect(JSON.stringify(compose(Tool))).toContain('"_outputPath"')
      expect(lower(compose(Tool), 'openai').schema).toBeDefined()
    })
  },
)

test('TOOL-7 references of every form run, and are composed for every provider', async () => {
  const tree = (value: Type.TSchema) =>
    Type.Cyclic({ Node: Type.Object({ value, next: Type.Optional(Type.Ref('Node')) }) }, 'Node')
  const { Tool, Activity } = createRegistry()
  Tool.register(
    't',
    tool(
      't',
      {
        numbers: tree(Type.Number()),
        texts: Type.Optional(tree(Type.String())),
        list: { type: 'array', items: { $ref: '#/properties/word' } },
        word: { type: 'string' },
        _outputPath: { $ref: '#/$defs/path' },
        _output: tree(Type.Number()),
      },
      { $defs: { path: { type: 'string' } }, required: ['_tool', 'numbers'] },
    ),
  )
  Activity.register('t', ({ numbers }) => numbers)
  const numbers = { value: 1, next: { value: 2 } }
  expect(await Tool({ _tool: 't', numbers, texts: { value: 'x' }, list: ['a'] })).toEqual(numbers)
  for (const wrong of [{ texts: { value: 1 } }, { list: [1] }, { numbers: { value: 1, next: {} } }]) {
    expect((await Tool.run({ _tool: 't', numbers, ...wrong })).error?.code).toBe('invalid_call')
  }
  const composed = compose(Tool, { output: tree(Type.String()) })
  const refs = [...JSON.stringify(composed).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref ?? '')
  expect(refs.length).toBeGreaterThan(3)
  for (const ref of refs) expect(composed.$defs).toHaveProperty(ref.replace('#/$defs/', ''))
  for (const dialect of ['openai', 'anthropic', 'gemini', 'llama.cpp'] as const) {
    expect(lower(composed, dialect).schema).toBeDefined()
  }
})

const own = { type: 'object', properties: { a: { type: 'string' } } }
const withOutput = { properties: { _output: { type: 'string' }, _outputPath: { type: 'string' } } }
const hiddenFields: Record<string, object> = {
  'an alternative': { ...own, anyOf: [{ required: ['a'] }, withOutput] },
  'an alternative within a part': { ...own, allOf: [{ anyOf: [true, { oneOf: [withOutput] }] }] },
  'a part that cannot be merged': { ...own, minProperties: 1, allOf: [{ minProperties: 2, ...withOutput }] },
  'a definition': { ...own, anyOf: [{ $ref: '#/$defs/D' }, true], $defs: { D: withOutput } },
  'what a parameter brings along': { ...own, dependentSchemas: { a: withOutput } },
}

test.each(Object.entries(hiddenFields))(
  'TOOL-10 a meta-field that %s declares would not be read: refused, with the place',
  (_, schema) => {
    const { Tool } = createRegistry()
    expect(() => Tool.register('t', schema)).toThrow(
      /"_output" is declared in a part of the Tool, \/(anyOf|allOf|dependentSchemas).*"_outputPath" is declared in/s,
    )
    const { findings } = buildModel([define('t', schema)])
    expect(findings.map(({ rule }) => rule)).toEqual(['hidden-meta-field', 'hidden-meta-field'])
  },
)

test.each<[string, object]>([
  ['const', { const: { a: 'x' } }],
  ['enum', { enum: [{ a: 'x' }, { _tool: 'other', a: 'x' }] }],
])(
  'CALL-1 `%s` for the whole Call that allows no Call of the Tool is refused: none could run',
  (keyword, part) => {
    const schema = { ...own, ...part }
    const { Tool } = createRegistry()
    expect(() => Tool.register('t', schema)).toThrow(`\`${keyword}\` is for the whole Call`)
    const { findings } = buildModel([define('t', schema)])
    expect(findings.map(({ rule }) => rule)).toEqual(['malformed-tool'])
  },
)

test('CALL-1 `const` for the whole Call may allow one', async () => {
  const { Tool, Activity } = createRegistry()
  Tool.register('t', { ...own, const: { _tool: 't', a: 'x' } })
  Activity.register('t', () => 'ran')
  expect((await Tool.run({ _tool: 't', a: 'x' })).status).toBe('succeeded')
  expect((await Tool.run({ _tool: 't', a: 'y' })).error?.code).toBe('invalid_call')
})

test('TOOL-10 a part may repeat a meta-field of the Tool, and not change it', () => {
  const { Tool } = createRegistry()
  const schema = (given: object) => ({
    type: 'object',
    properties: { _outputPath: { type: 'string', maxLength: 9 } },
    anyOf: [{ properties: { _outputPath: given } }, { required: ['b'] }],
  })
  Tool.register('same', schema({ maxLength: 9, type: 'string' }))
  expect(() => Tool.register('other', schema({ const: '†state.a' }))).toThrow(
    'in a part of the Tool, /anyOf/0',
  )
})

test('TOOL-1 parts that refer alike are compared in time that grows with the definitions', () => {
  const chain = (size: number, name: string): [string, object][] =>
    Array.from({ length: size }, (_, index) => {
      const next = index + 1 < size ? { $ref: `#/$defs/${name}${index + 1}` } : { type: 'string' }
      return [`${name}${index}`, { type: 'object', properties: { next } }]
    })
  const part = (size: number, name: string): object => {
    const properties = Array.from({ length: size }, (_, index) => [`p${index}`, { $ref: `#/$defs/${name}0` }])
    return { type: 'object', properties: Object.fromEntries(properties) }
  }
  const timeOf = (size: number): number => {
    const $defs = Object.fromEntries([...chain(size, 'A'), ...chain(size, 'B')])
    const schema = { type: 'object', $defs, allOf: [part(size, 'A'), part(size, 'B')] }
    const before = process.cpuUsage()
    createRegistry().Tool.register('t', schema)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  timeOf(150) // Compiled by now.
  // What takes less than 40 ms is noise. The square would be 64 times as long.
  expect(timeOf(1_200) / Math.max(40, timeOf(150))).toBeLessThan(20)
})

test.each(['register', 'generate'])(
  'CALL-1a a reference of a meta-field counts together with what stands beside it (%s)',
  async (way) => {
    const place = { $ref: '#/$defs/Place', description: 'Where to.', enum: ['†state.b', '†state.c'] }
    const only = { $ref: '#/$defs/Only', type: 'string' }
    const schema = {
      type: 'object',
      $defs: { Place: { enum: ['†state.a', '†state.b'] }, Only: { type: 'string', const: 'set' } },
      properties: { _outputPath: place, _outputMethod: only, _output: { type: 'string' } },
    }
    const { tools, definitions } = buildModel([define('t', schema)]).model
    const { Tool, Activity } = createRegistry()
    Tool.register('t', way === 'register' ? schema : withDefinitions(tools[0]?.schema ?? {}, definitions))
    Activity.register('t', () => 'done')
    const run = (_outputPath: string) => Tool.run({ _tool: 't', _outputPath })
    expect(await run('†state.b')).toMatchObject({ status: 'succeeded', output: 'done' })
    for (const wrong of ['†state.a', '†state.c']) {
      expect((await run(wrong)).error).toMatchObject({
        code: 'invalid_call',
        problems: [{ path: '/_outputPath' }],
      })
    }
    // What one of both fixes is fixed, though the other says a part of it again.
    expect(Tool.get('t')?.properties?._outputMethod).toEqual({ type: 'string', const: 'set' })
  },
)

test('TOOL-2 what generate refuses of underscore properties is refused by hand too, all of it at once', () => {
  const { Tool } = createRegistry()
  const schema = {
    type: 'object',
    parameters: ['_from', '_output', 5],
    properties: { _outptPath: { type: 'string' }, _outputPath: { type: 'number' }, _scopes: { const: [5] } },
  }
  expect(() => Tool.register('t', schema)).toThrow(
    expect.objectContaining({
      code: 'unsupported_schema',
      message: expect.stringContaining('Did you mean "_outputPath"?'),
      problems: [
        '/properties/_outptPath',
        '/parameters',
        '/parameters',
        '/parameters',
        '/properties/_outputPath',
        '/properties/_scopes',
      ].map((path) => expect.objectContaining({ path })),
    }),
  )
  expect(Tool.names).toEqual([])
})

test('TOOL-2 createRegistry reports each Tool that it refuses, at once', () => {
  const wrong = { type: 'object', properties: { _outptPath: {} } }
  const tools = { a: wrong, fine: { type: 'object', properties: {} }, 'b.c': wrong, 'd e': wrong }
  expect(() => createRegistry({ tools })).toThrow(
    expect.objectContaining({
      code: 'unsupported_schema',
      message: expect.stringMatching(
        /^3 Tools cannot be registered.\n.*"a".*_outputPath.*\n.*"b\.c".*\n.*"d e" is not/s,
      ),
      problems: ['/a/properties/_outptPath', '/b.c/properties/_outptPath'].map((path) =>
        expect.objectContaining({ path }),
      ),
    }),
  )
  expect(() => createRegistry({ tools: { a: wrong } })).toThrow(/^Tool "a" cannot be registered/)
  expect(() => createRegistry({ tools: { a: wrong } })).toThrow(
    expect.objectContaining({
      problems: [
        expect.objectContaining({ expected: expect.stringContaining('is one of'), received: '"_outptPath"' }),
      ],
    }),
  )
})

test.each([{}, true, { type: 'string' }, { type: ['string', 'null'] }, { anyOf: [{ type: 'string' }] }])(
  'TOOL-2 a meta-field that leaves open what it allows is taken by hand: %j',
  async (open) => {
    const names = ['_outputMethod', '_activity', '_outputPath', '_instance', '_delegate']
    const properties = Object.fromEntries(names.map((name) => [name, open]))
    const { Tool, Activity } = createRegistry({ tools: { t: { type: 'object', properties } } })
    Activity.register('t', () => 1)
    expect((await Tool.run({ _tool: 't', _outputMethod: 'push', _activity: 't' })).status).toBe('succeeded')
    expect((await Tool.run({ _tool: 't', _outputMethod: 'pull' })).status).toBe('failed')
  },
)

test('TOOL-10 a Tool with references that lead nowhere is refused, with each of them', () => {
  const { Tool } = createRegistry()
  const schema = {
    type: 'object',
    properties: {
      a: { $ref: '#/$defs/Nmae' },
      b: { $ref: 'https://example.com/x' },
      c: { $ref: '#/x-parts/Part' },
    },
    $defs: { Name: {} },
    'x-parts': { Part: { properties: { inner: { $ref: '#/x-parts/Other' } } } },
  }
  expect(() => Tool.register('t', schema)).toThrow(
    expect.objectContaining({
      code: 'unsupported_schema',
      problems: [
        expect.objectContaining({ path: '/properties/a' }),
        expect.objectContaining({ path: '/properties/b' }),
        expect.objectContaining({ path: '/properties/c' }),
      ],
    }),
  )
  expect(Tool.names).toEqual([])
})

test.each([null, 7, ['x']])('TOOL-1 a title or description that is %j is left out', (none) => {
  const wording = { title: none, description: none }
  const properties = {
    title: { type: 'string', ...wording, default: { description: none } },
    list: { type: 'array', ...wording, items: { type: 'string', ...wording } },
  }
  const { Tool } = createRegistry({ tools: { t: { type: 'object', ...wording, properties } } })
  const composed = compose(Tool, { output: { type: 'string', ...wording } })
  for (const sent of [
    composed,
    lowerTools(Tool.list(), 'anthropic').tools,
    lower(composed, 'openai').schema,
  ]) {
    const text = JSON.stringify(sent).replace('"default":{"description"', '')
    expect(text).toContain('"title":{')
    expect(text).not.toMatch(/"(title|description)":[^"{]/)
  }
})
