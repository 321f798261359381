import { randomUUID } from 'node:crypto'
import { GeneratorError } from '../generator-error.ts'
import { type FileSystem, readIfPresent, remove } from './file-system.ts'
import { writeFault } from './write-fault.ts'

/**
 * Replaces a file's text atomically, only if it still has the expected text.
 *
 * @throws GeneratorError `cannot_write`.
 */
export function replaceFile(path: string, before: string, after: string, fileSystem: FileSystem): void {
  if (readIfPresent(path, fileSystem) !== before) {
    const fault = {
      message: `${path} was changed meanwhile, and is left alone.`,
      fix: 'Run the command again.',
    }
    throw new GeneratorError('cannot_write', [fault])
  }
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    fileSystem.writeFileSync(temporary, after)
    fileSystem.renameSync(temporary, path)
  } catch (error) {
    remove(temporary, fileSystem)
    throw writeFault(error, path, 'nothing was changed')
  }
}
