import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { pack, run } from './packed.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export const example = join(root, 'examples/monorepo')
export const packages = ['contracts', 'worker', 'agent'] as const

/** Copies the example, or a built copy of it, and installs `callsheet` from the packed tarball. */
export function copyOfExample(from = example): string {
  const folder = mkdtempSync(join(tmpdir(), 'callsheet-monorepo-'))
  const skipped = from === example ? ['node_modules', 'dist', 'package-lock.json'] : ['node_modules']
  cpSync(from, folder, { recursive: true, filter: (path) => !skipped.includes(basename(path)) })
  for (const name of packages) {
    const file = join(folder, name, 'package.json')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace(/("callsheet": )"[^"]+"/, `$1"file:${pack()}"`))
  }
  return folder
}

export function install(folder: string, ...args: readonly string[]): void {
  const installed = run(folder, 'npm', 'install', '--silent', '--no-audit', '--no-fund', ...args)
  expect(installed.stderr.replaceAll(/^npm warn.*$/gm, '').trim()).toBe('')
  expect(installed.code).toBe(0)
}

/** Lists the installed packages of a folder, including those in scopes. */
export function installedIn(folder: string): string[] {
  const modules = join(folder, 'node_modules')
  const entries = readdirSync(modules).filter((name) => !name.startsWith('.'))
  return entries.flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : name,
  )
}

const compilers = {
  'TypeScript 7': join(root, 'node_modules/typescript/bin/tsc'),
  'TypeScript 5.9': join(root, 'node_modules/typescript-5.9/bin/tsc'),
}

/** Builds the packages that changed, or all of them. @returns The compiler's errors, one per line. */
export function compile(
  folder: string,
  what: 'changed' | 'all' = 'all',
  compiler: keyof typeof compilers = 'TypeScript 7',
): string[] {
  const args = ['--build', ...(what === 'all' ? ['--force'] : []), '--pretty', 'false']
  const { code, stdout } = run(folder, process.execPath, compilers[compiler], ...args)
  const errors = stdout.split('\n').filter((line) => line.includes('error TS'))
  expect(errors.length > 0).toBe(code !== 0)
  return errors
}
