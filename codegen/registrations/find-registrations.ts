import { dirname, resolve } from 'node:path'
import { compiledFolder } from '../load/compiler-options.ts'
import type { SourcePosition } from '../model.ts'
import { isInside } from '../paths/is-inside.ts'
import { portablePath } from '../paths/portable-path.ts'
import { readIfPresent, realFileSystem } from '../write/file-system.ts'
import { activitySource, type Registration, registrationsIn } from './registrations-in.ts'
import { type SourceFiles, sourceFiles } from './source-files.ts'

/** Where to look for the registrations of one set of definitions. */
export interface RegistrationScope {
  /** Absolute path of the project folder. */
  readonly root: string
  /** The set's output folder, relative to the root: where its `Activity` comes from. */
  readonly output: string
  /** The output folders of the project's other sets, relative to the root. */
  readonly otherOutputs: readonly string[]
  /** Relative to the root; it may lie outside of it. */
  readonly activitiesFolder: string
}

/** The Activities that a project registers, and what was read to find them. */
export interface FoundRegistrations {
  /** In the order of the files, and within a file of the text. */
  readonly registrations: readonly Registration[]
  /** Where something is registered under a name that is computed, in the same order. */
  readonly computed: readonly SourcePosition[]
  /** Absolute paths of the folders that were searched. */
  readonly folders: readonly string[]
}

/** Finds what a project registers for one set (ACT-3b), tests apart; anywhere in its sources. */
export function findRegistrations(scope: RegistrationScope): FoundRegistrations {
  const { files, folders } = searchedSources(scope)
  const found = files.flatMap((file) => {
    // A file can go away between being listed and being read.
    const text = readIfPresent(file, realFileSystem) ?? ''
    const inFile = registrationsIn(text, portablePath(scope.root, file))
    const hasAny = inFile.registrations.length + inFile.computed.length > 0
    if (!hasAny || !registersFor(scope, file, text)) return []
    // Where it is a parameter, names are computed by design: they are the caller's.
    return activitySource(text) === undefined ? { ...inFile, computed: [] } : inFile
  })
  return {
    registrations: found.flatMap(({ registrations }) => registrations),
    computed: found.flatMap(({ computed }) => computed),
    folders,
  }
}

/** The sources in which registrations are looked for: the project's, and those of an activities folder outside of it. */
export function searchedSources({
  root,
  output,
  otherOutputs,
  activitiesFolder,
}: RegistrationScope): SourceFiles {
  const outputs = new Set([output, ...otherOutputs].map((folder) => resolve(root, folder)))
  const activities = resolve(root, activitiesFolder)
  const compiled = compiledFolder(root)
  if (compiled !== undefined && !isInside(activities, compiled)) outputs.add(compiled)
  const places = isInside(activities, root) ? [root] : [root, activities]
  const found = places.map((place) => sourceFiles(place, outputs))
  return {
    files: found.flatMap(({ files }) => files),
    folders: found.flatMap(({ folders }) => folders),
  }
}

/** False where a file's `Activity` is certainly another set's, or of a registry made by hand. */
function registersFor({ root, otherOutputs }: RegistrationScope, file: string, text: string): boolean {
  const source = activitySource(text)
  if (source === 'createRegistry') return false
  if (source === undefined || !source.startsWith('.')) return true
  const target = resolve(dirname(file), source)
  return !otherOutputs.some((folder) => isInside(target, resolve(root, folder)))
}
