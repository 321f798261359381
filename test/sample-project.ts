import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { fill } from './unit/codegen/write/temporary-folder.ts'

const repository = join(import.meta.dirname, '..')

/**
 * The sample of this repository alone, for the tests of one file: commands look for registrations in every source of a project, and
 * the repository has a thousand.
 */
export function sampleProject(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'callsheet-sample-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  for (const path of [
    'definitions',
    'generated',
    'examples/sample',
    'callsheet.config.json',
    'tsconfig.json',
  ])
    cpSync(join(repository, path), join(folder, path), { recursive: true })
  fill(folder, { 'package.json': '{ "type": "module" }\n', 'node_modules/.keep': '' })
  symlinkSync(repository, join(folder, 'node_modules/callsheet'), 'junction')
  symlinkSync(join(repository, 'node_modules/typebox'), join(folder, 'node_modules/typebox'), 'junction')
  return folder
}
