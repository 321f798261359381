import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { byCodeUnit } from '../../runtime/json/json.ts'
import { entriesIfReadable } from '../write/file-system.ts'

/** The names in a folder, as a hash: a new file can be a definition, or change what an import means. */
export interface FolderState {
  /** Absolute. */
  readonly path: string
  readonly names: string
}

/** Names that an import or the search for definitions can come upon. */
const counts = /\.(?:[cm]?[jt]sx?|json)$/

/** The state of a folder now; one that is not there, or may not be looked into, counts as empty. */
export function folderState(path: string): FolderState {
  const names = (entriesIfReadable(path) ?? [])
    .filter((entry) => !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .filter((name) => name.endsWith('/') || counts.test(name))
    .sort(byCodeUnit)
  return { path, names: createHash('sha256').update(names.join('\n')).digest('base64url').slice(0, 22) }
}

/** A folder and all below it that can hold definitions. */
export function foldersBelow(path: string): string[] {
  const folders = (entriesIfReadable(path) ?? []).filter(
    (entry) => entry.isDirectory() && entry.name !== 'node_modules',
  )
  return [path, ...folders.flatMap((entry) => foldersBelow(join(path, entry.name)))]
}
