import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript-5.9'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generatedSources } from '../unit/runtime/typed/project.ts'
import { root } from './compilers.ts'

let folder = ''

beforeAll(() => {
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  folder = mkdtempSync(join(root, 'node_modules/.cache/completions-'))
  for (const [path, text] of Object.entries(generatedSources(true))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What an editor offers at the bar. */
function completionsAt(source: string): string[] {
  const [before = '', after = ''] = source.split('|')
  const file = join(folder, 'use.ts')
  writeFileSync(file, `import { Activity, calls, Tool } from './index.js'\n${before}${after}\n`)
  const settings = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, strict: true, types: [] }
  const service = ts.createLanguageService({
    getCompilationSettings: () => settings,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const text = ts.sys.readFile(path)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
  })
  const position = `import { Activity, calls, Tool } from './index.js'\n${before}`.length
  return (service.getCompletionsAtPosition(file, position, {})?.entries ?? []).map(({ name }) => name)
}

const cases: readonly [source: string, ...offered: string[]][] = [
  [`Tool({ _tool: '|' })`, 'advise', 'mail', 'weatherCheck'],
  [`Tool({ _tool: 'weatherCheck', | })`, 'location', 'days', '_outputPath'],
  [`Tool.run({ _tool: '|' })`, 'advise', 'mail', 'weatherCheck'],
  [`Tool.run({ _tool: 'weatherCheck', | })`, 'location', 'days', '_outputPath'],
  [`Tool.get('|')`, 'advise', 'mail', 'weatherCheck'],
  [`Activity.register('|')`, 'advise', 'mail', 'weatherCheck'],
  [`Tool.all([{ _tool: '|' }])`, 'advise', 'mail', 'weatherCheck'],
  ['calls.weatherCheck({ | })', 'location', 'days'],
  ['calls.|', 'advise', 'mail', 'weatherCheck'],
]

test.each(cases)(
  'TYPE-6 an editor completes %s',
  (source, ...offered) => {
    const completions = completionsAt(source)
    expect(completions).toEqual(expect.arrayContaining(offered))
    expect(completions).not.toContain('~output')
  },
  60_000,
)
