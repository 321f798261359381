// A user's project in a folder of its own: definitions of so many tools, and `callsheet` as npm would install it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { definitionSource } from './corpus.mjs'

/** The checkout, or another one by CALLSHEET_ROOT, to measure two beside each other. */
export const root = process.env.CALLSHEET_ROOT ?? fileURLToPath(new URL('..', import.meta.url))

/** Tools in one definition file; a change touches one file. */
const perFile = 20

/**
 * Makes the project. A thousand tools pass what OpenAI's structured outputs allow, and generation says so; so the
 * dialect is `json-schema` unless said.
 *
 * @returns The folder; `removeProject` takes it away again.
 */
export function makeProject(tools, { dialects = ['json-schema'] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'callsheet-bench-'))
  mkdirSync(join(folder, 'definitions'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules', 'callsheet'))
  symlinkSync(join(root, 'node_modules', 'typebox'), join(folder, 'node_modules', 'typebox'))
  writeFileSync(join(folder, 'package.json'), '{ "name": "bench", "private": true, "type": "module" }\n')
  writeFileSync(
    join(folder, 'callsheet.config.js'),
    `export default { dialects: ${JSON.stringify(dialects)} }\n`,
  )
  for (let start = 0; start < tools.length; start += perFile) {
    writeFileSync(
      definitionPath(folder, start / perFile),
      definitionSource(tools.slice(start, start + perFile)),
    )
  }
  return folder
}

/** Path of the definition file of that number, from 0. */
export function definitionPath(folder, number) {
  return join(folder, 'definitions', `tools-${String(number).padStart(3, '0')}.ts`)
}

/** Runs `callsheet generate` in a process of its own, as a user does. */
export function generateProject(folder, ...options) {
  const command = [join(root, 'dist', 'cli.js'), 'generate', '--silent', ...options]
  const { status, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`callsheet generate ended with ${status}:\n${stderr}`)
}

/** Compiles `generated/` to JavaScript, a file for a file; what is imported stays imported. @returns The folder. */
export function compileProject(folder) {
  const outdir = join(folder, 'built')
  buildSync({
    entryPoints: readdirSync(join(folder, 'generated'), { recursive: true })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(folder, 'generated', path)),
    outdir,
    format: 'esm',
    target: 'node20.19',
  })
  return outdir
}

export function removeProject(folder) {
  rmSync(folder, { recursive: true, force: true })
}
