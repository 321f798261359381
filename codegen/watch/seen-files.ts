import { statSync } from 'node:fs'
import { folderState } from '../cache/folder-state.ts'
import { holdsDefinitions, type WatchScope } from './scope.ts'

/**
 * What the files and folders of a scope were like at one moment. Operating systems report late, twice, and about files
 * that were only read; an event is news when what it is about differs from this.
 */
export class SeenFiles {
  readonly #marks = new Map<string, string | undefined>()
  readonly #scope: WatchScope

  constructor(scope: WatchScope) {
    this.#scope = scope
    const folders = [...scope.folders].filter((path) => holdsDefinitions(path, scope))
    for (const path of [...scope.files, ...scope.definitions, ...folders]) this.#marks.set(path, markOf(path))
  }

  /** What is no longer what it was: of the scope, and of further paths of which it did not know. */
  changed(further: Iterable<string>): string[] {
    // A folder above the definitions tells nothing itself: what it holds is among the marks.
    const below = [...further].filter((path) => holdsDefinitions(path, this.#scope))
    return [...new Set([...this.#marks.keys(), ...below])].filter(
      (path) => markOf(path) !== this.#marks.get(path),
    )
  }
}

/** Tells two states of a path apart; undefined when nothing is there. */
function markOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return undefined
  if (stat.isDirectory()) return `${stat.ino} ${folderState(path).names}`
  return `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`
}
