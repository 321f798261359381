import type { Finding } from '../model.ts'
import type { RegistrationScope } from '../registrations/searched-sources.ts'

/** A generated file that was, or with `check` would be, added, changed or removed. */
export interface FileChange {
  /** Relative to the project folder, with forward slashes. */
  readonly path: string
  readonly kind: 'added' | 'changed' | 'removed'
  /** The text on disk; undefined for an added file. */
  readonly before: string | undefined
  /** The generated text; undefined for a removed file. */
  readonly after: string | undefined
}

/** The Activities that one set of definitions needs, and their folder. */
export interface Implementations extends RegistrationScope {
  /** Names that have to be registered here. */
  readonly names: readonly string[]
  /** The Activity names of all Tools, wherever they are implemented. */
  readonly known: readonly string[]
  /** Names that the project registers, anywhere in its sources. */
  readonly registered: readonly string[]
}

/** The result of a run of the generator. */
export interface Report {
  /** False if a definition has an error or, with `check`, if a file is stale. */
  readonly ok: boolean
  /** All findings about the definitions, sorted by position. If one is an error, nothing was written. */
  readonly findings: readonly Finding[]
  /** The files that differ, by path. */
  readonly changes: readonly FileChange[]
  /** Number of files that were up to date. */
  readonly unchanged: number
  readonly tools: number
  /** Absolute paths of the files that the output depends on, existing or not; a watcher watches them. */
  readonly inputs: readonly string[]
  /** Absolute paths of the folders that were searched for registrations. */
  readonly sourceFolders: readonly string[]
  /** What a source may name instead of an `Activity` and its `register`: exports of other sources that pass one on. */
  readonly passedNames: readonly string[]
  /** Absolute paths of the folders and files that were searched for definitions. */
  readonly definitions: readonly string[]
  /** Absolute paths of the output folders. */
  readonly outputs: readonly string[]
  /** The Activities that the sets need; the command line compares them with the registered ones. */
  readonly implementations: readonly Implementations[]
}
