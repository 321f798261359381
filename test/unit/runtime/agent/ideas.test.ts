import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createRegistry, lower, tool } from 'callsheet'
import { Idea, type IdeaData, latentModel, Request, Vessel } from 'callsheet/agent'
import { scriptedModel, testModel } from 'callsheet/testing'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { add, registryWithTools } from './tools.ts'

const modelApis = ['chat', 'responses', 'messages'] as const

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callsheet-vessel-'))
})
afterAll(() => rm(folder, { recursive: true }))

const summary: IdeaData = {
  schema: {
    type: 'object',
    properties: { summary: { $ref: '#/$defs/Line' } },
    required: ['summary'],
    $defs: { Line: { type: 'string' } },
  },
  context: [
    {
      type: 'input',
      input: { text: '' },
      description: 'Summarises a text.',
      schema: {
        type: 'object',
        properties: { text: { type: 'string' } },
        required: ['text'],
        additionalProperties: false,
      },
    },
  ],
}

async function vessel() {
  const { Tool } = registryWithTools()
  const client = scriptedModel([{ calls: [add(1, 2)], usage: { in: 3, out: 1 } }])
  const context = [{ type: 'text', text: 'Add.' }] as const
  return (await Request({ model: 'm', client, tools: Tool, context })).vessel
}

