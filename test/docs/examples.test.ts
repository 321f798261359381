import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DocExample, docExamples, promises, root, withAssertions } from './doc-examples.ts'

const examples = docExamples()
// Inside the repository, so that imports of examples resolve. One folder per process.
const folder = join(root, 'node_modules', '.cache', `callsheet-docs-${process.pid}`)

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  await bundle(examples)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fileOf = ({ page, line }: DocExample): string => `${page.replaceAll(/\W/g, '-')}-${line}`

/** Maps imports of the package by name to its sources. */
const sources = {
  callsheet: join(root, 'runtime/index.ts'),
  'callsheet/agent': join(root, 'runtime/agent.ts'),
  'callsheet/testing': join(root, 'runtime/testing.ts'),
  'callsheet/codegen': join(root, 'codegen/index.ts'),
}

/** Builds the examples together, so that shared code is bundled once: separate builds would take most of the time. */
async function bundle(given: readonly DocExample[]): Promise<void> {
  for (const example of given) writeFileSync(checkedPath(example), withAssertions(example.code))
  await build({
    entryPoints: given.map(checkedPath),
    outdir: join(folder, 'built'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    alias: sources,
    packages: 'external',
    logLevel: 'silent',
  })
}

const checkedPath = (example: DocExample): string => join(folder, `${fileOf(example)}.checked.ts`)

async function run(example: DocExample): Promise<void> {
  await import(pathToFileURL(join(folder, 'built', `${fileOf(example)}.checked.mjs`)).href)
}

describe('the examples of the documentation', () => {
  test('exist, and most of them make assertions', () => {
    expect(examples.length).toBeGreaterThan(10)
    expect(examples.filter(({ code }) => promises(code) > 0).length).toBeGreaterThan(examples.length / 2)
  })

  test.each(examples)('$page:$line runs and its assertions hold', run)

  test('a wrong assertion is an error', async () => {
    const broken = { page: 'broken.md', line: 1, code: 'const sum = 1 + 1\nsum // => 3\n' }
    await bundle([broken])
    await expect(run(broken)).rejects.toThrow(/deep/)
  })

  test('all of them type-check', () => {
    for (const example of examples) {
      writeFileSync(join(folder, `${fileOf(example)}.ts`), `${example.code}\nexport {}\n`)
    }
    const paths = Object.fromEntries(Object.entries(sources).map(([name, path]) => [name, [path]]))
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { paths, rootDir: root },
      files: examples.map((example) => `${fileOf(example)}.ts`),
      include: [],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    expect(typeErrors()).toEqual([])
  })
})

/** Returns the compiler's errors in the examples themselves. */
function typeErrors(): string[] {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  try {
    execFileSync(process.execPath, [compiler, '-p', folder], { cwd: folder, encoding: 'utf8' })
    return []
  } catch (error) {
    const { stdout = '' } = error as { stdout?: string }
    if (stdout === '') throw error
    return stdout.split('\n').filter((line) => /^[\w-]+-\d+\.ts/.test(line))
  }
}
