import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as esbuild from 'esbuild'
import { expect, test } from 'vitest'
import { loadEsbuild } from '../../../../codegen/load/load-esbuild.ts'
import { project } from './project.ts'

/** A folder with an esbuild of a version, as pnpm lays packages out: everyone has only what they ask for. */
function folderWith(version?: string): string {
  const text = `exports.version = '${version}'`
  return project(version === undefined ? {} : { 'node_modules/esbuild/index.js': text }, [])
}

test.each([
  ['the project’s own', '0.25.0', '0.28.2', '0.25.0'],
  ['the one beside Callsheet, where the project has none', undefined, '0.28.2', '0.28.2'],
  ['the one beside Callsheet, where that of the project is too old', '0.21.5', '0.28.2', '0.28.2'],
  ['that of the project, where Callsheet is shown none', '0.28.2', undefined, '0.28.2'],
  ['a later major version', '1.0.0', undefined, '1.0.0'],
])('GEN-2 definitions are read with %s', (_which, own, beside, version) => {
  expect(loadEsbuild(folderWith(own), join(folderWith(beside), 'package.json')).version).toBe(version)
})

test.each([
  ['0.21.5', 'esbuild 0.25 or later, but version 0.21.5 is installed.'],
  [undefined, 'esbuild 0.25 or later, which is not installed.'],
])('GEN-2 what there is instead is named: %s', (version, text) => {
  const load = () => loadEsbuild(folderWith(version), join(folderWith(version), 'package.json'))
  expect(load).toThrow(text)
})

test('an esbuild that cannot be loaded is no missing one', () => {
  const root = folderWith('0.28.2')
  writeFileSync(join(root, 'node_modules/esbuild/index.js'), "throw new Error('broken')")
  expect(() => loadEsbuild(root)).toThrow('broken')
})

test('GEN-2 the one of this repository is new enough', () => {
  expect(loadEsbuild(folderWith()).version).toBe(esbuild.version)
})
