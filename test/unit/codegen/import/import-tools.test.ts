import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ImportOptions, importTools } from '../../../../codegen/import/import-tools.ts'
import type { ToolSchema } from '../../../../runtime/schema/schema.ts'
import { toolSets } from '../../../data/tool-sets.ts'
import { compilerOutput } from '../../../types/compiler-output.ts'
import { evaluateDefinitions } from './evaluate-definitions.ts'

const project = fileURLToPath(new URL('../../../..', import.meta.url))
/** Code, were it ever to stand in a template literal. */
const templateCode = ['`$', '{x}`'].join('')

const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }

function rules(source: unknown, options?: ImportOptions): string[] {
  return importTools(source, options).findings.map(({ rule, severity, tool = '' }) =>
    `${severity} ${rule} ${tool}`.trim(),
  )
}

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
  ])('a schema of %s as JSON.stringify leaves it is no tool without parameters', (library, left) => {
    for (const given of [{ inputSchema: left }, { inputSchema: schema, outputSchema: left }]) {
      const { files, findings } = importTools([{ name: 'x', ...given }])
      expect(files).toEqual([])
      expect(findings).toMatchObject([
        { rule: 'import-schema', message: expect.stringContaining(`is one of ${library} as JSON.stringify`) },
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
      '"get user" is imported as "get_user".',
      '"get_user" is imported as "get_user_2".',
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

describe('GEN-10 findings', () => {
  const tool = (name: string, input: object, more: object = {}): object => ({
    name,
    inputSchema: input,
    ...more,
  })
  /** Definitions each of which leads to the next. */
  const chainOf = (length: number): object => ({
    properties: { first: { $ref: '#/$defs/d1' } },
    $defs: Object.fromEntries(
      Array.from({ length }, (_, index) => [
        `d${index + 1}`,
        index === length - 1
          ? { type: 'string' }
          : { type: 'object', properties: { next: { $ref: `#/$defs/d${index + 2}` } } },
      ]),
    ),
  })
  const cases: { name: string; given: unknown; want: string[]; files?: string[] }[] = [
    { name: 'no JSON structure at all', given: 'x', want: ['error import-unreadable'] },
    {
      name: 'an entry that is nothing',
      given: [null, tool('ok', schema)],
      want: ['error import-unreadable'],
      files: ['ok.ts'],
    },
    {
      name: 'a tool that is no function',
      given: [{ type: 'web_search' }, tool('ok', schema)],
      want: ['warning import-not-a-function'],
      files: ['ok.ts'],
    },
    {
      name: 'a page of a list that goes on',
      given: { result: { tools: [tool('ok', schema)], nextCursor: 'y' } },
      want: ['warning import-incomplete'],
      files: ['ok.ts'],
    },
    {
      name: 'a schema in a member of its own',
      given: [tool('x', { body: schema }), tool('y', schema, { outputSchema: { body: schema } })],
      want: ['error import-schema x', 'error import-schema y'],
    },
    {
      name: 'a keyword that is misspelt',
      given: [tool('ok', { type: 'object', properties: { a: { type: 'string', maxLenght: 3, cost: 1 } } })],
      want: ['warning import-misspelt ok', 'note import-dropped ok'],
      files: ['ok.ts'],
    },
    {
      name: 'properties where the schema belongs',
      given: [{ name: 'x', description: 'd', parameters: { city: { type: 'string' } } }],
      want: ['error import-schema x'],
    },
    {
      name: 'a schema that says nothing and holds nothing',
      given: [tool('ok', { 'x-order': 1 })],
      want: ['note import-dropped ok'],
      files: ['ok.ts'],
    },
    { name: 'a schema without a name', given: [schema], want: ['error import-name'] },
    {
      name: 'a name that TOOL-3 refuses',
      given: [tool('a b', schema), tool('ok', schema)],
      want: ['error import-name a b'],
      files: ['ok.ts'],
    },
    {
      name: 'one name twice',
      given: [tool('a', schema), tool('a', {})],
      want: ['error import-duplicate a'],
      files: ['a.ts'],
    },
    {
      name: 'names apart by case only',
      given: [tool('aB', schema), tool('Ab', {})],
      want: ['error import-duplicate Ab'],
      files: ['aB.ts'],
    },
    {
      name: 'names with one provider-safe form',
      given: [tool('a.b', schema), tool('a__b', {})],
      want: ['error import-duplicate a__b'],
      files: ['a__b.ts'],
    },
    {
      name: 'parameters named as meta-fields',
      given: [
        tool('a', { properties: { _tool: {}, _output: {}, b: {} }, required: ['_module'] }),
        tool('ok', schema),
      ],
      want: ['error import-meta-field a', 'error import-meta-field a', 'error import-meta-field a'],
      files: ['ok.ts'],
    },
    {
      name: 'arguments that are no object',
      given: [tool('a', { type: 'string' })],
      want: ['error import-not-an-object a'],
    },
    {
      name: 'a reference to a file',
      given: [tool('a', { properties: { b: { $ref: './b.json' } } }), tool('ok', schema)],
      want: ['error import-reference a'],
      files: ['ok.ts'],
    },
    {
      name: 'a reference to an address',
      given: [tool('a', { properties: { b: { $ref: 'https://example.com/b.json#/x' } } })],
      want: ['error import-reference a'],
    },
    {
      name: 'a reference to nothing',
      given: [tool('a', { properties: { b: { $ref: '#/$defs/b' } } })],
      want: ['error import-reference a'],
    },
    {
      name: 'a reference to what objects inherit',
      given: [tool('a', { properties: { b: { $ref: '#/constructor' } } })],
      want: ['error import-reference a'],
    },
    {
      name: 'a reference to itself',
      given: [
        tool('a', { $ref: '#/$defs/b', $defs: { b: { $ref: '#/$defs/c' }, c: { $ref: '#/$defs/b' } } }),
      ],
      want: ['error import-reference a'],
    },
    {
      name: 'an anchor that nothing has',
      given: [tool('a', { properties: { b: { $ref: '#b' } } })],
      want: ['error import-reference a'],
    },
    {
      name: 'a dynamic reference',
      given: [tool('a', { properties: { b: { $dynamicRef: '#b' } } })],
      want: ['error import-reference a'],
    },
    {
      name: 'keywords with impossible values',
      given: [
        tool('a', {
          properties: {
            b: { type: 'strnig' },
            c: { minLength: 'x' },
            d: { enum: [] },
            e: { pattern: '(?P<x>a)' },
          },
          required: 'b',
        }),
      ],
      want: Array(5).fill('error import-schema a'),
    },
    {
      name: 'keywords that no validator reads',
      given: [
        tool('a', {
          properties: { b: { type: 'string', tsType: 'process.exit()', 'x-y': 1, example: 'z' } },
        }),
      ],
      want: ['note import-dropped a'],
      files: ['a.ts'],
    },
    {
      name: 'hints about effects',
      given: [tool('a', schema, { annotations: { readOnlyHint: true } })],
      want: ['note import-hints a'],
      files: ['a.ts'],
    },
    {
      name: 'a property that nothing satisfies, and a tool beside it',
      given: [
        tool('extract', { properties: { fields: { type: 'array', enum: ['name', 'age'] } } }),
        tool('fine', schema),
      ],
      want: ['error import-unsatisfiable extract'],
      files: ['fine.ts'],
    },
    {
      name: 'what generate would refuse: a reserved name, items that require what they forbid',
      given: [
        tool('a', JSON.parse('{ "properties": { "b": { "properties": { "__proto__": {} } } } }')),
        tool('b', JSON.parse('{ "properties": { "__proto__": {} } }')),
        tool('c', {
          properties: {
            d: { type: 'array', items: { type: 'object', required: ['e'], additionalProperties: false } },
          },
        }),
        tool('fine', schema),
      ],
      want: ['error reserved-property a', 'error reserved-property b', 'error undeclared-required c'],
      files: ['fine.ts'],
    },
    {
      name: 'REQ-16 examples that are no Calls',
      given: [
        tool('a', {
          properties: { b: { type: 'string' } },
          required: ['b'],
          examples: [{ b: 'x' }, { b: 1 }, 'x'],
        }),
      ],
      want: ['note import-example a', 'note import-example a'],
      files: ['a.ts'],
    },
    {
      name: 'a pattern that can hang',
      given: [tool('a', { properties: { b: { type: 'string', pattern: '^(a+)+$' } } }), tool('fine', schema)],
      want: ['error import-slow-pattern a'],
      files: ['fine.ts'],
    },
    {
      name: 'numbers that are no JSON',
      given: [tool('a', { properties: { b: { const: Number.POSITIVE_INFINITY } } }), tool('fine', schema)],
      want: ['error import-unreadable'],
      files: ['fine.ts'],
    },
    {
      name: 'nesting without end',
      given: [tool('a', JSON.parse(`${'{"not":'.repeat(5000)}{}${'}'.repeat(5000)}`)), tool('fine', schema)],
      want: ['error import-unreadable'],
      files: ['fine.ts'],
    },
    {
      name: 'definitions without end',
      given: [tool('a', chainOf(20_000)), tool('fine', schema)],
      want: ['error endless-schema a'],
      files: ['fine.ts'],
    },
    {
      name: 'definitions as long as they may be',
      given: [tool('a', chainOf(1_500)), tool('fine', schema)],
      want: [],
      files: ['a.ts', 'fine.ts'],
    },
  ]
  test.each(cases)('$name', ({ given, want, files = [] }) => {
    expect(rules(given)).toEqual(want)
    expect(importTools(given).files.map(({ path }) => path)).toEqual(files)
  })

  test.each([
    ['My tool!', 'My_tool'],
    ['../../etc/passwd', 'etc_passwd'],
    ['a/b.c', 'a_b.c'],
    ['9lives', '_9lives'],
    ['a..b', 'a.b'],
    ['__proto__', 'proto'],
    ['constructor', '_constructor'],
    ['-x', 'x'],
    ['日本', 'tool_'],
    [templateCode, 'x'],
  ])('TOOL-3 %s is suggested as %s, and renamed when asked', (given, want) => {
    const { findings } = importTools([{ name: given, inputSchema: schema }])
    expect(findings[0]?.fix).toContain(`"${want}`)
    const renamed = importTools([{ name: given, inputSchema: schema }], { rename: true })
    expect(renamed.findings.map(({ rule }) => rule)).toEqual(['import-renamed'])
    expect(renamed.files[0]?.path).toMatch(/^[A-Za-z_][\w-]*\.ts$/)
  })

  test.each([
    [{ readOnlyHint: true, destructiveHint: true }, 'read'],
    [{ readOnlyHint: false, idempotentHint: true, destructiveHint: true }, 'write'],
    [{ readOnlyHint: false, idempotentHint: true, destructiveHint: false }, 'idempotent'],
    [{ readOnlyHint: false }, 'write'],
    [{ destructiveHint: false }, 'write'],
    [{ idempotentHint: true }, 'write'],
    [{ title: 'x', openWorldHint: true }, 'write'],
    [undefined, 'write'],
  ])('ACT-3b the hints %j, with the defaults of MCP, mean %s', async (annotations, effects) => {
    const tools = await evaluateDefinitions(importTools([{ name: 'x', inputSchema: {}, annotations }]).files)
    expect(tools.get('x')?.effects).toBe(effects)
  })
})

test('GEN-10 what is refused of a schema that was wrapped is said once, at its place in the source', () => {
  const inputSchema = {
    type: 'object',
    properties: { a: { allOf: [{ minimum: 3, maximum: 1 }] } },
    allOf: [{ properties: { b: { minLength: 3, maxLength: 1 } } }],
    unevaluatedProperties: false,
  }
  const { findings } = importTools({ tools: [{ name: 'x', inputSchema }] })
  const refused = findings.filter(({ severity }) => severity === 'error')
  expect(refused.map(({ pointer }) => pointer)).toEqual(['/properties/a/allOf/0', '/allOf/0/properties/b'])
  expect(refused.map(({ message }) => message).join()).not.toContain('/allOf/0/allOf')
})

describe('GEN-10 output schemas', () => {
  test('none gives Type.Unknown()', () => {
    expect(importTools([{ name: 'x', inputSchema: schema }]).files[0]?.text).toContain(
      '_output: Type.Unknown(),',
    )
  })

  test('one is kept, with definitions of its own beside those of the arguments', async () => {
    const source = {
      name: 'x',
      inputSchema: { properties: { a: { $ref: '#/$defs/Thing' } }, $defs: { Thing: { type: 'string' } } },
      outputSchema: {
        type: 'object',
        properties: { a: { $ref: '#/$defs/Thing' } },
        $defs: { Thing: { type: 'number' } },
      },
    }
    const tool = (await evaluateDefinitions(importTools([source]).files)).get('x')
    expect(tool?.properties?.a).toEqual({ $ref: '#/$defs/Thing' })
    expect(tool?.properties?._output).toEqual({
      type: 'object',
      properties: { a: { $ref: '#/$defs/Thing2' } },
    })
    expect(tool?.$defs).toEqual({ Thing: { type: 'string' }, Thing2: { type: 'number' } })
  })
})

describe('GEN-10 references by name', () => {
  const number = { type: 'number' }
  test.each([
    ['an anchor', '#n', { N: { ...number, $anchor: 'n' } }],
    ['an anchor as draft-07 writes it', '#n', { N: { ...number, $id: '#n' } }],
    ['an address', 'https://x.example/n.json', { N: { ...number, $id: 'https://x.example/n.json' } }],
    ['a part of an address', 'n.json#/$defs/M', { N: { $id: 'n.json', $defs: { M: number } } }],
    ['an address relative to the root', 'https://x.example/n', { N: { ...number, $id: '/n' } }],
    ['an anchor in an address', 'n#m', { N: { $id: 'n', $defs: { M: { ...number, $anchor: 'm' } } } }],
    ['a reference within an address', 'n', { N: { $id: 'n', $ref: '#/$defs/M', $defs: { M: number } } }],
    ['a reference from an address to the whole', 'n', { N: { $id: 'n', $ref: '#/$defs/M' }, M: number }],
  ])('%s', (_, $ref, $defs) => {
    const source = { $id: 'https://x.example/tool', properties: { b: { $ref } }, $defs }
    const { findings, files } = importTools([{ name: 'a', inputSchema: source }])
    expect(findings).toEqual([])
    expect(files[0]?.text).toMatch(/Type\.Ref\('#\/\$defs\/[NM]'\)/)
    expect(files[0]?.text).toMatch(/[NM]: Type\.Number\(\)/)
  })

  test('what two addresses call by one name are two', () => {
    const inner = ($id: string, type: string) => ({ $id, $ref: '#m', $defs: { M: { $anchor: 'm', type } } })
    const $defs = { A: inner('a', 'number'), B: inner('b', 'string') }
    const source = { properties: { a: { $ref: 'a' }, b: { $ref: 'b' } }, $defs }
    const { findings, files } = importTools([{ name: 'a', inputSchema: source }])
    expect(findings).toEqual([])
    expect(files[0]?.text).toContain('M: Type.Number()')
    expect(files[0]?.text).toContain('M2: Type.String()')
  })

  test.each(['n', 'https://y.example/n', '#constructor', 'constructor', '__proto__'])(
    '%s leads nowhere',
    ($ref) => {
      expect(rules([{ name: 'a', inputSchema: { properties: { b: { $ref } } } }])).toEqual([
        'error import-reference a',
      ])
    },
  )
})

describe('GEN-10 hostile sources', () => {
  const nasty = [
    '*/ alert(1) /*',
    templateCode,
    "'); process.exit(1); ('",
    '"\\',
    'a\nb\r\u2028\u2029c',
    '\u202e\u0000\ud800',
    '</script>',
    '// x\n',
    'constructor',
  ]

  test('text from outside only ever becomes string literals, keys and identifiers', async () => {
    const properties = Object.fromEntries(
      nasty.map((text) => [
        text,
        { description: text, default: { [text]: text }, enum: [text], title: text },
      ]),
    )
    const source = {
      tools: [
        {
          name: 'x',
          title: nasty.join(),
          description: nasty.join(),
          inputSchema: {
            type: 'object',
            properties,
            required: nasty,
            patternProperties: { '`\\$\\{x\\}': { const: nasty } },
          },
        },
        ...nasty.map((name) => ({ name, inputSchema: {} })),
      ],
    }
    const { files } = importTools(source, { rename: true })
    const text = files.map((file) => file.text).join('')
    expect(
      [...text].filter((char) => (char < ' ' && char !== '\n') || '\u2028\u2029\u202e'.includes(char)),
    ).toEqual([])
    expect(Buffer.from(text).toString()).toBe(text)
    for (const { path } of files) expect(path).toMatch(/^[A-Za-z_][\w-]*\.ts$/)
    const tool = (await evaluateDefinitions(files)).get('x')
    expect(Object.keys(tool?.properties ?? {})).toEqual(['_tool', ...Object.keys(properties), '_output'])
    expect(tool?.description).toBe(nasty.join())
    for (const [name, property] of Object.entries(properties)) {
      expect(Object.getOwnPropertyDescriptor(tool?.properties, name)?.value).toEqual(property)
    }
  })

  test('any string survives as description, key and constant', async () => {
    const strings = fc.sample(fc.string({ unit: 'binary' }), { numRuns: 200, seed: 5 })
    const sources = strings.map((text, index) => ({
      name: `t${index}`,
      description: text,
      inputSchema: { properties: { [`k${text}`]: { const: text } } },
    }))
    const tools = await evaluateDefinitions(importTools({ tools: sources }, { oneFile: 'all.ts' }).files)
    for (const [index, text] of strings.entries()) {
      const tool = tools.get(`t${index}`)
      expect(tool?.description).toBe(text)
      expect(tool?.properties?.[`k${text}`]).toEqual({ type: 'string', const: text })
    }
  })

  test('10 MB are read in a few seconds', () => {
    const tools = Array.from({ length: 5000 }, (_, index) => ({
      name: `tool_${index}`,
      description: 'x'.repeat(1000),
      inputSchema: { type: 'object', properties: { a: { type: 'string', description: 'y'.repeat(1000) } } },
    }))
    const start = performance.now()
    expect(importTools({ tools }).files).toHaveLength(5000)
    expect(performance.now() - start).toBeLessThan(60_000)
  })

  test('the source is not changed', () => {
    const source = {
      tools: [
        { name: 'x', inputSchema: { properties: { a: { type: 'array', items: [{}], nullable: true } } } },
      ],
    }
    const before = JSON.stringify(source)
    importTools(source)
    expect(JSON.stringify(source)).toBe(before)
  })
})

describe('GEN-2 names and files depend on nothing else', () => {
  test('the order of the source does not matter, and everything twice is the same', () => {
    const tools = ['b', 'delete', 'URLFetch', 'url-fetch', 'a.b', 'con'].map((name) => ({
      name,
      inputSchema: schema,
    }))
    const files = importTools({ tools }).files
    expect(importTools({ tools: tools.toReversed() }).files).toEqual(files)
    expect(files.map(({ path }) => path)).toEqual([
      'URLFetch.ts',
      'a__b.ts',
      'b.ts',
      'tool.con.ts',
      'delete.ts',
      'url-fetch.ts',
    ])
    const constants = files.map(({ text }) => /export const (\w+)/.exec(text)?.[1])
    expect(constants).toEqual([
      'urlFetch',
      'aB',
      'b',
      'con',
      'deleteTool',
      expect.stringMatching(/^urlFetch_\w{6}$/),
    ])
  })

  test('one file on request', () => {
    const { files } = importTools({ a: schema, b: schema }, { oneFile: 'all.ts' })
    expect(files.map(({ path }) => path)).toEqual(['all.ts'])
    expect(files[0]?.text.match(/^import .*$/gm)).toHaveLength(2)
    expect(files[0]?.text.match(/^export const \w+/gm)).toEqual(['export const a', 'export const b'])
  })
})

describe('GEN-10 the source is readable', () => {
  const golden = new URL('golden/', import.meta.url)
  const { tools } = JSON.parse(readFileSync(new URL('golden-source.json', import.meta.url), 'utf8'))

  test('golden files', async () => {
    const { files } = importTools({ tools })
    expect(files).toHaveLength(5)
    for (const { path, text } of files)
      await expect(text).toMatchFileSnapshot(fileURLToPath(new URL(path, golden)))
  })

  test('lines fit 110 columns wherever they can be broken', () => {
    for (const { text } of importTools({ tools }).files) {
      for (const line of text.split('\n'))
        if (line.length > 110) expect(line).toMatch(/^\s*[\w'"-]+: ['"].*['"],$/)
    }
  })
})

describe('GEN-8, GEN-10 the source type-checks', () => {
  test('all tools of MCP servers and the round-trip cases, in one program', () => {
    const servers = toolSets.map(({ tools }) => importTools({ tools }).files)
    const cases: { name: string; schema: object }[] = JSON.parse(
      readFileSync(new URL('round-trip-cases.json', import.meta.url), 'utf8'),
    )
    const others = importTools(
      cases.map(({ name, schema: inputSchema }) => ({ name: `case-${name}`, inputSchema })),
    )
    const base = join(project, 'node_modules/.cache')
    mkdirSync(base, { recursive: true })
    const folder = mkdtempSync(join(base, 'import-typecheck-'))
    try {
      for (const { path, text } of [...servers.flat(), ...others.files])
        writeFileSync(join(folder, path), text)
      const compilerOptions = {
        target: 'es2023',
        module: 'nodenext',
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        verbatimModuleSyntax: true,
        erasableSyntaxOnly: true,
        skipLibCheck: true,
        noEmit: true,
        types: [],
        allowImportingTsExtensions: true,
        paths: { callsheet: [join(project, 'runtime/schema/tool.ts')] },
      }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
      expect(compilerOutput(folder)).toBe('')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
