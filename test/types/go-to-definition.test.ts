import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generate } from '../../codegen/index.ts'
import { root, typeCheck } from './compilers.ts'
import { LanguageServer } from './language-server.ts'

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
})
`
const use = `import { calls, Tool } from './generated/index.js'
const built = await Tool(calls.weatherCheck({ location: 'Oslo', 'odd key': 'x' }))
built.temperature
const literal = Tool({ _tool: 'weatherCheck', days: 2, location: 'Rome' })
calls.Text.upper({ phrase: 'x' })
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
]

let folder = ''

beforeAll(async () => {
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  folder = mkdtempSync(join(root, 'node_modules/.cache/editor-'))
  mkdirSync(join(folder, 'definitions'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/callsheet'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  writeFileSync(join(folder, 'definitions/all.ts'), definitions)
  writeFileSync(join(folder, 'use.ts'), use)
  const compilerOptions = { target: 'es2023', module: 'nodenext', strict: true, types: [], noEmit: true }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }))
  const config = { importExtension: '.js', declarationMaps: true } as const
  const report = await generate({ cwd: folder, config, cache: false })
  expect(report.ok).toBe(true)
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(['typescript-5.9', 'typescript-6.0'] as const)('TYPE-8 an editor with %s', (compiler) => {
  test('goes to the definitions', async () => {
    const server = new LanguageServer(compiler, join(folder, 'use.ts'))
    try {
      const found: [string, string[]][] = []
      for (const [from] of table) found.push([from, await server.definitions(from)])
      expect(found).toEqual(table.map(([from, line]) => [from, [`definitions/all.ts:${line}`]]))
      expect(await server.hover('weatherCheck({ location')).toContain('Current weather at a location.')
      expect(await server.hover("location: 'Oslo")).toContain('City and country')
      expect(await server.hover('temperature\n')).toContain('In degrees Celsius')
    } finally {
      server.close()
    }
  }, 60_000)
})

/** However generated files name each other, a declaration file among them is found. */
test.each([
  ['.js', {}],
  ['.ts', {}],
  ['', { module: 'esnext', moduleResolution: 'bundler' }],
] as const)(
  'TYPE-8 types in a declaration file check, imports end in "%s"',
  async (importExtension, options) => {
    const report = await generate({
      cwd: folder,
      config: { importExtension, declarationMaps: true },
      cache: false,
    })
    expect(report.ok).toBe(true)
    const output = join(folder, 'generated')
    const paths = readdirSync(output, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.ts'),
    )
    expect(paths).toContain('types.d.ts')
    expect(paths).not.toContain('types.ts')
    const sources = Object.fromEntries(
      paths.map((path) => [`generated/${path}`, readFileSync(join(output, path), 'utf8')]),
    )
    const index = importExtension === '' ? './generated/index' : `./generated/index${importExtension}`
    const source = use.replace('./generated/index.js', index)
    expect(typeCheck('7.0', { ...sources, 'use.ts': source }, options)).toEqual([])
  },
  60_000,
)
