import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'

/** What stands above the definitions in most of these files. */
export const typebox = "import { Type } from 'typebox'\n"

/**
 * Writes a project into a temporary folder, which goes when the test ends.
 *
 * @param packages Names of packages that it has installed: links to those of this repository.
 */
export function project(files: Record<string, string>, packages: readonly string[] = ['typebox']): string {
  const root = mkdtempSync(join(tmpdir(), 'callsheet-load-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [file, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  if (packages.length > 0) mkdirSync(join(root, 'node_modules'))
  for (const name of packages) {
    symlinkSync(resolve('node_modules', name), join(root, 'node_modules', name), 'junction')
  }
  return root
}
