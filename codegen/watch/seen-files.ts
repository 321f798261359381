import { join } from 'node:path'
import { folderState } from '../cache/folder-state.ts'
import { GeneratorError } from '../generator-error.ts'
import { namesAny } from '../registrations/names-any.ts'
import { readSource } from '../registrations/read-source.ts'
import { entriesIfReadable, readIfPresent, realFileSystem, statIfPresent } from '../write/file-system.ts'
import { holdsDefinitions, isGoneOutput, mayRegister, type WatchScope } from './scope.ts'

/**
 * A snapshot of the files and folders of a scope. Operating systems report changes late, twice, and for files that were only
 * read; an event counts only if its path differs from the snapshot.
 */
export class SeenFiles {
  readonly #marks = new Map<string, string | undefined>()
  readonly #scope: WatchScope

  constructor(scope: WatchScope) {
    this.#scope = scope
    const folders = [...scope.folders].filter((path) => holdsDefinitions(path, scope))
    for (const path of [...scope.files, ...scope.definitions, ...folders]) this.#marks.set(path, markOf(path))
    for (const path of [...scope.sourceFolders].flatMap(entriesOf)) {
      if (mayRegister(path, scope) && !this.#marks.has(path)) this.#marks.set(path, this.#mark(path))
    }
  }

  /** Returns the changed paths: known ones, and relevant ones among `further`. */
  changed(further: Iterable<string>): string[] {
    const scope = this.#scope
    // A folder above the definitions has no state of its own: its relevant content has marks.
    const events = [...further]
    const below = events.filter((path) => holdsDefinitions(path, scope) || mayRegister(path, scope))
    const changed = [...this.#marks.keys(), ...below].filter(
      (path) => this.#mark(path) !== this.#marks.get(path),
    )
    return [...new Set([...changed, ...events.filter((path) => isGoneOutput(path, scope))])]
  }

  /** Returns the state of a path. Of a source that is no definition only the registrations count, since it changes often. */
  #mark(path: string): string | undefined {
    const scope = this.#scope
    const isDefinition = scope.files.has(path) || holdsDefinitions(path, scope)
    return isDefinition || !mayRegister(path, scope)
      ? markOf(path)
      : registrationMark(path, scope.passedNames)
  }
}

/**
 * Returns what a source file registers and passes on, and whether it parses; undefined if it does none of that, or there is no such
 * file. A new folder has a mark too.
 */
function registrationMark(path: string, passedNames: ReadonlySet<string>): string | undefined {
  const stat = statIfPresent(path)
  if (stat?.isDirectory()) return markOf(path)
  const text = stat?.isFile() ? textOf(path) : ''
  if (!namesAny(['register', 'Activity', ...passedNames]).test(text)) return undefined
  const { calls, exportedPaths, exported, problem } = readSource(text, path)
  const leads = (part: string): boolean => part === 'register' || part === 'default' || passedNames.has(part)
  const registers = calls.map(({ name, of }) => ({ name, of: of.filter(({ path: to }) => to.some(leads)) }))
  const passes = exportedPaths.map((name) => ({ name, of: exported(name) }))
  const marks = [...registers, ...passes].filter(({ of }) => of.length > 0)
  return marks.length > 0 || problem ? JSON.stringify([marks, problem !== undefined]) : undefined
}

/** Reads a source; empty if unreadable, which the next round reports. */
function textOf(path: string): string {
  try {
    return readIfPresent(path, realFileSystem) ?? ''
  } catch (error) {
    if (error instanceof GeneratorError) return ''
    throw error
  }
}

/** Returns a text that differs between states of a path; undefined if it does not exist. */
function markOf(path: string): string | undefined {
  const stat = statIfPresent(path)
  if (!stat) return undefined
  if (stat.isDirectory()) return `${stat.ino} ${folderState(path).names}`
  return `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`
}

function entriesOf(folder: string): string[] {
  return (entriesIfReadable(folder) ?? []).map(({ name }) => join(folder, name))
}
