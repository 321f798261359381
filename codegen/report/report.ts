import type { Finding } from '../model.ts'

/** A generated file that was, or with `check` would be, added, changed or removed. */
export interface FileChange {
  /** Relative to the project folder, with forward slashes. */
  readonly path: string
  readonly kind: 'added' | 'changed' | 'removed'
  /** The text that is there; undefined for an added file. */
  readonly before: string | undefined
  /** The text that belongs there; undefined for a removed file. */
  readonly after: string | undefined
}

/** The Activities that one set of definitions needs, and the folder in which they are looked for. */
export interface Implementations {
  /** Absolute path of the project folder. */
  readonly root: string
  /** Relative to it. */
  readonly folder: string
  /** Names that have to be registered here. */
  readonly names: readonly string[]
  /** Names that Tools get, wherever they are implemented. */
  readonly known: readonly string[]
  /** Names that the project registers, anywhere in its sources. */
  readonly registered: readonly string[]
}

/** What a run of the generator found and did. */
export interface Report {
  /** False when a definition is wrong or, with `check`, when a file is stale. */
  readonly ok: boolean
  /** Everything that there is to say about the definitions, by place; errors among them mean that nothing was written. */
  readonly findings: readonly Finding[]
  /** The files that differ, by path. */
  readonly changes: readonly FileChange[]
  /** How many files were right already. */
  readonly unchanged: number
  readonly tools: number
  /** Absolute paths of the files that decided about the output, existing or not: what a watcher watches. */
  readonly inputs: readonly string[]
  /** Absolute paths of the folders that were searched for registrations. */
  readonly sourceFolders: readonly string[]
  /** Absolute paths of the folders and files that definitions were looked for in. */
  readonly definitions: readonly string[]
  /** Absolute paths of the output folders. */
  readonly outputs: readonly string[]
  /** What the sets need implemented; the command line compares it with what is. */
  readonly implementations: readonly Implementations[]
}
