import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { root } from './doc-examples.ts'

const specification = readFileSync(`${root}docs/specification.md`, 'utf8')

const rules = [...specification.matchAll(/^- \*\*([A-Z]+-\d+[a-z]?)\*\* /gm)].map(([, name = '']) => name)

/** The prefixes of rule names. Other names of that form, such as UTF-8, are not rules. */
const families = [...new Set(rules.map((rule) => rule.replace(/-.*/, '')))]

/** Lists the rules that files in the folders cite, each with the file. */
function citations(folders: readonly string[]): { rule: string; file: string }[] {
  const name = new RegExp(`\\b(?:${families.join('|')})-\\d+[a-z]?\\b`, 'g')
  return folders.flatMap(filesIn).flatMap((file) => {
    const cited = readFileSync(root + file, 'utf8').match(name) ?? []
    return [...new Set(cited)].map((rule) => ({ rule, file }))
  })
}

/** Without `recursive`, which follows links: packages of the engines link back to this repository. */
function filesIn(folder: string): string[] {
  return readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesIn(path)
    return entry.isFile() && /\.(?:ts|mjs|json|md)$/.test(path) ? [path] : []
  })
}

describe('docs/specification.md', () => {
  test('each rule is written once', () => {
    expect(rules.length).toBeGreaterThan(100)
    expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([])
  })

  test('every rule that code, tests, benchmarks or pages cite is in it', () => {
    const cited = citations(['runtime', 'codegen', 'test', 'bench', 'docs', 'examples', 'definitions'])
    expect(new Set(cited.map(({ rule }) => rule)).size).toBeGreaterThan(70)
    expect(cited.filter(({ rule }) => !rules.includes(rule))).toEqual([])
  })

  test('every rule in it is cited by a test', () => {
    const cited = new Set(citations(['test']).map(({ rule }) => rule))
    expect(rules.filter((rule) => !cited.has(rule))).toEqual([])
  })
})
