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

/** One file that is not as it should be. `path` is relative to the output folder. */
export type PlannedChange =
  | { readonly kind: 'added'; readonly path: string; readonly after: string }
  | { readonly kind: 'changed'; readonly path: string; readonly before: string; readonly after: string }
  | { readonly kind: 'removed'; readonly path: string; readonly before: string }

/** What writing would do to one output folder; with an error among the findings nothing may be written. */
export interface WritePlan {
  /** Absolute path of the output folder. */
  readonly folder: string
  /** Sorted by path; the manifest last, since it says that the others are in place. */
  readonly changes: readonly PlannedChange[]
  readonly unchanged: number
  readonly findings: readonly Finding[]
}

/**
 * Compares what should be in the output folder with what is there, and touches nothing. A file belongs to the generator
 * when its header says so, or when the manifest lists it and it can carry no header. A file of the same bytes is
 * never in the way.
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
  // On a file system that ignores case, removing `Get.ts` takes `get.ts` along: that one is then written anew.
  const removedNames = new Set(changes.map((change) => change.path.toLowerCase()))

  for (const [path, after] of wanted) {
    const place = join(output.absolute, path)
    const present = lookAt(place, fileSystem)
    // A symbolic link is somebody's arrangement: it is neither followed, replaced nor removed.
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
  // The list stands for the header. An empty file holds nobody's work.
  return claims.listed.has(path) && (takesNoMarker(path) || text === '')
}

/** Files of earlier runs that are no longer wanted, with their text. */
function obsoleteFiles(
  wanted: ReadonlyMap<string, string>,
  claims: Claims,
  folder: string,
  fileSystem: FileSystem,
): [path: string, text: string][] {
  const listed = [...claims.listed].filter((path) => !wanted.has(path))
  // A manifest may be missing, or be the one of another branch whose files a merge kept: so the headers are asked as well.
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

/** Every folder that the files stand in, below the output folder, parents first. */
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
