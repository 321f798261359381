import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { readFunctions } from '../../../../codegen/functions/read-functions.ts'
import { fill } from '../write/temporary-folder.ts'

/** Reads one file of functions: the schema of each Tool and shared type by name, and what is wrong, with its place. */
export function read(source: string, more: Readonly<Record<string, string>> = {}) {
  return readFiles({ 'fns.ts': source }, more)
}

/** Reads several files of functions together: starting the compiler for each would take seconds. */
export function readFiles(
  sources: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'callsheet-functions-')))
  fill(root, { 'package.json': '{"type":"module"}', ...sources, ...more })
  const { definitions, findings, inputs } = readFunctions({ root, files: Object.keys(sources), taken: [] })
  rmSync(root, { recursive: true })
  return {
    schemas: Object.fromEntries(
      definitions.map(({ name, value }) => [name, value as Record<string, unknown>]),
    ),
    implementations: Object.fromEntries(
      definitions.map(({ name, implementation }) => [name, implementation]),
    ),
    problems: findings.map(
      ({ rule, at, message }) => `${at?.file}:${at?.line}:${at?.column} ${rule} ${message}`,
    ),
    fixes: findings.map(({ fix }) => fix),
    inputs: inputs.map((path) => basename(path)),
  }
}