describe('REQ-11 Vessels', () => {
  test('are readable JSON that replays without a model', async () => {
    const made = await vessel()
    const path = join(folder, 'runs', 'first.json')
    await made.save(path)
    const text = await readFile(path, 'utf8')
    expect(text).toMatch(/^\{\n {2}"schema": \{\n/)
    expect(JSON.parse(text)).toMatchObject({
      context: [{ text: 'Add.' }],
      solution: { calls: [{ _tool: 'add' }] },
      model: 'm',
      usage: { in: 3 },
    })
    expect(await readdir(join(folder, 'runs'))).toEqual(['first.json'])

    const loaded = await Vessel.load(pathToFileURL(path))
    expect(loaded.toJSON()).toEqual(made.toJSON())
    const { Tool, ran } = registryWithTools()
    for (const call of loaded.replay().calls) await Tool(call)
    expect(ran).toEqual([['add', 1, 2]])
  })

  test.each([
    [2, 'EBUSY', undefined],
    [1, 'EIO', 'EIO'],
    [99, 'EPERM', 'EPERM'],
  ])('is saved when another program lets go of it: %i times %s', async (times, code, refused) => {
    const at = join(folder, `held-${code}`)
    let left = times
    const files = process.getBuiltinModule('node:fs/promises')
    const { rename } = files
    vi.spyOn(files, 'rename').mockImplementation(async (from, to) => {
      if (left-- > 0) throw Object.assign(new Error(code), { code })
      return rename(from, to)
    })
    try {
      const saved = (await vessel()).save(join(at, 'v.json')).then(
        () => undefined,
        (error: { code: string }) => error.code,
      )
      expect(await saved).toBe(refused)
    } finally {
      vi.restoreAllMocks()
    }
    expect(await readdir(at)).toEqual(refused === undefined ? ['v.json'] : [])
  })

  test('REQ-11a a Vessel is an Idea and loads as one', async () => {
    const made = await vessel()
    await made.save(join(folder, 'v.json'))
    // Editors on Windows write a mark in front.
    await writeFile(join(folder, 'v.json'), `\uFEFF${await readFile(join(folder, 'v.json'), 'utf8')}`)
    const idea = await Idea.load(join(folder, 'v.json'))
    expect(idea).toMatchObject({ schema: made.schema, context: made.context, solution: made.solution })
  })

  const modes = ['composed', 'native'] as const
  test.each(modes.flatMap((mode) => modelApis.map((api) => [mode, api] as const)))(
    'of a Request in %s mode over %s replay, with what the model left out that a Call need not have (CALL-1a)',
    async (mode, api) => {
      const { Tool } = registryWithTools()
      const _outputPath = { type: 'string', const: '†state.note' }
      Tool.register(
        'note',
        tool('note', { text: { type: 'string' }, _outputPath, _output: { type: 'string' } }),
      )
      const options = { properties: { _tool: { const: 'ask' }, id: {}, mail: {} }, minProperties: 1 }
      Tool.register('ask', { type: 'object', ...options, required: ['_tool'], additionalProperties: false })
      const given = [
        add(1, 2),
        { _tool: 'ask', id: 4 },
        { _tool: 'note', text: 'Oslo' },
        { _tool: 'judge', text: 'Fine.', _output: { good: true } },
      ]
      const solution = JSON.stringify({ calls: given, output: null })
      const toolCalls = given.map(({ _tool, ...parameters }) => ({
        name: _tool,
        arguments: JSON.stringify(parameters),
      }))
      const client = testModel(() => (mode === 'native' ? { toolCalls } : { text: solution }))
      const made = (await Request({ model: 'm', client, tools: Tool, mode, api, output: { type: 'string' } }))
        .vessel
      const stored = JSON.parse(JSON.stringify(made))
      expect(new Vessel(stored).replay()).toEqual({ calls: given, output: null })
      expect(new Idea(stored).solution).toEqual(made.solution)

      stored.solution.calls[0]._activity = 'pay'
      expect(() => new Vessel(stored).replay()).toThrow(/in Calls of add: \/calls\/0\/_activity/)
    },
  )

  test.each([
    ['required', 'add'],
    ['required', null],
    ['properties', null],
  ])('of an edited file whose schema has %s: %j are refused with a code', (keyword, value) => {
    const branch = {
      type: 'object',
      properties: { _tool: { const: 'add' } },
      required: ['_tool'],
      [keyword]: value,
    }
    const others = { type: 'object', properties: { _tool: { const: 'sub' } }, required: ['_tool'] }
    const calls = { type: 'array', items: { anyOf: [others, branch] } }
    const schema = { type: 'object', properties: { calls }, required: ['calls'] }
    const vessel = new Vessel({ schema, context: [], solution: { calls: [] } } as never)
    expect(() => vessel.replay()).toThrow(expect.objectContaining({ code: 'unsupported_schema' }))
  })

  test('a solution that no longer follows the schema is not replayed, and the Tool is named (DIFF-5)', async () => {
    const data = (await vessel()).toJSON()
    const edited = new Vessel({
      ...data,
      solution: { calls: [{ _tool: 'drop', _reasoningForCall: '', _activity: '' }] },
    } as never)
    expect(() => edited.replay()).toThrow(
      expect.objectContaining({
        code: 'answer_invalid',
        message: expect.stringMatching(/does not follow its schema, in Calls of drop: /),
      }),
    )
  })

  test.each<[string, unknown]>([
    ['no object', 7],
    ['no schema', { context: [], solution: {} }],
    ['no solution', { schema: {}, context: [] }],
    ['a solution without Calls', { schema: {}, context: [], solution: { summary: '' } }],
  ])('%s is no Vessel', (_what, data) => {
    expect(() => new Vessel(data as never)).toThrow(expect.objectContaining({ code: 'invalid_options' }))
  })
})

describe('REQ-11 Ideas', () => {
  test('what is no Message is refused, and what is loaded cannot be changed', () => {
    expect(() => new Idea({ schema: {}, context: [{ type: 'no' } as never] })).toThrow(
      expect.objectContaining({
        code: 'invalid_message',
        message: expect.stringMatching(/^Message 0 of the given value is not a Message: /),
      }),
    )
    const idea = new Idea(summary)
    expect(() => (idea.context as unknown[]).push(1)).toThrow(TypeError)
    expect(idea.input).toEqual((summary.context[0] as { schema: object }).schema)
  })

  test("its schema may be TypeBox's, and is kept as a plain one", async () => {
    const range = Type.Tuple([Type.Number(), Type.Number()])
    const idea = new Idea({
      schema: Type.Object({ range, note: Type.Optional(Type.String()) }),
      context: summary.context,
    })
    const plain = {
      type: 'object',
      properties: {
        range: {
          type: 'array',
          prefixItems: [{ type: 'number' }, { type: 'number' }],
          items: false,
          minItems: 2,
        },
        note: { type: 'string' },
      },
      required: ['range'],
    }
    expect(idea.schema).toStrictEqual(plain)
    const path = join(folder, 'typed.json')
    await idea.save(path)
    expect((await Idea.load(path)).schema).toStrictEqual(plain)
    const { Tool } = createRegistry()
    Tool.fromIdea('typed', idea)
    expect(Tool.get('typed')?.properties?._output).toEqual(plain)
  })

  test('a schema that is not JSON is refused', () => {
    const cyclic: Record<string, unknown> = { type: 'object' }
    cyclic.properties = { self: cyclic }
    expect(() => new Idea({ schema: cyclic, context: [] })).toThrow(
      expect.objectContaining({
        code: 'unsupported_schema',
        message: expect.stringContaining('The schema of the Idea is not JSON'),
      }),
    )
  })

  test('Tool.fromIdea: its input gives the parameters, its schema the output, and it runs as a delegate', async () => {
    const client = scriptedModel([{ output: { summary: 'short' } }])
    const { Tool } = createRegistry({ model: latentModel({ model: 'm', client }) })
    Tool.fromIdea('summarise', new Idea(summary))
    expect(Tool.get('summarise')).toEqual({
      type: 'object',
      description: 'Summarises a text.',
      properties: {
        _tool: { type: 'string', const: 'summarise' },
        _delegate: { type: 'string', const: 'summarise' },
        text: { type: 'string' },
        _output: { type: 'object', properties: { summary: { $ref: '#/$defs/Line' } }, required: ['summary'] },
      },
      required: ['_tool', 'text'],
      additionalProperties: false,
      $defs: { Line: { type: 'string' } },
    })
    const context = [{ type: 'text', text: 'SECRET' }] as const
    expect(await Tool.run({ _tool: 'summarise', text: 'A long text' }, { context })).toMatchObject({
      status: 'succeeded',
      delegated: true,
      output: { summary: 'short' },
    })
    expect(JSON.stringify(client.requests)).toMatch(/A long text/)
    expect(JSON.stringify(client.requests)).not.toMatch(/SECRET/)
    expect(await Tool.run({ _tool: 'summarise', txt: 'x' })).toMatchObject({
      error: { code: 'invalid_call' },
    })
  })

  test('Tool.fromIdea: an Idea that is declared to write runs, and a Tool of somebody else in its name does not', async () => {
    const client = scriptedModel([{ output: { summary: 'short' } }])
    const { Tool } = createRegistry({ model: latentModel({ model: 'm', client }) })
    const [input] = summary.context as unknown as [{ schema: object }]
    const writes = { ...input, schema: { ...input.schema, effects: 'write' } }
    Tool.fromIdea('file', new Idea({ ...summary, context: [writes] as never }))
    expect(await Tool.run({ _tool: 'file', text: 'It' })).toMatchObject({ output: { summary: 'short' } })
    // Its own Activity was not imported: no model may take its place.
    const { properties, ...rest } = Tool.get('file') as { properties: object }
    Tool.register('pay', { ...rest, properties: { ...properties, _tool: { const: 'pay' } } } as never)
    expect(await Tool.run({ _tool: 'pay', text: 'It' })).toMatchObject({
      error: { code: 'missing_activity' },
    })
  })

  test('Tool.fromIdea: without an input it has no parameters', () => {
    const { Tool } = createRegistry()
    Tool.fromIdea('joke', { schema: { type: 'string', description: 'A joke.' }, context: [] })
    const { description, properties = {}, additionalProperties } = Tool.get('joke') ?? {}
    expect({ description, names: Object.keys(properties), additionalProperties }).toEqual({
      description: 'A joke.',
      names: ['_tool', '_delegate', '_output'],
      additionalProperties: false,
    })
  })

  test('TOOL-10 an input by a validation library is refused by its name', () => {
    const face = { version: 1, vendor: 'zod' }
    const live = Object.defineProperty({ type: 'object', parse: () => 0 }, '~standard', { value: face })
    const holding = {
      type: 'object',
      properties: { a: Object.create(null, { '~standard': { value: face } }) },
    }
    for (const schema of [live, holding]) {
      const idea = { schema: { type: 'string' }, context: [{ type: 'input', input: {}, schema } as never] }
      expect(() => new Idea(idea)).toThrow(/z\.toJSONSchema\(schema\)/)
    }
  })

  test('TOOL-10 so is a schema of an Idea that becomes a Tool, and one that is to be lowered', () => {
    const face = { version: 1, vendor: 'zod' }
    const live = Object.defineProperty({ type: 'object', parse: () => 0 }, '~standard', { value: face })
    const { Tool } = createRegistry()
    expect(() => Tool.fromIdea('given', { schema: live, context: [] })).toThrow(
      /^The Idea "given" is not JSON: "schema" is a schema of zod; give its JSON Schema/,
    )
    expect(() => lower(live, 'openai')).toThrow(/^lower takes a JSON Schema, such as z\.toJSONSchema/)
    expect(() => lower({ type: 'object', properties: { a: live } }, 'openai')).toThrow(/a JSON Schema, such/)
  })

  test.each<[string, unknown]>([
    ['an input without a schema', { schema: {}, context: [{ type: 'input', input: {} }] }],
    [
      'an input that is no object',
      { schema: {}, context: [{ type: 'input', input: 1, schema: { type: 'number' } }] },
    ],
    ['no Idea', { schema: {} }],
    [
      'definitions of one name that differ',
      {
        schema: { $ref: '#/$defs/A', $defs: { A: { type: 'string' } } },
        context: [{ type: 'input', input: {}, schema: { type: 'object', $defs: { A: { type: 'number' } } } }],
      },
    ],
  ])('%s is not callable', (_what, idea) => {
    const { Tool } = createRegistry()
    expect(() => Tool.fromIdea('x', idea as IdeaData)).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
    )
    expect(Tool.names).toEqual([])
  })
})
