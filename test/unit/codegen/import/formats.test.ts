import { describe, expect, test } from 'vitest'
import { type ImportOptions, importTools } from '../../../../codegen/import/import-tools.ts'
import type { ToolSchema } from '../../../../runtime/schema/schema.ts'
import { evaluateDefinitions } from './evaluate-definitions.ts'

const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }

describe('GEN-10 what Gemini writes otherwise', () => {
  test('types in capitals, counts as texts, nullable, and the output', () => {
    const declared = {
      name: 'x',
      parameters: {
        type: 'OBJECT',
        required: ['n'],
        properties: {
          n: { type: 'INTEGER', format: 'int32', nullable: true },
          list: { type: 'ARRAY', minItems: '1', items: { type: 'STRING', maxLength: '5' } },
          // Not a schema: what a property is called stays.
          type: { type: 'STRING', enum: ['OBJECT'] },
        },
      },
      response: { type: 'OBJECT', properties: { ok: { type: 'BOOLEAN' } } },
    }
    const plain = {
      name: 'x',
      inputSchema: {
        type: 'object',
        required: ['n'],
        properties: {
          n: { type: ['integer', 'null'], format: 'int32' },
          list: { type: 'array', minItems: 1, items: { type: 'string', maxLength: 5 } },
          type: { type: 'string', enum: ['OBJECT'] },
        },
      },
      outputSchema: { type: 'object', properties: { ok: { type: 'boolean' } } },
    }
    const gemini = importTools([{ functionDeclarations: [declared] }])
    expect(gemini.files).toEqual(importTools([plain]).files)
    expect(gemini.files).toHaveLength(1)
  })

  test('an OpenAPI description is named as what it is', () => {
    const { files, findings } = importTools({ openapi: '3.1.0', info: { title: 'x' }, paths: {} })
    expect(files).toEqual([])
    expect(findings).toMatchObject([
      { severity: 'error', message: expect.stringContaining('OpenAPI description') },
    ])
  })
})

