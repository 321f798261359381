import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { contents, fill } from '../write/temporary-folder.ts'
import { callsheet, project } from './in-terminal.ts'

const tools = JSON.stringify({
  tools: [
    {
      name: 'search',
      description: 'Finds.',
      inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    },
    { name: 'fetch', inputSchema: { type: 'object', properties: { url: { type: 'string' } } } },
  ],
})

const definitionsIn = (folder: string) => contents(join(folder, 'definitions'))

describe('GEN-10: callsheet import', () => {
  test('writes definitions that generate, and prints their paths', async () => {
    const folder = project({ 'tools.json': tools })
    const { code, out, err } = await callsheet(folder, ['import', 'tools.json'])
    expect({ code, out }).toEqual({ code: 0, out: 'definitions/fetch.ts\ndefinitions/search.ts\n' })
    expect(err).toContain(
      'Imported: 2 written, 0 unchanged. Review the definitions, then run `callsheet generate`.',
    )
  })

  test('counts the tools that were refused, not the reasons', async () => {
    const wrong = { type: 'object', required: ['b'], additionalProperties: false }
    const inputSchema = {
      properties: { a: { type: 'array', items: wrong }, c: { type: 'array', items: wrong } },
    }
    const folder = project({ 'tools.json': JSON.stringify({ tools: [{ name: 'closed', inputSchema }] }) })
    const { code, err } = await callsheet(folder, ['import', 'tools.json'])
    expect(code).toBe(1)
    expect(err.match(/error undeclared-required/g)).toHaveLength(2)
    expect(err).toContain('Imported: 0 written, 0 unchanged. 1 not imported (see above).')
  })

  test.each(['[', '[]'])(
    '%s a hundred thousand times is nested too deeply, not a fault of ours',
    async (brackets) => {
      const text = brackets === '[' ? '['.repeat(100_000) : `${'['.repeat(100_000)}${']'.repeat(100_000)}`
      const folder = project({ 'tools.json': text, 'definitions/deep.json': text })
      for (const args of [['import', 'tools.json'], ['generate']]) {
        const { code, err } = await callsheet(folder, args)
        expect({ args, code }).toEqual({ args, code: 1 })
        expect(err).toMatch(/nested (?:too deeply|more than 200 levels)|holds no Tool/)
      }
    },
  )

  test('a definition in JSON that is nested too deeply to be placed is a finding', async () => {
    const deep = `${'{"items":'.repeat(5000)}true${'}'.repeat(5000)}`
    const tool = `[{"type":"object","properties":{"_tool":{"const":"deep"},"it":${deep}}}]`
    const { code, err } = await callsheet(project({ 'definitions/deep.json': tool }), ['generate'])
    expect(code).toBe(1)
    expect(err).toContain('error endless-schema')
  })

  test('a file where a folder is needed, and the reverse, is named: no file of ours is', async () => {
    const folder = project({ 'tools.json': tools, mine: '', 'taken/fetch.ts/inside.txt': '' })
    const given = [
      ['mine', 'Cannot write mine/fetch.ts: a part of the path is a file, not a folder (ENOTDIR)'],
      [
        'mine/below',
        'Cannot write mine/below/fetch.ts: a part of the path is a file, not a folder (ENOTDIR)',
      ],
      ['taken', 'taken/fetch.ts: it is a folder'],
    ] as const
    for (const [out, said] of given) {
      const { code, err } = await callsheet(folder, ['import', 'tools.json', '--out', out])
      expect(code).toBe(2)
      expect(err).toContain(said)
      expect(err).not.toContain('.tmp')
    }
  })

  test('reads standard input, writes one file, elsewhere', async () => {
    const folder = project({})
    const { code, out } = await callsheet(folder, ['import', '-', '--one-file', '--out', 'src/tools'], {
      input: tools,
    })
    expect({ code, out }).toEqual({ code: 0, out: 'src/tools/tools.ts\n' })
  })

  test.each(['tools.test', 'index.d'])(
    '--one-file of %s.json is a file that generate reads',
    async (name) => {
      const folder = project({ [`${name}.json`]: tools })
      await callsheet(folder, ['import', `${name}.json`, '--one-file'])
      expect((await callsheet(folder, ['generate'])).err).not.toContain('holds no definition file')
    },
  )

  test('never overwrites a file, unless told to', async () => {
    const folder = project({ 'tools.json': tools, 'definitions/fetch.ts': '// mine\n' })
    const refused = await callsheet(folder, ['import', 'tools.json'])
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('definitions/fetch.ts:1:1 error file-exists')
    expect(definitionsIn(folder)).toEqual({ 'fetch.ts': '// mine\n' })
    const forced = await callsheet(folder, ['import', 'tools.json', '--force'])
    expect(forced.code).toBe(0)
    expect(definitionsIn(folder)['fetch.ts']).not.toBe('// mine\n')
  })

  test('again changes nothing', async () => {
    const folder = project({ 'tools.json': tools })
    await callsheet(folder, ['import', 'tools.json'])
    const { code, out, err } = await callsheet(folder, ['import', 'tools.json'])
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(err).toContain('0 written, 2 unchanged')
  })

  test('two sources of one tool: the first is kept, and it says so', async () => {
    const folder = project({ 'a.json': tools, 'b.json': tools })
    const { code, err } = await callsheet(folder, ['import', 'a.json', 'b.json'])
    expect(code).toBe(1)
    expect(err).toContain('b.json:1:1 error import-same-file')
  })

  test('of two tools whose names differ in case alone neither takes the place of the other, on disks that ignore it', async () => {
    const folder = project({ 'a.json': tools, 'b.json': tools.replace('"search"', '"Search"') })
    const { code, err } = await callsheet(folder, ['import', 'a.json', 'b.json'])
    expect(code).toBe(1)
    expect(err).toContain(
      'b.json produces the definition file Search.ts, which an earlier source produced already',
    )
    expect(Object.keys(definitionsIn(folder))).toEqual(['fetch.ts', 'search.ts'])
  })

  test.each([
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${tools}`)],
    ['UTF-16, as PowerShell writes it', Buffer.from(`\uFEFF${tools}`, 'utf16le')],
  ])('reads %s, and knows its files again with the line ends of Windows', async (_what, bytes) => {
    const folder = project({})
    writeFileSync(join(folder, 'tools.json'), bytes)
    expect((await callsheet(folder, ['import', 'tools.json'])).code).toBe(0)
    for (const [path, text] of Object.entries(definitionsIn(folder)))
      fill(folder, { [`definitions/${path}`]: text.replaceAll('\n', '\r\n') })
    const { code, err } = await callsheet(folder, ['import', 'tools.json'])
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('0 written, 2 unchanged') })
  })

  test('refuses another encoding, whose letters it would lose', async () => {
    const folder = project({})
    writeFileSync(join(folder, 'tools.json'), Buffer.from(tools.replace('{', '{"note":"Grüße",'), 'latin1'))
    const { code, err } = await callsheet(folder, ['import', 'tools.json'])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('it is not UTF-8') })
  })

  test('findings point to the part of the source that they are about', async () => {
    const place = (text: string, part: string): string => {
      const before = text.slice(0, text.indexOf(part)).split('\n')
      return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
    }
    const slow = { type: 'string', pattern: '^(a+)+$' }
    const tool = (name: string, schema: object, more: object = {}) => ({ name, inputSchema: schema, ...more })
    const given: [source: object, part: string, rule: string][] = [
      [{ tools: [tool('ok', {}), tool('a', { properties: { b: slow } })] }, '"pattern"', 'slow-pattern'],
      [{ result: { tools: [tool('a', { type: 'string' })] } }, '"type"', 'not-an-object'],
      [{ tools: [tool('a', {})], nextCursor: 'x' }, '"nextCursor"', 'incomplete'],
      [[{ type: 'function', function: { name: 'a b', parameters: {} } }], '"function":', 'name'],
      [
        [tool('a', {}), { ...tool('a', {}), at: 2 }],
        '{\n    "name": "a",\n    "inputSchema": {},\n    "at"',
        'duplicate',
      ],
      [[{ functionDeclarations: [{ name: 'a', parameters: { required: 1 } }] }], '"required"', 'schema'],
      [
        [{ toolSpec: { name: 'a', inputSchema: { json: { properties: { b: { $ref: '#/x' } } } } } }],
        '"$ref"',
        'reference',
      ],
      [{ tools: [tool('a', {}, { outputSchema: { items: { minItems: 'x' } } })] }, '"minItems"', 'schema'],
      [{ a: { type: 'object' }, b: 7 }, '"b"', 'unreadable'],
      [{ $id: 'x', title: 'a', properties: { _tool: {} } }, '"_tool"', 'meta-field'],
    ]
    for (const [source, part, rule] of given) {
      const text = JSON.stringify(source, null, 2)
      const folder = project({ 'bad.json': `\uFEFF${text}` })
      const { err } = await callsheet(folder, ['import', 'bad.json'])
      expect(err).toMatch(new RegExp(`^bad\\.json:${place(text, part)} \\w+ import-${rule}:`, 'm'))
    }
  })

  test.each([
    { text: '', want: 'bad.json:1:1 error import-not-json: The source is empty.' },
    { text: '{\n  "tools": [,]\n}', want: 'bad.json:2:' },
    { text: '7', want: 'error import-unreadable' },
    {
      text: 'event: message\r\ndata: {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}\r\n\r\n',
      want: 'The source is an event stream (text/event-stream) instead of JSON.\n  fix: Pass only the JSON after "data:"',
    },
  ])('$text is refused at its place', async ({ text, want }) => {
    const folder = project({ 'bad.json': text })
    const { code, err } = await callsheet(folder, ['import', 'bad.json'])
    expect(code).toBe(1)
    expect(err).toContain(want)
  })

  test.each([
    ['a b', 'got "a b": a name is segments of letters'],
    ['x.constructor', 'got "x.constructor": JavaScript reserves constructor.'],
  ])('--prefix %s is refused as an option of the command', async (prefix, want) => {
    const folder = project({ 'tools.json': tools })
    const { code, err } = await callsheet(folder, ['import', 'tools.json', '--prefix', prefix])
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining(`Option --prefix has to be a name`),
    })
    expect(err).toContain(want)
    expect(err).not.toContain('importTools')
  })

  test('--format json', async () => {
    const folder = project({})
    fill(folder, { 'tools.json': tools })
    const { out } = await callsheet(folder, ['import', 'tools.json', '--format', 'json'])
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      written: ['definitions/fetch.ts', 'definitions/search.ts'],
      unchanged: [],
    })
  })
})
