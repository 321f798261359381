import type { Dirent } from 'node:fs'
import { join, posix } from 'node:path'
import { byCodeUnit } from '../../runtime/json/json.ts'
import type { Finding, GeneratedFile } from '../model.ts'
import { type Claims, readClaims } from './claims.ts'
import { type FileSystem, lookAt, readIfPresent, systemCode } from './file-system.ts'
import { foreignFile, keptFile, notAFile, notFolders } from './foreign-file.ts'
import { carriesMarker, manifestName, takesNoMarker } from './marker.ts'
import type { OutputFolder } from './output-folder.ts'
import { runFolderName } from './run-folder.ts'
import { sameText } from './same-text.ts'

/** A planned change of one file. `path` is relative to the output folder. */
export type PlannedChange =
  | { readonly kind: 'added'; readonly path: string; readonly after: string }
  | { readonly kind: 'changed'; readonly path: string; readonly before: string; readonly after: string }
  | { readonly kind: 'removed'; readonly path: string; readonly before: string }

/** The planned changes of one output folder. If a finding is an error, nothing may be written. */
export interface WritePlan {
  /** Absolute path of the output folder. */
  readonly folder: string
  /** Sorted by path, with the manifest last: it confirms that the others were written. */
  readonly changes: readonly PlannedChange[]
  readonly unchanged: number
  readonly findings: readonly Finding[]
}

/**
 * Compares the generated files with the output folder, without writing. A file belongs to the generator if it has the header,
 * or if the manifest lists it and it cannot have a header. A file with the same bytes never conflicts.
 */
export function planWrite(
  files: readonly GeneratedFile[],
  output: OutputFolder,
  fileSystem: FileSystem,
): WritePlan {
  const blocked = notFolders(output, ['', ...foldersOf(files)], fileSystem)
  if (blocked.length > 0) return { folder: output.absolute, changes: [], unchanged: 0, findings: blocked }

  const claims = readClaims(output.absolute, fileSystem)
  const wanted = new Map(files.map((file) => [file.path, file.text]))
  const findings: Finding[] = []
  const changes: PlannedChange[] = []
  let unchanged = 0

  const obsolete = obsoleteFiles(wanted, claims, output.absolute, fileSystem)
  for (const [path, before] of obsolete) {
    if (isOwn(path, before, claims)) changes.push({ kind: 'removed', path, before })
    else findings.push(keptFile(output, path))
  }
  // On a file system that ignores case, removing `Get.ts` also removes `get.ts`, which is then written again.
  const removedNames = new Set(changes.map((change) => change.path.toLowerCase()))

  for (const [path, after] of wanted) {
    const place = join(output.absolute, path)
    const present = lookAt(place, fileSystem)
    // A symbolic link was made on purpose: it is neither followed, replaced nor removed.
    if (present?.isFile() === false) {
      findings.push(notAFile(output, path))
      continue
    }
    const before = present && readIfPresent(place, fileSystem)
    if (before === undefined || removedNames.has(path.toLowerCase()))
      changes.push({ kind: 'added', path, after })
    else if (sameText(before, after)) unchanged += 1
    else if (isOwn(path, before, claims)) changes.push({ kind: 'changed', path, before, after })
    else findings.push(foreignFile(output, path))
  }
  return { folder: output.absolute, changes: changes.sort(manifestLast), unchanged, findings }
}

function isOwn(path: string, text: string, claims: Claims): boolean {
  if (carriesMarker(text)) return true
  // The list replaces the header. An empty file contains nothing worth keeping.
  return claims.listed.has(path) && (takesNoMarker(path) || text === '')
}

/** Finds obsolete files of earlier runs, with their text. */
function obsoleteFiles(
  wanted: ReadonlyMap<string, string>,
  claims: Claims,
  folder: string,
  fileSystem: FileSystem,
): [path: string, text: string][] {
  const listed = [...claims.listed].filter((path) => !wanted.has(path))
  // Also check headers: the manifest may be missing, or belong to another branch whose files a merge kept.
  const candidates = new Set([...listed, ...unlistedFiles(folder, wanted, fileSystem)])
  const found: [string, string][] = []
  for (const path of candidates) {
    if (!isPlainFile(join(folder, path), fileSystem)) continue
    const text = readIfPresent(join(folder, path), fileSystem)
    if (text === undefined) continue
    if (claims.listed.has(path) || carriesMarker(text)) found.push([path, text])
  }
  return found
}

function unlistedFiles(
  folder: string,
  wanted: ReadonlyMap<string, string>,
  fileSystem: FileSystem,
  under = '',
): string[] {
  let entries: ReturnType<typeof listFolder>
  try {
    entries = listFolder(join(folder, under), fileSystem)
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
  // The output of another configuration.
  if (under !== '' && entries.some(({ name }) => name === manifestName)) return []
  return entries.flatMap((entry) => {
    const path = posix.join(under, entry.name)
    if (entry.isDirectory()) {
      const skipped = entry.name === runFolderName || entry.name === 'node_modules' || entry.name === '.git'
      return skipped ? [] : unlistedFiles(folder, wanted, fileSystem, path)
    }
    return entry.isFile() && path.endsWith('.ts') && !wanted.has(path) ? [path] : []
  })
}

function listFolder(path: string, fileSystem: FileSystem): Dirent[] {
  return fileSystem.readdirSync(path, { withFileTypes: true })
}

function isPlainFile(path: string, fileSystem: FileSystem): boolean {
  return lookAt(path, fileSystem)?.isFile() === true
}

/** Lists the folders of the files, below the output folder, parents first. */
function foldersOf(files: readonly GeneratedFile[]): string[] {
  const folders = new Set<string>()
  for (const file of files) {
    const segments = file.path.split('/').slice(0, -1)
    segments.forEach((_, index) => {
      folders.add(segments.slice(0, index + 1).join('/'))
    })
  }
  return [...folders].sort(byCodeUnit)
}

function manifestLast(left: PlannedChange, right: PlannedChange): number {
  const late = Number(left.path === manifestName) - Number(right.path === manifestName)
  return late || byCodeUnit(left.path, right.path)
}
