import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { foldersBelow } from '../cache/folder-state.ts'
import { configNames } from '../config/find-config.ts'
import type { ConfigOptions } from '../config/load-config.ts'
import { isInside } from '../paths/is-inside.ts'
import { isSourceName, mayHoldSources } from '../registrations/source-names.ts'
import type { Report } from '../report/report.ts'
import { statIfPresent, systemCode } from '../write/file-system.ts'

/** The watched folders, and which of their files matter. All paths are absolute. */
export interface WatchScope {
  /** Existing or not, with the folders above them, which report when one of them is moved or created. */
  readonly folders: ReadonlySet<string>
  /** Files that the output depends on, existing or not. */
  readonly files: ReadonlySet<string>
  /** Folders or files in which everything can be a definition. */
  readonly definitions: readonly string[]
  /** Folders whose direct files can register Activities. */
  readonly sourceFolders: ReadonlySet<string>
  /** What a source may name instead of an `Activity` and its `register`. */
  readonly passedNames: ReadonlySet<string>
  readonly outputs: readonly string[]
}

/**
 * Returns what to watch after a run. After a failed run it includes the inputs of the run before: the file that has to be
 * fixed is among them.
 */
export function watchScope(
  options: ConfigOptions,
  report: Report | undefined,
  before: WatchScope | undefined,
): WatchScope {
  const cwd = resolve(options.cwd ?? '.')
  const configs =
    typeof options.config === 'string'
      ? [resolve(cwd, options.config)]
      : configNames.map((name) => join(cwd, name))
  const earlier = report?.ok ? undefined : before
  const definitions = [...new Set([...(report?.definitions ?? []), ...(earlier?.definitions ?? [])])]
  const sourceFolders = new Set([...(report?.sourceFolders ?? []), ...(earlier?.sourceFolders ?? [])])
  const passedNames = new Set([...(report?.passedNames ?? []), ...(earlier?.passedNames ?? [])])
  const files = new Set([
    ...configs,
    ...(report?.inputs ?? []).flatMap(withTarget),
    // A `.gitignore` decides which sources are searched for registrations.
    ...[...sourceFolders].map((folder) => join(folder, '.gitignore')),
    ...(earlier?.files ?? []),
  ])
  const outputs = report?.outputs ?? before?.outputs ?? []
  const watched = [
    ...outputs.map((path) => dirname(path)),
    ...sourceFolders,
    ...[...files].filter((path) => !path.includes(`${sep}node_modules${sep}`)).map((path) => dirname(path)),
    // The parent too: it reports when a definitions folder is created or replaced.
    ...definitions.flatMap((path) => [dirname(path), ...(isFolder(path) ? foldersBelow(path) : [])]),
  ]
  return {
    folders: new Set(watched.flatMap((path) => [path, ...foldersBetween(path, cwd)])),
    files,
    definitions,
    sourceFolders,
    passedNames,
    outputs,
  }
}

/** Lists the folders above one, up to the working folder or, elsewhere, to the first that exists. */
function foldersBetween(folder: string, cwd: string): string[] {
  const parent = dirname(folder)
  if (folder === cwd || parent === folder) return []
  const isLast = !isInside(folder, cwd) && existsSync(parent)
  return [parent, ...(isLast ? [] : foldersBetween(parent, cwd))]
}

/** Returns a file and the target of its symbolic link: a change of the target is reported in the target's folder. */
function withTarget(path: string): string[] {
  try {
    return [path, realpathSync(path)]
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return [path]
  }
}

/** Whether a change of this path can change the output. Of changes of the output, only the loss of its folder counts. */
export function isRelevant(path: string, scope: WatchScope): boolean {
  if (isGoneOutput(path, scope)) return true
  if (scope.outputs.some((folder) => isInside(path, folder))) return false
  if (scope.files.has(path) || scope.folders.has(path)) return true
  if (mayRegister(path, scope)) return true
  const places = scope.definitions
  return (holdsDefinitions(path, scope) || places.some((place) => isInside(place, path))) && !isScratch(path)
}

/** Whether a path is an output folder that was deleted. */
export function isGoneOutput(path: string, { outputs }: WatchScope): boolean {
  return outputs.includes(path) && !existsSync(path)
}

/** Whether a path is searched for definitions. */
export function holdsDefinitions(path: string, scope: WatchScope): boolean {
  return scope.definitions.some((place) => isInside(path, place))
}

/** Whether a path is a source file that is searched for registrations, or a new folder that may contain some. */
export function mayRegister(path: string, { sourceFolders }: WatchScope): boolean {
  if (!sourceFolders.has(dirname(path)) || isScratch(path)) return false
  return (
    isSourceName(basename(path)) ||
    (!sourceFolders.has(path) && isFolder(path) && mayHoldSources(basename(path)))
  )
}

/** Returns the files that changed after a time (integer epoch milliseconds). */
export function changedSince(scope: WatchScope, moment: number): string[] {
  return [...scope.files].filter((path) => {
    const stat = statIfPresent(path)
    return stat?.isFile() === true && Math.floor(stat.mtimeMs) > moment
  })
}

/** Whether a file is an editor's swap or backup file, or a temporary bundle of the loader next to a definition. */
function isScratch(path: string): boolean {
  const name = path.slice(path.lastIndexOf(sep) + 1)
  return (
    name.startsWith('.') || name.endsWith('~') || /\.(?:sw[a-z]|tmp|bak)$/.test(name) || /^\d+$/.test(name)
  )
}

function isFolder(path: string): boolean {
  return statIfPresent(path)?.isDirectory() === true
}
