import type { Stats } from 'node:fs'
import * as nodeFileSystem from 'node:fs'
import { dirname, join } from 'node:path'
import { GeneratorError } from '../generator-error.ts'
import { patiently } from './patiently.ts'

/**
 * The part of `node:fs` that writing uses; tests pass one that is full or read-only. Synchronous: reading thousands of small
 * files is three times faster that way, and a build step has nothing else to do.
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
 * The machine's file system. On Windows it retries while another program holds a file. On other systems an open file can be
 * replaced and removed, so an error means missing permissions.
 */
export const realFileSystem: FileSystem =
  process.platform === 'win32' ? patientFileSystem(nodeFileSystem) : nodeFileSystem

/** Wraps a file system to retry while another program holds a file. */
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

/** Returns the code of a system error (`ENOENT`, `EROFS`, …); undefined for other errors. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/**
 * Reads the text of a file; undefined if it does not exist.
 *
 * @throws GeneratorError `cannot_read` if it exists and cannot be read.
 */
export function readIfPresent(path: string, fileSystem: FileSystem): string | undefined {
  return ifPresent(path, () => fileSystem.readFileSync(path, 'utf8'))
}

/** Reads the bytes of a file; undefined if it does not exist. Otherwise as {@link readIfPresent}. */
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

/** Returns the state of a path without following links; undefined if it does not exist. */
export function lookAt(path: string, fileSystem: FileSystem): Stats | undefined {
  return unlessGone(() => fileSystem.lstatSync(path, quietly))
}

/** Returns the state of a path, following links; undefined if the target does not exist. */
export function statIfPresent(path: string, fileSystem: FileSystem = realFileSystem): Stats | undefined {
  return unlessGone(() => fileSystem.statSync(path, quietly))
}

/** Avoids exceptions, which are slow: most files of a first run do not exist. */
const quietly = { throwIfNoEntry: false } as const

/** Returns undefined also for errors that mean absence: a file in place of a parent folder, or a circle of links. */
function unlessGone(look: () => Stats | undefined): Stats | undefined {
  try {
    return look()
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined
    throw error
  }
}

/** Lists a folder; undefined if it does not exist or is not readable. */
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
 * Creates a folder and its parents. Does not use `recursive`, which reports a read-only file system as a missing folder, and
 * never returns for a readable folder that does not accept entries, such as `/proc`.
 */
export function makeFolder(path: string, fileSystem: FileSystem): void {
  const made = tryToMake(path, fileSystem)
  if (made) return
  makeFolder(dirname(path), fileSystem)
  if (!tryToMake(path, fileSystem))
    throw Object.assign(new Error(`No folder can be made at ${path}`), { code: 'ENOENT' })
}

/** Returns false if the parent folder is missing. */
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
 * Removes a file, or a folder with its content, if it exists. Does not use `rmSync`: on Windows, Node 24 silently keeps paths
 * with non-ASCII letters.
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
