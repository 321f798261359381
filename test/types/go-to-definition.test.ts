import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allCompilers, typeCheck } from './compilers.ts'
import { LanguageServer } from './language-server.ts'
import { generateIn, projectFolder } from './project-folder.ts'

const definitions = `import { tool, toolkit } from 'callsheet'
import { Type } from 'typebox'

// A comment, so that lines of the types and of the definitions differ.


export const weatherCheck = tool(
  'weatherCheck',
  {
    location: Type.String({ description: 'City and country' }),
    'odd key': Type.Optional(Type.String()),
    days: Type.Optional(Type.Integer()),
    _output: Type.Object({
      temperature: Type.Number({ description: 'In degrees Celsius' }),
    }),
  },
  { description: 'Current weather at a location.' },
)

export const Text = toolkit('Text', {
  upper: { phrase: Type.String(), _output: Type.String() },
  new: { words: Type.Integer() },
})
`
const use = `import { calls, Tool, tools } from './generated/index.js'
const built = await Tool(calls.weatherCheck({ location: 'Oslo', 'odd key': 'x' }))
built.temperature
const literal = Tool({ _tool: 'weatherCheck', days: 2, location: 'Rome' })
calls.Text.upper({ phrase: 'x' })
calls.Text.new({ words: 2 })
tools.weatherCheck.title
export { literal }
`
/** [where, of the file that uses the Tools, and the line of the definitions that it leads to] */
const table: readonly [from: string, line: number][] = [
  ['weatherCheck({ location', 7],
  ["location: 'Oslo", 10],
  ["'odd key': 'x'", 11],
  ['temperature\n', 14],
  ["_tool: 'weatherCheck'", 7],
  ['days: 2', 12],
  ["location: 'Rome", 10],
  ['upper({ phrase', 21],
  ["phrase: 'x'", 21],
  ['new({ words', 22],
]

let folder = ''

beforeAll(async () => {
  const compilerOptions = { target: 'es2023', module: 'nodenext', strict: true, types: [], noEmit: true }
  folder = projectFolder({
    'definitions/all.ts': definitions,
    'use.ts': use,
    'tsconfig.json': JSON.stringify({ compilerOptions, files: ['use.ts'] }),
  })
  await generateIn(folder, { importExtension: '.js', declarationMaps: true })
}, 180_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const servers = allCompilers ? (['typescript-5.9', 'typescript-6.0'] as const) : (['typescript-6.0'] as const)

describe.each(servers)('TYPE-8 an editor with %s', (compiler) => {
  test('goes to the definitions', async () => {
    const server = new LanguageServer(compiler, join(folder, 'use.ts'))
    try {
      const found: [string, string[]][] = []
      for (const [from] of table) found.push([from, await server.definitions(from)])
      expect(found).toEqual(table.map(([from, line]) => [from, [`definitions/all.ts:${line}`]]))
      expect(await server.hover('weatherCheck({ location')).toContain('Current weather at a location.')
      expect(await server.hover('weatherCheck.title')).toContain('Current weather at a location.')
      expect(await server.hover("location: 'Oslo")).toContain('City and country')
      expect(await server.hover('temperature\n')).toContain('In degrees Celsius')
    } finally {
      server.close()
    }
  }, 180_000)
})

/** However generated files name each other, a declaration file among them is found. */
test.each([
  ['.js', {}],
  ['.ts', {}],
  ['', { module: 'esnext', moduleResolution: 'bundler' }],
] as const)(
  'TYPE-8 types in a declaration file check, imports end in "%s"',
  async (importExtension, options) => {
    const sources = await generateIn(folder, { importExtension, declarationMaps: true })
    expect(sources).toHaveProperty(['generated/types.d.ts'])
    expect(sources).not.toHaveProperty(['generated/types.ts'])
    const index = importExtension === '' ? './generated/index' : `./generated/index${importExtension}`
    const source = use.replace('./generated/index.js', index)
    expect(typeCheck('7.0', { ...sources, 'use.ts': source }, options)).toEqual([])
  },
  60_000,
)
