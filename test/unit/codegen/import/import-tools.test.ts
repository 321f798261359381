import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { importTools } from '../../../../codegen/import/import-tools.ts'
import { toolSets } from '../../../data/tool-sets.ts'
import { root, typeCheck } from '../../../types/compilers.ts'
import { evaluateDefinitions } from './evaluate-definitions.ts'

/** Code, were it ever to stand in a template literal. */
const templateCode = ['`$', '{x}`'].join('')

const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }

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

describe('GEN-10 what providers put beside a schema', () => {
  const [fits, other] = [{ a: 'x' }, { a: 1 }]
  test.each([
    ['Anthropic', { name: 'x', input_schema: schema, input_examples: [fits, other] }],
    ['the AI SDK', { name: 'x', inputSchema: schema, inputExamples: [{ input: fits }, { input: other }] }],
    ['JSON Schema', { name: 'x', inputSchema: { ...schema, examples: [fits, other] } }],
  ])('examples of %s are kept if they are Calls', async (_, source) => {
    const { files, findings } = importTools([source])
    expect((await evaluateDefinitions(files)).get('x')?.examples).toEqual([fits])
    expect(findings.map(({ rule }) => rule)).toEqual(['import-example'])
  })

  test("an OpenAI namespace is a prefix of its functions' names", () => {
    const lookUp = { type: 'function', name: 'look_up', parameters: schema, defer_loading: true }
    const { files, findings } = importTools([
      { type: 'namespace', name: 'crm', tools: [lookUp, { type: 'custom', name: 'x' }] },
      { type: 'namespace', name: 'shop', tools: [lookUp] },
    ])
    expect(files.map(({ text }) => text.match(/tool\('(.+?)'/)?.[1])).toEqual(['crm.look_up', 'shop.look_up'])
    expect(findings.map(({ rule, message }) => [rule, message])).toEqual([
      ['import-not-a-function', 'Entry 1, function 2 is "custom", which has no schema to import.'],
    ])
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
      const { findings } = importTools([{ name: 'a', inputSchema: { properties: { b: { $ref } } } }])
      expect(findings).toMatchObject([{ severity: 'error', rule: 'import-reference', tool: 'a' }])
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
            patternProperties: { '`\\$\\{x\\}': { default: nasty } },
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
    const tools = Array.from({ length: 1000 }, (_, index) => ({
      name: `tool_${index}`,
      description: 'x'.repeat(5000),
      inputSchema: { type: 'object', properties: { a: { type: 'string', description: 'y'.repeat(5000) } } },
    }))
    const start = performance.now()
    expect(importTools({ tools }).files).toHaveLength(1000)
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
  const options = { skipLibCheck: true, paths: { callsheet: [join(root, 'runtime/schema/tool.ts')] } }

  test('all tools of MCP servers and the round-trip cases, in one program', () => {
    const servers = toolSets.map(({ tools }) => importTools({ tools }).files)
    const cases: { name: string; schema: object }[] = JSON.parse(
      readFileSync(new URL('round-trip-cases.json', import.meta.url), 'utf8'),
    )
    const others = importTools(
      cases.map(({ name, schema: inputSchema }) => ({ name: `case-${name}`, inputSchema })),
    )
    const files = [...servers.flat(), ...others.files].map(({ path, text }) => [path, text])
    expect(files.length).toBeGreaterThan(100)
    expect(typeCheck('7.0', Object.fromEntries(files), options)).toEqual([])
  })

  test('lists that are longer than a tuple of TypeScript', async () => {
    const each = (member: (index: number) => object | string) =>
      Array.from({ length: 10_001 }, (_, index) => member(index))
    const properties = {
      values: { enum: each((index) => `v${index}`) },
      constants: { anyOf: each((index) => ({ const: `v${index}` })) },
      items: { type: 'array', prefixItems: each(() => ({ type: 'string' })) },
      parts: { allOf: each((index) => ({ minLength: index })) },
    }
    const { files } = importTools([{ name: 'long', inputSchema: { type: 'object', properties } }])
    expect((await evaluateDefinitions(files)).get('long')?.properties).toMatchObject(properties)
    expect(typeCheck('7.0', { 'long.ts': files[0]?.text ?? '' }, options)).toEqual([])
  })
})
