import { describe, expect, test } from 'vitest'
import { importTools } from '../../../../codegen/import/import-tools.ts'
import { evaluateDefinitions } from './evaluate-definitions.ts'

/** Code, were it ever to stand in a template literal. */
const templateCode = ['`$', '{x}`'].join('')

const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }

function rulesOf({ findings }: ReturnType<typeof importTools>): string[] {
  return findings.map(({ rule, severity, tool = '' }) => `${severity} ${rule} ${tool}`.trim())
}

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
    { name: 'a list without tools', given: { tools: [] }, want: ['warning import-empty'] },
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
      name: "providers' own entries",
      given: [
        ...['cachePoint', 'googleSearch', 'google_search', 'codeExecution', 'urlContext'].map((key) => ({
          [key]: {},
        })),
        { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
        { type: 'web_search_preview' },
        { type: 'code_interpreter', container: { type: 'auto' } },
        { type: 'file_search', vector_store_ids: ['a'] },
        { type: 'mcp', server_label: 'a', server_url: 'https://example.com' },
        { type: 'computer_use_preview', display_width: 1, display_height: 1, environment: 'browser' },
        { functionDeclarations: [{ name: 'ok', parameters: schema }], googleSearch: {} },
      ],
      want: Array.from({ length: 12 }, () => 'warning import-not-a-function'),
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
      name: 'properties without a schema around them',
      given: [tool('ok', { type: 'object', properties: { place: { city: { type: 'string' } } } })],
      want: ['warning import-misspelt ok', 'note import-dropped ok'],
      files: ['ok.ts'],
    },
    {
      name: 'outputs that are no schema',
      given: [
        ...[[], 'x', 5, false].map((outputSchema, index) => tool(`no${index}`, schema, { outputSchema })),
        ...[null, true].map((outputSchema, index) => tool(`ok${index}`, schema, { outputSchema })),
      ],
      want: [0, 1, 2, 3].map((index) => `error import-schema no${index}`),
      files: ['ok0.ts', 'ok1.ts'],
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
      name: 'names that JavaScript reserves',
      given: [tool('constructor', schema), tool('a.__proto__', schema)],
      want: ['error import-name constructor', 'error import-name a.__proto__'],
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
      name: 'an anchor and an address that two schemas have, and ones that a schema and its copy have',
      given: [
        ...['a', 'fine'].map((name) =>
          tool(name, {
            properties: { b: { $ref: '#n' }, c: { $ref: 'm' } },
            $defs: {
              A: { $anchor: 'n', type: 'string' },
              B: { $anchor: 'n', type: name === 'a' ? 'number' : 'string' },
              C: { $id: 'm', type: 'string' },
              D: { $id: 'm', type: name === 'a' ? 'number' : 'string' },
            },
          }),
        ),
      ],
      want: ['error import-reference a', 'error import-reference a'],
      files: ['fine.ts'],
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
      name: 'hints about effects, of which one note tells',
      given: ['a', 'b'].map((name) => tool(name, schema, { annotations: { readOnlyHint: true } })),
      want: ['note import-hints'],
      files: ['a.ts', 'b.ts'],
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
      name: 'optional properties that allow no value, which a closed object need not declare, and other ones',
      given: [
        tool('closed', { properties: { a: { not: {} }, b: false, c: {} }, additionalProperties: false }),
        // Parameters that leave it open are closed. So Zod lists `z.never().optional()` as an input.
        tool('silent', { properties: { a: { not: {} }, c: { properties: { d: false, e: {} } } } }),
        tool('needed', { properties: { a: { not: {} } }, required: ['a'], additionalProperties: false }),
        tool('open', { properties: { a: { not: {} } }, additionalProperties: true }),
        tool('pattern', {
          properties: { a: false },
          patternProperties: { a: {} },
          additionalProperties: false,
        }),
      ],
      want: ['needed', 'open', 'pattern'].map((name) => `error import-unsatisfiable ${name}`),
      files: ['closed.ts', 'silent.ts'],
    },
    {
      name: 'keywords that contradict each other in a way that generate would refuse, and tools beside it',
      given: [
        tool('closed', {
          allOf: [
            { required: ['a'] },
            { type: 'object', additionalProperties: false, properties: { b: { type: 'string' } } },
          ],
        }),
        tool('pattern', {
          properties: { n: { type: 'number' } },
          required: ['n'],
          patternProperties: { '.': { type: 'string' } },
        }),
        tool('fine', { allOf: [{ type: 'object', additionalProperties: false, properties: { b: {} } }] }),
        tool('fitting', {
          properties: { n: { type: 'number' } },
          patternProperties: { '.': { minimum: 1 } },
        }),
      ],
      want: ['error import-unsatisfiable closed', 'error import-unsatisfiable pattern'],
      files: ['fine.ts', 'fitting.ts'],
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
      name: 'a pattern whose groups nest deeper than the stack',
      given: [
        tool('a', { properties: { b: { pattern: `${'('.repeat(4990)}(b|b)*$${')'.repeat(4990)}` } } }),
        tool('fine', schema),
      ],
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
      name: 'a conversion that was not awaited',
      given: [tool('a', Promise.resolve(schema)), tool('fine', schema)],
      want: ['error import-unreadable'],
      files: ['fine.ts'],
    },
    {
      name: 'a list that was not awaited',
      given: Promise.resolve([tool('a', schema)]),
      want: ['error import-unreadable'],
      files: [],
    },
    {
      name: 'nesting without end',
      given: [tool('a', JSON.parse(`${'{"not":'.repeat(5000)}{}${'}'.repeat(5000)}`)), tool('fine', schema)],
      want: ['error import-unreadable'],
      files: ['fine.ts'],
    },
    {
      name: 'definitions without end',
      given: [tool('a', chainOf(3_000)), tool('fine', schema)],
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
    const imported = importTools(given)
    expect(rulesOf(imported)).toEqual(want)
    expect(imported.files.map(({ path }) => path)).toEqual(files)
  })

  test('GEN-10 a pattern that can hang is refused by the property that has it', () => {
    const { findings } = importTools([
      tool('a', { properties: { b: { properties: { c: { type: 'string', pattern: '^(a+)+$' } } } } }),
      tool('d', { patternProperties: { '^(a+)+$': {} } }),
    ])
    expect(findings.map(({ message }) => message)).toEqual([
      'The pattern "^(a+)+$" of the property "c" of "a" can hang: "(a+)+" repeats a repetition.',
      'The pattern "^(a+)+$" of "d" can hang: "(a+)+" repeats a repetition.',
    ])
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
    [
      ['a b', 'a_b'],
      ['a_b_2', 'a_b'],
    ],
    [
      ['a b', 'a/b', 'A_B'],
      ['a_b_2', 'a_b_3', 'A_B'],
    ],
    [
      ['Get', 'get', 'get_2'],
      ['Get', 'get_3', 'get_2'],
    ],
    [
      ['x', 'x', 'x_2', 'x_3'],
      ['x', 'x_4', 'x_2', 'x_3'],
    ],
  ])('TOOL-3 of %j, renamed to %j, no tool gets the name of another', (given, want) => {
    const source = given.map((name) => ({ name, description: name, inputSchema: schema }))
    const { files } = importTools(source, { rename: true })
    const names = files.map(({ text }) => [
      text.match(/description: '(.*)'/)?.[1],
      text.match(/tool\('(.*?)'/)?.[1],
    ])
    expect(names.toSorted()).toEqual(given.map((name, index) => [name, want[index]]).toSorted())
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

test('a duplicate says that it is left out, also when the first is refused', () => {
  const source = [
    { name: 'a', inputSchema: { type: 'string' } },
    { name: 'a', inputSchema: schema },
  ]
  const { files, findings } = importTools(source)
  expect(files).toEqual([])
  expect(findings[0]?.message).toBe('Two tools are named "a"; the later one is left out.')
})

test.each([
  ['constructor', 'JavaScript reserves constructor.'],
  ['a.__proto__', 'JavaScript reserves __proto__.'],
  ['9lives', 'each begins with a letter or "_", and none is reserved by JavaScript.'],
])('TOOL-3 it says why %s cannot name a Tool', (name, why) => {
  const { findings } = importTools([{ name, inputSchema: schema }])
  expect(findings[0]?.message).toContain(`"${name}" cannot name a Tool: `)
  expect(findings[0]?.message).toContain(why)
})

test('a JSON-RPC error is named, with what the server said', () => {
  const { findings } = importTools({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'No session' } })
  expect(findings).toMatchObject([{ rule: 'import-unreadable', severity: 'error' }])
  expect(findings[0]?.message).toContain('a JSON-RPC error instead of a list of tools: "No session"')
})
