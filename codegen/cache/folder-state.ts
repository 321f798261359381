import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { join } from 'node:path'
import { byCodeUnit } from '../../runtime/json/json.ts'
import { entriesIfReadable, statIfPresent } from '../write/file-system.ts'

/** A hash of the names in a folder: a new file can be a definition, or change how an import resolves. */
export interface FolderState {
  /** Absolute. */
  readonly path: string
  readonly names: string
}

/** Names that an import or the search for definitions can find, or that the search passes over with a warning. */
const counts = /\.(?:[cm]?[jt]sx?|json[c5]?)$/i

/** Reads the current state of a folder. A missing or unreadable folder counts as empty. */
export function folderState(path: string): FolderState {
  const names = (entriesIfReadable(path) ?? [])
    .filter((entry) => !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map((entry) => `${entry.name}${kindOf(entry, path)}`)
    .filter((name) => /[/@]$/.test(name) || counts.test(name))
    .sort(byCodeUnit)
  return { path, names: createHash('sha256').update(names.join('\n')).digest('base64url').slice(0, 22) }
}

/** Marks a folder, and a link to a folder or to nothing, which the search for definitions warns of. */
function kindOf(entry: Dirent, folder: string): '' | '/' | '@' {
  if (entry.isDirectory()) return '/'
  if (!entry.isSymbolicLink()) return ''
  return statIfPresent(join(folder, entry.name))?.isFile() === true ? '' : '@'
}

/** Lists a folder and all folders below it that can contain definitions. */
export function foldersBelow(path: string): string[] {
  const folders = (entriesIfReadable(path) ?? []).filter(
    (entry) => entry.isDirectory() && entry.name !== 'node_modules',
  )
  return [path, ...folders.flatMap((entry) => foldersBelow(join(path, entry.name)))]
}
