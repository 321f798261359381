import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { foldersBelow } from '../cache/folder-state.ts'
import { configNames } from '../config/find-config.ts'
import type { ConfigOptions } from '../config/load-config.ts'
import { isInside } from '../paths/is-inside.ts'
import { isSourceName, mayHoldSources } from '../registrations/source-names.ts'
import type { Report } from '../report/report.ts'
import { statIfPresent, systemCode } from '../write/file-system.ts'

/** What is watched: folders, of which only some files matter. All paths are absolute. */
export interface WatchScope {
  readonly folders: ReadonlySet<string>
  /** Files that decide about the output, existing or not. */
  readonly files: ReadonlySet<string>
  /** Folders (or files) in which anything can be a definition. */
  readonly definitions: readonly string[]
  /** Folders whose sources can register Activities; of each only its own files. */
  readonly sourceFolders: ReadonlySet<string>
  readonly outputs: readonly string[]
}

/**
 * What to watch after a run. After one that failed, what the run before it had read counts as well: the file that will
 * mend it is among those.
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
  const files = new Set([
    ...configs,
    ...(report?.inputs ?? []).flatMap(withTarget),
    // What git ignores registers nothing.
    ...[...sourceFolders].map((folder) => join(folder, '.gitignore')),
    ...(earlier?.files ?? []),
  ])
  const watched = [
    ...sourceFolders,
    ...[...files].filter((path) => !path.includes(`${sep}node_modules${sep}`)).map((path) => dirname(path)),
    // The parent too: it says when a definitions folder appears or is replaced.
    ...definitions.flatMap((path) => [dirname(path), ...(isFolder(path) ? foldersBelow(path) : [])]),
  ]
  return {
    folders: new Set(watched.filter((path) => existsSync(path))),
    files,
    definitions,
    sourceFolders,
    outputs: report?.outputs ?? before?.outputs ?? [],
  }
}

/** A file, and the one that it is a symbolic link to: a change of that is told of where that lies. */
function withTarget(path: string): string[] {
  try {
    return [path, realpathSync(path)]
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return [path]
  }
}

/** True when a change of this path can change the output. What the generator writes never does. */
export function isRelevant(path: string, scope: WatchScope): boolean {
  if (scope.outputs.some((folder) => isInside(path, folder))) return false
  if (scope.files.has(path)) return true
  if (mayRegister(path, scope)) return true
  const places = scope.definitions
  return (holdsDefinitions(path, scope) || places.some((place) => isInside(place, path))) && !isScratch(path)
}

/** True for a place in which definitions are looked for, and for anything in it. */
export function holdsDefinitions(path: string, scope: WatchScope): boolean {
  return scope.definitions.some((place) => isInside(path, place))
}

/** True for a source file in which registrations are looked for, and for a new folder that may hold some. */
export function mayRegister(path: string, { sourceFolders }: WatchScope): boolean {
  if (!sourceFolders.has(dirname(path)) || isScratch(path)) return false
  return (
    isSourceName(basename(path)) ||
    (!sourceFolders.has(path) && isFolder(path) && mayHoldSources(basename(path)))
  )
}

/** Files of the scope that changed after a moment (whole epoch milliseconds). */
export function changedSince(scope: WatchScope, moment: number): string[] {
  return [...scope.files].filter((path) => {
    const stat = statIfPresent(path)
    return stat?.isFile() === true && Math.floor(stat.mtimeMs) > moment
  })
}

/** Editors' swap and backup files, and the bundles that the loader itself puts beside a definition for a moment. */
function isScratch(path: string): boolean {
  const name = path.slice(path.lastIndexOf(sep) + 1)
  return (
    name.startsWith('.') || name.endsWith('~') || /\.(?:sw[a-z]|tmp|bak)$/.test(name) || /^\d+$/.test(name)
  )
}

function isFolder(path: string): boolean {
  return statIfPresent(path)?.isDirectory() === true
}