describe('GEN-10 the formats that come in', () => {
  const want = ['x.ts']
  const cases: { name: string; given: unknown; options?: ImportOptions }[] = [
    {
      name: 'an MCP tools/list result',
      given: { tools: [{ name: 'x', description: 'd', inputSchema: schema }] },
    },
    {
      name: 'its JSON-RPC envelope',
      given: {
        jsonrpc: '2.0',
        id: 1,
        result: { tools: [{ name: 'x', inputSchema: schema }] },
      },
    },
    {
      name: 'an OpenAI Chat Completions tools array',
      given: [
        { type: 'function', function: { name: 'x', description: 'd', parameters: schema, strict: true } },
      ],
    },
    { name: 'an OpenAI function without parameters', given: [{ type: 'function', function: { name: 'x' } }] },
    {
      name: 'an OpenAI Responses tools array',
      given: [{ type: 'function', name: 'x', parameters: schema, strict: true }],
    },
    {
      name: 'an OpenAI request',
      given: { model: 'm', tools: [{ type: 'function', name: 'x', parameters: schema }] },
    },
    { name: 'an Anthropic tools array', given: [{ name: 'x', input_schema: schema }] },
    {
      name: 'a Gemini tools array',
      given: [
        { functionDeclarations: [{ name: 'x', description: 'd', parameters: schema }] },
        { function_declarations: [] },
      ],
    },
    {
      name: 'a Gemini request, with JSON Schema',
      given: { tools: [{ functionDeclarations: [{ name: 'x', parametersJsonSchema: schema }] }] },
    },
    {
      name: "one entry of Gemini's tools",
      given: { function_declarations: [{ name: 'x', description: 'd', parameters: schema }] },
    },
    {
      name: "a request of Gemini's SDK",
      given: { config: { tools: [{ functionDeclarations: [{ name: 'x', parameters: schema }] }] } },
    },
    { name: 'a Gemini function without parameters', given: [{ functionDeclarations: [{ name: 'x' }] }] },
    { name: 'a LangChain tool', given: [{ name: 'x', description: 'd', schema }] },
    { name: 'a LangChain tool of Python', given: [{ name: 'x', description: 'd', args_schema: schema }] },
    {
      name: "OpenAI's functions, before there were tools",
      given: { model: 'm', functions: [{ name: 'x', description: 'd', parameters: schema }] },
    },
    { name: 'such a function without parameters', given: { functions: [{ name: 'x' }] } },
    {
      name: 'an Amazon Bedrock tools array',
      given: [{ toolSpec: { name: 'x', description: 'd', inputSchema: { json: schema } } }],
    },
    {
      name: 'an Amazon Bedrock request',
      given: {
        modelId: 'm',
        toolConfig: { tools: [{ toolSpec: { name: 'x', inputSchema: { json: schema } } }] },
      },
    },
    {
      name: 'tools of the AI SDK, with JSON Schemas',
      given: { x: { description: 'd', inputSchema: { jsonSchema: schema } } },
    },
    { name: 'one MCP tool', given: { name: 'x', inputSchema: schema } },
    { name: 'schemas by name', given: { x: schema } },
    { name: 'tools by name', given: { x: { description: 'd', parameters: schema } } },
    { name: 'a schema with a title', given: { ...schema, title: 'x' } },
    { name: 'a schema that the caller names', given: schema, options: { name: 'x' } },
    { name: 'a list of schemas', given: [{ ...schema, title: 'x' }] },
    {
      name: "a Callsheet Tool's own schema",
      given: { type: 'object', properties: { _tool: { const: 'x' } } },
    },
  ]
  test.each(cases)('$name', ({ given, options }) => {
    const { files, findings } = importTools(given, options)
    expect(files.map(({ path }) => path)).toEqual(want)
    expect(findings).toEqual([])
  })

  test.each([
    [
      'Zod',
      { type: 'object', def: { type: 'object', shape: { a: { type: 'string', def: { type: 'string' } } } } },
    ],
    [
      'Zod',
      { _def: { unknownKeys: 'strip', typeName: 'ZodObject' }, '~standard': { version: 1, vendor: 'zod' } },
    ],
    ['Valibot', { kind: 'schema', type: 'object', expects: 'Object', async: false, entries: {} }],
  ])('a schema of %s after JSON.stringify is not read as a tool without parameters', (library, left) => {
    for (const given of [{ inputSchema: left }, { inputSchema: schema, outputSchema: left }]) {
      const { files, findings } = importTools([{ name: 'x', ...given }])
      expect(files).toEqual([])
      expect(findings).toMatchObject([
        { rule: 'import-schema', message: expect.stringContaining(`${library} object after JSON.stringify`) },
      ])
    }
  })

  const older: { name: string; given: object; want: object }[] = [
    {
      name: 'null for what is not said, as Go writes it',
      given: {
        type: 'object',
        properties: { a: { type: 'string', enum: null, items: null } },
        required: null,
      },
      want: { a: { type: 'string' } },
    },
    {
      name: 'an empty list for no properties, as PHP writes it',
      given: { type: 'object', properties: { a: { type: 'object', properties: [] } }, $defs: [] },
      want: { a: { type: 'object', properties: {} } },
    },
    { name: 'null for no parameters', given: { type: 'object', properties: null }, want: {} },
    {
      name: 'requirements of draft-03, and its type of anything',
      given: { properties: { a: { type: 'string', required: true }, b: { type: 'any', required: false } } },
      want: { a: { type: 'string' }, b: {} },
    },
    {
      name: 'patterns without the flag u',
      given: { properties: { a: { type: 'string', pattern: '^[\\w-.]+\\@{.*}$' } } },
      want: { a: { type: 'string', pattern: '^[\\w\\-.]+@\\{.*\\}$' } },
    },
  ]
  test.each(older)('older forms: $name', async ({ given, want }) => {
    const { files, findings } = importTools({ tools: [{ name: 'x', inputSchema: given }] })
    expect(findings).toEqual([])
    const { properties } = (await evaluateDefinitions(files)).get('x') ?? {}
    const { _tool, _output, ...parameters } = properties ?? {}
    expect(parameters).toEqual(want)
  })

  test('draft-03 says of a property that it is required', async () => {
    const given = { properties: { a: { type: 'string', required: true }, b: { required: false } } }
    const { files } = importTools({ tools: [{ name: 'x', inputSchema: given }] })
    expect((await evaluateDefinitions(files)).get('x')?.required).toEqual(['_tool', 'a'])
  })

  test('a tool with null in the place of its schema takes no parameters', () => {
    expect(importTools({ tools: [{ name: 'x', inputSchema: null }] })).toMatchObject({
      files: [{ path: 'x.ts' }],
      findings: [],
    })
  })

  test('--prefix keeps apart what two servers call by one name', async () => {
    const tools = ['search', 'get.user', 'list all'].map((name) => ({ name, inputSchema: schema }))
    const { files, findings } = importTools({ tools }, { prefix: 'slack', rename: true })
    expect([...(await evaluateDefinitions(files)).keys()].sort()).toEqual([
      'slack.get.user',
      'slack.list_all',
      'slack.search',
    ])
    expect(findings.map(({ message }) => message)).toEqual([
      '"slack.list all" is imported as "slack.list_all".',
    ])
    for (const prefix of ['', 'a b', '.', 5 as never]) {
      expect(() => importTools({ tools }, { prefix })).toThrow(
        /\/prefix: expected a name that a Tool could have/,
      )
    }
  })

  test('--rename gives each of several equal names one of its own', () => {
    const names = ['get user', 'get_user', 'Get_User', 'get-user', 'getUser']
    const tools = names.map((name) => ({ name, inputSchema: schema }))
    const { files, findings } = importTools({ tools }, { rename: true })
    expect(files.map(({ path }) => path).sort()).toEqual([
      'Get_User_3.ts',
      'get-user.ts',
      'getUser.ts',
      'get_user.ts',
      'get_user_2.ts',
    ])
    expect(findings.map(({ message }) => message)).toEqual([
      '"get user" is imported as "get_user_2".',
      '"Get_User" is imported as "Get_User_3".',
    ])
  })

  test("a Callsheet Tool's meta-fields and options survive, and import nothing twice", async () => {
    const native: ToolSchema = {
      type: 'object',
      description: 'd',
      effects: 'read',
      parser: 'tuple',
      enabled: false,
      references: false,
      parameters: ['_from'],
      properties: {
        _tool: { type: 'string', const: 'x' },
        _scopes: { const: ['state'] },
        _from: { type: 'string', references: false },
        _output: { type: 'number' },
      },
      required: ['_tool', '_from'],
      additionalProperties: false,
    }
    const { files, findings } = importTools(native)
    expect(findings).toEqual([])
    expect((await evaluateDefinitions(files)).get('x')).toEqual(native)
  })

  test.each([
    { effects: 'Write' },
    { enabled: 'false' },
    { parser: 'TUPLE' },
    { references: 'none' },
    { parameters: '_from' },
  ])('TOOL-9 an option of a Callsheet Tool that says nothing is refused: %j', (option) => {
    const { files, findings } = importTools({ properties: { _tool: { const: 'x' } }, ...option })
    expect(files).toEqual([])
    expect(findings).toMatchObject([
      { rule: 'import-schema', severity: 'error', pointer: `/${Object.keys(option)[0]}` },
    ])
  })
})
