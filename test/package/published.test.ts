import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { filesOfDocs } from '../../docs/site/files-of-docs.ts'
import { runOn } from './node-24.ts'
import { freshFolder, pack, run, writeInto } from './packed.ts'

const root = new URL('../../', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
const entries = Object.keys(manifest.exports).filter((name) => name !== './package.json')
const specifiers = entries.map((name) => name.replace(/^\./, 'callsheet'))

let folder = ''
const installedFile = (path: string): string => join(folder, 'node_modules/callsheet', path)

beforeAll(() => {
  folder = freshFolder({ 'package.json': '{ "private": true, "type": "module" }' })
  const installed = run(folder, 'npm', 'install', '--silent', '--no-audit', '--no-fund', pack())
  expect(installed.code).toBe(0)
})

describe('what is published', () => {
  const files = (): string[] =>
    readdirSync(installedFile('.'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(installedFile('.').length))
      .map((path) => path.replace(/^\//, ''))

  test('consists of the entries, what they load, their declarations, and the documentation', () => {
    const docs = filesOfDocs()
    const targets = entries.flatMap((name) => Object.values<string>(manifest.exports[name]))
    const wanted = [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist/THIRD-PARTY-NOTICES.md',
      'llms.txt',
      'package.json',
      manifest.bin.callsheet,
      // The prebuilt page of the studio.
      ...['index.html', 'studio.css', 'studio.js'].map((name) => `dist/studio/${name}`),
      ...docs.filter((name) => /\.(?:md|png)$/.test(name)).map((name) => `docs/${name}`),
      ...targets.map((path) => path.replace('./', '')),
    ]
    const loaded = files().filter((path) => path.startsWith('dist/chunks/') || path.startsWith('dist/types/'))
    const rest = files().filter((path) => !loaded.includes(path))
    expect(rest.sort()).toEqual(wanted.filter((path) => !loaded.includes(path)).sort())
    expect(loaded.filter((path) => !/^dist\/(chunks\/.+\.js|types\/.+\.d\.ts)$/.test(path))).toEqual([])
  })

  test('has no chunk that no entry loads', async () => {
    const scripts = [manifest.bin.callsheet, ...entries.map((name) => manifest.exports[name].default)]
    const { metafile } = await build({
      entryPoints: scripts.map((path) => installedFile(path)),
      absWorkingDir: installedFile('.'),
      outdir: 'out',
      bundle: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
      splitting: true,
      write: false,
      metafile: true,
    })
    const chunks = readdirSync(installedFile('dist/chunks')).map((name) => `dist/chunks/${name}`)
    expect(chunks.filter((path) => !(path in metafile.inputs))).toEqual([])
  })

  test('carries the licences of the code that it bundles', () => {
    const notices = readFileSync(installedFile('dist/THIRD-PARTY-NOTICES.md'), 'utf8')
    expect(notices).toContain('## ajv-formats 3.0.1 (MIT)')
    expect(notices).toContain('Copyright (c) 2020 Evgeny Poberezkin')
  })

  test('passes publint and are-the-types-wrong', () => {
    const linted = run(folder, 'npx', '--yes', 'publint@0.3.25', 'run', pack(), '--strict')
    expect(linted.stdout).toContain('All good!')
    const attw = [
      '--yes',
      '@arethetypeswrong/cli@0.18.5',
      pack(),
      '--profile',
      'esm-only',
      '--format',
      'json',
    ]
    const typed = run(folder, 'npx', ...attw)
    expect(typed.code).toBe(0)
  })
})

describe('every entry', () => {
  test.each(['own', 24] as const)('GEN-9 loads with code from strings forbidden, on Node %s', (version) => {
    const script = `await Promise.all(${JSON.stringify(specifiers)}.map((name) => import(name))); console.log('loaded')`
    const ran = runOn(
      version,
      folder,
      'node',
      '--disallow-code-generation-from-strings',
      '--input-type=module',
      '-e',
      script,
    )
    expect(ran).toMatchObject({ code: 0, stdout: 'loaded\n', stderr: '' })
  })

  test('GEN-9 type-checks without TypeBox, OpenAI or ts-morph installed, libraries included', () => {
    const names = specifiers.map(
      (name, index) => `import * as entry${index} from '${name}'\nvoid entry${index}\n`,
    )
    writeInto(folder, {
      'main.ts': names.join(''),
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          module: 'nodenext',
          target: 'es2023',
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          noEmit: true,
          types: ['node'],
          typeRoots: [new URL('node_modules/@types', root).pathname],
        },
        files: ['main.ts'],
      }),
    })
    const compiler = new URL('node_modules/typescript/bin/tsc', root).pathname
    expect(run(folder, process.execPath, compiler, '-p', '.')).toMatchObject({ code: 0, stdout: '' })
  })
})

describe('sideEffects: false holds', () => {
  const bundle = async (contents: string): Promise<string> => {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: folder },
      bundle: true,
      format: 'esm',
      platform: 'browser',
      write: false,
    })
    return outputFiles[0]?.text ?? ''
  }

  test('a bundle that declares a Tool carries no registry', async () => {
    const text = await bundle(`import { tool } from 'callsheet'; console.log(tool('x', {}))`)
    expect(text).not.toMatch(/class ActivityRegistry|class Emitter|unknown_tool/)
    // Not minified. It includes code that reads contexts and names wrong arguments, because fewer files start faster.
    expect(text.length).toBeLessThan(19_500)
  })

  test.each(specifiers.filter((name) => name !== 'callsheet/codegen'))(
    '%s alone comes to nothing',
    async (name) => {
      const platform = ['callsheet/agent', 'callsheet/testing'].includes(name) ? 'node' : 'browser'
      const { outputFiles } = await build({
        stdin: { contents: `import '${name}'`, resolveDir: folder },
        bundle: true,
        format: 'esm',
        platform,
        write: false,
        logLevel: 'silent',
      })
      expect(outputFiles[0]?.text.trim()).toBe('')
    },
  )
})
