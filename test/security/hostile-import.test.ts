import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import {
  createRegistry,
  isCallsheetError,
  type JsonSchema,
  lower,
  type ToolProperties,
  tool,
} from 'callsheet'
import { expect, test } from 'vitest'
import { importTools } from '../../codegen/import/import-tools.ts'
import { callsheet, project } from '../unit/codegen/cli/in-terminal.ts'
import { contents, fill } from '../unit/codegen/write/temporary-folder.ts'

const text = { type: 'string' }
const deep = (levels: number): object => (levels === 0 ? text : { type: 'array', items: deep(levels - 1) })

/** What a schema from outside may carry, and what becomes of it: a word of the finding, or nothing where it is harmless. */
const schemas: readonly (readonly [what: string, properties: object, finding: string | undefined])[] = [
  [
    'tsType, which another generator prints as code',
    { a: { ...text, tsType: 'ReturnType<typeof hacked>' } },
    undefined,
  ],
  ['an external $ref', { a: { $ref: 'https://evil.example/schema.json' } }, 'evil.example'],
  ['a $ref to a file', { a: { $ref: 'file:///etc/passwd' } }, 'etc/passwd'],
  ['a pattern of a megabyte', { a: { ...text, pattern: 'a'.repeat(1_000_000) } }, '10000 characters'],
  ['a pattern that is none', { a: { ...text, pattern: '(' } }, 'regular expression'],
  ['a property named __proto__', JSON.parse('{"__proto__":{"type":"string"}}'), '__proto__'],
  ['2,000 levels', { a: deep(2000) }, 'nested'],
]

test.each(schemas)(
  'GEN-10 %s: refused with what to do, or harmless; never fetched, never run',
  async (_what, properties, finding) => {
    const folder = project({
      'tools.json': JSON.stringify({
        tools: [{ name: 'find', inputSchema: { type: 'object', properties } }],
      }),
    })
    symlinkSync(join(import.meta.dirname, '../..'), join(folder, 'node_modules/callsheet'), 'junction')
    const imported = await callsheet(folder, ['import', 'tools.json'])
    const generated = await callsheet(folder, ['generate'])
    const said = imported.err + imported.out + generated.err + generated.out
    if (finding === undefined) {
      expect({ imported: imported.code, generated: generated.code }).toEqual({ imported: 0, generated: 0 })
      for (const file of Object.values(contents(folder, 'generated'))) expect(file).not.toContain('hacked')
    } else {
      expect(said).toContain(finding)
      expect(said.length, 'what is said stays readable').toBeLessThan(20_000)
      expect(contents(folder)).not.toHaveProperty('generated/index.ts')
    }
  },
)

test.each([
  '../../escape',
  '..',
  '/etc/passwd',
  'a/../../b',
  'C:\\x',
  'con',
  'a\0b',
  '.git/hooks/pre-commit',
  '~',
])('GEN-10 a tool named %j: no file outside the folder of definitions', async (name) => {
  const before = { 'package.json': '{}', 'keep.txt': 'mine' }
  const folder = project({})
  fill(folder, { ...before, 'sub/tools.json': JSON.stringify({ tools: [{ name, inputSchema: {} }] }) })
  for (const rename of [[], ['--rename']]) await callsheet(folder, ['import', 'sub/tools.json', ...rename])
  const strangers = Object.keys(contents(folder)).filter(
    (path) =>
      !/^(?:definitions\/(?:tool\.)?[\w-]+\.ts|definitions\/|package\.json|keep\.txt|sub\/tools\.json|node_modules\/.*)$/.test(
        path,
      ),
  )
  expect(strangers).toEqual([])
  for (const { path } of importTools({ tools: [{ name, inputSchema: {} }] }, { rename: true }).files) {
    expect(path).toMatch(/^(?:tool\.)?[\w-]+\.ts$/)
    expect(path, 'a device of Windows').not.toMatch(/^con\./)
  }
})

test('REQ-5 dialects and registries refuse what they cannot read, as errors of Callsheet', () => {
  for (const [, properties, finding] of schemas) {
    const schema = { type: 'object', properties } as JsonSchema
    const made = [
      () => createRegistry({ tools: { find: schema } }),
      () => lower(schema, 'openai'),
      () => tool('find', properties as ToolProperties),
    ].map((make) => {
      try {
        make()
        return true
      } catch (error) {
        return isCallsheetError(error)
      }
    })
    expect(made, finding).toEqual([true, true, true])
  }
})
