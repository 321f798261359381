import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import webpack from 'webpack'

const root = fileURLToPath(new URL('../..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, unknown>
}
/** Every entry except the generator's: those that agents, workers and web pages import. */
const entries = Object.keys(manifest.exports)
  .filter((name) => name !== './codegen' && name !== './package.json')
  .map((name) => name.replace(/^\./, 'callsheet'))

let project = ''
beforeAll(() => {
  // Installed without any optional peer.
  project = mkdtempSync(join(tmpdir(), 'callsheet-bundles-'))
  const installed = join(project, 'node_modules/callsheet')
  mkdirSync(installed, { recursive: true })
  cpSync(join(root, 'dist'), join(installed, 'dist'), { recursive: true })
  writeFileSync(join(installed, 'package.json'), JSON.stringify(manifest))
  for (const entry of entries) {
    const text = `import * as all from '${entry}'\nglobalThis.all = all\n`
    writeFileSync(join(project, fileOf(entry)), text)
  }
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

function fileOf(entry: string): string {
  return `${entry.replace('/', '-')}.mjs`
}

/** Code that a bundle for browsers or workers must not contain. */
const nodeImport = /(?:from|import|require)\s*\(?\s*["']node:/

describe('entries bundle for browsers and workers, without the optional peers', () => {
  test.each(entries)('%s by esbuild', async (entry) => {
    const { outputFiles, errors } = await build({
      entryPoints: [join(project, fileOf(entry))],
      bundle: true,
      write: false,
      platform: 'browser',
      conditions: ['worker'],
      format: 'esm',
      logLevel: 'silent',
    })
    expect(errors).toEqual([])
    expect(outputFiles[0]?.text).not.toMatch(nodeImport)
  })

  test('all by webpack, for workers', { timeout: 120_000 }, async () => {
    const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) => {
      const compiler = webpack({
        mode: 'development',
        devtool: false,
        context: project,
        entry: Object.fromEntries(entries.map((entry) => [fileOf(entry), join(project, fileOf(entry))])),
        target: 'webworker',
        output: { path: join(project, 'webpack') },
      })
      compiler?.run((error, result) => compiler.close(() => (error ? reject(error) : resolve(result))))
    })
    const { errors = [] } = stats?.toJson({ all: false, errors: true }) ?? {}
    expect(errors.map(({ message }) => message)).toEqual([])
  })
})
