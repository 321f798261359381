import type { Stats } from 'node:fs'
import * as nodeFileSystem from 'node:fs'
import { dirname, join } from 'node:path'
import { GeneratorError } from '../generator-error.ts'
import { patiently } from './patiently.ts'

/**
 * What writing needs of `node:fs`; tests pass one that is full or read-only. Synchronous: thousands of small files are
 * read three times faster that way, and a build step has nothing else to do meanwhile.
 */
export type FileSystem = Pick<
  typeof nodeFileSystem,
  | 'accessSync'
  | 'lstatSync'
  | 'mkdirSync'
  | 'readFileSync'
  | 'readdirSync'
  | 'renameSync'
  | 'rmdirSync'
  | 'statSync'
  | 'unlinkSync'
  | 'writeFileSync'
>

/**
 * The machine's own file system; on Windows a patient one. Elsewhere an open file can be replaced and removed, and to refuse is about
 * rights.
 */
export const realFileSystem: FileSystem =
  process.platform === 'win32' ? patientFileSystem(nodeFileSystem) : nodeFileSystem

/** A file system that waits while another program holds a file. */
export function patientFileSystem(fileSystem: FileSystem): FileSystem {
  return {
    ...fileSystem,
    lstatSync: patiently(fileSystem.lstatSync),
    mkdirSync: patiently(fileSystem.mkdirSync),
    readFileSync: patiently(fileSystem.readFileSync),
    renameSync: patiently(fileSystem.renameSync),
    rmdirSync: patiently(fileSystem.rmdirSync),
    statSync: patiently(fileSystem.statSync),
    unlinkSync: patiently(fileSystem.unlinkSync),
    writeFileSync: patiently(fileSystem.writeFileSync),
  }
}

/** The code of a system error (`ENOENT`, `EROFS`, …), or undefined when it is another kind of error. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/**
 * The text of a file, or undefined where there is none.
 *
 * @throws GeneratorError `cannot_read` when it is there and cannot be read.
 */
export function readIfPresent(path: string, fileSystem: FileSystem): string | undefined {
  return ifPresent(path, () => fileSystem.readFileSync(path, 'utf8'))
}

/** The bytes of a file, or undefined where there is none; as {@link readIfPresent}. */
export function readBytesIfPresent(path: string, fileSystem: FileSystem): Uint8Array | undefined {
  return ifPresent(path, () => fileSystem.readFileSync(path))
}

function ifPresent<Content>(path: string, read: () => Content): Content | undefined {
  try {
    return read()
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined
    const isFolder = code === 'EISDIR'
    const reason = isFolder ? 'it is a folder' : error instanceof Error ? error.message : String(error)
    const fault = {
      message: `Cannot read ${path}: ${reason}.`,
      fix: isFolder
        ? 'A file belongs there: move the folder away and run it again.'
        : 'Make it readable for this user and run it again.',
    }
    throw new GeneratorError('cannot_read', [fault], error)
  }
}

/** What is at a path, undefined where there is nothing. A link is looked at itself. */
export function lookAt(path: string, fileSystem: FileSystem): Stats | undefined {
  return unlessGone(() => fileSystem.lstatSync(path, quietly))
}

/** What a path leads to, links followed; undefined where it leads nowhere. */
export function statIfPresent(path: string, fileSystem: FileSystem = realFileSystem): Stats | undefined {
  return unlessGone(() => fileSystem.statSync(path, quietly))
}

/** Not by exception, which costs more than looking: most files of a first run are not there. */
const quietly = { throwIfNoEntry: false } as const

/** A file in the place of a folder on the way, or a circle of links, throws all the same. */
function unlessGone(look: () => Stats | undefined): Stats | undefined {
  try {
    return look()
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined
    throw error
  }
}

/** What a folder holds; undefined where there is none, or none that this user may look into. */
export function entriesIfReadable(folder: string): nodeFileSystem.Dirent[] | undefined {
  try {
    return realFileSystem.readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES' || code === 'EPERM') return undefined
    throw error
  }
}

/**
 * Makes a folder and those above it. Not by `recursive`: that reports a read-only file system as a missing folder, and
 * never returns where a folder can be looked into but not added to, such as `/proc`.
 */
export function makeFolder(path: string, fileSystem: FileSystem): void {
  const made = tryToMake(path, fileSystem)
  if (made) return
  makeFolder(dirname(path), fileSystem)
  if (!tryToMake(path, fileSystem))
    throw Object.assign(new Error(`No folder can be made at ${path}`), { code: 'ENOENT' })
}

/** False where the folder above is missing. */
function tryToMake(path: string, fileSystem: FileSystem): boolean {
  try {
    fileSystem.mkdirSync(path)
    return true
  } catch (error) {
    const code = systemCode(error)
    if (code === 'EEXIST') return true
    if (code === 'ENOENT' && dirname(path) !== path) return false
    throw error
  }
}

/**
 * Removes a file, or a folder with all that it holds; what is not there is gone already. Not by `rmSync`: on Windows Node 24 leaves a path
 * with letters beyond ASCII where it is, and says nothing.
 */
export function remove(path: string, fileSystem: FileSystem): void {
  const found = lookAt(path, fileSystem)
  if (found === undefined) return
  try {
    if (!found.isDirectory()) fileSystem.unlinkSync(path)
    else {
      for (const name of fileSystem.readdirSync(path)) remove(join(path, name), fileSystem)
      fileSystem.rmdirSync(path)
    }
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}
