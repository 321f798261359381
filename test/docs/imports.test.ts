import { readdirSync, readFileSync } from 'node:fs'
import { transformSync } from 'esbuild'
import ts from 'typescript-6.0'
import { describe, expect, test } from 'vitest'
import { filesOfDocs } from '../../docs/site/files-of-docs.ts'
import { root } from './doc-examples.ts'

const pages = filesOfDocs()
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)

/** Lists every TypeScript block of a page, runnable or not. */
function blocksOf(page: string): string[] {
  const text = readFileSync(root + page, 'utf8')
  return [...text.matchAll(/^```ts(?: run)?\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
}

/** Lists the names that an entry exports, types included, from its source. */
function exportsOf(entry: string): Set<string> {
  const path = entry === 'callsheet/codegen' ? 'codegen/index.ts' : `runtime/${entry.slice(10) || 'index'}.ts`
  const source = ts.createSourceFile(path, readFileSync(root + path, 'utf8'), ts.ScriptTarget.Latest)
  const names = new Set<string>()
  source.forEachChild((node) => {
    if (!ts.isExportDeclaration(node) || !node.exportClause || !ts.isNamedExports(node.exportClause)) return
    for (const { name } of node.exportClause.elements) names.add(name.text)
  })
  return names
}

/** Lists what a block imports from Callsheet's entries. */
function importsOf(code: string): { entry: string; name: string }[] {
  const found = code.matchAll(/^import (?:type )?\{([^}]*)\} from '(callsheet(?:\/\w+)?)'/gm)
  return [...found].flatMap(([, names = '', entry = '']) =>
    names
      .split(',')
      .map(
        (name) =>
          name
            .trim()
            .replace(/^type /, '')
            .split(' as ')[0] ?? '',
      )
      .filter((name) => name !== '')
      .map((name) => ({ entry, name })),
  )
}

describe('code blocks of the documentation', () => {
  test.each(['README.md', ...pages])('%s: each block parses and only imports what is exported', (page) => {
    for (const code of blocksOf(page)) {
      expect(() => transformSync(code, { loader: 'ts' }), code).not.toThrow()
      const missing = importsOf(code).filter(({ entry, name }) => !exportsOf(entry).has(name))
      expect(missing).toEqual([])
    }
  })

  test('the examples in doc comments only import what is exported', () => {
    const sources = ['runtime', 'codegen'].flatMap((folder) =>
      readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts'))
        .map((path) => `${folder}/${path}`),
    )
    const imports = sources.flatMap((path) =>
      importsOf(readFileSync(root + path, 'utf8').replaceAll(/^ *\* /gm, '')).map((found) => ({
        path,
        ...found,
      })),
    )
    expect(imports.length).toBeGreaterThan(5)
    expect(imports.filter(({ entry, name }) => !exportsOf(entry).has(name))).toEqual([])
  })

  test('the check finds a name that is not exported', () => {
    expect(importsOf("import { tool, type Nope as X } from 'callsheet'")).toEqual([
      { entry: 'callsheet', name: 'tool' },
      { entry: 'callsheet', name: 'Nope' },
    ])
    expect(exportsOf('callsheet').has('lowerTools')).toBe(true)
    expect(exportsOf('callsheet').has('Nope')).toBe(false)
  })
})
