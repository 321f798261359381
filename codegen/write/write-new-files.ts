import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { Finding, GeneratedFile } from '../model.ts'
import { type FileSystem, makeFolder, readIfPresent, remove } from './file-system.ts'
import type { OutputFolder } from './output-folder.ts'
import { sameText } from './same-text.ts'
import { writeFault } from './write-fault.ts'

/** The result of writing files that then belong to the user. Paths are relative to the folder. */
export interface NewFiles {
  readonly written: readonly string[]
  /** Files that existed with the same text. */
  readonly unchanged: readonly string[]
  /** An existing file with another text is an error; then nothing is written. */
  readonly findings: readonly Finding[]
}

/**
 * Writes files that then belong to the user: without header or manifest. Existing files are kept unless `overwrite` is true.
 * All or nothing.
 *
 * @throws GeneratorError `cannot_write`.
 */
export function writeNewFiles(
  files: readonly GeneratedFile[],
  output: OutputFolder,
  overwrite: boolean,
  fileSystem: FileSystem,
): NewFiles {
  const present = files.map((file) => {
    const before = readIfPresent(join(output.absolute, file.path), fileSystem)
    return { ...file, before, isSame: before !== undefined && sameText(before, file.text) }
  })
  const unchanged = present.filter(({ isSame }) => isSame).map((file) => file.path)
  const wanted = present.filter(({ isSame }) => !isSame)
  const findings = overwrite
    ? []
    : wanted.filter((file) => file.before !== undefined).map((file) => exists(output, file.path))
  if (findings.length > 0) return { written: [], unchanged, findings }

  const written: string[] = []
  for (const file of wanted) {
    putInPlace(file, output, fileSystem, written.length === 0)
    written.push(file.path)
  }
  return { written, unchanged, findings }
}

function putInPlace(file: GeneratedFile, output: OutputFolder, fileSystem: FileSystem, first: boolean): void {
  const path = join(output.absolute, file.path)
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    makeFolder(dirname(path), fileSystem)
    fileSystem.writeFileSync(temporary, file.text)
    fileSystem.renameSync(temporary, path)
  } catch (error) {
    remove(temporary, fileSystem)
    const progress = first
      ? 'nothing was changed'
      : 'some files were already written; run it again when this is solved'
    throw writeFault(error, `${output.shown}/${file.path}`, progress)
  }
}

function exists(output: OutputFolder, path: string): Finding {
  return {
    rule: 'file-exists',
    severity: 'error',
    message: `${output.shown}/${path} exists and says something else.`,
    fix: 'Move it, import under names of their own with --prefix NAME, or overwrite it with --force.',
    at: { file: `${output.shown}/${path}`, line: 1, column: 1 },
  }
}
